import { expect, test } from 'vitest';
import { byLatinKeys, bySound } from './keyboard.ts';

test.each([
  ['سثدی', 'send'],
  ['ضصثقفغعهخحشسیبلاتنمظطزرذدپ', 'qwertyuiopasdfghjklzxcvbnm'],
  ['send 1', 'send 1'],
])('%s is %s on the keys of a Latin keyboard', (typed, meant) => {
  expect(byLatinKeys(typed)).toBe(meant);
});

test.each([
  ['سند', 'snd'],
  ['چه‌خبر', 'chhkhbr'],
  ['الو 12', 'alo 12'],
])('%s sounds like %s', (typed, sound) => {
  expect(bySound(typed)).toBe(sound);
});
