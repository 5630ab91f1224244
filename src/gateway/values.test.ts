import { expect, test } from 'vitest';

import { digits, integer, rial, text } from './values.ts';

const nines = (count: number): string => '9'.repeat(count);
const LONG = 9_007_199_254_740_993n;

test.each([
  [
    'an identifier',
    digits,
    [0, 7, LONG, 0n, '0', nines(40)],
    [-1, 1.5, 2 ** 53, -1n, '', '-1', 'x1', '1x', nines(41), true, ['7'], null],
  ],
  [
    'an integer',
    integer,
    [0, -7, '0', '-7', '9007199254740991'],
    [1.5, 2 ** 53, LONG, '9007199254740993', '', '1.5', 'x1', '1x', nines(17), true, ['7'], null],
  ],
  [
    'an amount',
    rial,
    [0, -7, '0', '-7'],
    [
      LONG,
      2 ** 60,
      '9007199254740993',
      '',
      '1.',
      '.5',
      '1.5x',
      'x1.5',
      nines(17),
      Infinity,
      true,
      ['7'],
      null,
    ],
  ],
  ['a text', text, ['', 'x', 0, -1.5, LONG], [Infinity, Number.NaN, true, ['7'], null, undefined]],
])('%s is read to the letter or not at all', (_title, schema, read, unread) => {
  for (const value of read) expect(String(schema.safeParse(value).data), String(value)).toBe(String(value));
  for (const value of unread) expect(schema.safeParse(value).success, String(value)).toBe(false);
});

test.each([
  [1.9, 1],
  ['1.9', 1],
  ['1.99999999999999999999', 2],
  ['1.12', 1],
  [-0.5, -1],
  ['-0.5', -1],
])('of the amount %j no more than %d is counted', (value, whole) => {
  expect(rial.safeParse(value).data).toBe(whole);
});
