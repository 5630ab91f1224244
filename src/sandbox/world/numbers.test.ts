import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findLine, readRecipient, showRecipient } from './numbers.ts';

const digits = fc.stringMatching(/^9\d{9}$/);

test('every way of writing a recipient leads to the same ten digits', () => {
  fc.assert(
    fc.property(digits, fc.constantFrom('', '0', '98', '+98', '0098'), (number, prefix) => {
      expect(readRecipient(prefix + number)).toBe(number);
      expect(showRecipient(number)).toBe(`+98${number}`);
    }),
  );
});

test.each(['', '0912', '091211111112', '02112345678', '+19121111111', '۰۹۱۲۱۱۱۱۱۱۱', '0912-111-1111', '9,1'])(
  '%s is no recipient',
  (text) => {
    expect(readRecipient(text)).toBeUndefined();
  },
);

test('a line is found with and without the country prefix', () => {
  const lines = ['3000123456', '9810001', '50001234'];
  for (const text of ['3000123456', '+983000123456', '983000123456', '+98 3000123456'.replace(' ', '')]) {
    expect(findLine(lines, text)).toBe('3000123456');
  }
  expect(findLine(lines, '9810001')).toBe('9810001');
  expect(findLine(lines, '+989810001')).toBe('9810001');
  expect(findLine(lines, '300012345')).toBeUndefined();
  expect(findLine(lines, '')).toBeUndefined();
});
