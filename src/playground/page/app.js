// @ts-check
// The playground's chat page.
//
// Hooks for tests (data-testid), kept stable:
//   person-switcher        opens the list of people        person-<id>      one person in it
//   new-person, new-chat   open their forms                chat-<id>        a chat in the list
//   topic-<thread id>      a forum's topic (General is 1)  msg-<message id> a message, service messages too
//   btn                    an inline button                reply-btn        a button of a reply keyboard
//   composer, send         where one writes, and sends     file-input       the hidden file picker
//   reply, edit            inside a message                cancel-context   leaves a reply or an edit
//   commands               opens the command menu          command-menu, command-<name>
//   inline-results, result-<id>, inline-button    what a bot offers to `@bot words`
//   option-<n>, vote, result-of-<n>, retract   of a poll            written, stop   a message that is being written
//   start                  Start in an empty private chat  back             to the chat list on a phone
//   toast, alert           answers to button presses       banner           shown while disconnected
//   toggle-calls, call     the log of Bot API calls and its entries
//   welcome                what a newcomer reads    other-language  in it: the other language
//   search, search-input   looks for words in the chat             found    what was found
//   search-all, found-all  the same in all chats (Ctrl+K)          draft    (class) a chat with a draft in it
//   more, menu, menu-<id>  a message's menu: react, forward, copy, trace     react, reaction
//   trace, traced-update   what a message made
//   theme                  changes between light and dark          beside     leads to the page beside this one
//
// <body data-live="yes"> says that the page hears of events; data-pane is "list" or "chat".
// The address holds the place: #user=<id>&chat=<id>&topic=<thread id>.
import { eventsUrl, get } from './api.js';
import { callbackAnswered } from './buttons.js';
import { createCalls, keepCall } from './calls.js';
import { createComposer } from './composer.js';
import { createConversation } from './conversation.js';
import { byId } from '../../pages/common/dom.js';
import { follow } from '../../pages/common/http.js';
import { learn, setLanguage, t } from '../../pages/common/i18n.js';
import { comeBack, go, place } from './nav.js';
import { attempt, toastError } from '../../pages/common/notices.js';
import { createSidebar } from './sidebar.js';
import * as model from './store.js';
import { wearTheme } from '../../pages/common/theme.js';
import { TEXTS } from './texts.js';

const { store } = model;
const CALLS_KEY = 'playground-calls';

let stopFollowing = () => {};
/** @type {number | undefined} whose events are heard */
let followed;
let refreshTimer = 0;
/** @type {Promise<unknown>} */
let line = Promise.resolve();

function main() {
  learn(TEXTS);
  wearTheme();
  window.name = 'chat';
  comeBack();
  const composer = createComposer();
  createSidebar();
  createConversation({ composer, onToggleCalls: () => showCalls(document.body.dataset.calls !== 'shown') });
  createCalls({ onClose: () => showCalls(false) });
  showCalls(localStorage.getItem(CALLS_KEY) === 'shown' && window.innerWidth >= 1100, { remember: false });
  byId('banner').dataset.testid = 'banner';
  window.addEventListener('hashchange', () => attempt(() => inTurn(arrive)));
  model.on('refresh', refreshSoon);
  model.on('need-all', loadAll);
  begin();
}

/**
 * Arrivals and refreshes go one after another: what was asked for last is what stays on screen.
 * @param {() => Promise<unknown>} work
 */
function inTurn(work) {
  const done = line.then(work);
  line = done.catch(() => {});
  return done;
}

/** The first arrival is tried until the server is there. */
function begin() {
  inTurn(arrive).catch((error) => {
    lost();
    window.setTimeout(begin, 2000);
    if (!(error instanceof TypeError)) toastError(error);
  });
}

/** Brings the page to the place in the address. */
async function arrive() {
  const wanted = place();
  if (store.userId === undefined || (wanted.user !== undefined && wanted.user !== store.userId)) {
    followed = undefined;
    await loadWorld(wanted.user);
    if (wanted.user !== store.userId) {
      // Whoever comes for the first time has no place yet: theirs is where the welcome stands.
      const first = location.hash === '' && store.welcome ? store.userId : undefined;
      go({ user: store.userId, chat: wanted.chat ?? first, topic: wanted.topic }, { replace: true });
      return;
    }
  } else if (wanted.chat && !store.chats.some((chat) => chat.id === wanted.chat))
    await loadWorld(store.userId);
  const chat = store.chats.find((one) => one.id === wanted.chat);
  store.chatId = chat?.id;
  store.threadId = wanted.topic ?? model.GENERAL;
  document.body.dataset.pane = chat ? 'chat' : 'list';
  document.title = chat ? `${model.chatTitle(chat)} · ${t('playground')}` : t('playground');
  model.emit('open');
  if (followed !== store.userId) {
    followed = store.userId;
    await followPerson();
    // What came to pass before the stream was there is in none of its events.
    await loadWorld(store.userId);
    loadCalls();
  }
  if (chat) await loadMessages(chat.id);
}

/** @param {number | undefined} userId */
async function loadWorld(userId) {
  // A person of an earlier run may be unknown by now: then anybody will do.
  let state = await get('state', { user: userId }).catch((error) => {
    if (error instanceof TypeError || userId === undefined) throw error;
    return get('state');
  });
  const users = state.users ?? [];
  const speaks = (/** @type {any} */ user) => navigator.language.startsWith(user.language_code);
  const id = (users.find((/** @type {any} */ user) => user.id === userId) ?? users.find(speaks) ?? users[0])
    ?.id;
  if (id !== userId && id !== undefined) state = await get('state', { user: id });
  store.userId = id;
  store.users = (state.users ?? []).filter((/** @type {model.Person} */ user) => !user.is_bot);
  store.bots = state.bots ?? [];
  store.welcome = state.welcome;
  store.beside = state.beside;
  store.chats = [...(state.chats ?? []), ...unmet(state.chats ?? [])];
  model.enterWorld(state.world);
  for (const chat of store.chats) model.firstSeen(chat);
  const spoken = document.documentElement.lang;
  setLanguage(model.me()?.language_code);
  byId('banner').textContent = t('disconnected');
  // In the same language what is typed in a form stays.
  if (document.documentElement.lang !== spoken) model.emit('language');
  model.emit('world');
  for (const chat of store.chats) loadPreview(chat);
}

/**
 * A place for every bot that the person has not written to yet, so that there is a Start to press.
 * @param {model.Chat[]} chats
 * @returns {model.Chat[]}
 */
function unmet(chats) {
  return store.bots
    .filter((bot) => !chats.some((chat) => chat.type === 'private' && model.botOf(chat)?.id === bot.id))
    .map((bot) => ({
      id: bot === store.bots[0] ? (store.userId ?? 0) : bot.id,
      type: 'private',
      bot_id: bot.id,
      unmet: true,
    }));
}

/** Fetches a chat whole: also what was edited or deleted meanwhile is then right. @param {number} chatId */
async function loadMessages(chatId) {
  const user = store.userId;
  // Asking for the messages of a private chat would open it, and the bot could then write first.
  if (store.chats.find((chat) => chat.id === chatId)?.unmet) {
    model.emit('messages');
    return;
  }
  const before = new Map(model.messagesOf(chatId));
  const { messages = [] } = await get('messages', { chat: chatId, user });
  const found = new Map(messages.map((/** @type {any} */ one) => [one.message_id, adopt(one, chatId)]));
  // What was heard meanwhile may be newer than the answer.
  const heard = model.messagesOf(chatId);
  for (const [id, message] of heard) if (before.get(id) !== message) found.set(id, message);
  for (const id of before.keys()) if (!heard.has(id)) found.delete(id);
  store.messages.set(chatId, found);
  store.whole.add(chatId);
  noteLatest(chatId, Math.max(0, ...messages.map((/** @type {any} */ one) => one.message_id)));
  if (store.chatId === chatId && store.userId === user) model.emit('messages');
}

/** Fetches the last message of a chat, and all that the person has not seen. @param {model.Chat} chat */
function loadPreview(chat) {
  if (model.messagesOf(chat.id).has(chat.last_message_id ?? 0) || !chat.last_message_id) return;
  const after = Math.min(model.seenIn(chat), chat.last_message_id - 1);
  get('messages', { chat: chat.id, user: store.userId, after }).then(
    ({ messages = [] }) => {
      const known = model.messagesOf(chat.id);
      for (const message of messages)
        if (!known.has(message.message_id)) known.set(message.message_id, message);
      model.emit('preview');
    },
    () => {},
  );
}

/** Fetches every chat whole that is not yet: what is looked for may be anywhere. */
function loadAll() {
  const rest = store.chats.filter((chat) => !chat.unmet && !store.whole.has(chat.id));
  attempt(async () => {
    await Promise.all(rest.map((chat) => loadMessages(chat.id)));
    model.emit('found');
  });
}

function loadCalls() {
  get('calls').then(
    (answer) => {
      const calls = Array.isArray(answer) ? answer : (answer.calls ?? []);
      store.calls = [];
      for (const call of [...calls].sort((a, b) => Number(a.id) - Number(b.id))) keepCall(call);
      model.emit('calls');
    },
    () => {},
  );
}

/** Resolves when the stream is there, or is not to be had just now. */
async function followPerson() {
  stopFollowing();
  /** @type {PromiseWithResolvers<void>} */
  const begun = Promise.withResolvers();
  // Of what this person does not see nothing was heard.
  store.whole.clear();
  let connections = 0;
  stopFollowing = follow({
    address: eventsUrl(/** @type {number} */ (store.userId)),
    onEvent: hear,
    onLost: () => {
      lost();
      begun.resolve();
    },
    onOpen: () => {
      begun.resolve();
      byId('banner').hidden = true;
      document.body.dataset.live = 'yes';
      connections += 1;
      if (connections === 1) return;
      // The line was down: fetch what it would have told.
      const catchUp = async () => {
        model.forgetMessages();
        await loadWorld(store.userId);
        loadCalls();
        // The place is the same, so what is being written stays; only a chat that is gone is left.
        if (model.openChat()) await loadMessages(/** @type {number} */ (store.chatId));
        else await arrive();
      };
      attempt(() => inTurn(catchUp));
    },
  });
  await begun.promise;
}

function lost() {
  const banner = byId('banner');
  banner.textContent = t('disconnected');
  banner.hidden = false;
  document.body.dataset.live = 'no';
}

/** @param {any} event */
function hear(event) {
  switch (event.type) {
    case 'message':
    case 'edit':
      if (event.message) {
        const chatId = event.chat_id ?? event.message.chat?.id;
        hearMessage(adopt(event.message, chatId), event.type === 'message');
      }
      break;
    case 'delete':
      hearDelete(event);
      break;
    case 'callback_answer':
      callbackAnswered(event);
      break;
    case 'call': {
      const call = event.call ?? event;
      if (keepCall(call)) model.emit('calls', call);
      noteTyping(call);
      break;
    }
    case 'commands':
      model.emit('commands');
      break;
    case 'draft':
      model.emit('draft', event);
      break;
    case 'inline_answer':
      model.emit('inline-answer', event.answer);
      break;
    case 'chat':
      refreshSoon();
      break;
    case 'reset':
      startOver();
      break;
    default:
  }
}

/**
 * @param {any} message
 * @param {boolean} isNew
 */
function hearMessage(message, isNew) {
  const chatId = message.chat?.id;
  if (message.deleted) {
    hearDelete({ chat_id: chatId, message_id: message.message_id });
    return;
  }
  model.messagesOf(chatId).set(message.message_id, message);
  if (!store.chats.some((chat) => chat.id === chatId && !chat.unmet)) refreshSoon();
  if (message.migrate_to_chat_id && chatId === store.chatId) followMigration(message.migrate_to_chat_id);
  if (isNew) noteLatest(chatId, message.message_id);
  if (chatId === store.chatId && message.from?.is_bot) model.emit('typing', '');
  model.emit(message.replaces ? 'messages' : 'message', message);
}

/** @param {number} chatId */
function followMigration(chatId) {
  inTurn(() => loadWorld(store.userId)).then(() => go({ chat: chatId }, { replace: true }), toastError);
}

/** @param {any} event */
function hearDelete(event) {
  const ids = event.message_ids ?? [event.message_id ?? event.message?.message_id];
  const chatId = event.chat_id ?? event.message?.chat?.id;
  for (const id of ids) {
    model.messagesOf(chatId).delete(id);
    if (chatId === store.chatId) model.emit(event.message?.replaces ? 'messages' : 'gone', id);
  }
  model.emit('preview');
}

/** @param {any} call */
function noteTyping(call) {
  if (String(call.method).toLowerCase() !== 'sendchataction' || !call.ok) return;
  if (Number(call.params?.chat_id) !== store.chatId) return;
  const chat = model.openChat();
  model.emit(
    'typing',
    store.bots.length === 1 || chat?.type === 'private'
      ? (store.bots[0]?.first_name ?? '')
      : String(call.bot ?? ''),
  );
}

/**
 * @param {number} chatId
 * @param {number} messageId
 */
function noteLatest(chatId, messageId) {
  const chat = store.chats.find((one) => one.id === chatId);
  if (chat && messageId > (chat.last_message_id ?? 0)) chat.last_message_id = messageId;
  if (chatId === store.chatId) model.markSeen();
}

/**
 * Files a message under the id by which the page knows its chat: in a private chat with a second bot that is
 * the bot's, while the message carries the person's.
 * @param {any} message
 * @param {number} chatId
 */
function adopt(message, chatId) {
  message.chat = { ...message.chat, id: chatId };
  return message;
}

/** Several changes in a row cost one fetch. */
function refreshSoon() {
  window.clearTimeout(refreshTimer);
  refreshTimer = window.setTimeout(() => attempt(() => inTurn(() => loadWorld(store.userId))), 60);
}

function startOver() {
  model.forgetMessages();
  store.calls = [];
  const { userId, chatId } = store;
  store.userId = undefined;
  model.emit('calls');
  go({ user: userId, chat: chatId }, { replace: true });
}

/**
 * @param {boolean} shown
 * @param {{ remember?: boolean }} [options]
 */
function showCalls(shown, { remember = true } = {}) {
  document.body.dataset.calls = shown ? 'shown' : 'hidden';
  if (remember) localStorage.setItem(CALLS_KEY, shown ? 'shown' : 'hidden');
}

main();
