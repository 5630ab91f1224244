import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findBook, longerTitle, sameTitle } from './find-book.ts';

const book = (title: string, id = title) => ({ id, owner: 'demo', title, count: 1 });
const BOOKS = ['VIP', 'VIP 2', 'Staff', 'همکاران', 'مشتری‌ها', 'گروه ۱', 'Leads'].map((title) => book(title));

const found = (wanted: string) => {
  const result = findBook(BOOKS, wanted);
  return 'book' in result ? result.book.title : result.near.map(({ title }) => title);
};

test.each([
  ['VIP', 'VIP'],
  ['  vip ', 'VIP'],
  ['vip  2', 'VIP 2'],
  ['همكاران', 'همکاران'],
  ['مشتريها', 'مشتری‌ها'],
  ['گروه 1', 'گروه ۱'],
])('«%s» is the book %s', (wanted, title) => {
  expect(found(wanted)).toBe(title);
});

test.each([
  ['VI', ['VIP', 'VIP 2']],
  ['Stafff', ['Staff']],
  ['Laeds', ['Leads']],
  ['مشتری ها', ['مشتری‌ها']],
  ['nothing of the kind', []],
  ['x', []],
])('«%s» is no book, but near to %j', (wanted, titles) => {
  expect(found(wanted)).toEqual(titles);
});

test('of two that read the same, the exact one is meant, and without it both are offered', () => {
  const twins = [book('vip', '1'), book('VIP', '2')];
  expect(findBook(twins, 'VIP')).toEqual({ book: twins[1] });
  expect(findBook(twins, 'Vip')).toEqual({ near: twins });
});

test('each title that could be confused with no other finds its own book', () => {
  const title = fc.string({
    unit: fc.constantFrom('a', 'B', ' ', 'ی', 'ك', '۱', '2', '\u200c'),
    minLength: 1,
  });
  fc.assert(
    fc.property(fc.uniqueArray(title, { minLength: 1, maxLength: 8 }), (titles) => {
      const books = titles.map((each, index) => book(each, String(index)));
      for (const [index, each] of titles.entries())
        expect(findBook(books, each)).toMatchObject({ book: { id: String(index) } });
    }),
  );
});

test('at most eight are near', () => {
  const many = Array.from({ length: 20 }, (_, index) => book(`VIP ${index}`));
  expect(findBook(many, 'VI')).toMatchObject({ near: { length: 8 } });
});

test('a typed title is the same with other letters, digits, case and spaces, and nothing else', () => {
  expect(sameTitle(' مشتريها', 'مشتری‌ها')).toBe(true);
  expect(sameTitle('\u2068VIP\u2069', 'vip')).toBe(true);
  expect(sameTitle('VIP', 'VIP 2')).toBe(false);
  expect(sameTitle('', 'VIP')).toBe(false);
});

test.each([
  ['VIP', '2 09121234567', 'VIP 2', '09121234567'],
  ['vip', '۲\n09121234567 09351112233', 'VIP 2', '09121234567 09351112233'],
  ['گروه', '1 09121234567', 'گروه ۱', '09121234567'],
  ['VIP', '09121234567', null, null],
  ['VIP', '2', null, null],
  ['VIP', '3 09121234567', null, null],
  ['Nobody', '2 09121234567', null, null],
])('«%s» before %j goes on to %j', (title, typed, longer, rest) => {
  const result = longerTitle(BOOKS, title, typed);
  expect([result?.book.title ?? null, result?.rest ?? null]).toEqual([longer, rest]);
});
