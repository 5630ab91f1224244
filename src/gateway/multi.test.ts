import { describe, expect, test } from 'vitest';

import type { GatewayVersion, MultiMessage } from '../ports/gateway.ts';
import { exchange, failureOf, rest, v1 } from './testing/exchange.ts';

const MESSAGES = [
  { line: '3000123456', recipient: '989120000001', text: 'سلام علی', flash: false },
  { line: '50001234', recipient: '989120000002', text: 'hello & = ؟', flash: true },
  { line: '3000123456', recipient: '989120000001', text: 'دوباره', flash: false },
] as const satisfies readonly MultiMessage[];

const rows = MESSAGES.map(({ line, recipient, text }, at) => ({
  index: at,
  messageid: 70 + at,
  message: text,
  state: 1,
  from: `+98${line}`,
  to: `+${recipient}`,
  date: 1_700_000_000,
}));
const IN_ORDER = [
  { id: '70', recipient: '989120000001' },
  { id: '71', recipient: '989120000002' },
  { id: '72', recipient: '989120000001' },
];

async function sendMany(version: GatewayVersion, body: unknown) {
  const { gateway, seen } = await exchange(version, body);
  const answer = await gateway.use('multi').sendMany(MESSAGES, { beforeWrite: () => Promise.resolve(true) });
  return { answer, request: seen()[0] };
}

describe.each([3, 4] as const)('many messages by version %i', (version) => {
  test.each([
    ['rows in order', rows],
    ['rows by their index, from 0', rows.toReversed()],
    ['rows by their index, from 1', rows.map((row) => ({ ...row, index: row.index + 1 })).toReversed()],
    [
      'rows without an index',
      rows.map(({ messageid, message, from, to }) => ({ messageid, message, from, to })),
    ],
    ['rows whose recipients go by another name', rows.map(({ to, ...row }) => ({ ...row, number: to }))],
    ['masked recipients', rows.map((row) => ({ ...row, to: '0912***0001' }))],
    ['rows of ids alone', rows.map(({ messageid }) => ({ messageid }))],
  ])('are accepted with ids in their order from %s', async (_title, entries) => {
    const { answer } = await sendMany(version, rest({ entries }));
    expect(answer).toMatchObject({ outcome: 'accepted', messageIds: IN_ORDER });
  });

  test.each(['0 0 0', '2 0 0', '7 0 1', '4 2 3', 'x 1 0'])(
    'are taken in the order in which their rows come where the indexes %s do not count them',
    async (written) => {
      const indexes = written.split(' ');
      const entries = rows.map((row, at) => ({ ...row, index: indexes[at] }));
      const { answer } = await sendMany(version, rest({ entries }));
      expect(answer).toMatchObject({ outcome: 'accepted', messageIds: IN_ORDER });
    },
  );

  test('are accepted with one id for the call', async () => {
    const { answer } = await sendMany(version, rest({ data: { messageid: 5, state: 1 } }));
    expect(answer).toMatchObject({ outcome: 'accepted', messageIds: [{ id: '5' }] });
  });

  test.each([
    ['a row is missing', rows.slice(1), 'no_message_id', ['71', '72']],
    [
      'a row is too many',
      [...rows, { ...rows[0], messageid: 73, index: 3 }],
      'no_message_id',
      ['70', '71', '72', '73'],
    ],
    ['a row has no id', rows.with(1, { ...rows[1], messageid: 0 } as never), 'no_message_id', ['70', '72']],
    [
      'a text is another',
      rows.with(2, { ...rows[2], message: 'no' } as never),
      'echo_differs',
      ['70', '71', '72'],
    ],
    [
      'a line is another',
      rows.with(1, { ...rows[1], from: '1000' } as never),
      'echo_differs',
      ['70', '71', '72'],
    ],
    [
      'a recipient is another',
      rows.with(1, { ...rows[1], to: '09129999999' } as never),
      'echo_differs',
      ['70', '71', '72'],
    ],
  ])('stay unknown, with the ids as traces, when %s', async (_title, entries, reason, ids) => {
    const { answer } = await sendMany(version, rest({ entries }));
    expect(answer).toMatchObject({ outcome: 'unknown', reason });
    expect('messageIds' in answer ? answer.messageIds?.map(({ id }) => id) : []).toEqual(ids);
  });

  test('keep the recipient of a trace where its row names one', async () => {
    const { answer } = await sendMany(version, rest({ entries: [rows[1], { messageid: 72 }] }));
    expect(answer).toMatchObject({
      outcome: 'unknown',
      messageIds: [{ id: '71', recipient: '989120000002' }, { id: '72' }],
    });
  });

  test.each([
    ['no rows', { entries: [] }],
    ['rows that are no objects', { entries: [1, 2, 3] }],
    ['nothing', {}],
  ])('stay unknown with %s', async (_title, payload) => {
    const { answer } = await sendMany(version, rest(payload));
    expect(answer).toMatchObject({ outcome: 'unknown', reason: 'no_message_id' });
    expect(answer).not.toHaveProperty('messageIds');
  });

  test.each([
    [419, '', { code: 419, name: 'unequal_lengths' }],
    [413, '', { code: 413, name: 'inconsistent_data' }],
    [400, 'کد 22', { code: 22, name: 'insufficient_credit' }],
  ])('are rejected with status %i %s', async (status, message, expected) => {
    const { answer } = await sendMany(version, rest({}, status, message));
    expect(answer).toMatchObject({ outcome: 'rejected', ...expected });
  });

  test('one message alone is accepted from a single row', async () => {
    const { gateway } = await exchange(version, rest({ data: rows[0] }));
    expect(await gateway.use('multi').sendMany(MESSAGES.slice(0, 1))).toMatchObject({
      outcome: 'accepted',
      messageIds: IN_ORDER.slice(0, 1),
    });
  });
});

describe('many messages on the wire', () => {
  const fields = {
    fromArray: ['3000123456', '50001234', '3000123456'],
    recipients: ['09120000001', '09120000002', '09120000001'],
    messageArray: MESSAGES.map(({ text }) => text),
    typeArray: [0, 1, 0],
  };

  test.each([3, 1] as const)('are four lists of version %i', async (version) => {
    const { request } = await sendMany(version, '');
    expect(request).toMatchObject({ method: 'POST', path: '/sms/multiple-send', json: fields });
  });

  test('are four texts of version 4', async () => {
    const { request } = await sendMany(4, '');
    const joined = Object.entries(fields).map(([name, values]) => [name, values.join(',')]);
    expect(request).toMatchObject({
      method: 'GET',
      path: '/sms/multi.json',
      query: Object.fromEntries(joined),
    });
  });

  test('version 4 refuses a comma before the call, and takes a Persian one', async () => {
    const { gateway, connections } = await exchange(4, '');
    const withText = (text: string) => gateway.use('multi').sendMany([MESSAGES[0], { ...MESSAGES[0], text }]);

    expect(await failureOf(withText('a, b'))).toMatchObject({
      code: 'bad_input',
      params: { field: 'text', reason: 'comma_in_version_4' },
    });
    expect(connections()).toBe(0);
    expect((await withText('الف، ب')).outcome).toBe('unknown');
  });

  test('version 4 refuses an address that would be too long', async () => {
    const { gateway, connections } = await exchange(4, '');
    const many = Array.from({ length: 20 }, () => ({ ...MESSAGES[0], text: 'س'.repeat(100) }));

    expect(await failureOf(gateway.use('multi').sendMany(many))).toMatchObject({
      code: 'bad_input',
      params: { field: 'request', reason: 'too_long_for_version_4' },
    });
    expect(connections()).toBe(0);
  });
});

describe('many messages by version 1', () => {
  test.each([
    ['a list under id', v1({ status: 0, id: [70, 71, 72] })],
    ['a list under another name', v1({ status: 0, result: rows })],
    ['a bare list of rows', v1([{ id: '70', status: 0 }, { id: '71', status: 0 }, { id: '72' }])],
    ['rows with a success', v1(rows.map((row) => ({ ...row, status: 200 })))],
    ['rows with a number that is no code', v1(rows.map((row) => ({ ...row, status: 2001 })))],
    ['rows by their index', v1(rows.toReversed())],
  ])('are accepted with ids in their order from %s', async (_title, body) => {
    expect((await sendMany(1, body)).answer).toMatchObject({ outcome: 'accepted', messageIds: IN_ORDER });
  });

  test('are accepted from a bare list of ids', async () => {
    const { answer } = await sendMany(1, v1([2001, 7002, '9007199254740993']));
    expect(answer).toMatchObject({
      messageIds: [{ id: '2001' }, { id: '7002' }, { id: '9007199254740993' }],
    });
  });

  test('are accepted with one id for the call', async () => {
    const { answer } = await sendMany(1, v1({ status: 0, id: 12_345 }));
    expect(answer).toMatchObject({ outcome: 'accepted', messageIds: [{ id: '12345' }] });
  });

  test.each([
    ['a code for the call', v1({ status: 22 }), 22],
    ['a code that something beside it would put in doubt', v1({ status: 1 }), 1],
    ['one code for all', v1([22, 22, 22]), 22],
    [
      'one code in all rows',
      v1({ status: 0, result: [{ status: 23 }, { status: 23 }, { status: 23, id: 9 }] }),
      23,
    ],
    ['a failure', { status: 400, message: 'کد 28' }, 28],
  ])('are rejected by %s', async (_title, body, code) => {
    expect((await sendMany(1, body)).answer).toMatchObject({ outcome: 'rejected', code });
  });

  test.each([
    [
      'some rows have a code',
      v1({ status: 0, result: [{ status: 0, id: 7001 }, { status: 22 }, { status: 0, id: 7003 }] }),
    ],
    ['the codes differ', v1([22, 23, 22])],
    ['a list is too short', v1([7001, 7002])],
    ['one code stands for three', v1([22])],
    ['zeros stand for ids', v1([0, 0, 0])],
    ['there is nothing', v1(null)],
  ])('stay unknown when %s', async (_title, body) => {
    expect((await sendMany(1, body)).answer).toMatchObject({ outcome: 'unknown', reason: 'no_message_id' });
  });

  test.each([
    ['the last of the codes in a bare list', v1([2000, 2000, 2000])],
    ['the last of the codes beside ids', v1(rows.map((row) => ({ ...row, status: 2000 })))],
  ])('stay unknown after %s', async (_title, body) => {
    expect((await sendMany(1, body)).answer).toMatchObject({ reason: 'ambiguous_code', code: 2000 });
  });

  test.each([
    ['message', 'no'],
    ['from', '1000'],
    ['to', '09129999999'],
    ['recipient', '09129999999'],
  ])('stay unknown when a row has another %s', async (name, value) => {
    const others = rows.map(({ to: _to, ...row }, index) => (index === 1 ? { ...row, [name]: value } : row));
    expect((await sendMany(1, v1(others))).answer).toMatchObject({ reason: 'echo_differs' });
  });
});
