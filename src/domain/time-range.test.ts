import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_SECONDS, soFar, splitDays } from './time-range.ts';

test('a span falls into days that meet, overlap nowhere and cover it exactly', () => {
  fc.assert(
    fc.property(fc.nat(2_000_000_000), fc.nat(40 * DAY_SECONDS), (from, length) => {
      const pieces = splitDays({ from, to: from + length });
      expect(pieces[0]?.from).toBe(from);
      expect(pieces.at(-1)?.to).toBe(from + length);
      for (const [index, piece] of pieces.entries()) {
        expect(piece.to - piece.from).toBeLessThan(DAY_SECONDS);
        expect(piece.to).toBeGreaterThanOrEqual(piece.from);
        if (index > 0) expect(piece.from).toBe((pieces[index - 1]?.to ?? 0) + 1);
      }
    }),
  );
});

test('a span that runs backwards has none', () => {
  expect(splitDays({ from: 10, to: 9 })).toEqual([]);
  expect(splitDays({ from: 10, to: 10 })).toEqual([{ from: 10, to: 10 }]);
});

test('what is asked for to the end of today is known until now, and what is past as a whole', () => {
  expect(soFar({ from: 10, to: 99 }, new Date(50_900))).toEqual({ from: 10, to: 50 });
  expect(soFar({ from: 10, to: 99 }, new Date(100_000))).toEqual({ from: 10, to: 99 });
});
