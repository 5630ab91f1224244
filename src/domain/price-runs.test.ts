import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { longestRuns, type SeenMessage } from './price-runs.ts';

const message: fc.Arbitrary<SeenMessage> = fc.record({
  at: fc.nat(30),
  encoding: fc.constantFrom('gsm7', 'ucs2'),
  parts: fc.integer({ min: 1, max: 6 }),
});
const messages = fc.array(message, { maxLength: 40 });

test('a run holds messages of its encoding alone, and all of them that left in its time', () => {
  fc.assert(
    fc.property(messages, (seen) => {
      for (const run of longestRuns(seen)) {
        const within = seen.filter(({ at }) => at >= run.from && at <= run.to);
        expect(within.every(({ encoding }) => encoding === run.encoding)).toBe(true);
        expect(within.reduce((sum, { parts }) => sum + parts, 0)).toBe(run.parts);
      }
    }),
  );
});

test('no other time of one encoding alone has more parts of it', () => {
  fc.assert(
    fc.property(messages, fc.nat(30), fc.nat(30), (seen, one, other) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)];
      const within = seen.filter(({ at }) => at >= from && at <= to);
      const [first] = within;
      if (first === undefined || within.some(({ encoding }) => encoding !== first.encoding)) return;
      const parts = within.reduce((sum, each) => sum + each.parts, 0);
      const found = longestRuns(seen).find(({ encoding }) => encoding === first.encoding);
      expect(found?.parts).toBeGreaterThanOrEqual(parts);
    }),
  );
});

test('neither the order of the list nor of equal seconds matters', () => {
  fc.assert(
    fc.property(messages, (seen) => {
      const byName = (runs: ReturnType<typeof longestRuns>) =>
        runs.map(({ encoding, parts }) => `${encoding} ${parts}`).toSorted();
      expect(byName(longestRuns(seen.toReversed()))).toEqual(byName(longestRuns(seen)));
    }),
  );
});

test('a second in which both encodings left ends the runs before it and belongs to none', () => {
  const at = (time: number, encoding: 'gsm7' | 'ucs2', parts = 1): SeenMessage => ({
    at: time,
    encoding,
    parts,
  });
  expect(
    longestRuns([
      at(1, 'gsm7'),
      at(2, 'gsm7'),
      at(3, 'gsm7'),
      at(3, 'ucs2'),
      at(4, 'gsm7'),
      at(5, 'ucs2', 9),
    ]),
  ).toEqual([
    { encoding: 'gsm7', from: 1, to: 2, parts: 2 },
    { encoding: 'ucs2', from: 5, to: 5, parts: 9 },
  ]);
  expect(longestRuns([])).toEqual([]);
});
