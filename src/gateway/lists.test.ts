import { describe, expect, test } from 'vitest';

import { exchange, failureOf, rest } from './testing/exchange.ts';

const NOON = 1_700_000_000;
const RANGE = { from: NOON, to: NOON + 86_400 };
const sent = {
  messageid: 7,
  message: 'سلام',
  from: '+983000123456',
  state: 10,
  status: 'رسیده به گیرنده',
  date: NOON,
};

describe.each([3, 4] as const)('version %i', (version) => {
  /** The fields of a request, from the body or the query, as text. */
  const fieldsOf = ({ json, query }: { json: unknown; query: object }): object =>
    version === 4
      ? query
      : JSON.parse(JSON.stringify(json), (_, value: unknown) =>
          typeof value === 'number' ? String(value) : value,
        );
  const pathOf = (path: string): string => (version === 4 ? `${path}.json` : path);

  test('lists what was sent in a day', async () => {
    const { gateway, seen } = await exchange(
      version,
      rest({ entries: [{ ...sent, number: '+989120000001', extra: 1 }] }),
    );

    const messages = await gateway.use('outbox').inRange(RANGE);

    expect(messages).toEqual([
      {
        id: '7',
        text: 'سلام',
        line: '+983000123456',
        recipient: '989120000001',
        state: { raw: 10, text: 'رسیده به گیرنده', kind: 'delivered' },
        date: NOON,
      },
    ]);
    expect(seen()[0]?.path).toBe(pathOf('/sms/selectoutbox'));
    expect(seen().map(fieldsOf)).toEqual([{ startdate: String(RANGE.from), enddate: String(RANGE.to) }]);
  });

  test('lists the newest, whose recipient is called `to`', async () => {
    const { gateway, seen } = await exchange(version, rest({ entries: [{ ...sent, to: '09120000001' }] }));

    expect(await gateway.use('outbox').newest()).toMatchObject([{ id: '7', recipient: '989120000001' }]);
    expect(await gateway.use('outbox').newest(20)).toHaveLength(1);
    expect(seen()[0]?.path).toBe(pathOf('/sms/latestoutbox'));
    expect(seen().map(fieldsOf)).toEqual([{}, { pagesize: '20' }]);
  });

  test('lists what went to a number, with the states that every operation has', async () => {
    const row = { messageid: '9007199254740993', message: 'a', to: '+989120000001', date: String(NOON) };
    const entries = [10, 4, 2, 6, 1].map((status) => ({ ...row, status, statustext: 'x' }));
    const least = { messageid: 9, message: 'a', status: 99 };
    const { gateway, seen } = await exchange(version, rest({ entries: [...entries, least] }));

    const messages = await gateway
      .use('outbox')
      .byNumber({ recipient: '989120000001', since: NOON, limit: 50 });

    expect(messages[0]).toEqual({
      id: '9007199254740993',
      text: 'a',
      recipient: '989120000001',
      state: { raw: 10, text: 'x', kind: 'delivered' },
      date: NOON,
    });
    const [, , , , , ...bare] = messages;
    expect(bare).toEqual([{ id: '9', text: 'a', state: { raw: 99, text: '', kind: 'unknown' } }]);
    expect(messages.map(({ state }) => state.kind)).toEqual([
      'delivered',
      'delivered',
      'failed',
      'failed',
      'sent',
      'unknown',
    ]);
    expect(seen()[0]?.path).toBe(pathOf('/sms/statusbynumber'));
    expect(seen().map(fieldsOf)).toEqual([
      { number: '09120000001', startdate: String(NOON), pagesize: '50' },
    ]);
  });

  test.each([
    [
      'as documented',
      { data: { startdate: 1, enddate: 2, sumpart: 30, sumcount: 20, cost: 42_600.9 } },
      [30, 20, 42_600],
    ],
    ['as text', { data: { sumpart: '30', sumcount: '20', cost: '42600' } }, [30, 20, 42_600]],
    ['as a list of one', { entries: [{ sumpart: 3, sumcount: 2, cost: 1 }] }, [3, 2, 1]],
    ['as sums over nothing', { data: { sumpart: null, sumcount: 0, cost: null } }, [0, 0, 0]],
  ])('counts what was sent, %s', async (_title, payload, [parts, messages, cost]) => {
    const { gateway, seen } = await exchange(version, rest(payload));

    expect(await gateway.use('counts').sent({ from: 0, to: NOON })).toEqual({ parts, messages, cost });
    expect(seen()[0]?.path).toBe(pathOf('/sms/countoutbox'));
    expect(seen().map(fieldsOf)).toEqual([{ startdate: '0', enddate: String(NOON) }]);
  });

  test('counts what was received, for a line and for what was read', async () => {
    const { gateway, seen } = await exchange(
      version,
      rest({ data: { startdate: 1, enddate: 2, isread: 0, count: '12' } }),
    );

    expect(await gateway.use('counts').received(RANGE)).toBe(12);
    await gateway.use('counts').received({ ...RANGE, line: '3000123456', read: false });
    await gateway.use('counts').received({ ...RANGE, read: true });

    const range = { startdate: String(RANGE.from), enddate: String(RANGE.to) };
    expect(seen()[0]?.path).toBe(pathOf('/sms/countinbox'));
    expect(seen().map(fieldsOf)).toEqual([
      range,
      { ...range, number: '3000123456', isread: '0' },
      { ...range, isread: '1' },
    ]);
  });

  test('a count that is missing is not zero', async () => {
    const { gateway } = await exchange(version, rest({ data: { sumpart: 1, cost: 2 } }));
    expect(await failureOf(gateway.use('counts').sent(RANGE))).toMatchObject({ code: 'gateway_unreadable' });
    expect(await failureOf(gateway.use('counts').received(RANGE))).toMatchObject({
      code: 'gateway_unreadable',
    });
  });

  test('reads the inbox from an offset, where a message has no id', async () => {
    const entries = [
      { message: 'سلام', from: '+989120000001', to: '+983000123456', date: NOON },
      { message: '', from: 'Bank', to: '3000123456' },
    ];
    const { gateway, seen } = await exchange(version, rest({ entries }));

    expect(await gateway.use('inbox').fromOffset()).toEqual([
      { text: 'سلام', sender: '989120000001', line: '+983000123456', date: NOON },
      { text: '', sender: 'Bank', line: '3000123456' },
    ]);
    await gateway.use('inbox').fromOffset({ count: 10, offset: 0 });
    expect(seen()[0]?.path).toBe(pathOf('/sms/inbox'));
    expect(seen().map(fieldsOf)).toEqual([{}, { count: '10', offset: '0' }]);
  });

  test('reads a page of the inbox and makes numbers of its paging block', async () => {
    const current = { totalcount: '1021', currentpage: '2', totalpages: '3', pagesize: '500' };
    const entries = [{ messageid: 5, message: 'x', from: '09120000001', to: '3000', date: NOON }];
    const { gateway, seen } = await exchange(version, rest({ entries, current }));

    const page = await gateway.use('inbox').page({ line: '3000', read: true, page: 2, pageSize: 500 });

    expect(page).toEqual({
      messages: [{ id: '5', text: 'x', sender: '989120000001', line: '3000', date: NOON }],
      paging: { totalCount: 1021, currentPage: 2, totalPages: 3, pageSize: 500 },
    });
    expect(seen()[0]?.path).toBe(pathOf('/sms/inboxpaged'));
    expect(seen().map(fieldsOf)).toEqual([{ number: '3000', isread: '1', page: '2', pagesize: '500' }]);
  });

  test.each([
    ['no list and no block', { entries: null }],
    ['empty lists', { entries: [], current: [] }],
  ])('reads a first page with %s as none', async (_title, payload) => {
    const { gateway } = await exchange(version, rest(payload));
    expect(await gateway.use('inbox').page()).toEqual({
      messages: [],
      paging: { totalCount: 0, currentPage: 1, totalPages: 0, pageSize: 200 },
    });
  });

  test.each([
    ['a later page without a block', { entries: [] }, 2],
    ['rows without a block', { entries: [{ message: 'x', from: '1', to: '2' }] }, 1],
    [
      'a block with words',
      { entries: [], current: { totalcount: 'many', currentpage: '1', totalpages: '1', pagesize: '1' } },
      1,
    ],
    [
      'a block below zero',
      { entries: [], current: { totalcount: -1, currentpage: 1, totalpages: 1, pagesize: 1 } },
      1,
    ],
    ['a block of something else', { entries: [], current: [{}] }, 1],
    ['no list at all', {}, 1],
  ])('cannot read %s', async (_title, payload, page) => {
    const { gateway } = await exchange(version, rest(payload));
    expect(await failureOf(gateway.use('inbox').page({ page }))).toMatchObject({
      code: 'gateway_unreadable',
      params: { operation: 'inbox_page' },
    });
  });

  test('receives unread messages with one request', async () => {
    const entries = [
      { messageid: '18446744073709551615', message: 'x', from: '09120000001', to: '3000', date: NOON },
    ];
    const { gateway, seen } = await exchange(version, rest({ entries }));

    expect(await gateway.use('inbox').receive()).toMatchObject([
      { id: '18446744073709551615', sender: '989120000001' },
    ]);
    await gateway.use('inbox').receive({ line: '3000', read: false });

    expect(seen()[0]?.path).toBe(pathOf('/sms/receive'));
    expect(seen().map(fieldsOf)).toEqual([{}, { number: '3000', isread: '0' }]);
  });
});

test('50 received messages of 900 characters, all of them escaped, fit into an answer', async () => {
  const text = '\\u0633'.repeat(900);
  const rows = Array.from(
    { length: 50 },
    (_, at) => `{"messageid":${at + 1},"message":"${text}","from":"1","to":"2"}`,
  );
  const { gateway } = await exchange(3, `{"return":{"status":200},"entries":[${rows.join(',')}]}`);

  const messages = await gateway.use('inbox').receive();

  expect(messages).toHaveLength(50);
  expect(messages[49]?.text).toBe('س'.repeat(900));
});
