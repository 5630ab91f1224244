import { describe, expect, test } from 'vitest';

import type { FacetName, SmsGateway } from '../ports/gateway.ts';
import { SEND } from './testing/accounts.ts';
import { exchange, failureOf } from './testing/exchange.ts';

const LINE = '3000123456';
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => `9891200${String(at).padStart(5, '0')}`);
const message = { line: LINE, recipient: '989120000001', text: 'x', flash: false };
const at = { year: '1404', month: '1', day: '1', hour: '1', minute: '1' };
const pattern = { line: LINE, recipients: many(1), patternId: '1', variables: {}, flash: false };
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

test('what is at a limit passes', async () => {
  const { gateway, seen } = await exchange(3, '{"return":{"status":200},"entries":[],"current":null}');
  await gateway.use('multi').sendMany(Array.from({ length: 200 }, () => message));
  await gateway.use('outbox').inRange({ from: 0, to: 86_400 });
  await gateway.use('outbox').newest(200);
  await gateway.use('inbox').page({ pageSize: 500 });
  await gateway.use('blacklist').add(LINE, many(200));
  await gateway.use('phonebookWrite').addNumbers('1', many(1_000));
  expect(seen()).toHaveLength(6);
});

test('400 numbers of the blacklist fit into the address of version 4', async () => {
  const { gateway, seen } = await exchange(4, '{"return":{"status":200},"entries":[]}');
  expect(await gateway.use('blacklist').check(LINE, many(400))).toEqual([]);
  expect(seen()[0]?.query['to']?.split(',')).toHaveLength(400);
});
