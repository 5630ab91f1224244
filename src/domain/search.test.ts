import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldForSearch, foldQuery, numberInQuery } from './search.ts';

describe('what is searched', () => {
  test.each([
    ['كتاب يك', 'کتاب یک'],
    ['۱۲۳ ٤٥٦ 789', '123 456 789'],
    ['می‌روم', 'میروم'],
    ['شمارهٔ', 'شماره'],
    ['مُحَمَّد', 'محمد'],
    ['آقا أمين', 'اقا امین'],
    ['Café  HELLO', 'cafe hello'],
    ['ﻻ', 'لا'],
    ['  \n ', ''],
    ['a'.repeat(9000), 'a'.repeat(4000)],
  ])('of %j is the same as of %j', (text, same) => {
    expect(foldForSearch(text)).toBe(foldForSearch(same));
  });

  test('has its words apart, whether a space or a half-space was typed between them', () => {
    expect(foldForSearch('one\n two')).toBe('one two');
    expect(foldQuery('می\u200cروم')).toBe('می روم');
    expect(foldQuery('«Order 12» “don’t”')).toBe('order 12 don’t');
  });

  test('is in one form: folding again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        const once = foldForSearch(text);
        expect(foldForSearch(once)).toBe(once);
      }),
    );
  });

  test('has every word of the text it comes from, whichever half-space somebody types', () => {
    const word = fc.stringMatching(/^[\u0627-\u0648a-z0-9]{1,8}$/);
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(' ', '\u200c'),
        (words, typed) => {
          const stored = foldForSearch(words.join('\u200c'));
          for (const part of foldQuery(words.join(typed)).split(' ')) expect(stored).toContain(part);
        },
      ),
    );
  });
});

test.each([
  ['09121234567', '9121234567'],
  ['+98 912 123 4567', '9121234567'],
  ['00989121234567', '9121234567'],
  ['0912', '912'],
  ['4567', '4567'],
  ['98912', '98912'],
  ['9120456', '9120456'],
  ['0912 or', null],
  ['no 0912', null],
  ['98', null],
  ['11', null],
  ['order 12', null],
  ['', null],
])('the number in %j is %s', (query, digits) => {
  expect(numberInQuery(foldQuery(query))).toBe(digits);
});
