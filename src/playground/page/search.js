// @ts-check
// Looks for words in the open chat, in all of its topics.
import { fill, h, isolated } from '../../pages/common/dom.js';
import { clock, dayName, figure } from '../../pages/common/format.js';
import { t } from '../../pages/common/i18n.js';
import { icon, iconButton } from '../../pages/common/icons.js';
import { go } from './nav.js';
import * as model from './store.js';

const SHOWN = 100;
/** Of a long text so much stands before what was found. */
const LEAD = 30;
const EXCERPT = 160;

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
    const found = wanted === '' ? [] : find(wanted);
    list.hidden = wanted === '';
    count.textContent = wanted === '' ? '' : figure(found.length);
    fill(
      list,
      found.length === 0 && h('li', { class: 'muted none' }, t('nothing_found')),
      found.slice(0, SHOWN).map((one) => h('li', null, entry(one))),
    );
  };
  const entry = (/** @type {Found} */ { message, text, from, to }) => {
    const start = from > LEAD ? from - LEAD : 0;
    return h(
      'button',
      { type: 'button', class: 'plain', on: { click: () => show(message) } },
      h(
        'span',
        { class: 'line' },
        isolated(model.isMine(message) ? t('you') : model.personName(model.senderOf(message)), 'name'),
        h('time', { class: 'muted' }, `${dayName(message.date)} · ${clock(message.date)}`),
      ),
      h(
        'span',
        { class: 'preview', dir: 'auto' },
        start > 0 && '…',
        text.slice(start, from),
        h('mark', null, text.slice(from, to)),
        text.slice(to, start + EXCERPT),
      ),
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
  root.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Escape') leave();
    if (event.key !== 'Enter' || event.target !== input) return;
    event.preventDefault();
    list.querySelector('button')?.click();
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

/** @typedef {{ message: any, text: string, from: number, to: number }} Found */

/**
 * The messages that hold the words as they were typed, newest first. A tag is found whole: `#A1` is not in `#A12`.
 * @param {string} wanted
 * @returns {Found[]}
 */
function find(wanted) {
  const chat = model.openChat();
  if (!chat) return [];
  const pattern = new RegExp(
    `${wanted.split(/\s+/u).map(loosely).join('\\s+')}${wanted.startsWith('#') ? '(?![\\p{L}\\p{N}_])' : ''}`,
    'iu',
  );
  return [...model.messagesOf(chat.id).values()]
    .filter((message) => !message.deleted)
    .sort((a, b) => b.message_id - a.message_id)
    .flatMap((message) => {
      const text = [message.text ?? message.caption, message.document?.file_name].filter(Boolean).join(' · ');
      const match = pattern.exec(text);
      return match ? [{ message, text, from: match.index, to: match.index + match[0].length }] : [];
    });
}

const ALIKE = ['يیى', 'كک', 'هة', 'اأإآ', ...'۰۱۲۳۴۵۶۷۸۹'].map((one, index) =>
  index < 4 ? one : `${one}${index - 4}${'٠١٢٣٤٥٦٧٨٩'[index - 4]}`,
);

/** A word as a pattern: letters and digits that look alike are one, and marks between letters do not count. @param {string} word */
function loosely(word) {
  return [...word]
    .filter((sign) => !/\p{Cf}/u.test(sign))
    .map((sign) => {
      const alike = ALIKE.find((one) => one.includes(sign));
      return alike ? `[${alike}]` : sign.replace(/[\\^$.*+?()[\]{}|/-]/u, '\\$&');
    })
    .join('\\p{Cf}*');
}
