// @ts-check
// One message: what it says, where it is, what it cost, and who got it.
import { fill, h } from '../../pages/common/dom.js';
import { figure, fullTime } from '../../pages/common/format.js';
import { get } from '../../pages/common/http.js';
import { t } from '../../pages/common/i18n.js';
import { icon } from '../../pages/common/icons.js';
import { keyed } from '../../pages/common/keyed.js';
import { exchangeView } from './exchange.js';
import { change, go, STATES, store } from './store.js';
import { number, rial, states } from './view.js';
import { createWriting } from './writing.js';

/** @typedef {import('./store.js').Message} Message */
/** @typedef {{ id: string, number: string, state: string }} Row */

/**
 * @param {string} id
 * @returns {import('./panes.js').Pane}
 */
export function createMessagePane(id) {
  const bubble = h('div', { class: 'bubble text' });
  const facts = h('dl', { class: 'card' });
  const heading = h('h3');
  const rows = h('ul', { class: 'recipients', 'data-testid': 'recipients' });
  const calls = h('details', { class: 'card', hidden: true, 'data-testid': 'exchange' });
  const parts = [bubble, facts, heading, rows, calls];
  const body = h('div', { class: 'one' }, ...parts);
  /** @type {import('./panes.js').Pane} */
  const pane = { title: t('message'), body, refresh };
  /** @type {Message | undefined} */
  let message;
  const show = keyed(rows, {
    key: (/** @type {Row} */ row) => `${row.id} ${row.number}`,
    make: () => h('div', { class: 'recipient' }),
    draw: (element, row) =>
      fill(
        element,
        h(
          'button',
          {
            type: 'button',
            class: 'wide',
            'data-testid': 'open-phone',
            on: { click: () => go({ phone: row.number, account: message?.account, line: message?.line }) },
          },
          icon('phone'),
          h('span', { class: 'grow' }, number(row.number)),
        ),
        message?.kind === 'sent'
          ? stateChoice(message.account, row)
          : h('span', { class: `state ${row.state}` }, t(row.state)),
      ),
  });

  async function refresh() {
    message = await get('/message', { id }).catch(() => undefined);
    if (!message) {
      fill(body, h('p', { class: 'empty muted' }, t('no_such_message')));
      delete pane.foot;
      return;
    }
    if (!bubble.isConnected) fill(body, ...parts);
    const { kind, account, line, text, from, recipientCount = 0 } = message;
    if (!pane.foot) {
      const numbers =
        kind === 'received' ? [from] : [...new Set(message.rows.map((/** @type {Row} */ row) => row.number))];
      const lines = store.accounts.find(({ username }) => username === account)?.lines ?? [];
      pane.foot = createWriting({ from: numbers, account, lines: [...new Set([line, ...lines])] });
    }
    bubble.textContent = text;
    fill(
      facts,
      ...factsOf(message).flatMap(([name, value]) => [
        h('dt', { class: 'muted' }, name),
        h('dd', null, value),
      ]),
    );
    const shown =
      kind === 'received' ? [{ id, number: from, state: message.read ? 'read' : 'unread' }] : message.rows;
    heading.textContent = kind === 'received' ? t('phone') : t('recipients');
    if (shown.length < recipientCount)
      heading.textContent += ` · ${t('first_of', { shown: figure(shown.length), n: figure(recipientCount) })}`;
    show(shown);
    await showCall();
  }

  /** A call is over by the time that its message is here: it is fetched once. */
  async function showCall() {
    if (!message?.origin || !calls.hidden) return;
    const { exchanges } = await get('/journal', { messageId: id });
    calls.hidden = exchanges.length === 0;
    fill(calls, h('summary', null, t('exchange')), ...exchanges.map(exchangeView));
  }
  return pane;
}

/**
 * Makes a recipient end in another way.
 * @param {string} account
 * @param {Row} row
 */
function stateChoice(account, row) {
  const select = h(
    'select',
    {
      class: `state ${row.state}`,
      'aria-label': t('set_state', { number: row.number }),
      'data-testid': 'set-state',
    },
    STATES.map((state) => h('option', { value: state, selected: state === row.state }, t(state))),
  );
  select.addEventListener('change', () =>
    change('/delivery-state', { account, messageid: row.id, recipient: row.number, state: select.value }),
  );
  return select;
}

/** @param {Message} message @returns {[string, any][]} */
function factsOf(message) {
  const { kind, account, line, at, scheduledFor, encoding, parts, flash, cost, origin, id } = message;
  /** @type {([string, any] | false)[]} */
  const facts = [
    kind === 'sent' && [t('recipients'), h('span', { class: 'facts' }, ...states(message))],
    [t('account'), account],
    [t('line'), number(line)],
    [t('time'), fullTime(at / 1000)],
    scheduledFor !== undefined && [t('due'), fullTime(scheduledFor / 1000)],
    kind === 'sent' && [
      t('length'),
      [t('part_count', { n: figure(parts) }), t(encoding), ...(flash ? [t('flash')] : [])].join(' · '),
    ],
    kind === 'sent' && [t('cost'), rial(cost)],
    kind === 'sent' && [
      t('call'),
      origin
        ? [h('code', null, origin.operation), ` · ${t('version', { n: figure(origin.version) })}`]
        : t('by_panel'),
    ],
    [t('id'), h('code', { class: 'selectable' }, id)],
  ];
  return facts.filter((fact) => fact !== false);
}
