import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keepTexts } from './shared-texts.ts';

describe('texts that are shared', () => {
  it('are found by the order in which they were added', () => {
    const long = fc.nat(50_000).map((length) => 'گ😀x'.repeat(length));
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 9, arbitrary: fc.string({ unit: 'grapheme' }) }, long), {
          maxLength: 40,
        }),
        (texts) => {
          const kept = keepTexts(2 ** 40);
          for (const text of texts) kept.add(text);
          expect(texts.map((_, index) => kept.get(index))).toEqual(texts);
          expect(kept.get(texts.length)).toBeUndefined();
          expect(kept.get(-1)).toBeUndefined();
        },
      ),
      { numRuns: 100 },
    );
  });

  it('are as many as there is room for', () => {
    const kept = keepTexts(100_000);
    // Twelve bytes, and eight for their place.
    for (let index = 0; index < 5_000; index += 1) kept.add('شماره x');
    expect(kept.get(4_999)).toBe('شماره x');
    const tooLarge = expect.objectContaining({ params: { field: 'file', reason: 'too_large' } });
    expect(() => {
      kept.add('شماره x');
    }).toThrow(tooLarge);
    expect(() => {
      keepTexts(2 ** 30).add('x'.repeat(400_000));
    }).toThrow(tooLarge);
  });
});
