// @ts-check
// The left of the page: who one is, and the chats of that person.
import { betweenPresses, byId, fill, h, isolated } from '../../pages/common/dom.js';
import { clock, dayKey, dayName, directionOf, figure, hue, initials } from '../../pages/common/format.js';
import { t } from '../../pages/common/i18n.js';
import { icon } from '../../pages/common/icons.js';
import { draftIn } from './drafts.js';
import { go } from './nav.js';
import { newChat } from './new-chat.js';
import { drawPeople } from './people.js';
import { createSearchAll } from './search-all.js';
import { serviceText } from './service.js';
import * as model from './store.js';

const { store } = model;
const KIND_ICON = /** @type {Record<string, string>} */ ({
  group: 'group',
  supergroup: 'group',
  channel: 'channel',
});

export function createSidebar() {
  const root = byId('sidebar');
  const people = h('div', { class: 'me' });
  const chats = h('nav', { class: 'chats' });
  fill(root, people, createSearchAll(chats), chats);
  const [changePeople, changeChats] = [betweenPresses(people), betweenPresses(chats)];
  const showPeople = () => drawPeople(people);
  const showChats = () => drawChats(chats);
  for (const topic of ['world', 'open']) {
    model.on(topic, () => changePeople(showPeople));
    model.on(topic, () => changeChats(showChats));
  }
  document.addEventListener('pointerdown', (event) => {
    const details = people.querySelector('details');
    if (details && event.target instanceof Node && !details.contains(event.target)) details.open = false;
  });
  for (const topic of ['message', 'messages', 'gone', 'preview'])
    model.on(topic, () => changeChats(showChats));
}

/** @param {HTMLElement} root */
function drawChats(root) {
  const add = h(
    'button',
    {
      type: 'button',
      class: 'plain icon-button',
      'aria-label': t('new_chat'),
      title: t('new_chat'),
      'data-testid': 'new-chat',
    },
    icon('plus'),
  );
  add.addEventListener('click', newChat);
  const focused =
    document.activeElement instanceof HTMLElement && root.contains(document.activeElement)
      ? document.activeElement.dataset['testid']
      : undefined;
  root.setAttribute('aria-label', t('chats'));
  fill(
    root,
    h('header', null, h('h2', null, t('chats')), add),
    h(
      'ul',
      null,
      ordered().map((chat) => h('li', null, entry(chat))),
    ),
  );
  if (focused) /** @type {HTMLElement | null} */ (root.querySelector(`[data-testid="${focused}"]`))?.focus();
}

function ordered() {
  const weight = (/** @type {model.Chat} */ chat) => latest(chat)?.date ?? (chat.unmet ? Infinity : 0);
  // A group that became a supergroup gives way to its successor.
  const shown = store.chats.filter((chat) => chat.migrated_to === undefined || chat.id === store.chatId);
  return shown.sort((a, b) => weight(b) - weight(a));
}

/** @param {model.Chat} chat */
function latest(chat) {
  let found;
  for (const message of model.messagesOf(chat.id).values()) {
    if (!message.deleted && (!found || message.message_id > found.message_id)) found = message;
  }
  return found;
}

/** @param {model.Chat} chat */
function entry(chat) {
  const here = chat.id === store.chatId;
  const last = latest(chat);
  const unread = here ? 0 : model.unreadOf(chat);
  const title = model.chatTitle(chat);
  const draft = here ? '' : draftIn(chat.id).replace(/\s+/gu, ' ');
  const said =
    draft !== '' ? draft : last ? preview(last, chat) : chat.type === 'private' ? t('start_hint') : '\u00a0';
  const shape = chat.is_forum ? 'forum' : KIND_ICON[chat.type];
  const button = h(
    'button',
    {
      type: 'button',
      class: here ? 'chat here' : 'chat',
      'data-testid': `chat-${chat.id}`,
      'aria-current': here ? 'true' : undefined,
    },
    h(
      'span',
      { class: `face ${hue(model.botOf(chat)?.id ?? chat.id)}`, 'aria-hidden': 'true' },
      initials(title),
    ),
    h(
      'span',
      { class: 'grow' },
      h(
        'span',
        { class: 'line' },
        shape && icon(shape),
        isolated(title, 'name'),
        last && h('time', { class: 'muted' }, when(last.date)),
      ),
      h(
        'span',
        { class: 'line' },
        draft !== '' && h('span', { class: 'draft' }, t('draft')),
        h('span', { class: 'preview muted', dir: directionOf(said) }, said),
        unread > 0 && h('span', { class: 'count' }, figure(unread)),
      ),
    ),
  );
  button.addEventListener('click', () => go({ chat: chat.id }));
  return button;
}

/** @param {number} unix */
function when(unix) {
  return dayKey(unix) === dayKey(Date.now() / 1000) ? clock(unix) : dayName(unix);
}

/**
 * @param {any} message
 * @param {model.Chat} chat
 */
function preview(message, chat) {
  const note = serviceText(message);
  if (note !== undefined) return note;
  const text = model.summary(message, t).replace(/\s+/gu, ' ');
  if (chat.type === 'private' || chat.type === 'channel') return text;
  const who = model.isMine(message) ? t('you') : model.personName(model.senderOf(message));
  return `\u2068${who}\u2069: ${text}`;
}
