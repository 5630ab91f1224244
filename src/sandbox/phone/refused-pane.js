// @ts-check
// One request that was refused: why, and the whole exchange.
import { fill, h } from '../../pages/common/dom.js';
import { figure, fullTime } from '../../pages/common/format.js';
import { get } from '../../pages/common/http.js';
import { t } from '../../pages/common/i18n.js';
import { exchangeView } from './exchange.js';
import { store } from './store.js';

/**
 * @param {string} number of the exchange in the journal
 * @returns {import('./panes.js').Pane}
 */
export function createRefusedPane(number) {
  const body = h('div', { class: 'one', 'data-testid': 'refused-request' });
  return {
    title: t('refused_request'),
    body,
    /** It is over, and stays as it is until the journal is full. */
    async refresh() {
      if (body.firstElementChild) return;
      const { exchanges } = await get('/journal', { number });
      const [exchange] = exchanges;
      if (!exchange) {
        fill(body, h('p', { class: 'empty muted' }, t('no_such_request')));
        return;
      }
      const { account, operation, version, at } = exchange;
      const facts = [
        [t('account'), account ?? t('nobody')],
        [
          t('call'),
          operation ? [h('code', null, operation), ` · ${t('version', { n: figure(version) })}`] : t('none'),
        ],
        [t('time'), fullTime((at + store.ahead) / 1000)],
      ];
      fill(
        body,
        h(
          'dl',
          { class: 'card' },
          facts.flatMap(([name, value]) => [h('dt', { class: 'muted' }, name), h('dd', null, value)]),
        ),
        h('div', { class: 'card' }, exchangeView(exchange)),
      );
    },
  };
}
