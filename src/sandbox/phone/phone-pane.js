// @ts-check
// One phone: what it was sent, what it wrote, and where it writes.
import { fill, h } from '../../pages/common/dom.js';
import { get } from '../../pages/common/http.js';
import { t } from '../../pages/common/i18n.js';
import { iconButton } from '../../pages/common/icons.js';
import { keyed } from '../../pages/common/keyed.js';
import { go, store } from './store.js';
import { states, when } from './view.js';
import { createWriting } from './writing.js';

/** @typedef {import('./store.js').Message} Message */

/**
 * @param {{ phone: string, account?: string | undefined, line?: string | undefined }} place
 * @returns {import('./panes.js').Pane}
 */
export function createPhonePane({ phone, account, line }) {
  const list = h('ol', { class: 'talk', 'data-testid': 'talk' });
  const none = h('p', { class: 'empty muted', hidden: true }, t('nothing_here'));
  const owner = store.accounts.find(({ username }) => username === account) ?? store.accounts[0];
  const lines = [...new Set([line, ...(owner?.lines ?? [])])].filter((one) => one);
  const show = keyed(list, { key: (/** @type {Message} */ one) => one.id, make, draw });
  return {
    title: t('open_phone', { number: phone }),
    body: h('div', null, none, list),
    foot: createWriting({ from: [phone], account: owner?.username ?? '', lines }),
    async refresh() {
      const { messages } = await get('/messages', { phone, account, limit: 200 });
      const scroller = list.closest('.scroller');
      const wasAtEnd = !scroller || scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 80;
      show(messages.toReversed());
      none.hidden = messages.length > 0;
      if (scroller && wasAtEnd) scroller.scrollTop = scroller.scrollHeight;
    },
  };
}

function make() {
  return h('div', { class: 'said' });
}

/**
 * @param {HTMLElement} element
 * @param {Message} message
 */
function draw(element, message) {
  const isSent = message.kind === 'sent';
  element.className = isSent ? 'said' : 'said out';
  const details = iconButton('info', t('details'), () => go({ message: message.id }));
  fill(
    element,
    h(
      'div',
      { class: 'bubble', 'data-testid': isSent ? 'arrived' : 'written' },
      h('div', { class: 'text' }, message.text),
      h(
        'div',
        { class: 'meta muted' },
        h('bdi', { dir: 'ltr' }, message.line),
        ...(isSent ? states({ ...message, recipientCount: 1 }) : []),
        h('time', null, when(message.at)),
      ),
    ),
    details,
  );
}
