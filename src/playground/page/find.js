// @ts-check
// Finds words in messages, and shows what was found.
import { h, isolated } from '../../pages/common/dom.js';
import { clock, dayName } from '../../pages/common/format.js';
import { t } from '../../pages/common/i18n.js';
import * as model from './store.js';

const SHOWN = 100;
/** Of a long text so much stands before what was found. */
const LEAD = 30;
const EXCERPT = 160;

/** @typedef {{ message: any, text: string, from: number, to: number }} Found */

/**
 * The messages of chats that hold the words as they were typed, newest first. A tag is found whole: `#A1` is not in `#A12`.
 * @param {string} wanted
 * @param {model.Chat[]} chats
 * @returns {Found[]}
 */
export function findMessages(wanted, chats) {
  const pattern = patternOf(wanted);
  return chats
    .flatMap((chat) => [...model.messagesOf(chat.id).values()])
    .filter((message) => !message.deleted)
    .sort((a, b) => b.date - a.date || b.message_id - a.message_id)
    .flatMap((message) => {
      const text = [message.text ?? message.caption, message.document?.file_name].filter(Boolean).join(' · ');
      const match = pattern.exec(text);
      return match ? [{ message, text, from: match.index, to: match.index + match[0].length }] : [];
    });
}

/** What finds words in a text, however their letters and digits are written. @param {string} wanted */
export function patternOf(wanted) {
  const words = wanted.split(/\s+/u).map(loosely).join('\\s+');
  return new RegExp(`${words}${wanted.startsWith('#') ? '(?![\\p{L}\\p{N}_])' : ''}`, 'iu');
}

/**
 * A list of what was found, each leading to its message.
 * @param {Found[]} found
 * @param {(message: any) => void} onPick
 * @param {(message: any) => string} [placeOf] where a message stands
 * @returns {HTMLLIElement[]}
 */
export function foundViews(found, onPick, placeOf = () => '') {
  return found.slice(0, SHOWN).map(({ message, text, from, to }) => {
    const start = from > LEAD ? from - LEAD : 0;
    const who = model.isMine(message) ? t('you') : model.personName(model.senderOf(message));
    const where = placeOf(message);
    return h(
      'li',
      null,
      h(
        'button',
        { type: 'button', class: 'plain', on: { click: () => onPick(message) } },
        h(
          'span',
          { class: 'line' },
          h('span', { class: 'name' }, isolated(who), where && ' · ', where && isolated(where)),
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
      ),
    );
  });
}

/**
 * The arrows lead from the field through what was found; Enter in the field picks the first.
 * @param {HTMLElement} root
 * @param {HTMLInputElement} input
 * @param {HTMLElement} list
 */
export function walkFound(root, input, list) {
  root.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    const stops = [input, .../** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll('button'))];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter' && event.target === input) stops[1]?.click();
    else if (step !== undefined && !list.hidden) {
      const now = stops.indexOf(/** @type {HTMLElement} */ (event.target));
      stops[Math.max(0, Math.min(now + step, stops.length - 1))]?.focus();
    } else return;
    event.preventDefault();
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
