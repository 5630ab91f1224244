import { describe, expect, test } from 'vitest';

import { exchange, failureOf, rest } from './testing/exchange.ts';

const LINE = '3000123456';
const NUMBERS = ['989120000001', '989120000002'];

describe.each([3, 4] as const)('the blacklist by version %i', (version) => {
  const fields = ({ json, query }: { json: unknown; query: object }): unknown =>
    version === 4 ? query : json;
  const path = (operation: string) => `/line/blocked/${operation}${version === 4 ? '.json' : ''}`;
  const num = (value: number) => (version === 4 ? String(value) : value);
  const array = version === 4 ? '09120000001,09120000002' : ['09120000001', '09120000002'];

  test('is listed in pages', async () => {
    const entries = [
      { number: `+98${LINE}`, to: '+989120000001', user: 'demo', setter: 'panel' },
      { to: '09120000002', user: null },
    ];
    const current = { totalcount: '2', currentpage: '1', totalpages: '1', pagesize: '50' };
    const { gateway, seen } = await exchange(version, rest({ entries, current }));

    const page = await gateway.use('blacklist').list({ line: LINE });
    await gateway.use('blacklist').list({ line: LINE, since: 1_700_000_000, page: 2, pageSize: 50 });

    expect(page).toEqual({
      entries: [
        { line: `+98${LINE}`, number: '989120000001', owner: 'demo', setBy: 'panel' },
        { line: LINE, number: '989120000002' },
      ],
      paging: { totalCount: 2, currentPage: 1, totalPages: 1, pageSize: 50 },
    });
    expect(seen()[0]?.path).toBe(path('list'));
    expect(seen().map(fields)).toEqual([
      { number: LINE },
      { number: LINE, startdate: num(1_700_000_000), page: num(2), pagesize: num(50) },
    ]);
  });

  test.each([
    ['افزوده شد', 'added'],
    ['تکراری', 'duplicate'],
    ['تكراري', 'duplicate'],
    [' فعال ', 'active'],
    ['افزوده\u200Cشد', 'added'],
    ['غیرفعال', 'unknown'],
    ['constructor', 'unknown'],
    ['', 'unknown'],
  ])('takes the word «%s» for %s', async (word, status) => {
    const entries = NUMBERS.map((number) => ({ number: LINE, to: `+${number}`, status: word }));
    const { gateway, seen } = await exchange(version, rest({ entries }));
    const expected = NUMBERS.map((number) => ({ number, status, raw: word }));

    expect(await gateway.use('blacklist').add(LINE, NUMBERS)).toEqual(expected);
    expect(await gateway.use('blacklist').check(LINE, NUMBERS)).toEqual(expected);
    expect(await gateway.use('blacklist').blocked(LINE, NUMBERS)).toEqual(status === 'active' ? NUMBERS : []);
    expect(seen().map((request) => request.path)).toEqual([path('add'), path('exists'), path('exists')]);
    expect(seen().map(fields)).toEqual(Array.from({ length: 3 }, () => ({ number: LINE, to: array })));
  });

  test('lets go of one number, and 400 says that it was not there', async () => {
    const { gateway, seen } = await exchange(version, [rest(), rest({}, 400, 'یافت نشد')]);

    await expect(gateway.use('blacklist').remove(LINE, '989120000001')).resolves.toBeUndefined();
    expect(await failureOf(gateway.use('blacklist').remove(LINE, '989120000001'))).toMatchObject({
      code: 'gateway_refused',
      params: { operation: 'blacklist_remove', code: 400, text: 'یافت نشد', mayHaveActed: false },
    });
    expect(seen()[0]?.path).toBe(path('remove'));
    expect(seen().map(fields)).toEqual([
      { number: LINE, to: '09120000001' },
      { number: LINE, to: '09120000001' },
    ]);
  });

  test('is refused to an inactive account', async () => {
    const { gateway } = await exchange(version, rest({}, 401, 'غیرفعال'));
    expect(await failureOf(gateway.use('blacklist').add(LINE, NUMBERS))).toMatchObject({
      params: { code: 401, name: 'not_authorized', mayHaveActed: false },
    });
  });

  test('of nobody is one page without a row, and nothing leaves that cannot be meant', async () => {
    const { gateway, seen } = await exchange(version, rest({ entries: [] }));
    const blacklist = gateway.use('blacklist');
    expect(await blacklist.list({ line: LINE })).toEqual({
      entries: [],
      paging: { totalCount: 0, currentPage: 1, totalPages: 0, pageSize: 200 },
    });
    const left = seen().length;
    for (const work of [
      blacklist.add('x', NUMBERS),
      blacklist.check('x', NUMBERS),
      blacklist.list({ line: 'x' }),
    ])
      expect((await failureOf(work)).params).toMatchObject({ field: 'line' });
    const early = await failureOf(blacklist.list({ line: LINE, since: -1 }));
    expect(early.params).toMatchObject({ field: 'since' });
    expect(seen()).toHaveLength(left);
  });

  test.each([[{ to: NUMBERS[0] }], [{ status: 'فعال' }], ['فعال'], [null]])(
    'says what was added and who is blocked only in rows that have a number and a word: not by %j',
    async (row) => {
      const { gateway } = await exchange(version, rest({ entries: [row] }));
      expect(await failureOf(gateway.use('blacklist').add(LINE, NUMBERS))).toMatchObject({
        code: 'gateway_unreadable',
        params: { mayHaveActed: true },
      });
      // Who is blocked might be missing.
      expect(await failureOf(gateway.use('blacklist').blocked(LINE, NUMBERS))).toMatchObject({
        code: 'gateway_unreadable',
      });
    },
  );
});
