import { describe, expect, test } from 'vitest';

import { codeInText, deliveryState, lookUpCode } from './codes.ts';
import { canonicalNumber, wireNumber } from './number.ts';

describe('a code', () => {
  test.each([
    [3, 22, 'sending', 'insufficient_credit'],
    [4, 18, 'registration', 'registration_limit'],
    [1, 18, 'unlisted', 'unlisted'],
    [1, 19, 'unlisted', 'unlisted'],
    [3, 32, 'reports', 'identifiers_over_limit'],
    [1, 32, 'reports', 'messages_over_limit'],
    [3, 45, 'phonebook', 'flag_taken'],
    [1, 45, 'unlisted', 'unlisted'],
    [1, 43, 'phonebook', 'operation_failed'],
    [1, 500, 'return', 'server_error'],
    [3, 500, 'unlisted', 'unlisted'],
    [3, 6, 'user', 'user_without_access'],
    [3, 2000, 'other', 'server_fault'],
    [3, 20, 'unlisted', 'unlisted'],
  ] as const)('of version %i, %i, is of table %s and means %s', (version, code, table, name) => {
    expect(lookUpCode(version, code)).toEqual({ table, name });
  });
});

/** From one to another, both included. */
const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

test.each([1, 3, 4] as const)(
  'version %i knows each code of its tables by a name, and no other',
  (version) => {
    const found = range(0, 2100).map((code) => ({ code, ...lookUpCode(version, code) }));
    const named = found.filter(({ table }) => table !== 'unlisted');
    for (const { name } of named) expect(name).toMatch(/^[a-z]+(?:_[a-z]+)+$/);
    const isFirst = version === 1;
    expect(
      Object.fromEntries(
        [...Map.groupBy(named, ({ table }) => table)].map(([table, all]) => [
          table,
          all.map(({ code }) => code),
        ]),
      ),
    ).toEqual({
      user: range(1, 6),
      registration: range(10, isFirst ? 17 : 19),
      sending: range(21, 29),
      reports: range(30, 32),
      phonebook: range(40, isFirst ? 43 : 45),
      return: [
        400,
        401,
        ...range(403, 407),
        ...range(411, 414),
        ...range(417, 419),
        429,
        ...(isFirst ? [500] : []),
      ],
      other: [1000, 2000],
    });
    // Success is no refusal.
    expect(found[0]).toMatchObject({ table: 'unlisted', name: 'unlisted' });
  },
);

describe('the code in a text', () => {
  test.each([
    ['خطا در ارسال پیام: کد 29', 29],
    ['کد خطا: ۲۲', 22],
    ['كد ٢٩', 29],
    ['Code=23', 23],
    ['کد29', 29],
    ['کد ملی نادرست است', undefined],
    ['کد 1234567890', undefined],
    ['barcode 12', undefined],
    ['no number', undefined],
  ])('%s is %s', (text, code) => {
    expect(codeInText(text)).toBe(code);
  });
});

describe('a state', () => {
  test.each([
    [0, 'waiting'],
    [1, 'sent'],
    [2, 'failed'],
    [3, 'sent'],
    [4, 'delivered'],
    [5, 'failed'],
    [6, 'failed'],
    [10, 'delivered'],
    [11, 'failed'],
    [13, 'failed'],
    [14, 'unknown'],
    [77, 'unknown'],
    [-1, 'unknown'],
    ['فعال', 'unknown'],
    ['constructor', 'unknown'],
  ] as const)('of %s is %s, whatever was asked', (raw, kind) => {
    expect(deliveryState(raw, 'text')).toEqual({ raw, text: 'text', kind });
  });
});

test.each(['+989121234567', '00989121234567', '989121234567', ' 09121234567 ', '9121234567'])(
  'the number %s is 989121234567',
  (written) => {
    expect(canonicalNumber(written)).toBe('989121234567');
    expect(wireNumber(canonicalNumber(written))).toBe('09121234567');
  },
);

test.each([
  '3000123456',
  '+983000123456',
  '0912***4567',
  '',
  'x09121234567',
  '091212345678',
  '1989121234567',
])('%s is no mobile number and stays as it is', (written) => {
  expect(canonicalNumber(written)).toBe(written);
});
