// @ts-check
// What the page knows, where it is, and how it asks.
import { get, post } from '../../pages/common/http.js';
import { t } from '../../pages/common/i18n.js';
import { attempt, toast } from '../../pages/common/notices.js';

/** @typedef {{ kind: 'sent' | 'received' | 'refused', id: string, account: string, line: string, text: string, at: number, [more: string]: any }} Message */

export const store = {
  /** @type {any[]} */ accounts: [],
  /** @type {any[]} */ faults: [],
  /** @type {string[]} */ operations: [],
  /** @type {any} */ switches: {},
  /** @type {{ name: string, does: string, fa: string }[]} */ shapes: [],
  /** @type {any} */ beside: undefined,
  isFrozen: false,
  /** By how much the gateway's clock is ahead of this machine's, in ms. */
  ahead: 0,
  /** @type {Message[]} */ messages: [],
  more: false,
  filter: { search: '', kind: '', state: '', account: '' },
};

/** How far a recipient may be. */
export const STATES = [
  'scheduled',
  'queued',
  'on_the_way',
  'delivered',
  'not_delivered',
  'not_sent',
  'returned',
];

const PAGE = 50;
let limit = PAGE;

/** Fetches all that the list and the tools show. */
export async function load() {
  const [state, clock, faults, switches, shapes] = await Promise.all([
    get('/state'),
    get('/clock'),
    get('/faults'),
    get('/switches'),
    get('/shapes'),
    loadMessages(),
  ]);
  store.accounts = state.accounts;
  store.beside = state.beside;
  store.ahead = clock.now - Date.now();
  store.isFrozen = clock.frozen;
  store.faults = faults.faults;
  store.operations = faults.operations;
  store.switches = switches;
  store.shapes = shapes.shapes;
}

/**
 * Steers the gateway and says so; whoever shows anything of it looks again.
 * @param {string} path
 * @param {Record<string, unknown>} body
 */
export function change(path, body) {
  attempt(async () => {
    await post(path, body);
    toast(t('was_set'));
    window.dispatchEvent(new Event('changed'));
  });
}

/** Fetches the messages that fit the filter. */
export async function loadMessages() {
  const asked = { ...store.filter };
  const answer =
    asked.kind === 'refused' ? await refusedOnes(asked) : await get('/messages', { ...asked, limit });
  // An answer to what nobody asks any more is left out.
  if (JSON.stringify(asked) !== JSON.stringify(store.filter)) return;
  store.messages = answer.messages;
  store.more = answer.more;
}

/** The requests that were refused, newest first, as rows of the list. @param {typeof store.filter} asked */
async function refusedOnes({ search, account }) {
  const { exchanges } = await get('/journal', { refused: true, search, account, limit: limit + 1 });
  const rows = exchanges.map((/** @type {any} */ one) => ({
    kind: 'refused',
    id: `refused ${one.number}`,
    number: one.number,
    account: one.account ?? '',
    text: one.refused,
    at: one.at + store.ahead,
    origin: one.operation && { version: one.version, operation: one.operation },
    call: `${one.request.method} ${one.request.url.split('?')[0]}`.trim(),
  }));
  return { messages: rows.toReversed().slice(0, limit), more: rows.length > limit };
}

/** Where the page listens, for what it shows. */
export function listening() {
  const { message, phone } = place();
  const shown = Object.entries({ limit: String(limit), message, phone }).filter(([, value]) => value);
  return `/events?${new URLSearchParams(/** @type {[string, string][]} */ (shown))}`;
}

/** From now on the list is longer. */
export function wantMore() {
  limit = Math.min(limit + PAGE, 1000);
}

/** @returns {{ message?: string, refused?: string, phone?: string, account?: string, line?: string, steer?: string }} */
export function place() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

/** @param {Record<string, string | undefined>} next */
export function go(next) {
  const given = Object.entries(next).filter(([, value]) => value);
  location.hash = String(new URLSearchParams(/** @type {[string, string][]} */ (given)));
}
