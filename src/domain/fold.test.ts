import { expect, test } from 'vitest';
import { foldLetters, foldTitle, foldWord } from './fold.ts';

test('letters of another keyboard are one letter, in their place', () => {
  expect(foldLetters('علي كتاب موسى')).toBe('علی کتاب موسی');
});

test.each([
  ['  ۱۲ Parts', '12 parts'],
  ['مُدیر', 'مدیر'],
  ['مسئول', 'مسیول'],
  ['می\u200cشود', 'میشود'],
  ['كاربر\u200f', 'کاربر'],
])('the word %j is compared as %j', (typed, folded) => {
  expect(foldWord(typed)).toBe(folded);
});

test.each([
  ['مشتريان  ۱\u200f', 'مشتریان 1'],
  [' VIP\tTehran ', 'vip tehran'],
])('the title %j reads as %j', (title, folded) => {
  expect(foldTitle(title)).toBe(folded);
});
