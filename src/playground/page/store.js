// @ts-check
// What the page knows, and who wants to hear of changes. Views read `store` and never change it themselves,
// except through the functions here.
import { words } from './rich-words.js';

/**
 * @typedef {{ id: number, first_name: string, last_name?: string, username?: string, language_code?: string, is_bot?: boolean }} Person
 * @typedef {{ id: number, username: string, first_name: string, inline?: true }} Bot
 * @typedef {{ user_id: number, status: string }} Member
 * @typedef {{ message_thread_id: number, name: string, closed?: boolean }} Topic
 * @typedef {{ id: number, type: string, title?: string, first_name?: string, last_name?: string, username?: string,
 *   is_forum?: boolean, members?: Member[], topics?: Topic[], last_message_id?: number, bot_id?: number,
 *   blocked?: boolean, unmet?: boolean, pinned?: number[], migrated_to?: number }} Chat
 * @typedef {any} Message A Bot API Message.
 */

export const GENERAL = 1;
const SEEN = 'playground-seen:';
const WORLD = 'playground-world';

export const store = {
  /** @type {number | undefined} */ userId: undefined,
  /** @type {number | undefined} */ chatId: undefined,
  /** @type {number} the topic on screen; General when not in a forum */ threadId: GENERAL,
  /** @type {Person[]} */ users: [],
  /** @type {Bot[]} */ bots: [],
  /** @type {Chat[]} */ chats: [],
  /** @type {Record<string, any> | undefined} what a newcomer reads, by language */ welcome: undefined,
  /** @type {any} the page beside this one */ beside: undefined,
  /** @type {Map<number, Map<number, Message>>} messages by chat and id */ messages: new Map(),
  /** @type {Set<number>} chats that are known whole */ whole: new Set(),
  /** @type {any[]} newest first */ calls: [],
  /** @type {any} the message being answered */ replyTo: undefined,
  /** @type {any} the message being edited */ editing: undefined,
  /** @type {number | undefined} a message that is shown once its place is on screen */ awaited: undefined,
};

/** @type {Map<string, Set<(detail?: any) => void>>} */
const listeners = new Map();

/**
 * Topics: `world` (people, chats), `open` (another chat, topic or person on screen), `messages` (a chat was
 * fetched whole), `message` (one came or changed), `gone` (one was deleted), `calls`, `context` (reply or
 * edit begun or ended), `commands`, `language`, `say` (a text to be sent), `search` (words to look for), `need-all` (every
 * chat is wanted whole) and `found` (they are).
 * @param {string} topic
 * @param {(detail?: any) => void} listener
 */
export function on(topic, listener) {
  const set = listeners.get(topic) ?? new Set();
  set.add(listener);
  listeners.set(topic, set);
}

/**
 * @param {string} topic
 * @param {any} [detail]
 */
export function emit(topic, detail) {
  for (const listener of listeners.get(topic) ?? []) listener(detail);
}

export function me() {
  return store.users.find((user) => user.id === store.userId);
}

export function openChat() {
  return store.chats.find((chat) => chat.id === store.chatId);
}

/** @param {number} chatId */
export function messagesOf(chatId) {
  const found = store.messages.get(chatId);
  if (found) return found;
  /** @type {Map<number, Message>} */
  const made = new Map();
  store.messages.set(chatId, made);
  return made;
}

/** What was known of chats may no longer be so. */
export function forgetMessages() {
  store.messages.clear();
  store.whole.clear();
}

/** The messages on screen, oldest first: those of the open chat, and in a forum those of the open topic. */
export function visibleMessages() {
  const chat = openChat();
  if (!chat) return [];
  return [...messagesOf(chat.id).values()].filter((message) => isVisible(message, chat)).sort(byId);
}

/**
 * @param {Message} message
 * @param {Chat} chat
 */
export function isVisible(message, chat) {
  return !message.deleted && !isReplaced(message) && (!chat.is_forum || threadOf(message) === store.threadId);
}

/** Whether this person sees an ephemeral message in its place. @param {Message} message */
function isReplaced({ chat, message_id: id }) {
  return [...messagesOf(chat.id).values()].some(({ replaces }) => replaces === id);
}

/** @param {Message} message */
export function threadOf(message) {
  return message.is_topic_message || message.forum_topic_created
    ? (message.message_thread_id ?? message.message_id)
    : GENERAL;
}

/**
 * @param {Message} a
 * @param {Message} b
 */
function byId(a, b) {
  return (a.replaces ?? a.message_id) - (b.replaces ?? b.message_id);
}

/**
 * The bot a private chat is with.
 * @param {Chat} chat
 */
export function botOf(chat) {
  if (chat.type !== 'private') return undefined;
  const byMember = store.bots.find((bot) => chat.members?.some((member) => member.user_id === bot.id));
  return store.bots.find((bot) => bot.id === chat.bot_id) ?? byMember ?? store.bots[0];
}

/** @param {Chat} chat */
export function chatTitle(chat) {
  if (chat.type === 'private') return botOf(chat)?.first_name ?? personName(chat);
  return chat.title ?? `#${chat.id}`;
}

/** @param {any} person a User, or anything with the same names */
export function personName(person) {
  const name = [person?.first_name, person?.last_name].filter(Boolean).join(' ');
  return name || person?.title || person?.username || String(person?.id ?? '?');
}

/**
 * @param {number} id
 * @returns {string}
 */
export function nameById(id) {
  return personName(
    store.users.find((user) => user.id === id) ?? store.bots.find((bot) => bot.id === id) ?? { id },
  );
}

/** @param {Message} message */
export function senderOf(message) {
  return message.sender_chat ?? message.from ?? message.chat;
}

/** @param {Message} message */
export function isMine(message) {
  return !message.sender_chat && message.from?.id === store.userId;
}

/** What a bot wrote for a person is the bot's to change. @param {Message} message */
export function isEditable(message) {
  return isMine(message) && !message.via_bot && typeof (message.text ?? message.caption) === 'string';
}

/**
 * The present person's standing in a chat; a private chat has none and counts as membership.
 * @param {Chat} chat
 */
function standing(chat) {
  if (chat.type === 'private') return 'member';
  return chat.members?.find((member) => member.user_id === store.userId)?.status ?? 'left';
}

/** @param {Chat} chat */
export function isAdmin(chat) {
  return ['creator', 'administrator'].includes(standing(chat));
}

/** @param {Chat} chat */
export function canWrite(chat) {
  const status = standing(chat);
  if (chat.blocked || chat.migrated_to !== undefined) return false;
  if (chat.type === 'channel') return isAdmin(chat);
  return status !== 'left' && status !== 'kicked';
}

/**
 * What has come into a chat since the person on screen looked into it. Ids have gaps, large ones after a restart: messages are counted.
 * @param {Chat} chat
 */
export function unreadOf(chat) {
  return countAfter(chat, seenIn(chat), () => true);
}

/**
 * The last message that the person on screen has seen of a chat.
 * @param {Chat} chat
 */
export function seenIn(chat) {
  return keptSeen(seenKey(chat)) ?? Infinity;
}

/**
 * What has come into a topic since the person on screen looked into it, or first saw the chat.
 * @param {Chat} chat
 * @param {number} threadId
 */
export function unreadInTopic(chat, threadId) {
  const seen = keptSeen(seenKey(chat, threadId)) ?? keptSeen(seenKey(chat, 0)) ?? Infinity;
  return countAfter(chat, seen, (message) => threadOf(message) === threadId);
}

/**
 * @param {Chat} chat
 * @param {number} seen
 * @param {(message: Message) => boolean} isCounted
 */
function countAfter(chat, seen, isCounted) {
  return [...messagesOf(chat.id).values()].filter(
    (message) =>
      message.message_id > seen &&
      isCounted(message) &&
      !message.deleted &&
      !isNote(message) &&
      !isMine(message),
  ).length;
}

/** What is there when a person first sees a chat counts as seen. @param {Chat} chat */
export function firstSeen(chat) {
  if (keptSeen(seenKey(chat)) !== undefined) return;
  for (const key of [seenKey(chat), seenKey(chat, 0)]) keepSeen(key, chat.last_message_id ?? 0);
}

/** Ids of another world say nothing here: what was seen of them is forgotten. @param {string} id */
export function enterWorld(id) {
  if (localStorage.getItem(WORLD) === id) return;
  for (const key of Object.keys(localStorage)) if (key.startsWith(SEEN)) localStorage.removeItem(key);
  localStorage.setItem(WORLD, id);
}

/** Counts everything that is on screen, and the open chat as a whole, as seen by the person on screen. */
export function markSeen() {
  const chat = openChat();
  if (!chat) return;
  for (const key of [seenKey(chat), seenKey(chat, store.threadId)]) keepSeen(key, chat.last_message_id ?? 0);
}

/** The last message that was seen, over a reload too. @param {string} key */
function keptSeen(key) {
  const kept = localStorage.getItem(SEEN + key);
  return kept === null ? undefined : Number(kept);
}

/**
 * Keeps the last message that was seen; what the page knows of a chat may be older than what it has shown.
 * @param {string} key
 * @param {number} messageId
 */
function keepSeen(key, messageId) {
  localStorage.setItem(SEEN + key, String(Math.max(messageId, keptSeen(key) ?? 0)));
}

/**
 * @param {Chat} chat
 * @param {number} [threadId] 0: all of its topics, when the person first saw the chat
 */
function seenKey(chat, threadId) {
  return `${store.userId}:${chat.id}:${threadId ?? ''}`;
}

/** Whether it only notes what has happened to the chat. @param {Message} message */
function isNote(message) {
  return summary(message, (key) => key) === '';
}

/**
 * A one-line account of a message for lists and quotes.
 * @param {Message} message
 * @param {(key: string) => string} label
 */
export function summary(message, label) {
  const text = message.rich_message ? words(message.rich_message) : (message.text ?? message.caption);
  if (text) return text.length > 160 ? `${text.slice(0, 160)}…` : text;
  if (message.photo) return label('picture');
  for (const kind of ['document', 'video', 'audio', 'voice', 'animation', 'video_note', 'sticker']) {
    if (message[kind]) return message[kind].file_name ?? kind;
  }
  if (message.poll) return `📊 ${message.poll.question}`;
  if (message.contact) return label('contact');
  if (message.location) return label('location');
  return '';
}
