import { describe, expect, it } from 'vitest';
import { createLoader } from './loader.ts';

describe('a gathered read', () => {
  it('takes what is asked in one turn together and gives each its own result', async () => {
    const calls: (readonly number[])[] = [];
    const double = createLoader(async (items: readonly number[]) => {
      calls.push(items);
      return items.map((item) => item * 2);
    });
    expect(await Promise.all([double(1), double(2), double(2)])).toEqual([2, 4, 4]);
    expect(await double(5)).toBe(10);
    expect(calls).toEqual([[1, 2, 2], [5]]);
  });

  it('fails for all who asked with it, and works again afterwards', async () => {
    let broken = true;
    const same = createLoader(async (items: readonly string[]) => {
      if (broken) throw new Error('gone');
      return items;
    });
    const results = await Promise.allSettled([same('a'), same('b')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    broken = false;
    expect(await same('c')).toBe('c');
  });

  it('refuses results that do not stand for its items', async () => {
    const short = createLoader(async (_items: readonly string[]) => ['only one']);
    await expect(Promise.all([short('a'), short('b')])).rejects.toThrow('order');
  });
});
