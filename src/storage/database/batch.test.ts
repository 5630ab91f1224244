import { describe, expect, test } from 'vitest';
import { createBatch } from './batch.ts';

/** Writes that wait until they are let go, one after the other. */
function slow(most = 10, { paceMs = 0, lanes = 1 } = {}) {
  const writes: (readonly number[])[] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const gate = (index: number) => (gates[index] ??= Promise.withResolvers<void>());
  const double = createBatch(
    async (items: readonly number[]) => {
      await gate(writes.push(items) - 1).promise;
      if (items.includes(13)) throw new Error('unlucky');
      return items.includes(0) ? [] : items.map((item) => item * 2);
    },
    { most, paceMs, lanes },
  );
  return { writes, double, go: (index: number) => gate(index).resolve() };
}

const turn = () => new Promise((resolve) => void setImmediate(resolve));

describe('writes in turn', () => {
  test('go together as they come in one turn, or while another is on its way', async () => {
    const { writes, double, go } = slow();
    const first = [double(1), double(2)];
    await turn();
    const second = [double(3), double(3), double(4)];
    await turn();
    expect(writes).toEqual([[1, 2]]);
    go(0);
    expect(await Promise.all(first)).toEqual([2, 4]);
    go(1);
    expect(await Promise.all(second)).toEqual([6, 6, 8]);
    expect(writes).toEqual([
      [1, 2],
      [3, 3, 4],
    ]);
    go(2);
    expect(await double(5)).toBe(10);
  });

  test('are no more at once than was said', async () => {
    const { writes, double, go } = slow(2);
    [0, 1, 2].forEach(go);
    expect(await Promise.all([1, 2, 3, 4, 5].map((n) => double(n)))).toEqual([2, 4, 6, 8, 10]);
    expect(writes).toEqual([[1, 2], [3, 4], [5]]);
  });

  test('begin beside each other as far as there are lanes, each item in one of them', async () => {
    const { writes, double, go } = slow(10, { lanes: 2 });
    const all = [1, 2, 3, 4].map(async (n) => {
      for (let turns = 0; turns < n; turns += 1) await turn();
      return await double(n);
    });
    for (let turns = 0; turns < 8; turns += 1) await turn();
    expect(writes).toEqual([[1], [2]]);
    go(1);
    for (let turns = 0; turns < 3; turns += 1) await turn();
    expect(writes).toEqual([[1], [2], [3, 4]]);
    go(2);
    go(0);
    expect(await Promise.all(all)).toEqual([2, 4, 6, 8]);
  });

  test('wait for more when the last one began only just now', async () => {
    const { writes, double, go } = slow(10, { paceMs: 100 });
    [0, 1].forEach(go);
    expect(await double(1)).toBe(2);
    const second = double(2);
    await turn();
    await turn();
    expect(await Promise.all([second, double(3)])).toEqual([4, 6]);
    expect(writes).toEqual([[1], [2, 3]]);
  });

  test('fail together, and the next ones do not', async () => {
    const { double, go } = slow();
    [0, 1, 2].forEach(go);
    const failed = await Promise.allSettled([double(1), double(13)]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(double(0)).rejects.toThrow('order');
    expect(await double(7)).toBe(14);
  });
});

const gathered = <Item, Result>(work: (items: readonly Item[]) => Promise<readonly Result[]>) =>
  createBatch(work, { lanes: Number.POSITIVE_INFINITY });

describe('a gathered read', () => {
  test('takes what is asked in one turn together and gives each its own result', async () => {
    const calls: (readonly number[])[] = [];
    const double = gathered(async (items: readonly number[]) => {
      calls.push(items);
      return items.map((item) => item * 2);
    });
    expect(await Promise.all([double(1), double(2), double(2)])).toEqual([2, 4, 4]);
    expect(await double(5)).toBe(10);
    expect(calls).toEqual([[1, 2, 2], [5]]);
  });

  test('fails for all who asked with it, and works again afterwards', async () => {
    let broken = true;
    const same = gathered(async (items: readonly string[]) => {
      if (broken) throw new Error('gone');
      return items;
    });
    const results = await Promise.allSettled([same('a'), same('b')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    broken = false;
    expect(await same('c')).toBe('c');
  });

  test('refuses results that do not stand for its items', async () => {
    const short = gathered(async (_items: readonly string[]) => ['only one']);
    await expect(Promise.all([short('a'), short('b')])).rejects.toThrow('order');
  });
});
