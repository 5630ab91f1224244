import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTag } from './tag.ts';

describe('a tag', () => {
  it.each([
    ['Promo', 'promo'],
    ['#promo', 'promo'],
    [' promo-2 ', 'promo-2'],
    ['كتاب', 'کتاب'],
    ['x'.repeat(32), 'x'.repeat(32)],
    ['يلدا', 'یلدا'],
    ['نیم\u200cبها', 'نیم\u200cبها'],
    ['\u2066promo\u2069', 'promo'],
  ])('of %j is %j', (typed, tag) => {
    expect(parseTag(typed)).toBe(tag);
  });

  it.each(['', '-', '#', 'two words', '<b>', 'a:b', 'a#b', 'x'.repeat(33), '_-_'])('is not %j', (typed) => {
    expect(parseTag(typed)).toBeNull();
  });

  it('is the same when it is typed as it is shown', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (typed) => {
        const tag = parseTag(typed);
        expect(parseTag(tag ?? '')).toBe(tag);
      }),
    );
  });
});
