import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Sandbox } from './server.ts';
import { startSandbox } from './server.ts';
import { KEY, LINE, PLAIN, TOKEN, http } from './testing.ts';

/** Operation, method, path, parameters; `required` are those without which the call is refused by name. */
type Row = readonly [
  operation: string,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  parameters: Readonly<Record<string, unknown>>,
  required?: readonly string[],
];

const NOW = 1_790_000_000_000;
const RANGE = { startdate: NOW / 1000 - 86_400, enddate: NOW / 1000 };
const BOUNDS = ['startdate', 'enddate'];
const SEND = { from: LINE, recipients: [PLAIN], message: 'x', type: 0 };
const MANY = { fromArray: [LINE], recipients: [PLAIN], messageArray: ['x'], typeArray: [0] };
const MANY_NAMES = Object.keys(MANY);
const USER = {
  uname: 'fresh',
  passwd: 'secret1',
  passwd_repeat: 'secret1',
  parent: 'demo',
  mobile: '09121234567',
  melli_code: '0012345679',
  package: 12,
  reseller: 0,
};
const BOOK = 1001;
const NUMBER = '09121110001';

/** At the same path in versions 4 and 3. */
type Parameters = Readonly<Record<string, unknown>>;
const SHARED: readonly (readonly [operation: string, path: string, Parameters, string[]?])[] = [
  ['send', 'sms/send', SEND, ['from', 'recipients', 'message']],
  ['status', 'sms/status', { messageid: [5] }, ['messageid']],
  ['select', 'sms/select', { messageid: ['known'] }, ['messageid']],
  ['selectoutbox', 'sms/selectoutbox', RANGE, BOUNDS],
  ['latest', 'sms/latest', {}],
  ['latestoutbox', 'sms/latestoutbox', {}],
  ['countoutbox', 'sms/countoutbox', RANGE, BOUNDS],
  ['countinbox', 'sms/countinbox', { ...RANGE, number: LINE, isread: 1 }, BOUNDS],
  ['inbox', 'sms/inbox', { count: 5, offset: 1 }],
  ['inboxpaged', 'sms/inboxpaged', { number: LINE, isread: 0, page: 1, pagesize: 500 }],
  ['receive', 'sms/receive', { number: LINE, isread: 0 }],
  ['statusbynumber', 'sms/statusbynumber', { number: PLAIN, startdate: 0 }, ['number', 'startdate']],
  ['register', 'user/register', USER, Object.keys(USER)],
  ['blacklist-list', 'line/blocked/list', { number: LINE, startdate: 0, page: 1, pagesize: 10 }, ['number']],
  ['blacklist-add', 'line/blocked/add', { number: LINE, to: [PLAIN] }, ['number', 'to']],
  ['blacklist-exists', 'line/blocked/exists', { number: LINE, to: [PLAIN] }, ['number', 'to']],
  ['blacklist-remove', 'line/blocked/remove', { number: LINE, to: '09129999999' }, ['number', 'to']],
];

const VERSION_4: readonly Row[] = [
  ...SHARED.map(([name, path, parameters, required = []]): Row => [
    name,
    'GET',
    `${path}.json`,
    parameters,
    required,
  ]),
  ['multi', 'GET', 'sms/multi.json', MANY, MANY_NAMES],
  ['credit', 'GET', 'user/credit.json', {}],
  ['details', 'GET', 'user/details.json', {}],
  ['phonebook-list', 'GET', 'phonebook/list.json', { name: 'Staff' }],
  ['phonebook-numbers', 'GET', 'phonebook/numbers.json', { bookId: BOOK }, ['bookId']],
];

const VERSION_3: readonly Row[] = [
  ...SHARED.map(([name, path, parameters, required = []]): Row => [name, 'POST', path, parameters, required]),
  ['multi', 'POST', 'sms/multiple-send', MANY, MANY_NAMES],
  ['credit', 'POST', 'my/credit', {}],
  ['details', 'POST', 'my', {}],
  ['phonebook-list', 'POST', 'my/phonebook', { name: 'Staff' }],
  ['phonebook-numbers', 'POST', 'phonebook/number', { book_id: BOOK }, ['book_id']],
  [
    'phonebook-create',
    'POST',
    'phonebook/new',
    { name: 'new', numbers: [PLAIN], flag: 'n' },
    ['name', 'numbers', 'flag'],
  ],
  ['phonebook-delete', 'DELETE', 'phonebook/delete', { book_id: BOOK }, ['book_id']],
  [
    'phonebook-add',
    'POST',
    'phonebook/number/add',
    { book_id: BOOK, numbers: [PLAIN], flag: 'no effect' },
    ['book_id', 'numbers'],
  ],
  [
    'phonebook-remove',
    'DELETE',
    'phonebook/number/delete',
    { book_id: BOOK, numbers: [NUMBER] },
    ['book_id', 'numbers'],
  ],
  [
    'pattern-send',
    'POST',
    'sms/pattern-send',
    { from: LINE, recipients: [PLAIN], message: { code: '7' }, pattern_id: 1 },
    ['from', 'recipients', 'message', 'pattern_id'],
  ],
];

const VERSION_1: readonly Row[] = [
  ['credit', 'GET', 'my/credit', {}],
  ['details', 'GET', 'my', {}],
  ['send', 'POST', 'sms/send', SEND, ['from', 'recipients', 'message']],
  [
    'future-send',
    'POST',
    'sms/future-send',
    { ...SEND, sendDate: NOW / 1000 + 60, prtrys: '0', sentPeriod: '0' },
    ['from', 'recipients', 'message', 'sendDate'],
  ],
  [
    'pattern-send',
    'POST',
    'sms/pattern-send',
    { ...SEND, message: { code: '7' }, patternId: 1 },
    ['from', 'recipients', 'message', 'patternId'],
  ],
  ['phonebook-send', 'POST', 'sms/phonebook-send', { ...SEND, bookId: BOOK }, ['from', 'bookId', 'message']],
  ['multi', 'POST', 'sms/multiple-send', MANY, MANY_NAMES],
  ['latest', 'GET', 'sms/latest', {}],
  ['status', 'POST', 'sms/status', { idArray: [5] }, ['idArray']],
  [
    'register',
    'POST',
    'user/register',
    { username: 'fresh', password: 'secret1', repeatPassword: 'secret1' },
    ['username', 'password', 'repeatPassword'],
  ],
  ['phonebook-list', 'GET', 'my/phonebook', {}],
  ['phonebook-by-name', 'GET', `my/phonebook/${encodeURIComponent('مشتریان')}`, {}],
  [
    'phonebook-create',
    'POST',
    'phonebook',
    { name: 'new', numbers: [PLAIN], flag: 'n' },
    ['name', 'numbers', 'flag'],
  ],
  ['phonebook-delete', 'DELETE', `phonebook/${BOOK}`, {}],
  ['phonebook-numbers', 'GET', `phonebook/${BOOK}/number`, {}],
  ['phonebook-add', 'POST', `phonebook/${BOOK}/number`, { numbers: [PLAIN], flag: '' }, ['numbers']],
  ['phonebook-remove', 'DELETE', `phonebook/${BOOK}/number`, { numbers: [NUMBER] }, ['numbers']],
];

const TABLES = [
  [4, VERSION_4],
  [3, VERSION_3],
  [1, VERSION_1],
] as const;
const ALL = TABLES.flatMap(([version, rows]) => rows.map((row) => [version, row[0], row] as const));

let sandbox: Sandbox;
let bookId = 0;
let sentId = '';
beforeAll(async () => {
  sandbox = await startSandbox({ now: () => NOW });
});
beforeEach(async () => {
  sandbox.world.reset();
  bookId = sandbox.world.account('demo')?.phonebooks.all()[0]?.id ?? 0;
  await call(3, ['send', 'POST', 'sms/send', SEND]);
  await call(3, ['blacklist-add', 'POST', 'line/blocked/add', { number: LINE, to: ['09129999999'] }]);
  sentId = sandbox.ledger.sends().at(-1)?.messageIds[0] ?? '';
});
afterAll(() => sandbox.close());

/** Makes the call of a row with the ids of this moment, as its version writes it. */
function call(version: number, [, method, path, parameters]: Row, method2?: Row[1], credential?: string) {
  const write = (text: string) => text.replace(String(BOOK), String(bookId)).replace('"known"', sentId);
  const key = credential ?? (version === 1 ? TOKEN : KEY);
  const here = write(path);
  if (version === 4) {
    const query = Object.entries(parameters).map(([name, value]) => [name, [value].flat().join(',')]);
    const text = new URLSearchParams(query).toString().replace('=known', `=${sentId}`);
    return http(`${sandbox.baseUrl}/api/v4/${key}/${here}?${write(text)}`, { method: method2 ?? method });
  }
  const base = version === 3 ? `${sandbox.baseUrl}/api/v3/rest` : `${sandbox.wsUrl}/api/v1/rest`;
  const body = (method2 ?? method) === 'GET' ? {} : { body: write(JSON.stringify(parameters)) };
  return http(`${base}/${here}`, { method: method2 ?? method, headers: { token: key }, ...body });
}

test('the tables of the interface are complete: 22, 26 and the extension, and 17 operations', () => {
  expect(TABLES.map(([, rows]) => new Set(rows.map(([name]) => name)).size)).toEqual([22, 27, 17]);
  expect(ALL).toHaveLength(66);
});

test.each(ALL)(
  'version %i: %s succeeds, is noted under its name and has reached its effect',
  async (...row) => {
    const [version, operation, given] = row;
    const { json } = await call(version, given);
    expect(json).toMatchObject(version === 1 ? { status: 200 } : { return: { status: 200 } });
    if (version === 1) expect([0, { status: 0 }]).toContainEqual(statusOnly(json));
    expect(sandbox.ledger.hits().at(-1)).toMatchObject({ version, operation, reachedEffect: true });
  },
);

/** The result of version 1 stripped to its code. */
function statusOnly(json: unknown): unknown {
  const { result } = json as { result: number | { status: number } };
  return typeof result === 'number' ? result : { status: result.status };
}

test.each(ALL)(
  'version %i: %s without one of its required parameters is refused by its name',
  async (...row) => {
    const [version, , [name, method, path, parameters, required = []]] = row;
    for (const missing of required) {
      const { [missing]: _, ...rest } = parameters;
      const { text } = await call(version, [name, method, path, rest]);
      expect(text).toMatch(new RegExp(`"status":400,"message":"[^"]*: [^"]*\\b${missing}\\b`));
    }
    expect(sandbox.world.account('demo')?.phonebooks.all()).toHaveLength(2);
  },
);

test.each(ALL)('version %i: %s by another method is told apart from an unknown path', async (...row) => {
  const [version, , given] = row;
  if (version === 1 && given[2].startsWith('phonebook/')) return;
  const { text } = await call(version, given, given[1] === 'GET' ? 'POST' : 'GET');
  expect(text).toContain('"status":405');
});

test.each(ALL)('version %i: %s is closed to a locked account', async (...row) => {
  const [version, operation, given] = row;
  const key = version === 1 ? 'sandbox-token-locked' : 'sandbox-key-locked';
  const { text } = await call(version, given, undefined, key);
  const status = version === 1 && ['credit', 'details'].includes(operation) ? 3 : 401;
  expect(text).toContain(`"status":${status}`);
});
