import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { FRESH_LINE, FRESH_LINE_2, FRESH_REST, startBench } from './accounts.ts';
import type { Bench } from './accounts.ts';

const LINE = FRESH_LINE;
const NUMBERS = ['989121110001', '989121110002', '989121110003'];

let bench: Bench;
beforeEach(async () => {
  bench = await startBench();
  await bench.addFresh();
});
afterEach(() => bench.close());

describe.each(FRESH_REST)('the blacklist with $title', (account) => {
  test('says of every number whether it was added or was there', async () => {
    const blacklist = bench.open(account).use('blacklist');

    const first = await blacklist.add(LINE, NUMBERS.slice(0, 2));
    const second = await blacklist.add(LINE, NUMBERS.slice(1));

    expect(first.map(({ number, status }) => [number, status])).toEqual([
      ['989121110001', 'added'],
      ['989121110002', 'added'],
    ]);
    expect(second.map(({ number, status }) => [number, status])).toEqual([
      ['989121110002', 'duplicate'],
      ['989121110003', 'added'],
    ]);
  });

  test('is of one line', async () => {
    const blacklist = bench.open(account).use('blacklist');
    await blacklist.add(LINE, NUMBERS);

    expect((await blacklist.list({ line: LINE })).entries.map(({ number }) => number).toSorted()).toEqual(
      NUMBERS,
    );
    expect((await blacklist.list({ line: FRESH_LINE_2 })).entries).toEqual([]);
    const active = (await blacklist.check(FRESH_LINE_2, NUMBERS)).filter(({ status }) => status === 'active');
    expect(active).toEqual([]);
  });

  test('is listed in pages', async () => {
    const blacklist = bench.open(account).use('blacklist');
    await blacklist.add(LINE, NUMBERS);

    const pages = [];
    for (const page of [1, 2]) pages.push(await blacklist.list({ line: LINE, page, pageSize: 2 }));

    expect(pages.map(({ entries }) => entries.length)).toEqual([2, 1]);
    expect(pages[0]?.paging).toEqual({ totalCount: 3, currentPage: 1, totalPages: 2, pageSize: 2 });
    expect(pages[0]?.entries[0]).toMatchObject({ owner: 'fresh', setBy: expect.any(String) });
  });

  test('knows what is blocked and forgets what is removed', async () => {
    const blacklist = bench.open(account).use('blacklist');
    const active = async () =>
      (await blacklist.check(LINE, NUMBERS))
        .filter(({ status }) => status === 'active')
        .map(({ number }) => number);
    await blacklist.add(LINE, NUMBERS.slice(0, 2));
    expect(await active()).toEqual(NUMBERS.slice(0, 2));

    await blacklist.remove(LINE, '989121110001');

    expect(await active()).toEqual(['989121110002']);
    await expect(blacklist.remove(LINE, '989121110001')).rejects.toMatchObject({
      code: 'gateway_refused',
      params: { code: 400, mayHaveActed: false },
    });
  });

  test('takes 200 numbers in a call', async () => {
    const numbers = Array.from({ length: 200 }, (_, at) => `9891211${String(at).padStart(5, '0')}`);
    const added = await bench.open(account).use('blacklist').add(LINE, numbers);
    expect(added.map(({ number }) => number)).toEqual(numbers);
  });

  test('converges when it is repeated after a lost answer', async () => {
    const blacklist = bench.open(account).use('blacklist');
    await bench.admin('/faults', { kind: 'drop', when: 'after', times: 1 });
    await expect(blacklist.add(LINE, NUMBERS)).rejects.toMatchObject({ params: { mayHaveActed: true } });

    const again = await blacklist.add(LINE, NUMBERS);

    expect(again.map(({ status }) => status)).toEqual(['duplicate', 'duplicate', 'duplicate']);
    expect((await blacklist.list({ line: LINE })).paging.totalCount).toBe(3);
  });
});
