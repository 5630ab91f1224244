import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { FRESH_LINE, FRESH_LINE_2, FRESH_REST, START, startBench } from './accounts.ts';
import type { Bench } from './accounts.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await startBench();
  await bench.addFresh();
});
afterEach(() => bench.close());

const RANGE = { from: START, to: START + 86_400 };

async function receiveMany(count: number, line = FRESH_LINE): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const from = `0912111${String(at).padStart(4, '0')}`;
    await bench.admin('/inbound', { account: 'fresh', from, message: `پیام ${at}`, line });
    bench.advance(1);
  }
}

describe.each(FRESH_REST)('the inbox with $title', (account) => {
  test('is empty at first', async () => {
    const gateway = bench.open(account);
    expect(await gateway.use('inbox').fromOffset()).toEqual([]);
    expect((await gateway.use('inbox').page()).messages).toEqual([]);
    expect((await gateway.use('inbox').page()).paging.totalCount).toBe(0);
    expect(await gateway.use('inbox').receive()).toEqual([]);
    expect(await gateway.use('counts').received(RANGE)).toBe(0);
  });

  test('is walked by offset, without a repeat and without a loss', async () => {
    const gateway = bench.open(account);
    await receiveMany(7);

    const first = await gateway.use('inbox').fromOffset({ count: 4 });
    const rest = await gateway.use('inbox').fromOffset({ count: 4, offset: 4 });

    expect(first).toHaveLength(4);
    expect(rest).toHaveLength(3);
    const senders = [...first, ...rest].map(({ sender }) => sender);
    expect(senders.toSorted()).toEqual(
      Array.from({ length: 7 }, (_, at) => `989121110${String(at).padStart(3, '0')}`),
    );
  });

  test('is walked by pages, which say how many there are', async () => {
    const gateway = bench.open(account);
    await receiveMany(5);

    const pages = [];
    for (const page of [1, 2, 3]) pages.push(await gateway.use('inbox').page({ page, pageSize: 2 }));

    expect(pages.map(({ messages }) => messages.length)).toEqual([2, 2, 1]);
    expect(pages[1]?.paging).toEqual({ totalCount: 5, currentPage: 2, totalPages: 3, pageSize: 2 });
    const ids = pages.flatMap(({ messages }) => messages.map(({ id }) => id));
    expect(new Set(ids).size).toBe(5);
    expect(pages[0]?.messages[0]).toMatchObject({
      text: expect.stringMatching(/^پیام \d$/),
      date: expect.any(Number),
    });
  });

  test('reading marks nothing, receiving marks what it returns, 50 at most', async () => {
    const gateway = bench.open(account);
    await receiveMany(53);
    const unread = async () => (await gateway.use('inbox').page({ read: false })).paging.totalCount;

    await gateway.use('inbox').fromOffset();
    expect(await unread()).toBe(53);
    const received = await gateway.use('inbox').receive();

    expect(received).toHaveLength(50);
    expect(await unread()).toBe(3);
    expect(await gateway.use('inbox').receive()).toHaveLength(3);
    expect(await gateway.use('inbox').receive()).toEqual([]);
    expect(await gateway.use('counts').received({ ...RANGE, read: true })).toBe(53);
    const ids = new Set(received.map(({ id }) => id));
    expect(ids.size).toBe(50);
  });

  test('knows one line from another', async () => {
    const gateway = bench.open(account);
    await receiveMany(2);
    await receiveMany(3, FRESH_LINE_2);

    expect((await gateway.use('inbox').page({ line: FRESH_LINE_2 })).messages).toHaveLength(3);
    expect(await gateway.use('counts').received({ ...RANGE, line: FRESH_LINE })).toBe(2);
    expect(await gateway.use('inbox').receive({ line: FRESH_LINE })).toHaveLength(2);
    expect(await gateway.use('counts').received({ ...RANGE, read: false })).toBe(3);
  });

  test('a lost answer to receive is an error that says so, and what it held is found among the read', async () => {
    const gateway = bench.open(account);
    await receiveMany(2);
    await bench.admin('/faults', { kind: 'drop', when: 'after', times: 1 });

    await expect(gateway.use('inbox').receive()).rejects.toMatchObject({
      code: 'gateway_no_answer',
      params: { operation: 'receive', mayHaveActed: true },
    });
    expect(await gateway.use('inbox').receive()).toEqual([]);
    expect((await gateway.use('inbox').page({ read: true })).messages).toHaveLength(2);
  });
});
