import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { slips } from './slips.ts';

/** By the first letters: the same, changed, left out, added or exchanged. */
function counted(one: string, other: string): number {
  if (one === '' || other === '') return one.length + other.length;
  const [a, b] = [one.slice(1), other.slice(1)];
  return Math.min(
    counted(a, b) + (one[0] === other[0] ? 0 : 1),
    counted(a, other) + 1,
    counted(one, b) + 1,
    one.length > 1 && one[0] === other[1] && one[1] === other[0]
      ? counted(a.slice(1), b.slice(1)) + 1
      : Infinity,
  );
}

test.each([
  ['send', 'send', 0],
  ['send', 'sned', 1],
  ['ab', 'ba', 1],
  ['credit', 'credti', 1],
  ['report', 'repotr2', 2],
  ['', 'inbox', 5],
  ['ca', 'abc', 3],
])('from %j to %j there are %i', (one, other, count) => {
  expect(slips(one, other)).toBe(count);
});

test('are as few as counting them in every way finds', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 });
  fc.assert(
    fc.property(word, word, (one, other) => {
      expect(slips(one, other)).toBe(counted(one, other));
    }),
    { numRuns: 300 },
  );
});
