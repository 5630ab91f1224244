// @ts-check
// A fault as a person chooses it, and as the gateway takes it.
import { h } from '../../pages/common/dom.js';
import { figure } from '../../pages/common/format.js';
import { t } from '../../pages/common/i18n.js';
import { iconButton } from '../../pages/common/icons.js';
import { post, remove } from '../../pages/common/http.js';
import { attempt, form } from '../../pages/common/notices.js';
import { store } from './store.js';
import { number } from './view.js';

/** @typedef {import('../../pages/common/notices.js').Field} Field */

const NO_CREDIT = '22';
const SECONDS = ['seconds', 'until_seconds', 'median', 'p95'];

/** What may be chosen, the rule that it stands for, and what it alone asks. @type {Record<string, { asks: string[], rule: (values: Record<string, string>) => Record<string, unknown> }>} */
const KINDS = {
  f_delay: { asks: ['seconds'], rule: ({ seconds }) => ({ kind: 'delay', ms: ms(seconds) }) },
  f_between: {
    asks: ['seconds', 'until_seconds'],
    rule: ({ seconds, until_seconds: to }) => ({ kind: 'delay', ms: { from: ms(seconds), to: ms(to) } }),
  },
  f_tail: {
    asks: ['median', 'p95'],
    rule: ({ median, p95 }) => ({ kind: 'delay', ms: { median: ms(median), p95: ms(p95) } }),
  },
  f_error: { asks: ['code'], rule: ({ code = '' }) => ({ kind: 'error', code: Number(code) }) },
  f_html: { asks: [], rule: () => ({ kind: 'html' }) },
  f_lost: { asks: [], rule: () => ({ kind: 'drop', when: 'after' }) },
  f_drop: { asks: [], rule: () => ({ kind: 'drop', when: 'before' }) },
  f_reset: { asks: [], rule: () => ({ kind: 'reset' }) },
  f_truncate: { asks: [], rule: () => ({ kind: 'truncate' }) },
  f_hang: { asks: [], rule: () => ({ kind: 'hang' }) },
};

/** Which calls it meets, beside the operation. What is empty meets all. @type {Record<string, (value: string) => Record<string, unknown>>} */
const CONDITIONS = {
  account: (account) => ({ account }),
  // As people write it, with spaces and dashes.
  to_recipient: (recipient) => ({ recipient: recipient.replaceAll(/[\s()-]/gu, '') }),
  containing: (containing) => ({ containing }),
  skip: (skip) => ({ skip: Number(skip) }),
  every: (every) => ({ every: Number(every) }),
  percent: (percent) => ({ probability: Number(percent) / 100 }),
  seed: (seed) => ({ seed: Number(seed) }),
};

/** @param {string} [seconds] */
function ms(seconds = '') {
  return Math.round(Number(seconds) * 1000);
}

/** Asks for a rule and sets it. */
export function faultForm() {
  const element = form(fields(), {
    submit: t('set'),
    onSubmit: async (values) => post('/faults', faultOf(values)),
  });
  const labelOf = (/** @type {string} */ name) => element.querySelector(`[name=${name}]`).closest('label');
  // What only one of them needs is asked for with that one.
  const what = element.querySelector('[name=what]');
  const ask = () => {
    const asked = KINDS[what.value]?.asks ?? [];
    for (const name of Object.values(KINDS).flatMap(({ asks }) => asks))
      labelOf(name).hidden = !asked.includes(name);
  };
  // Tenths of a second too.
  for (const name of SECONDS) element.querySelector(`[name=${name}]`).step = 'any';
  what.addEventListener('change', ask);
  ask();
  const conditions = h(
    'details',
    { class: 'conditions', 'data-testid': 'fault-conditions' },
    h('summary', null, t('only_when')),
    h('div', null, Object.keys(CONDITIONS).map(labelOf)),
  );
  element.querySelector('.actions').before(conditions);
  return element;
}

/** @returns {Field[]} */
function fields() {
  const figures = (/** @type {string} */ name, value = '', min = 0) => ({
    name,
    label: t(name),
    type: 'number',
    min,
    value,
    dir: 'ltr',
  });
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
    figures('seconds', '5'),
    figures('until_seconds', '10'),
    figures('median', '1'),
    figures('p95', '10'),
    figures('code', NO_CREDIT),
    {
      name: 'account',
      label: t('account'),
      options: [
        ['', t('every_account')],
        ...store.accounts.map(({ username }) => /** @type {[string, string]} */ ([username, username])),
      ],
    },
    { name: 'to_recipient', label: t('to_recipient'), type: 'tel', dir: 'ltr' },
    { name: 'containing', label: t('containing') },
    figures('skip'),
    figures('every', '', 1),
    figures('percent'),
    figures('seed'),
  ];
}

/** The rule that the gateway is given. @param {Record<string, string>} values */
function faultOf(values) {
  const { what = '', operation, times } = values;
  const conditions = Object.entries(CONDITIONS).map(([name, rule]) => {
    const value = values[name];
    return value ? rule(value) : {};
  });
  return Object.assign(
    { ...KINDS[what]?.rule(values) },
    operation ? { operation } : {},
    times ? { times: Number(times) } : {},
    ...conditions,
  );
}

/** One that there is. @param {any} fault */
export function faultRow(fault) {
  const { id, kind, when, operation, used, code } = fault;
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
        ...conditionsOf(fault).flatMap((words) => [' · ', words]),
        ` · ${t('used', { n: figure(used) })}`,
      ),
    ),
    away,
  );
}

/** How late, and which calls alone. @param {any} fault @returns {any[]} */
function conditionsOf({ kind, ms, account, recipient, containing, skip, every, probability }) {
  const seconds = (/** @type {number} */ of) => figure(of / 1000);
  const [from, to] = typeof ms === 'object' ? [ms.from ?? ms.median, ms.to ?? ms.p95] : [ms, ms];
  return [
    kind === 'delay' &&
      (from === to
        ? t('late_by', { n: seconds(to) })
        : t('late_between', { from: seconds(from), n: seconds(to) })),
    account && h('bdi', null, account),
    recipient && number(`0${recipient}`),
    containing && h('q', null, h('bdi', null, containing)),
    skip > 0 && t('not_first', { n: figure(skip) }),
    every > 1 && t('each_nth', { n: figure(every) }),
    probability < 1 && t('chance', { n: figure(Math.round(probability * 100)) }),
  ].filter(Boolean);
}
