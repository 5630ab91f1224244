import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';

import { AppError } from '../domain/errors.ts';
import { Secret } from '../domain/secret.ts';
import type { FacetName, SmsGateway } from '../ports/gateway.ts';
import {
  checkBookId,
  checkLine,
  checkName,
  checkNewBook,
  checkNewUser,
  checkNumbersToRemove,
  checkPattern,
  checkRecipients,
  checkText,
  inGroups,
} from './checks.ts';
import { SEND } from './testing/accounts.ts';
import { exchange, failureOf } from './testing/exchange.ts';

const LINE = '3000123456';
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => `9891200${String(at).padStart(5, '0')}`);
const message = { line: LINE, recipient: '989120000001', text: 'x', flash: false };
const at = { year: '1404', month: '1', day: '1', hour: '1', minute: '1' };
const pattern = { line: LINE, recipients: many(1), patternId: '1', variables: {}, flash: false };
const user = {
  userName: 'u',
  password: new Secret('p'),
  parent: 'demo',
  mobile: '989120000001',
  nationalCode: '0012345679',
  packageId: '1',
  reseller: false,
};
const newBook = { name: 'n', numbers: many(1), flag: 'f' };

type Case = readonly [
  facet: FacetName,
  field: string,
  reason: string,
  run: (gateway: SmsGateway) => Promise<unknown>,
];

const CASES: readonly Case[] = [
  ['multi', 'messages', 'empty', (g) => g.use('multi').sendMany([])],
  [
    'multi',
    'messages',
    'too_many',
    (g) => g.use('multi').sendMany(Array.from({ length: 201 }, () => message)),
  ],
  ['multi', 'line', 'not_a_line', (g) => g.use('multi').sendMany([message, { ...message, line: '3000,1' }])],
  [
    'multi',
    'recipients',
    'not_canonical',
    (g) => g.use('multi').sendMany([{ ...message, recipient: '0912' }]),
  ],
  ['multi', 'text', 'too_long', (g) => g.use('multi').sendMany([{ ...message, text: 'x'.repeat(901) }])],
  ['multi', 'text', 'empty', (g) => g.use('multi').sendMany([message, { ...message, text: ' ' }])],
  ['outbox', 'range', 'too_long', (g) => g.use('outbox').inRange({ from: 0, to: 86_401 })],
  ['outbox', 'range', 'backwards', (g) => g.use('outbox').inRange({ from: 2, to: 1 })],
  ['outbox', 'from', 'not_a_moment', (g) => g.use('outbox').inRange({ from: 0.5, to: 1 })],
  ['outbox', 'to', 'not_a_moment', (g) => g.use('outbox').inRange({ from: 0, to: Number.NaN })],
  ['outbox', 'limit', 'too_big', (g) => g.use('outbox').newest(201)],
  ['outbox', 'limit', 'too_small', (g) => g.use('outbox').newest(0)],
  [
    'outbox',
    'limit',
    'too_big',
    (g) => g.use('outbox').byNumber({ recipient: '989120000001', since: 0, limit: 51 }),
  ],
  ['outbox', 'recipient', 'not_canonical', (g) => g.use('outbox').byNumber({ recipient: '0912', since: 0 })],
  [
    'outbox',
    'since',
    'not_a_moment',
    (g) => g.use('outbox').byNumber({ recipient: '989120000001', since: -1 }),
  ],
  ['counts', 'range', 'backwards', (g) => g.use('counts').sent({ from: 2, to: 1 })],
  ['counts', 'line', 'not_a_line', (g) => g.use('counts').received({ from: 0, to: 1, line: 'x' })],
  ['inbox', 'count', 'too_small', (g) => g.use('inbox').fromOffset({ count: 0 })],
  ['inbox', 'offset', 'too_small', (g) => g.use('inbox').fromOffset({ offset: -1 })],
  ['inbox', 'pageSize', 'too_big', (g) => g.use('inbox').page({ pageSize: 501 })],
  ['inbox', 'page', 'too_small', (g) => g.use('inbox').page({ page: 0 })],
  ['inbox', 'page', 'too_small', (g) => g.use('inbox').page({ page: 1.5 })],
  ['inbox', 'line', 'not_a_line', (g) => g.use('inbox').receive({ line: '' })],
  ['blacklist', 'numbers', 'too_many', (g) => g.use('blacklist').add(LINE, many(201))],
  ['blacklist', 'numbers', 'empty', (g) => g.use('blacklist').add(LINE, [])],
  ['blacklist', 'numbers', 'repeated', (g) => g.use('blacklist').add(LINE, [...many(1), ...many(1)])],
  ['blacklist', 'numbers', 'too_many', (g) => g.use('blacklist').check(LINE, many(401))],
  ['blacklist', 'numbers', 'not_canonical', (g) => g.use('blacklist').remove(LINE, '09120000001')],
  ['blacklist', 'line', 'not_a_line', (g) => g.use('blacklist').list({ line: 'a' })],
  ['blacklist', 'pageSize', 'too_small', (g) => g.use('blacklist').list({ line: LINE, pageSize: 0 })],
  ['phonebookRead', 'book', 'not_digits', (g) => g.use('phonebookRead').numbers('5/number')],
  ['phonebookRead', 'name', 'empty', (g) => g.use('phonebookRead').byName(' ')],
  ['phonebookRead', 'name', 'empty', (g) => g.use('phonebookRead').list({ name: ' ' })],
  ['phonebookWrite', 'name', 'empty', (g) => g.use('phonebookWrite').create({ ...newBook, name: '' })],
  ['phonebookWrite', 'flag', 'empty', (g) => g.use('phonebookWrite').create({ ...newBook, flag: '' })],
  ['phonebookWrite', 'numbers', 'empty', (g) => g.use('phonebookWrite').create({ ...newBook, numbers: [] })],
  ['phonebookWrite', 'numbers', 'too_many', (g) => g.use('phonebookWrite').addNumbers('1', many(1_001))],
  [
    'phonebookWrite',
    'numbers',
    'not_canonical',
    (g) => g.use('phonebookWrite').addNumbers('1', ['02188880000']),
  ],
  ['phonebookWrite', 'numbers', 'not_digits', (g) => g.use('phonebookWrite').removeNumbers('1', ['a'])],
  ['phonebookWrite', 'numbers', 'empty', (g) => g.use('phonebookWrite').removeNumbers('1', [])],
  ['phonebookWrite', 'numbers', 'too_many', (g) => g.use('phonebookWrite').removeNumbers('1', many(1_001))],
  ['phonebookWrite', 'book', 'not_digits', (g) => g.use('phonebookWrite').remove('../my')],
  [
    'futureSend',
    'recipients',
    'too_many',
    (g) => g.use('futureSend').sendLater({ ...SEND, at, recipients: many(201) }),
  ],
  [
    'futureSend',
    'at',
    'not_digits',
    (g) => g.use('futureSend').sendLater({ ...SEND, at: { ...at, day: '۱' } }),
  ],
  ['futureSend', 'repeat', 'not_digits', (g) => g.use('futureSend').sendLater({ ...SEND, at, retries: 'x' })],
  ['futureSend', 'line', 'not_a_line', (g) => g.use('futureSend').sendLater({ ...SEND, at, line: 'x' })],
  ['pattern', 'line', 'not_a_line', (g) => g.use('pattern').sendPattern({ ...pattern, line: 'x' })],
  [
    'phonebookSend',
    'line',
    'not_a_line',
    (g) => g.use('phonebookSend').sendToBook({ ...SEND, bookId: '1', line: 'x' }),
  ],
  ['pattern', 'patternId', 'not_digits', (g) => g.use('pattern').sendPattern({ ...pattern, patternId: 'x' })],
  [
    'pattern',
    'recipients',
    'too_many',
    (g) => g.use('pattern').sendPattern({ ...pattern, recipients: many(201) }),
  ],
  [
    'pattern',
    'variables',
    'name_empty',
    (g) => g.use('pattern').sendPattern({ ...pattern, variables: { '': 'x' } }),
  ],
  [
    'pattern',
    'variables',
    'not_well_formed',
    (g) => g.use('pattern').sendPattern({ ...pattern, variables: { x: '\uD83D' } }),
  ],
  ['phonebookSend', 'book', 'not_digits', (g) => g.use('phonebookSend').sendToBook({ ...SEND, bookId: 'x' })],
  [
    'phonebookSend',
    'text',
    'too_long',
    (g) => g.use('phonebookSend').sendToBook({ ...SEND, bookId: '1', text: 'x'.repeat(901) }),
  ],
  [
    'phonebookSend',
    'recipients',
    'repeated',
    (g) => g.use('phonebookSend').sendToBook({ ...SEND, bookId: '1', recipients: [...many(1), ...many(1)] }),
  ],
];

describe.each([3, 4, 1] as const)('version %i is not asked when a limit is broken', (version) => {
  test('in any facet that it has', async () => {
    const { gateway, connections } = await exchange(version, '');
    const cases = CASES.filter(([facet]) => gateway.has(facet));
    for (const [facet, field, reason, run] of cases) {
      const error = await failureOf(run(gateway));
      expect(error, `${facet} ${field}`).toMatchObject({ code: 'bad_input', params: { field, reason } });
    }
    expect(cases.length).toBeGreaterThan(15);
    expect(connections()).toBe(0);
  });
});

const nines = (count: number): string => '9'.repeat(count);
const unless = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'bad_input') throw error;
  });

/** What reads a value, values at both ends of what it takes, and values just outside of them by what is wrong with each. */
type Ends = readonly [
  title: string,
  check: (value: string, gateway: SmsGateway) => unknown,
  taken: readonly string[],
  refused: Readonly<Record<string, readonly string[]>>,
];

/** Up to so many digits, and nothing beside them. */
const digits = (title: string, most: number, check: Ends[1]): Ends => [
  title,
  check,
  ['0', nines(most)],
  { not_digits: ['', 'x9', '9x', nines(most + 1)] },
];
const NOT_LINES = ['99', '+', '++999', 'x999', '999x', nines(21)];
const NOT_MOBILE = ['98900000000', '9890000000000', '0989000000000', '989000000000x', '988000000000'];

const ENDS: readonly Ends[] = [
  ['a line', checkLine, ['999', '+999', nines(20)], { not_a_line: NOT_LINES }],
  [
    'a text',
    checkText,
    [' x ', '😀'.repeat(900)],
    { empty: [' \n'], not_well_formed: ['x\uD83D'], too_long: ['😀'.repeat(901)] },
  ],
  [
    'a mobile number',
    (number) => checkRecipients('recipients', ['989120000001', number]),
    ['989000000000', '989999999999'],
    { not_canonical: NOT_MOBILE, repeated: ['989120000001'] },
  ],
  [
    'a number to take out of a book',
    (number) => checkNumbersToRemove(['12345', number]),
    ['999', '+999', nines(20)],
    { not_digits: NOT_LINES, repeated: ['12345'] },
  ],
  ['a name of a book', checkName, [' x '], { empty: [' '], not_well_formed: ['x\uD83D'] }],
  [
    'a flag of a book',
    (flag) => checkNewBook({ ...newBook, flag }),
    [' x '],
    { empty: [' '], not_well_formed: ['x\uD83D'] },
  ],
  [
    'a name of a variable',
    (name) => checkPattern({ ...pattern, variables: { a: 'x', [name]: 'x' } }, 1),
    [' x '],
    { name_empty: [' '], not_well_formed: ['x\uD83D'] },
  ],
  digits('the id of a book', 19, checkBookId),
  digits('the id of a message', 19, (id, g) => unless(g.use('reports').status(['1', id]))),
  digits('the id of a pattern', 18, (patternId) => checkPattern({ ...pattern, patternId }, 1)),
  digits('a part of a time', 4, (day, g) =>
    unless(g.use('futureSend').sendLater({ ...SEND, at: { ...at, day } })),
  ),
  digits('how often a send is repeated', 9, (period, g) =>
    unless(g.use('futureSend').sendLater({ ...SEND, at, period })),
  ),
  ['the parent of a user', (parent) => checkNewUser({ ...user, parent }), [' x '], { empty: [' '] }],
  [
    'the mobile of a user',
    (mobile) => checkNewUser({ ...user, mobile }),
    ['989999999999'],
    { not_canonical: NOT_MOBILE },
  ],
  digits('a package', 15, (packageId) => checkNewUser({ ...user, packageId })),
  [
    'a national code',
    (nationalCode) => checkNewUser({ ...user, nationalCode }),
    [nines(10)],
    { not_10_digits: [nines(9), nines(11), `x${nines(10)}`, `${nines(10)}x`] },
  ],
  [
    'a user name',
    (userName) => checkNewUser({ ...user, userName }),
    ['a', 'Z', '0', 'z'.repeat(64)],
    { not_letters_and_digits: ['', '.a', 'a.', 'z'.repeat(65)] },
  ],
  [
    'a password',
    (password) => checkNewUser({ ...user, password: new Secret(password) }),
    [' '],
    { empty: [''], not_well_formed: ['x\uD83D'] },
  ],
];

test.each(ENDS)('%s is taken up to its ends, and not beyond', async (_title, check, taken, refused) => {
  const { gateway, seen } = await exchange(1, '');
  for (const value of taken) await check(value, gateway);
  const before = seen().length;
  for (const [reason, values] of Object.entries(refused))
    for (const value of values)
      expect(await failureOf((async () => await check(value, gateway))()), value).toMatchObject({
        code: 'bad_input',
        params: { field: expect.stringMatching(/./u), reason },
      });
  expect(seen()).toHaveLength(before);
});

test.each([0, 1, 50, 51, 450])(
  '%i ids are asked about 50 at a time, by four calls at once',
  async (count) => {
    const ids = Array.from({ length: count }, (_, at) => String(at));
    const groups: number[] = [];
    let [out, most] = [0, 0];
    const told = await inGroups(ids, async (group) => {
      groups.push(group.length);
      most = Math.max(most, (out += 1));
      await setImmediate();
      out -= 1;
      return group;
    });
    expect(told).toEqual(ids);
    expect(groups).toHaveLength(Math.ceil(count / 50));
    expect(Math.max(0, ...groups)).toBe(Math.min(50, count));
    expect(most).toBe(Math.min(4, groups.length));
  },
);

test('what is at a limit passes', async () => {
  const { gateway, seen } = await exchange(3, '{"return":{"status":200},"entries":[],"current":null}');
  await gateway.use('multi').sendMany(Array.from({ length: 200 }, () => message));
  await gateway.use('outbox').inRange({ from: 0, to: 86_400 });
  await gateway.use('outbox').newest(200);
  await gateway.use('inbox').page({ pageSize: 500 });
  await gateway.use('blacklist').add(LINE, many(200));
  await gateway.use('phonebookWrite').addNumbers('1', many(1_000));
  await gateway.use('phonebookWrite').removeNumbers('1', many(1_000));
  await gateway.use('outbox').byNumber({ recipient: '989120000001', since: 0, limit: 50 });
  await gateway.use('outbox').inRange({ from: 5, to: 5 });
  await gateway.use('inbox').fromOffset({ count: 1, offset: 0 });
  expect(seen()).toHaveLength(10);
});

test('400 numbers of the blacklist fit into the address of version 4', async () => {
  const { gateway, seen } = await exchange(4, '{"return":{"status":200},"entries":[]}');
  expect(await gateway.use('blacklist').check(LINE, many(400))).toEqual([]);
  expect(seen()[0]?.query['to']?.split(',')).toHaveLength(400);
});
