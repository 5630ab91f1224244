import { expect, test } from 'vitest';
import { inLoops, loopOf } from '../../bench/calibration.ts';
import { coresApart } from '../../bench/cores.ts';
import { differenceOf, inPairs, ratioOf } from '../../bench/pairs.ts';

test('pairs are measured in turns, and who begins changes', async () => {
  const seen: string[] = [];
  const side = (name: string, figures: number[]) => async (): Promise<number> => {
    seen.push(name);
    return await Promise.resolve(figures.shift() ?? Number.NaN);
  };
  const pairs = await inPairs(3, {
    product: side('product', [10, 30, 8]),
    peer: side('peer', [5, 10, 8]),
  });
  expect(seen).toEqual(['product', 'peer', 'peer', 'product', 'product', 'peer']);
  expect(pairs).toEqual([
    { product: 10, peer: 5 },
    { product: 30, peer: 10 },
    { product: 8, peer: 8 },
  ]);
  // The ratio of a pair, not that of the medians, which is 1.25.
  expect(ratioOf(pairs)).toEqual({ figure: 2, pairs: { count: 3, lowest: 1, highest: 3 } });
  expect(differenceOf(pairs)).toEqual({ figure: 5, pairs: { count: 3, lowest: 0, highest: 20 } });
});

test('the loop is the median of all its rounds, and times alone are told as multiples of it', () => {
  const loop = loopOf([1, 2, 90], [3, 3, 4]);
  expect(loop).toEqual({ ms: 3, beforeMs: 2, afterMs: 3 });
  expect(inLoops({ figure: 6, unit: 'ms' }, loop)).toBe(2);
  expect(inLoops({ figure: 1500, unit: 'µs/update' }, loop)).toBe(0.5);
  for (const unit of ['s', 'MB', 'messages/s', undefined])
    expect(inLoops({ figure: 6, unit }, loop)).toBeNull();
});

test('each side has cores of its own where there are enough, and none where there are not', () => {
  expect([2, 7].map(coresApart)).toEqual([null, null]);
  expect(coresApart(8)).toEqual({ processes: '0-3', database: '4-5', standIns: '6-7' });
  expect(coresApart(13)).toEqual({ processes: '0-3', database: '4-7', standIns: '8-12' });
});
