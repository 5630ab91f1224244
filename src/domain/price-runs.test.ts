import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { longestRuns, mixedSeconds, type SeenMessage } from './price-runs.ts';

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
  // Of two that are as long the first.
  expect(longestRuns([at(1, 'gsm7'), at(2, 'ucs2'), at(3, 'gsm7')])).toMatchObject([
    { from: 1 },
    { from: 2 },
  ]);
  // A second has an encoding of its own again once both have left in another.
  expect(longestRuns([at(1, 'ucs2'), at(1, 'gsm7'), at(1, 'gsm7')])).toEqual([]);
  expect(longestRuns([at(1, 'gsm7'), at(1, 'gsm7', 2)])).toMatchObject([{ from: 1, to: 1, parts: 3 }]);
});

test('a run is told by seconds and operators, unless the list leaves a recipient of it out', () => {
  const run = { encoding: 'gsm7', from: 2, to: 4, parts: 8 } as const;
  const to = (at: number, operator: SeenMessage['operator'], parts = 1): SeenMessage => ({
    at,
    encoding: 'gsm7',
    parts,
    operator,
  });
  const seen = [
    to(1, 'mci'),
    to(2, 'mci', 2),
    to(2, 'irancell'),
    to(2, 'mci', 3),
    to(4, 'other', 2),
    to(5, 'mci'),
  ];
  expect(mixedSeconds(seen, run)).toEqual([
    { at: 2, mix: { mci: 5, irancell: 1, rightel: 0, other: 0 } },
    { at: 4, mix: { mci: 0, irancell: 0, rightel: 0, other: 2 } },
  ]);
  expect(mixedSeconds([...seen, to(1, undefined), to(5, undefined)], run)).toHaveLength(2);
  expect(mixedSeconds([...seen, to(3, undefined)], run)).toBeNull();
});
