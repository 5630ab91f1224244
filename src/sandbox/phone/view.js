// @ts-check
// Small pieces that several parts of the page show.
import { h, isolated } from '../../pages/common/dom.js';
import { clock, dayKey, dayName, figure } from '../../pages/common/format.js';
import { t } from '../../pages/common/i18n.js';
import { STATES, store } from './store.js';

/** @typedef {import('./store.js').Message} Message */

/** A number is written from left to right on every page. @param {string} digits */
export function number(digits) {
  return h('bdi', { dir: 'ltr', class: 'number' }, digits);
}

/** Who a message is from or for, in a word. @param {Message} message */
export function correspondent({ kind, from, recipients, recipientCount }) {
  if (kind === 'received') return number(from);
  const [first = ''] = recipients;
  if (recipientCount === 1) return number(first);
  return isolated(t('and_more', { number: first, n: figure(recipientCount - 1) }), 'number');
}

/** How far the recipients are, with how many each where they are several. @param {Message} message */
export function states({ states = {}, recipientCount }) {
  return STATES.filter((state) => states[state] > 0).map((state) =>
    h(
      'span',
      { class: `state ${state}`, 'data-testid': 'state' },
      recipientCount > 1 && `${figure(states[state])} `,
      t(state),
    ),
  );
}

/** Which call it was. @param {Message} message */
export function origin({ origin }) {
  return origin ? `v${origin.version} ${origin.operation}` : undefined;
}

/** @param {number} ms epoch, by the clock of the gateway */
export function when(ms) {
  const at = ms / 1000;
  return dayKey(at) === dayKey((Date.now() + store.ahead) / 1000) ? clock(at) : `${dayName(at)} ${clock(at)}`;
}

/** @param {number} amount */
export function rial(amount) {
  return t('rial', { n: figure(amount) });
}
