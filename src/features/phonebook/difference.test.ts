import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareWithBook, openNumbers, portions } from './difference.ts';

const numbers = fc.uniqueArray(
  fc.integer({ min: 0, max: 30 }).map((n) => `98912000${String(n).padStart(4, '0')}`),
);
const given = (list: readonly string[]) => ({ numbers: list, repeated: [], invalid: [] });

test('what changes and what stays the same are all numbers, in their order, and leave the book as asked', () => {
  fc.assert(
    fc.property(fc.constantFrom('create', 'add', 'remove'), numbers, numbers, (kind, list, listed) => {
      const book = new Set(listed);
      const { changing, same, invalid } = compareWithBook(kind, given(list), book);
      expect([...changing, ...same].toSorted()).toEqual(list.toSorted());
      expect(list.filter((number) => changing.includes(number))).toEqual(changing);
      expect(invalid).toEqual([]);
      expect(openNumbers(kind, changing, book)).toEqual(changing);
      for (const number of changing) {
        if (kind === 'remove') book.delete(number);
        else book.add(number);
      }
      expect(openNumbers(kind, changing, book)).toEqual([]);
      expect(compareWithBook(kind, given(list), book).changing).toEqual([]);
    }),
  );
});

test('portions are all of it in order, none empty and none too long', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.integer({ min: 1, max: 7 }), (list, size) => {
      const made = portions(list, size);
      expect(made.flat()).toEqual(list);
      expect(made.every((portion) => portion.length > 0 && portion.length <= size)).toBe(true);
      expect(made.length).toBe(Math.ceil(list.length / size));
    }),
  );
});

test('what a book lists and is no mobile can be taken out, each once; it can never be put in', () => {
  const listed = new Set(['02112345678', '989121234567']);
  const list = {
    numbers: ['989121234567'],
    repeated: [],
    invalid: [
      { raw: '021-1234 5678', reason: 'not_mobile' },
      { raw: '۰۲۱۱۲۳۴۵۶۷۸', reason: 'not_mobile' },
      { raw: '0213', reason: 'too_short' },
    ],
  } as const;
  expect(compareWithBook('remove', list, listed)).toEqual({
    changing: ['989121234567', '02112345678'],
    same: [],
    invalid: [{ raw: '0213', reason: 'too_short' }],
  });
  expect(compareWithBook('add', list, listed)).toEqual({
    changing: [],
    same: ['989121234567'],
    invalid: list.invalid,
  });
});
