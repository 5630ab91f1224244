import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { measureMessage } from './message.ts';
import { overHint } from './over-hint.ts';

describe('how far a text is over', () => {
  test.each<[string, string, number, number]>([
    ['71 Persian characters', 'م'.repeat(71), 1, 2],
    ['77 Persian characters', 'م'.repeat(77), 7, 2],
    ['82 Persian characters', 'م'.repeat(82), 12, 2],
    ['140 Persian characters', 'م'.repeat(140), 6, 3],
    ['161 Latin characters', 'a'.repeat(161), 1, 2],
    ['310 Latin characters', 'a'.repeat(310), 4, 3],
    ['an emoji of two units on the end of a part', `${'م'.repeat(69)}😀`, 2, 2],
    ['GSM characters that count two', `${'a'.repeat(159)}€`, 2, 2],
    [
      'a pair that straddles a boundary and leaves a unit empty',
      `${'م'.repeat(66)}😀${'م'.repeat(66)}`,
      1,
      3,
    ],
  ])('%s', (_what, text, over, parts) => {
    expect(measureMessage(text).parts).toBe(parts);
    expect(overHint(text)).toEqual({ over, parts, afterwards: parts - 1 });
  });

  test.each<[string, string]>([
    ['nothing', ''],
    ['one part', 'م'.repeat(70)],
    ['more than a little over one part', 'م'.repeat(83)],
    ['the end of its last part', 'م'.repeat(134)],
    ['Latin text but for its last character', `${'a'.repeat(100)}م`],
  ])('is not told of %s', (_what, text) => {
    expect(overHint(text)).toBeNull();
  });

  test('is what has to go from its end for one part less, and not a character more', () => {
    const of = (first: string, ...others: string[]): fc.Arbitrary<string> =>
      fc
        .tuple(
          fc.constantFrom(...others),
          fc.integer({ min: 0, max: 340 }),
          fc.array(fc.constantFrom(...others), { maxLength: 60, size: 'max' }),
        )
        .map(([most, count, end]) => first + most.repeat(count) + end.join(''));
    fc.assert(
      fc.property(fc.oneof(of('م', 'a', 'ی', '😀', '€'), of('a', 'b', ' ', '€', '{')), (text) => {
        const { encoding, units, parts } = measureMessage(text);
        const characters = Array.from(text);
        let over = 0;
        while (parts > 1 && measureMessage(characters.join('')).parts === parts) {
          const last = characters.pop() ?? '';
          over += encoding === 'ucs2' ? last.length : measureMessage(last).units;
        }
        const isWorthIt = parts > 1 && over <= units * 0.15;
        expect(overHint(text)).toEqual(isWorthIt ? { over, parts, afterwards: parts - 1 } : null);
      }),
      { numRuns: 1000 },
    );
  });

  test('is told of any text without an exception', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400, size: 'max' }), (text) => {
        const hint = overHint(text);
        expect(hint === null || hint.over > 0).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
