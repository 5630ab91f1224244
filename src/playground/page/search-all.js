// @ts-check
// Looks for words in all chats of the person on screen, and for chats by their names.
import { betweenPresses, byId, fill, h, isolated } from '../../pages/common/dom.js';
import { figure } from '../../pages/common/format.js';
import { findMessages, foundViews, patternOf, walkFound } from './find.js';
import { t } from '../../pages/common/i18n.js';
import { icon, iconButton } from '../../pages/common/icons.js';
import { go } from './nav.js';
import * as model from './store.js';

/** @param {HTMLElement} chats what stands there while nothing is looked for @returns {HTMLElement} */
export function createSearchAll(chats) {
  const input = h('input', {
    type: 'search',
    dir: 'auto',
    'data-testid': 'search-all',
    enterkeyhint: 'search',
  });
  const close = iconButton('close', '', () => leave());
  const count = h('span', { class: 'offscreen', 'aria-live': 'polite' });
  const list = h('ol', { class: 'found everywhere', 'data-testid': 'found-all', hidden: true });
  const bar = h('div', { class: 'search' }, icon('search'), input, count, close);
  const root = h('search', { class: 'search-all' }, bar, list);
  /** @type {Element | null} */
  let before = null;

  const leave = () => {
    input.value = '';
    draw();
    input.blur();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
    before = null;
  };
  const draw = () => {
    const wanted = input.value.trim();
    list.hidden = wanted === '';
    chats.hidden = wanted !== '';
    close.hidden = wanted === '';
    count.textContent = '';
    if (wanted === '') {
      fill(list);
      return;
    }
    const named = model.store.chats.filter((chat) => patternOf(wanted).test(model.chatTitle(chat)));
    const found = findMessages(wanted, model.store.chats);
    count.textContent = figure(named.length + found.length);
    fill(
      list,
      named.length + found.length === 0 && h('li', { class: 'muted none' }, t('nothing_found')),
      named.map((chat) =>
        h(
          'li',
          null,
          h(
            'button',
            { type: 'button', class: 'plain', on: { click: () => go({ chat: chat.id }) } },
            isolated(model.chatTitle(chat), 'name'),
          ),
        ),
      ),
      foundViews(found, show, titleOf),
    );
  };
  const show = (/** @type {any} */ message) => {
    model.store.awaited = message.message_id;
    const chat = model.store.chats.find((one) => one.id === message.chat.id);
    go({ chat: message.chat.id, topic: chat?.is_forum ? model.threadOf(message) : undefined });
  };
  const label = () => {
    input.placeholder = t('search_all');
    input.setAttribute('aria-label', t('search_all'));
    input.setAttribute('aria-keyshortcuts', 'Control+K Meta+K');
    close.setAttribute('aria-label', t('close'));
    draw();
  };
  const open = () => {
    if (document.activeElement !== input) before = document.activeElement;
    // On a phone the list is on screen first.
    if (byId('sidebar').offsetParent === null) go({});
    requestAnimationFrame(() => input.focus());
  };

  input.addEventListener('focus', () => model.emit('need-all'));
  input.addEventListener('input', draw);
  walkFound(root, input, list);
  root.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Escape') leave();
  });
  document.addEventListener('keydown', (event) => {
    // By its place: on a Persian keyboard the key has another letter.
    const isK = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.code === 'KeyK';
    const target = /** @type {Element} */ (event.target);
    const isSlash = event.key === '/' && !target.closest('input, textarea, select, dialog, .menu');
    if (!isK && !isSlash) return;
    event.preventDefault();
    if (isK || !model.openChat()) open();
    else model.emit('search', '');
  });
  model.on('language', label);
  const change = betweenPresses(list);
  const drawAgain = () => !list.hidden && draw();
  for (const topic of ['world', 'found', 'message', 'gone']) model.on(topic, () => change(drawAgain));
  label();
  return root;
}

/** @param {any} message */
function titleOf(message) {
  const chat = model.store.chats.find((one) => one.id === message.chat.id);
  return chat ? model.chatTitle(chat) : '';
}
