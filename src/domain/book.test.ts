import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bookMeant, compareBook, readBook } from './book.ts';

const number = fc.nat(9).map((tail) => `98912000000${tail}`);
const some = fc.uniqueArray(number, { minLength: 1 });

test('a book holds what was confirmed, less than that, or somebody whom nobody has said yes to', () => {
  fc.assert(
    fc.property(
      some,
      fc.uniqueArray(number),
      fc.boolean(),
      fc.nat(1),
      (confirmed, now, hasOther, repeated) => {
        const unusable = hasOther ? ['021'] : [];
        const { kind } = compareBook(confirmed, { recipients: now, repeated, unusable });
        const isCovered = now.every((each) => confirmed.includes(each));
        const isWhole = now.length === confirmed.length && !hasOther && repeated === 0;
        expect(kind).toBe(now.length === 0 ? 'nobody' : !isCovered ? 'others' : isWhole ? 'same' : 'fewer');
      },
    ),
  );
});

test('its order and the forms of its numbers make no difference', () => {
  const listed = ['09120000002', '+989120000001'].map((each) => ({ number: each }));
  expect(compareBook(['989120000001', '989120000002'], readBook(listed))).toEqual({ kind: 'same' });
});

test('a number that stands in it again, in another form, is one that its call could go to twice', () => {
  const listed = ['09120000002', '+989120000001', '9120000002'].map((each) => ({ number: each }));
  const recipients = ['989120000002', '989120000001'];
  expect(readBook(listed)).toEqual({ recipients, repeated: 1, unusable: [] });
  expect(compareBook(recipients, readBook(listed))).toEqual({ kind: 'fewer', recipients });
});

test('what is no number of a mobile is named, and goes to nobody', () => {
  const listed = ['021', '09120000002', 'x'].map((each) => ({ number: each }));
  expect(readBook(listed)).toEqual({ recipients: ['989120000002'], repeated: 0, unusable: ['021', 'x'] });
});

test.each([
  ['Shop', 0],
  ['shop', 1],
  ['SHOP', null],
  ['كافه', 2],
  ['none', null],
])('%s means the book of that very title, or the only one that reads the same', (wanted, at) => {
  const books = ['Shop', 'shop', 'کافه'].map((title) => ({ title }));
  expect(bookMeant(books, wanted)).toBe(at === null ? null : books[at]);
});
