// @ts-check
// The messages of all accounts, newest first, with what they are searched and filtered by.
import { betweenPresses, byId, fill, h } from '../../pages/common/dom.js';
import { figure } from '../../pages/common/format.js';
import { t } from '../../pages/common/i18n.js';
import { icon, iconButton } from '../../pages/common/icons.js';
import { keyed } from '../../pages/common/keyed.js';
import { neighbourLink } from '../../pages/common/neighbour.js';
import { attempt } from '../../pages/common/notices.js';
import { changeTheme } from '../../pages/common/theme.js';
import { openNewText } from './new-text.js';
import { go, loadMessages, place, STATES, store, wantMore } from './store.js';
import { correspondent, origin, rial, states, when } from './view.js';

/** @typedef {import('./store.js').Message} Message */

/**
 * @param {{ onOtherLanguage: () => void, onMore: () => void }} options
 * @returns {{ draw: () => void, drawFrame: () => void }} what fills the list, and what is around it, in the language of now
 */
export function createList({ onOtherLanguage, onMore }) {
  const head = h('header', { class: 'head' });
  const filters = h('search', { class: 'filters' });
  const rows = h('ol', { class: 'rows', 'data-testid': 'messages' });
  const none = h('p', { class: 'none muted' });
  const older = h('button', {
    type: 'button',
    class: 'plain older',
    on: {
      click: () =>
        narrow(() => {
          wantMore();
          onMore();
        }),
    },
  });
  const scroller = h('div', { class: 'scroller' }, rows, none, older);
  const said = byId('said');
  fill(byId('list'), head, filters, scroller);

  /** @type {string | undefined} */
  let newest;
  const show = keyed(rows, { key: (/** @type {Message} */ one) => one.id, make: makeRow, draw: drawRow });

  const draw = () => {
    show(store.messages);
    none.hidden = store.messages.length > 0;
    older.hidden = !store.more;
    const { message, phone, refused } = place();
    const here = refused ? `refused ${refused}` : message;
    for (const row of rows.querySelectorAll('button')) {
      const isHere = row.dataset.id === here || (phone !== undefined && row.dataset.phone === phone);
      row.setAttribute('aria-current', String(isHere));
    }
    const [first] = store.messages;
    // Read out, but for what was there when the page was opened.
    if (newest !== undefined && first && first.id !== newest)
      said.textContent = t('came', { text: first.text });
    newest = first?.id ?? '';
  };
  const narrow = (/** @type {() => void} */ change) => {
    change();
    newest = undefined;
    attempt(async () => {
      await loadMessages();
      draw();
    });
  };

  const drawFrame = () => {
    byId('list').setAttribute('aria-label', t('messages'));
    const language = h(
      'button',
      {
        type: 'button',
        class: 'plain language',
        lang: document.documentElement.lang === 'fa' ? 'en' : 'fa',
        'data-testid': 'other-language',
        'aria-label': t('other_language'),
        title: t('other_language'),
        on: { click: onOtherLanguage },
      },
      document.documentElement.lang === 'fa' ? 'EN' : 'فا',
    );
    const theme = iconButton('theme', t('theme'), changeTheme);
    theme.dataset.testid = 'theme';
    const steer = iconButton('steer', t('steer'), () => go({ steer: 'yes' }));
    steer.dataset.testid = 'steer';
    const write = iconButton('edit', t('new_text'), openNewText);
    write.dataset.testid = 'new-text';
    fill(head, h('h1', null, t('sandbox')), neighbourLink(store.beside), language, theme, steer, write);
    fill(filters, ...filterFields(narrow));
    none.textContent = t('no_messages');
    older.textContent = t('older');
  };

  rows.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    const all = [...rows.querySelectorAll('button')];
    const at = all.indexOf(/** @type {any} */ (document.activeElement));
    all[Math.min(Math.max(at + step, 0), all.length - 1)]?.focus();
    event.preventDefault();
  });
  const change = betweenPresses(rows);
  return { draw: () => change(draw), drawFrame };
}

/** Accounts that have sent or received anything. */
function inUse() {
  return store.accounts.filter(({ sentCalls, received }) => sentCalls + received > 0);
}

/** @param {(change: () => void) => void} narrow */
function filterFields(narrow) {
  const { filter } = store;
  const choice = (
    /** @type {'kind' | 'state' | 'account'} */ name,
    /** @type {[string, string][]} */ options,
  ) => {
    const select = h(
      'select',
      { name, 'aria-label': options[0]?.[1], 'data-testid': `filter-${name}` },
      options.map(([value, text]) => h('option', { value, selected: value === filter[name] }, text)),
    );
    select.addEventListener('change', () => {
      narrow(() => {
        filter[name] = select.value;
      });
      if (name === 'kind') suit();
    });
    return select;
  };
  const search = h('input', {
    type: 'search',
    dir: 'auto',
    value: filter.search,
    placeholder: t('search_messages'),
    'aria-label': t('search_messages'),
    'data-testid': 'search',
    enterkeyhint: 'search',
  });
  search.addEventListener('input', () =>
    narrow(() => {
      filter.search = search.value;
    }),
  );
  const state = choice('state', [
    ['', t('every_state')],
    ...STATES.map((/** @type {string} */ one) => /** @type {[string, string]} */ ([one, t(one)])),
  ]);
  // What was refused has none.
  function suit() {
    state.hidden = filter.kind === 'refused';
  }
  suit();
  return [
    search,
    choice('kind', [
      ['', t('all')],
      ['sent', t('sent')],
      ['received', t('received')],
      ['refused', t('refused_ones')],
    ]),
    state,
    inUse().length > 1 &&
      choice('account', [
        ['', t('every_account')],
        ...inUse().map(({ username }) => /** @type {[string, string]} */ ([username, username])),
      ]),
  ];
}

/** @param {Message} message */
function makeRow(message) {
  return h('button', {
    type: 'button',
    class: `row ${message.kind}`,
    'data-id': message.id,
    'data-testid': 'message',
    on: {
      click: () =>
        go(message.kind === 'refused' ? { refused: String(message['number']) } : { message: message.id }),
    },
  });
}

/**
 * @param {HTMLElement} row
 * @param {Message} message
 */
function drawRow(row, message) {
  const isSent = message.kind === 'sent';
  const isRefused = message.kind === 'refused';
  fill(
    row,
    h(
      'span',
      { class: 'top' },
      icon(isRefused ? 'close' : isSent ? 'outgoing' : 'incoming'),
      h('span', { class: 'offscreen' }, t(message.kind)),
      h(
        'b',
        { class: 'grow' },
        isRefused ? h('bdi', { dir: 'ltr' }, message['call']) : correspondent(message),
      ),
      h('time', { class: 'muted' }, when(message.at)),
    ),
    h('span', { class: 'excerpt text' }, message.text),
    h(
      'span',
      { class: 'facts muted' },
      ...states(message),
      message.kind === 'received' &&
        h('span', { class: message.read ? 'state' : 'state queued' }, t(message.read ? 'read' : 'unread')),
      message.line && h('span', null, h('bdi', { dir: 'ltr' }, message.line)),
      isSent && h('span', null, t('part_count', { n: figure(message.parts) })),
      isSent && h('span', null, rial(message.cost)),
      origin(message) && h('bdi', { dir: 'ltr' }, origin(message)),
      inUse().length > 1 && h('span', null, message.account),
    ),
  );
}
