// @ts-check
// Looks for words in the open chat, in all of its topics.
import { fill, h } from '../../pages/common/dom.js';
import { figure } from '../../pages/common/format.js';
import { findMessages, foundViews, walkFound } from './find.js';
import { t } from '../../pages/common/i18n.js';
import { icon, iconButton } from '../../pages/common/icons.js';
import { go } from './nav.js';
import * as model from './store.js';

/** @returns {HTMLElement} */
export function createSearch() {
  const input = h('input', {
    type: 'search',
    dir: 'auto',
    'data-testid': 'search-input',
    enterkeyhint: 'search',
  });
  const count = h('span', { class: 'muted', 'aria-live': 'polite' });
  const close = iconButton('close', '', () => leave());
  const list = h('ol', { class: 'found', 'data-testid': 'found', hidden: true });
  const root = h('search', { class: 'search', hidden: true }, icon('search'), input, count, close, list);

  const leave = () => {
    root.hidden = true;
    input.value = '';
    fill(list);
  };
  const open = (/** @type {string} */ wanted) => {
    root.hidden = false;
    for (const [element, key] of /** @type {const} */ ([
      [input, 'search'],
      [close, 'close'],
    ]))
      element.setAttribute('aria-label', t(key));
    input.placeholder = t('search_here');
    input.value = wanted;
    draw();
    input.focus();
  };
  const draw = () => {
    const wanted = input.value.trim();
    const chat = model.openChat();
    const found = wanted === '' || !chat ? [] : findMessages(wanted, [chat]);
    list.hidden = wanted === '';
    count.textContent = wanted === '' ? '' : figure(found.length);
    fill(
      list,
      found.length === 0 && h('li', { class: 'muted none' }, t('nothing_found')),
      foundViews(found, show),
    );
  };
  const show = (/** @type {any} */ message) => {
    const chat = model.openChat();
    if (!chat) return;
    list.hidden = true;
    if (model.isVisible(message, chat)) {
      model.emit('reveal', message.message_id);
      return;
    }
    model.store.awaited = message.message_id;
    go({ chat: chat.id, topic: model.threadOf(message) });
  };

  input.addEventListener('input', draw);
  input.addEventListener('focus', draw);
  walkFound(root, input, list);
  // What was picked has focus no more: Esc is heard from wherever nothing else takes it.
  document.addEventListener('keydown', (event) => {
    const taken = /** @type {Element} */ (event.target).closest('dialog, .menu, .composer, .sidebar');
    if (event.key === 'Escape' && !root.hidden && !taken) leave();
  });
  let chatId = model.store.chatId;
  model.on('open', () => {
    if (chatId !== model.store.chatId) leave();
    chatId = model.store.chatId;
  });
  model.on('search', (wanted) => {
    if (wanted === undefined && !root.hidden) leave();
    else open(wanted ?? '');
  });
  return root;
}
