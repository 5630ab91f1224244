import type { Message, User } from '@grammyjs/types';
import { announce, post, pushCallback, shownMessage, type NewMessage } from '../deliver.ts';
import type { Emulator } from '../emulator.ts';
import { ControlError } from '../errors.ts';
import { fileToWire, type FileKind, type UploadedFile } from '../files.ts';
import { codePoints, MAX_TEXT, typedText } from '../text/formatting.ts';
import { imageSize } from '../image-size.ts';
import { isAdmin, isIn, may, memberOf } from './members.ts';
import { setBlocked, setMember } from './membership.ts';
import { commandsFor } from './menus.ts';
import { remove } from '../bot-api/methods/editing.ts';
import type { BotState, ChatState, MessageContent, StoredMessage } from '../types.ts';
import { botByUsername, CHANNEL_BOT, GROUP_ANONYMOUS_BOT, newMember, openPrivateChat } from '../world.ts';
import { messageToWire } from '../wire.ts';

export interface Spoken {
  user_id: number;
  chat_id: number;
  thread_id?: number | undefined;
  reply_to_message_id?: number | undefined;
  as_anonymous?: boolean | undefined;
  via_channel?: boolean | undefined;
}

/** The chat that a person means: a group by its id, a private chat by the bot's id or by their own. */
export function chatOf(em: Emulator, userId: number, chatId: number): ChatState {
  if (!em.world.users.has(userId)) throw new ControlError(`unknown user ${userId}`);
  if (chatId > 0) {
    const bot = em.world.bots.get(chatId) ?? (chatId === userId ? firstBot(em) : undefined);
    if (bot === undefined) throw new ControlError(`user ${userId} has no chat ${chatId}`);
    return openPrivateChat(em.world, userId, bot.id);
  }
  const chat = em.world.chats.get(String(chatId));
  if (chat === undefined) throw new ControlError(`unknown chat ${chatId}`);
  return chat;
}

/** A person writes a text. */
export function speak(em: Emulator, spoken: Spoken & { text: string }): Message {
  const { text, entities } = typedText(spoken.text);
  if (text === '') throw new ControlError('the text is empty');
  if (codePoints(text) > MAX_TEXT) throw new ControlError('the text is too long');
  const content = { text, ...(entities.length > 0 && { entities }) };
  const [message] = say(em, spoken, [content]);
  if (message === undefined) throw new ControlError('nothing was sent');
  return message;
}

/** A person sends files: pictures, films, music and voices as such, the rest as documents; several make an album. */
export function upload(
  em: Emulator,
  spoken: Spoken & { caption?: string | undefined; as_document?: boolean | undefined },
  files: readonly UploadedFile[],
): Message[] {
  if (files.length === 0) throw new ControlError('no file given');
  if (files.length > 10) throw new ControlError('at most 10 files make an album');
  const kinds = spoken.as_document === true ? [] : files.map(kindOf);
  const isAlbum = kinds.every((kind) => kind === 'photo' || kind === 'video') || new Set(kinds).size === 1;
  const group = files.length > 1 ? { media_group_id: String(em.world.nextMediaGroupId++) } : {};
  const caption = typedText(spoken.caption ?? '');
  const captionField = {
    ...(caption.text !== '' && { caption: caption.text }),
    ...(caption.entities.length > 0 && { caption_entities: caption.entities }),
  };
  const contents = files.map((file, index): MessageContent => {
    const kind = isAlbum ? (kinds[index] ?? 'document') : 'document';
    const media = fileToWire(em.files.add(kind, file, DETAILS[kind]));
    return { ...group, ...media, ...(index === 0 && captionField) };
  });
  return say(em, spoken, contents);
}

/** A person edits their own message; the same text again makes an update too, as a changed tag does. */
export function reword(
  em: Emulator,
  edit: { user_id: number; chat_id: number; message_id: number; text: string },
): Message {
  const chat = chatOf(em, edit.user_id, edit.chat_id);
  const stored = existing(chat, edit.message_id);
  const isAuthor = stored.wire.from?.id === edit.user_id || isAdmin(memberOf(chat, edit.user_id));
  if (!isAuthor || stored.botId !== undefined || stored.via !== undefined || stored.service) {
    throw new ControlError('only the author can edit a message');
  }
  const { text, entities } = typedText(edit.text);
  if (text === '') throw new ControlError('the text is empty');
  const [textName, entitiesName] =
    stored.wire.text === undefined
      ? (['caption', 'caption_entities'] as const)
      : (['text', 'entities'] as const);
  stored.wire[textName] = text;
  if (entities.length > 0) stored.wire[entitiesName] = entities;
  else delete stored.wire[entitiesName];
  stored.wire.edit_date = em.seconds();
  announce(em, chat, stored, 'edit');
  return shownMessage(chat, stored);
}

/**
 * A person taps a button, as it is now or was when they saw it. Only data that the message has offered goes, unless `forge` is
 * set: then any data, on a deleted message too (which the bot sees as inaccessible).
 */
export function tap(
  em: Emulator,
  touch: { user_id: number; chat_id: number; message_id: number; data: string; forge?: boolean | undefined },
): { callback_query_id: string } {
  const chat = chatOf(em, touch.user_id, touch.chat_id);
  const user = em.world.users.get(touch.user_id);
  const stored = seen(chat, user?.id, touch.message_id);
  if (user === undefined || stored === undefined) throw new ControlError('no such message');
  if (touch.forge !== true) {
    if (stored.deleted) throw new ControlError('the message was deleted');
    if (chat.type !== 'private' && !isIn(memberOf(chat, user.id))) throw new ControlError('not a member');
    if (!stored.offered.has(touch.data)) throw new ControlError('no button of the message has had this data');
  }
  const bot = em.world.bots.get(stored.via?.botId ?? stored.botId ?? firstBot(em).id) ?? firstBot(em);
  const id = String(4_290_000_000_000_000_000n + BigInt(em.world.nextCallbackId++));
  em.world.callbacks.set(id, {
    id,
    botId: bot.id,
    userId: user.id,
    chatKey: chat.key,
    messageId: stored.wire.message_id,
    at: em.now(),
    answered: false,
  });
  const wire = messageToWire(chat, stored);
  const message = stored.deleted ? { message_id: wire.message_id, chat: wire.chat, date: 0 } : wire;
  const inlineId = stored.via?.inlineMessageId;
  pushCallback(em, bot, chat, {
    id,
    from: user,
    ...(inlineId === undefined ? { message } : { inline_message_id: inlineId }),
    chat_instance: chatInstance(chat),
    data: touch.data,
  });
  return { callback_query_id: id };
}

/** A deep link: opens the bot's private chat (or brings the bot into `chat_id`) and sends `/start payload`. */
export function start(
  em: Emulator,
  link: { user_id: number; bot: string; payload?: string | undefined; chat_id?: number | undefined },
): { chat_id: number; message: Message } {
  const bot = botByUsername(em.world, link.bot);
  const user = em.world.users.get(link.user_id);
  if (bot === undefined) throw new ControlError(`unknown bot ${link.bot}`);
  if (user === undefined) throw new ControlError(`unknown user ${link.user_id}`);
  const payload = link.payload ?? '';
  if (!/^[A-Za-z0-9_-]{0,64}$/.test(payload)) {
    throw new ControlError('a payload has at most 64 characters of A-Z a-z 0-9 _ -');
  }
  const tail = payload === '' ? '' : ` ${payload}`;
  if (link.chat_id !== undefined && link.chat_id < 0) {
    return startInGroup(em, user, bot, link.chat_id, tail);
  }
  const chat = openPrivateChat(em.world, user.id, bot.id);
  setBlocked(em, chat, false);
  const message = speak(em, { user_id: user.id, chat_id: bot.id, text: `/start${tail}` });
  return { chat_id: shownChatId(em, chat), message };
}

export function erase(
  em: Emulator,
  wanted: { user_id?: number | undefined; chat_id: number; message_id: number },
): void {
  const userId = wanted.user_id ?? (wanted.chat_id > 0 ? wanted.chat_id : firstBot(em).id);
  const chat = chatOf(em, userId, wanted.chat_id);
  remove({ em }, chat, existing(chat, wanted.message_id));
}

/** Private chats are known by the person's id, which is what messages carry; those with further bots by the bot's. */
export function shownChatId(em: Emulator, chat: ChatState): number {
  const isOther = chat.botId !== undefined && chat.botId !== firstBot(em).id;
  return isOther && chat.botId !== undefined ? chat.botId : chat.id;
}

export function firstBot(em: Emulator): BotState {
  const bot = em.world.bots.values().next().value;
  if (bot === undefined) throw new ControlError('there is no bot yet');
  return bot;
}

function startInGroup(
  em: Emulator,
  user: User,
  bot: BotState,
  chatId: number,
  tail: string,
): { chat_id: number; message: Message } {
  const chat = chatOf(em, user.id, chatId);
  if (!isIn(memberOf(chat, bot.id))) setMember(em, chat, newMember(bot.id, 'member'), user);
  const text = `/start@${bot.user.username ?? ''}${tail}`;
  return { chat_id: chatId, message: speak(em, { user_id: user.id, chat_id: chatId, text }) };
}

/**
 * A person puts messages into a chat, one for each content; `more` is what comes of sending via a bot. Throws ControlError
 * where they may not.
 */
export function say(
  em: Emulator,
  spoken: Spoken,
  contents: readonly MessageContent[],
  more: Pick<NewMessage, 'markup' | 'via' | 'linkPreview'> = {},
): Message[] {
  const chat = chatOf(em, spoken.user_id, spoken.chat_id);
  const user = em.world.users.get(spoken.user_id);
  if (user === undefined) throw new ControlError('unknown user');
  const author = authorIn(em, chat, user, spoken);
  const original =
    spoken.reply_to_message_id === undefined
      ? undefined
      : existing(chat, spoken.reply_to_message_id, user.id);
  const topic = spoken.thread_id === undefined ? undefined : chat.topics.get(spoken.thread_id);
  const isClosed = topic === undefined ? chat.isForum && chat.general.closed : topic.closed;
  if (topic?.deleted === true || (isClosed && !isAdmin(memberOf(chat, user.id)))) {
    throw new ControlError('the topic is closed');
  }
  return contents.map((content) => {
    const stored = post(em, chat, {
      ...author,
      ...more,
      content,
      replyTo: spoken.reply_to_message_id,
      threadId: topic?.id,
      only: botAlone(em, chat, user, original, content),
    });
    return shownMessage(chat, stored);
  });
}

function authorIn(
  em: Emulator,
  chat: ChatState,
  user: User,
  spoken: Spoken,
): { from?: User; senderChat?: ChatState } {
  if (chat.type === 'private') {
    if (chat.blocked) throw new ControlError('the bot is blocked');
    return { from: user };
  }
  if (chat.migratedTo !== undefined) throw new ControlError(`the group is now ${chat.migratedTo}`);
  const member = memberOf(chat, user.id);
  if (chat.type === 'channel') {
    if (!may(chat, user.id, 'can_post_messages')) throw new ControlError('only administrators post here');
    return { senderChat: chat };
  }
  if (!may(chat, user.id, 'can_send_messages')) throw new ControlError('this person may not write here');
  if (spoken.as_anonymous === true || member.anonymous) {
    if (!isAdmin(member)) throw new ControlError('only administrators can be anonymous');
    return { from: GROUP_ANONYMOUS_BOT, senderChat: chat };
  }
  if (spoken.via_channel === true) {
    const own = [...em.world.chats.values()].find(
      (other) => other.type === 'channel' && memberOf(other, user.id).status === 'creator',
    );
    if (own === undefined) throw new ControlError('this person owns no channel');
    return { from: CHANNEL_BOT, senderChat: own };
  }
  return { from: user };
}

/** Nobody looks into films and sounds: they are as long and large as this. */
const DETAILS: Partial<Record<FileKind, Record<string, number>>> = {
  video: { width: 640, height: 360, duration: 1 },
  voice: { duration: 1 },
  audio: { duration: 1 },
};

/** What a phone makes of a file. */
function kindOf(file: UploadedFile): FileKind {
  if (file.mime.startsWith('image/') && imageSize(file.bytes) !== undefined) return 'photo';
  if (file.mime === 'video/mp4') return 'video';
  if (file.mime === 'audio/ogg') return 'voice';
  return file.mime.startsWith('audio/') ? 'audio' : 'document';
}

/**
 * Whose eyes alone a person's message is for: a command that a bot's menu there calls ephemeral, and the answer to what a bot
 * wrote to this person alone.
 */
function botAlone(
  em: Emulator,
  chat: ChatState,
  user: User,
  original: StoredMessage | undefined,
  { text, entities }: MessageContent,
): NewMessage['only'] {
  if (chat.type === 'private' || chat.type === 'channel') return undefined;
  const answered = original?.only === undefined ? undefined : em.world.bots.get(original.botId ?? 0);
  if (answered !== undefined) return { userId: user.id, receiver: answered.user };
  const first = entities?.find(({ type, offset }) => type === 'bot_command' && offset === 0);
  if (first === undefined) return undefined;
  const [name, addressee] = (text ?? '').slice(1, first.length).split('@');
  const bot = [...em.world.bots.values()].find(
    ({ id, user: { username } }) =>
      isIn(memberOf(chat, id)) &&
      (addressee === undefined || addressee.toLowerCase() === username?.toLowerCase()) &&
      commandsFor(em, { bot: id, chat: chat.id, user: user.id }).some(
        ({ command, is_ephemeral: isAlone }) => command === name && isAlone === true,
      ),
  );
  return bot && { userId: user.id, receiver: bot.user };
}

/** A message that everybody in the chat or this person alone sees, deleted or not. */
function seen(chat: ChatState, userId: number | undefined, id: number): StoredMessage | undefined {
  const own = chat.ephemeral.get(id);
  return own !== undefined && own.only?.userId === userId ? own : chat.messages.get(id);
}

/** The message of that id, as long as it stands; with a person, also what they alone see. */
export function existing(chat: ChatState, id: number, userId?: number): StoredMessage {
  const stored = userId === undefined ? chat.messages.get(id) : seen(chat, userId, id);
  if (stored === undefined || stored.deleted) throw new ControlError(`no message ${id} in this chat`);
  return stored;
}

function chatInstance(chat: ChatState): string {
  let hash = 17n;
  for (const char of chat.key) hash = (hash * 31n + BigInt(char.charCodeAt(0))) % 9_000_000_000_000_000_000n;
  return String(hash);
}
