// @ts-check
// What steers the gateway: accounts and their credit, the clock, faults, and the habits of its lists.
import { betweenPresses, fill, h } from '../../pages/common/dom.js';
import { figure, fullTime } from '../../pages/common/format.js';
import { t } from '../../pages/common/i18n.js';
import { form, sheet } from '../../pages/common/notices.js';
import { faultForm, faultRow } from './fault-form.js';
import { change, store } from './store.js';
import { number, rial } from './view.js';

const MINUTE = 60_000;
const STEPS = /** @type {const} */ ([
  ['minute', MINUTE],
  ['hour', 60 * MINUTE],
  ['day', 24 * 60 * MINUTE],
]);
const HABITS = ['shuffled', 'countsCalls', 'oldestFirst', 'hidesRead', 'strict'];

/** @returns {import('./panes.js').Pane} */
export function createSteerPane() {
  const time = h('p', { class: 'time', 'data-testid': 'clock' });
  let timer = 0;
  const tick = () => {
    window.clearTimeout(timer);
    time.textContent = fullTime((Date.now() + store.ahead) / 1000);
    if (time.isConnected && !store.isFrozen) timer = window.setTimeout(tick, 1000);
  };
  /** @type {HTMLElement | undefined} */
  let shownForm;
  let offers = '';
  const list = h('ul', { 'data-testid': 'faults' });
  // A fault that strikes meanwhile takes nothing away of what somebody fills in.
  const asking = () => {
    const now = JSON.stringify([store.operations, store.accounts.map(({ username }) => username)]);
    if (shownForm === undefined || now !== offers) shownForm = faultForm();
    offers = now;
    return shownForm;
  };
  const parts = [
    part(
      'clock',
      'clock_about',
      () => [time, clockButtons()],
      () => store.isFrozen,
    ),
    part(
      'faults',
      'faults_about',
      () => {
        fill(list, ...faults());
        return [list, asking()];
      },
      () => [store.faults, store.operations],
    ),
    part(
      'accounts',
      undefined,
      () => store.accounts.map(account),
      () => store.accounts,
    ),
    part('switches', 'switches_about', switches, () => store.switches),
    part('shapes', 'shapes_about', shapes, () => [store.switches.shapes, store.shapes]),
  ];
  const reset = h('button', { type: 'button', class: 'danger', on: { click: askReset } }, t('reset'));
  return {
    title: t('steer'),
    body: h(
      'div',
      { class: 'steer' },
      ...parts.map(({ element }) => element),
      h('div', { class: 'actions' }, reset),
    ),
    refresh() {
      for (const { refresh } of parts) refresh();
      tick();
    },
  };
}

/**
 * A section that is drawn anew when what it shows has changed, and not while somebody fills it in.
 * @param {string} title
 * @param {string | undefined} about
 * @param {() => any[]} draw
 * @param {() => any} shows
 */
function part(title, about, draw, shows) {
  const body = h('div', { class: 'part' });
  const element = h(
    'section',
    { class: 'card', 'data-testid': `part-${title}` },
    h('h3', null, t(title)),
    about && h('p', { class: 'muted' }, t(about)),
    body,
  );
  let before = '';
  const change = betweenPresses(body);
  const drawAgain = () => {
    const children = draw();
    // What stays where it is keeps the focus.
    if (children.some((child, at) => body.children[at] !== child)) fill(body, ...children);
  };
  return {
    element,
    refresh() {
      const now = JSON.stringify(shows()) ?? '-';
      if (now === before) return;
      before = now;
      change(drawAgain);
    },
  };
}

function clockButtons() {
  return h(
    'div',
    { class: 'choices' },
    STEPS.map(([name, ms]) =>
      h(
        'button',
        {
          type: 'button',
          'data-testid': `advance-${name}`,
          on: { click: () => change('/clock', { advanceMs: ms }) },
        },
        `+ ${t(name)}`,
      ),
    ),
    h(
      'button',
      {
        type: 'button',
        'data-testid': 'freeze',
        on: { click: () => change('/clock', { frozen: !store.isFrozen }) },
      },
      t(store.isFrozen ? 'go_on' : 'freeze'),
    ),
  );
}

function faults() {
  return [
    store.faults.length === 0 && h('li', { class: 'muted' }, t('no_faults')),
    store.faults.map((fault) => h('li', null, faultRow(fault))),
  ];
}

/** @param {any} account */
function account({ username, lines, credit, price, phonebooks, blocked }) {
  const facts = /** @type {[string, any][]} */ ([
    [t('credit'), h('b', { 'data-testid': `credit-${username}` }, rial(credit))],
    [t('prices'), `${t('ucs2')}: ${rial(price.ucs2)} · ${t('gsm7')}: ${rial(price.gsm7)}`],
    [
      t('lines'),
      lines.length === 0 ? t('none') : lines.flatMap((/** @type {string} */ one) => [number(one), ' ']),
    ],
    [
      t('books'),
      phonebooks.length === 0
        ? t('none')
        : phonebooks.map((/** @type {any} */ book) =>
            h('div', null, h('bdi', null, book.title), ` · ${figure(book.count)}`),
          ),
    ],
    [t('blocked'), figure(blocked)],
  ]);
  return h(
    'div',
    { class: 'account' },
    h('h4', null, username),
    h(
      'dl',
      null,
      facts.flatMap(([name, value]) => [h('dt', { class: 'muted' }, name), h('dd', null, value)]),
    ),
    form(
      [
        {
          name: 'credit',
          label: t('credit'),
          type: 'number',
          min: 0,
          value: String(credit),
          required: true,
          dir: 'ltr',
        },
      ],
      {
        submit: t('set'),
        onSubmit: async (values) =>
          change('/credit', { account: username, credit: Number(values['credit']) }),
      },
    ),
  );
}

function switches() {
  const set = (/** @type {Record<string, unknown>} */ some) => change('/switches', some);
  const lag = form(
    [
      {
        name: 'lag',
        label: t('lag_seconds'),
        type: 'number',
        min: 0,
        value: String(store.switches.lagMs / 1000),
        dir: 'ltr',
      },
    ],
    {
      submit: t('set'),
      onSubmit: async (values) => set({ lagMs: Math.round(Number(values['lag']) * 1000) }),
    },
  );
  return [
    ...HABITS.map((name) => {
      const box = h('input', {
        type: 'checkbox',
        checked: store.switches[name] === true,
        'data-testid': `switch-${name}`,
      });
      box.addEventListener('change', () => set({ [name]: box.checked }));
      return h('label', { class: 'check' }, box, h('span', null, t(name)));
    }),
    lag,
  ];
}

/** Each with its name, as the command line and the documents have it. */
function shapes() {
  const isPersian = document.documentElement.lang === 'fa';
  const rows = store.shapes.map(({ name, does, fa }) => {
    const isOn = store.switches.shapes.includes(name);
    const box = h('input', { type: 'checkbox', checked: isOn, 'data-testid': `shape-${name}` });
    const words = h('span', null, isPersian ? fa : does, ' ', h('code', { class: 'muted' }, name));
    return { name, box, label: h('label', { class: 'check' }, box, words) };
  });
  for (const { box } of rows) {
    // What is ticked now: the list that was drawn may not know yet of one that was ticked just before.
    box.addEventListener('change', () =>
      change('/shapes', { shapes: rows.filter((row) => row.box.checked).map(({ name }) => name) }),
    );
  }
  return rows.map(({ label }) => label);
}

function askReset() {
  const sure = h('button', { type: 'button', class: 'danger' }, t('reset'));
  const dialog = sheet(t('reset'), h('p', null, t('reset_sure')), h('div', { class: 'actions' }, sure));
  sure.addEventListener('click', () => {
    change('/reset', {});
    dialog.close();
  });
}
