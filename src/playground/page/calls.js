// @ts-check
// The right of the page: what the bot asked of the Bot API and what it was told, and how to make a call fail.
import { post } from './api.js';
import { byId, fill, h } from '../../pages/common/dom.js';
import { figure } from '../../pages/common/format.js';
import { locale, t } from '../../pages/common/i18n.js';
import { icon } from '../../pages/common/icons.js';
import { form, toast } from '../../pages/common/notices.js';
import { on, store } from './store.js';

const LIMIT = 300;
const METHODS = [
  '*',
  'sendMessage',
  'editMessageText',
  'editMessageReplyMarkup',
  'answerCallbackQuery',
  'deleteMessage',
  'sendDocument',
  'sendPhoto',
  'getFile',
  'getUpdates',
  'getChatMember',
];

/** @param {{ onClose: () => void }} options */
export function createCalls({ onClose }) {
  const root = byId('calls');
  const list = h('ol', { class: 'call-list' });
  const filter = h('input', { type: 'search', class: 'filter', dir: 'ltr' });
  const polling = h('input', { type: 'checkbox' });

  const matches = (/** @type {any} */ call) => {
    const method = String(call.method);
    if (!polling.checked && method.toLowerCase() === 'getupdates' && call.ok) return false;
    const wanted = filter.value.trim().toLowerCase();
    return wanted === '' || `${method} ${JSON.stringify(call.params ?? {})}`.toLowerCase().includes(wanted);
  };
  const draw = () => {
    const found = store.calls.filter(matches);
    fill(list, found.map(callView));
    if (found.length === 0) fill(list, h('li', { class: 'muted none' }, t('no_calls')));
  };
  const frame = () => {
    const close = h(
      'button',
      { type: 'button', class: 'plain icon-button', 'aria-label': t('hide_calls'), title: t('hide_calls') },
      icon('close'),
    );
    close.addEventListener('click', onClose);
    filter.placeholder = t('filter');
    filter.setAttribute('aria-label', t('filter'));
    root.setAttribute('aria-label', t('bot_calls'));
    fill(
      root,
      h('header', null, h('h2', null, t('bot_calls')), close),
      h('details', { class: 'faults' }, h('summary', null, t('fail_next')), faultForm()),
      h('div', { class: 'filters' }, filter, h('label', { class: 'check' }, polling, t('show_polling'))),
      list,
    );
    draw();
  };
  filter.addEventListener('input', draw);
  polling.addEventListener('change', draw);
  on('language', frame);
  on('calls', (added) => {
    if (!added) {
      draw();
      return;
    }
    if (!matches(added)) return;
    list.querySelector('.none')?.remove();
    list.prepend(callView(added));
    while (list.children.length > LIMIT) list.lastElementChild?.remove();
  });
  frame();
}

/**
 * Keeps a call for the log. @param {any} call
 * @returns {boolean} false for one that is there already
 */
export function keepCall(call) {
  if (store.calls.some((one) => one.id === call.id)) return false;
  store.calls.unshift(call);
  if (store.calls.length > LIMIT) store.calls.length = LIMIT;
  return true;
}

/** A call as a line that opens. @param {any} call @returns {HTMLLIElement} */
export function callView(call) {
  const at = new Date(typeof call.at === 'number' && call.at < 1e12 ? call.at * 1000 : call.at);
  const time = Number.isNaN(at.getTime())
    ? ''
    : new Intl.DateTimeFormat(locale(), { timeStyle: 'medium' }).format(at);
  const params = call.params ?? {};
  const gist = params.text ?? params.caption ?? params.callback_query_id ?? params.chat_id ?? '';
  const details = h(
    'details',
    null,
    h(
      'summary',
      null,
      h(
        'span',
        { class: call.ok ? 'state ok' : 'state bad' },
        call.ok ? 'ok' : String(call.error_code ?? 'err'),
      ),
      h('bdi', { dir: 'ltr', class: 'method' }, String(call.method)),
      h('time', { class: 'muted' }, time),
      h('span', { class: 'gist muted', dir: 'auto' }, String(gist).slice(0, 200)),
    ),
  );
  // Drawn only when asked for: hundreds of calls stay cheap.
  details.addEventListener('toggle', () => {
    if (!details.open || details.children.length > 1) return;
    details.append(
      call.description ? h('p', { class: 'why', dir: 'auto' }, call.description) : '',
      h(
        'pre',
        { dir: 'ltr', tabindex: '0' },
        JSON.stringify({ ...params, ...(call.files ? { files: call.files } : {}) }, null, 2),
      ),
    );
  });
  return h('li', { 'data-testid': 'call', class: call.ok ? undefined : 'failed' }, details);
}

function faultForm() {
  return form(
    [
      { name: 'method', label: t('method'), value: 'sendMessage', required: true, dir: 'ltr', list: METHODS },
      { name: 'code', label: t('code'), value: '429', type: 'number', dir: 'ltr', min: 0 },
      { name: 'retry_after', label: t('retry_after'), value: '3', type: 'number', dir: 'ltr', min: 0 },
      { name: 'times', label: t('times'), value: '1', type: 'number', dir: 'ltr', min: 1 },
      { name: 'delay_ms', label: t('delay'), type: 'number', dir: 'ltr', min: 0 },
      { name: 'description', label: t('description'), dir: 'auto' },
    ],
    {
      submit: t('arm'),
      onSubmit: async (values) => {
        /** @type {Record<string, string | number>} */
        const body = { method: values.method ?? '*' };
        if (values.description) body.description = values.description;
        for (const name of ['code', 'retry_after', 'times', 'delay_ms']) {
          if (values[name]) body[name] = Number(values[name]);
        }
        if (body.code !== 429) delete body.retry_after;
        await post('faults', body);
        toast(
          t(body.code ? 'armed' : 'delayed', {
            method: String(body.method),
            n: figure(Number(body.times ?? 1)),
          }),
        );
      },
    },
  );
}
