import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displayRecipient } from '../../domain/phone.ts';
import { readLines, readTable, readTyped } from './number-list.ts';

const mobile = fc.integer({ min: 0, max: 999_999_999 }).map((n) => `989${String(n).padStart(9, '0')}`);

describe('numbers out of a table', () => {
  test('come from the column with most mobiles, without its heading', () => {
    const list = readTable([
      ['name', 'موبایل', 'manager'],
      ['Ali', '09121234567', '09120000001'],
      ['Sara', '۰۹۳۵۱۱۱۲۲۳۳', ''],
      ['Omid', '0912x', ''],
      ['Reza', '', ''],
      ['Mina', '+98 912 123 4567', '09120000001'],
    ]);
    expect(list).toEqual({
      numbers: ['989121234567', '989351112233'],
      repeated: [{ raw: '989121234567', reason: 'repeated' }],
      invalid: [
        { raw: '0912x', reason: 'not_a_number' },
        { raw: 'Reza', reason: 'empty' },
      ],
    });
  });

  test('come from below a title and the names of the columns, as a spreadsheet leaves them', () => {
    const list = readTable([
      ['Customers of March'],
      ['no', 'name', 'mobile'],
      ['1', 'Ali', '9121234567.0'],
      ['2', 'Sara', '="09351112233"'],
      ['3', 'Lena', '09120000001, 09120000002'],
    ]);
    expect(list).toEqual({
      numbers: ['989121234567', '989351112233', '989120000001', '989120000002'],
      repeated: [],
      invalid: [],
    });
  });

  test('need no heading, and the first of two equal columns wins', () => {
    expect(readTable([['09121234567', '09350000001']]).numbers).toEqual(['989121234567']);
  });

  test('a number that a spreadsheet has cut short is told, never guessed', () => {
    expect(readTable([['9.12E+09'], ['09121234567']]).invalid).toEqual([
      { raw: '9.12E+09', reason: 'not_a_number' },
    ]);
  });

  test('are none where there are none', () => {
    const none = { numbers: [], repeated: [], invalid: [] };
    expect(readTable([])).toEqual(none);
    expect(readTable([['name', 'city'], ['Ali']])).toEqual(none);
  });
});

test('a text file has one number or several on each line', () => {
  const list = readLines([['09121234567'], ['09350000001', ' 09350000002'], ['hello']]);
  expect(list.numbers).toEqual(['989121234567', '989350000001', '989350000002']);
  expect(list.invalid).toEqual([{ raw: 'hello', reason: 'not_a_number' }]);
});

test('typed, in lines or in a table, the same numbers are read, each once and in order', () => {
  fc.assert(
    fc.property(fc.array(mobile, { minLength: 1, maxLength: 40 }), (numbers) => {
      const shown = numbers.map(displayRecipient);
      const once = [...new Set(numbers)];
      for (const list of [
        readTyped(shown.join(' ')),
        readLines(shown.map((number) => [number])),
        readTable(shown.map((number) => ['x', number])),
      ]) {
        expect(list.numbers).toEqual(once);
        expect(list.repeated).toHaveLength(numbers.length - once.length);
        expect(list.invalid).toEqual([]);
      }
    }),
  );
});
