import { expect, it } from 'vitest';
import { withoutNumber } from './number-spellings.ts';
import { parseRecipients } from './phone.ts';

const NUMBER = '989121234567';
const gone = (text: string): string => withoutNumber(text, NUMBER, '#');

it.each([
  '09121234567',
  '9121234567',
  '989121234567',
  '+989121234567',
  '00989121234567',
  '+98 (0)912 123 4567',
  '0912-123-4567',
  '(0912) 123.45.67',
  '0912/1234567',
  '۰۹۱۲۱۲۳۴۵۶۷',
  '٠٩١٢١٢٣٤٥٦٧',
  '+۹۸ ۹۱۲ ۱۲۳ ۴۵۶۷',
  '\u202a0912\u200c1234567\u202c',
  '＋989121234567',
  '9,121,234,567',
])('%s goes, wherever it stands', (spelling) => {
  expect(gone(spelling).replaceAll(/[\u202a\u202c]/gu, '')).toMatch(/^\(?#$/u);
  expect(gone(`ring ${spelling}، then 09127654321`)).toMatch(/^ring \(?\u202a?#\u202c?، then 09127654321$/u);
});

it('takes no other number: one digit more, before or behind, or another', () => {
  for (const other of [
    '109121234567',
    '91212345678',
    '5989121234567',
    '09121234568',
    '0912 123 456',
    '12345-67-0912',
  ]) {
    expect(gone(other)).toBe(other);
  }
});

it('goes with whatever cannot be seen or stands for a space or a dash within it, and not with letters', () => {
  const within = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter((each) =>
    /[\s\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u2010-\u2015\u2212]/u.test(each),
  );
  const read = within.filter((each) => parseRecipients(`0912${each}1234567`).recipients[0] === NUMBER);
  expect(read.length).toBeGreaterThan(30);
  expect(read.filter((each) => gone(`0912${each}1234567`) !== '#')).toEqual([]);
  for (const other of ['0912x1234567', '0912t1234567', '0912\u4e2d1234567']) expect(gone(other)).toBe(other);
});

it('leaves nothing in which the number is still read', () => {
  const list = '09121234567, 0912 123 4567\n+989121234567; 09351234567 ۰۹۱۲۱۲۳۴۵۶۷';
  expect(parseRecipients(list).recipients).toEqual([NUMBER, '989351234567']);
  expect(parseRecipients(gone(list)).recipients).toEqual(['989351234567']);
});
