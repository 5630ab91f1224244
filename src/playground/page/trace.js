// @ts-check
// What one message made: the updates that bots got of it, and the calls of bots that made or concerned it.
import { get } from './api.js';
import { callView } from './calls.js';
import { copy } from '../../pages/common/clipboard.js';
import { fill, h } from '../../pages/common/dom.js';
import { figure } from '../../pages/common/format.js';
import { locale, t } from '../../pages/common/i18n.js';
import { attempt, sheet } from '../../pages/common/notices.js';
import { nameById, store } from './store.js';

/** @param {any} message */
export function showTrace(message) {
  const list = h('ol', { class: 'call-list trace', 'data-testid': 'trace' });
  sheet(t('what_it_made'), h('p', { class: 'muted' }, t('trace_kept')), list);
  attempt(async () => {
    const wanted = { chat: message.chat.id, message: message.message_id, user: store.userId };
    const { updates = [], calls = [] } = await get('trace', wanted);
    const entries = [...updates.map(updateView), ...calls.map(oneCall)].sort((a, b) => a.at - b.at);
    fill(
      list,
      entries.length === 0 && h('li', { class: 'muted none' }, t('no_trace')),
      entries.map(({ view }) => view),
    );
    // One alone is what one came for.
    if (entries.length === 1) list.querySelector('details').open = true;
  });
}

/** @param {any} call */
function oneCall(call) {
  const view = callView(call);
  view.querySelector('summary time').textContent = exactly(call.at);
  return { at: Number(call.at), view };
}

/** @param {any} traced */
function updateView({ bot, kind, at, update, delivery }) {
  const json = JSON.stringify(update, null, 2);
  const details = h(
    'details',
    null,
    h(
      'summary',
      null,
      h('span', { class: 'state told' }, t('update')),
      h('bdi', { dir: 'ltr', class: 'method' }, kind),
      h('time', { class: 'muted' }, exactly(at)),
      h('span', { class: 'gist muted' }, how(delivery), store.bots.length > 1 && ` · ${nameById(bot)}`),
    ),
    h('button', { type: 'button', class: 'plain', on: { click: () => copy(json) } }, t('copy')),
    h('pre', { dir: 'ltr', tabindex: '0' }, json),
  );
  return { at: Number(at), view: h('li', { 'data-testid': 'traced-update' }, details) };
}

/** How an update went to the bot, in words. @param {any} delivery */
function how(delivery) {
  if (!delivery) return t('not_given');
  const time = exactly(delivery.at);
  const given = t(delivery.by === 'webhook' ? 'by_webhook' : 'by_polling', { time });
  return [
    given,
    delivery.times > 1 && t('given_times', { n: figure(delivery.times) }),
    delivery.error && t('webhook_said', { why: delivery.error }),
    delivery.heardAt ? t('heard', { time: exactly(delivery.heardAt) }) : t('not_heard'),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** @param {number} ms */
function exactly(ms) {
  return new Intl.DateTimeFormat(locale(), {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  }).format(ms);
}
