// @ts-check
// A fault as a person chooses it, and as the gateway takes it.
import { h } from '../../pages/common/dom.js';
import { figure } from '../../pages/common/format.js';
import { t } from '../../pages/common/i18n.js';
import { iconButton } from '../../pages/common/icons.js';
import { post, remove } from '../../pages/common/http.js';
import { attempt, form } from '../../pages/common/notices.js';
import { store } from './store.js';

const NO_CREDIT = '22';
const LATE_SECONDS = '5';

/** What may be chosen, and the rule that it stands for. @type {Record<string, (values: Record<string, string>) => Record<string, unknown>>} */
const KINDS = {
  f_delay: ({ seconds = '' }) => ({ kind: 'delay', ms: Math.round(Number(seconds) * 1000) }),
  f_error: ({ code = '' }) => ({ kind: 'error', code: Number(code) }),
  f_html: () => ({ kind: 'html' }),
  f_lost: () => ({ kind: 'drop', when: 'after' }),
  f_drop: () => ({ kind: 'drop', when: 'before' }),
  f_reset: () => ({ kind: 'reset' }),
  f_truncate: () => ({ kind: 'truncate' }),
  f_hang: () => ({ kind: 'hang' }),
};

/** Asks for a rule and sets it. */
export function faultForm() {
  const element = form(fields(), {
    submit: t('set'),
    onSubmit: async (values) => post('/faults', faultOf(values)),
  });
  // What only one of them needs is asked for with that one.
  const what = element.querySelector('[name=what]');
  const ask = () => {
    for (const [name, kind] of [
      ['seconds', 'f_delay'],
      ['code', 'f_error'],
    ])
      element.querySelector(`[name=${name}]`).closest('label').hidden = what.value !== kind;
  };
  what.addEventListener('change', ask);
  ask();
  return element;
}

/** @returns {import('../../pages/common/notices.js').Field[]} */
function fields() {
  return [
    { name: 'what', label: t('what'), options: Object.keys(KINDS).map((name) => [name, t(name)]) },
    {
      name: 'operation',
      label: t('operation'),
      value: 'send',
      options: [
        ['', t('every_operation')],
        ...store.operations.map((name) => /** @type {[string, string]} */ ([name, name])),
      ],
    },
    {
      name: 'times',
      label: t('times'),
      options: [
        ...['1', '2', '5'].map((n) => /** @type {[string, string]} */ ([n, figure(Number(n))])),
        ['', t('until_removed')],
      ],
    },
    {
      name: 'seconds',
      label: t('seconds'),
      type: 'number',
      min: 0,
      value: LATE_SECONDS,
      dir: 'ltr',
    },
    {
      name: 'code',
      label: t('code'),
      type: 'number',
      min: 0,
      value: NO_CREDIT,
      dir: 'ltr',
    },
  ];
}

/** The rule that the gateway is given. @param {Record<string, string>} values */
function faultOf(values) {
  const { what = '', operation, times } = values;
  return {
    ...KINDS[what]?.(values),
    ...(operation ? { operation } : {}),
    ...(times ? { times: Number(times) } : {}),
  };
}

/** One that there is. @param {any} fault */
export function faultRow({ id, kind, when, operation, used, code }) {
  const name = kind === 'drop' && when === 'after' ? 'f_lost' : `f_${kind}`;
  const away = iconButton('close', t('remove'), () => attempt(() => remove(`/faults?id=${id}`)));
  return h(
    'div',
    { class: 'fault' },
    h(
      'span',
      { class: 'grow' },
      t(name),
      code !== undefined && ` ${figure(code)}`,
      h(
        'span',
        { class: 'muted' },
        ` · `,
        operation ? h('code', null, operation) : t('every_operation'),
        ` · ${t('used', { n: figure(used) })}`,
      ),
    ),
    away,
  );
}
