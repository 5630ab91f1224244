import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldColumnName } from './column-name.ts';
import { readColumns } from './columns.ts';

type Rows = string[][];

const numbers = ['09121234567', '۰۹۳۵۱۱۱۲۲۳۳', '9190000000', '+98 912 000 0001'];

describe('the column of the phone numbers', () => {
  test.each<[string, Rows, number | null, number]>([
    ['under a Persian name', [['نام', 'موبایل'], ...numbers.map((n) => ['علی', n])], 1, 1],
    ['under a name of two words', [['Mobile Number', 'x'], ...numbers.map((n) => [n, '1'])], 0, 1],
    ['under any name', [['a', 'b'], ...numbers.map((n) => ['x', n])], 1, 1],
    ['under no name', [['name', ''], ...numbers.map((n, at) => [String(at), n])], 1, 1],
    ['without names', numbers.map((n) => ['علی', n, '12']), 1, 0],
    ['under a number that is broken', [['0912123', 'x'], ...numbers.map((n) => [n, 'y'])], 0, 0],
    ['alone', numbers.map((n) => [n]), 0, 0],
    ['with names beside it', [['ali', '09121234567']], 1, 0],
    [
      'by what is in it, whatever another is called',
      [['موبایل', 'b'], ...numbers.map((n) => ['-', n])],
      1,
      1,
    ],
    ['by its name where nothing is below', [['name', 'Cell']], 1, 1],
    [
      'by its name where no number is good',
      [
        ['name', 'تلفن همراه'],
        ['a', '0912'],
        ['b', '021'],
      ],
      1,
      1,
    ],
    [
      'by a name in one word',
      [
        ['userPhone', 'mobileNumber'],
        ['', ''],
      ],
      1,
      1,
    ],
    ['not in words that only look like it', [['hotel', 'cancelled', 'total', 'telegram']], null, 1],
    [
      'nowhere',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
      null,
      0,
    ],
    ['below a title', [['Customers 2026'], ['name', 'mobile'], ...numbers.map((n) => ['علی', n])], 1, 2],
    [
      'under names in two languages, of which the lower ones count',
      [['Mobile', 'name'], ['موبایل', 'نام'], ...numbers.map((n) => [n, 'علی'])],
      0,
      2,
    ],
    [
      'above a record without a number',
      [['name', 'mobile', ''], ['علی', '', 'x'], ...numbers.map((n) => ['رضا', n, 'y'])],
      1,
      1,
    ],
    [
      'under the row that names most, where none speaks of numbers',
      [['a', 'b', ''], ['a', 'b', 'c'], ['d', 'e', 'f'], ...numbers.map((n) => ['x', n, 'y'])],
      1,
      2,
    ],
    [
      'without names where the row above has a number of another kind',
      [['code', '0211234567'], ...numbers.map((n) => ['x', n])],
      1,
      0,
    ],
    [
      'without names where words alone stand above words',
      [['علی', ''], ...numbers.map((n) => ['رضا', n])],
      1,
      0,
    ],
    ['under a spoiled number', [['mobile 12', 'x'], ...numbers.map((n) => [n, 'y'])], 0, 1],
    [
      'by what is in it, where a phone of the office is as well filled but says less',
      [['phone', 'name', 'mobile'], ...numbers.map((n) => [n, 'x', n])],
      2,
      1,
    ],
    [
      'by what is in it, however plainly a column with half as many says so',
      [['mobile', 'x'], ...numbers.map((n, at) => [at === 0 ? n : '', n])],
      1,
      1,
    ],
    [
      'below a title, whatever that says',
      [['Mobile numbers'], ['office', 'phone'], ...numbers.map((n) => [n, n])],
      1,
      2,
    ],
    [
      'by its name, though a plainer word stands below a broken number',
      [
        ['name', 'phone'],
        ['a', '0912'],
        ['b', 'mobile'],
      ],
      1,
      1,
    ],
    [
      'by its name, though a plainer word stands below a number',
      [
        ['name', 'phone'],
        ['a', 'tel:+989121234567'],
        ['b', 'mobile'],
      ],
      1,
      1,
    ],
    [
      'with no names from below the first twenty rows',
      [...Array.from({ length: 21 }, () => ['a', 'b']), ['name', 'mobile'], ...numbers.map((n) => ['x', n])],
      1,
      1,
    ],
    [
      'below a contract, which is no name',
      [['contract 12345', 'x'], ...numbers.map((n) => ['علی', n])],
      1,
      0,
    ],
    ['below a sign, which is no name', [['name', '-'], ...numbers.map((n) => ['علی', n])], 1, 0],
    ['without a name beside one with a figure', [['a1', ''], ...numbers.map((n) => ['5', n])], 1, 0],
    ['without a name below a year', [['2026'], ['name', ''], ...numbers.map((n) => ['x', n])], 1, 0],
    [
      'by one of two words',
      [
        ['x', 'office phone', 'y'],
        ['', '', ''],
      ],
      1,
      1,
    ],
    [
      'by the second half of a word',
      [
        ['a', 'userPhone'],
        ['', ''],
      ],
      1,
      1,
    ],
    ['as the first of two that are alike', numbers.map((n) => [n, n]), 0, 0],
    [
      'by a word for phones alone',
      [
        ['name', 'tel'],
        ['x', ''],
      ],
      1,
      1,
    ],
    ['as the better filled of two', numbers.map((n, at) => [at === 0 ? '' : n, n]), 1, 0],
    ['with the names below a title, nowhere', [['Customers'], ['a', 'b'], ['c', '5']], null, 2],
    ['nowhere two hundred signs into a text', [['x', `${'a '.repeat(100)}mobile`]], null, 1],
    [
      'without names where a word stands in its first cell',
      ['tel:09121234567', '09121234567'].map((n) => [n]),
      0,
      0,
    ],
    ['under its name beside a year', [['mobile', '2026'], ...numbers.map((n) => [n, '1'])], 0, 1],
    [
      'under any name beside none and a sign',
      [['a', 'b', '', '-'], ...numbers.map((n) => ['x', n, 'y', 'z'])],
      1,
      1,
    ],
    [
      'without names below a record whose number is missing',
      [['علی', '12'], ...numbers.map((n) => [n, 'y'])],
      0,
      0,
    ],
    ['without names below a shorter row of words', [['علی'], ...numbers.map((n) => ['رضا', n])], 1, 0],
    ['without names where its one cell is spoiled', [['9E+9']], 0, 0],
    ['nowhere in nothing', [], null, 0],
    ['nowhere in an empty row', [[]], null, 0],
  ])('is found %s', (_what, rows, phone, header) => {
    expect(readColumns(rows)).toMatchObject({ phone, header });
  });

  test.each<[string, Rows, 'sure' | 'likely' | 'unsure']>([
    ['all are numbers', [['n', 'm'], ...numbers.map((n) => ['a', n])], 'sure'],
    ['nearly all are', [...numbers, '0912'].map((n) => ['a', n]), 'sure'],
    ['most are', [...numbers, '0912', 'x', ''].map((n) => ['a', n]), 'likely'],
    ['many are empty', [...numbers, '', '', '', ''].map((n) => ['a', n]), 'sure'],
    ['many rows end before it', [...numbers.map((n) => ['a', n]), ['a'], ['a'], ['a'], ['a']], 'sure'],
    [
      'a fifth of another is as well',
      [...numbers, ...numbers, ...numbers.slice(2)].map((n, at) => [at < 2 ? n : 'a', n]),
      'sure',
    ],
    [
      'most are, and few of another',
      [...numbers, '0912', 'x'].map((n, at) => [at < 1 ? n : 'a', n]),
      'likely',
    ],
    [
      'most are, and half as many of another',
      [...numbers, '0912', 'x'].map((n, at) => [at < 2 ? n : 'a', n]),
      'unsure',
    ],
    ['few are', ['09121234567', '021', 'x', 'y'].map((n) => ['a', n]), 'unsure'],
    ['another is as good', numbers.map((n) => [n, n]), 'unsure'],
    ['another is as good but not called so', [['tel', 'mobile'], ...numbers.map((n) => [n, n])], 'likely'],
    ['digits are lost in all', [['موبایل'], ['9.12E+09'], ['9.35E+09']], 'likely'],
    [
      'only its name says so',
      [
        ['mobile', 'x'],
        ['a', 'b'],
      ],
      'unsure',
    ],
    ['there is none', [['a'], ['b']], 'unsure'],
  ])('is told with how sure that is: %s', (_what, rows, certainty) => {
    expect(readColumns(rows).certainty).toBe(certainty);
  });

  test.each('موبایل همراه mobile mobiles mobileno mobilenumber cell cellphone gsm msisdn'.split(' '))(
    'is the one that is called %s, and not the one of another phone',
    (word) => {
      expect(readColumns([['تلفن', word]])).toMatchObject({ phone: 1, header: 1 });
    },
  );

  test.each('تلفن شماره phone phones phoneno phonenumber telephone tel'.split(' '))(
    'is the one that is called %s',
    (word) => {
      expect(readColumns([['x', word]])).toMatchObject({ phone: 1, header: 1 });
    },
  );

  test('is the one that says mobile where two are nearly as good, even if a few of its cells are empty', () => {
    const rows = [['شماره', 'موبایل'], ...numbers.map((n, at) => [n, at === 0 ? '' : n])];
    expect(readColumns(rows)).toMatchObject({ phone: 1, certainty: 'likely' });
  });

  test('is found with several numbers in its cells, which are then told one by one', () => {
    expect(readColumns([['a', '09121234567 / 09351112233']])).toMatchObject({ phone: 1, header: 0 });
  });

  test('is the same in whatever order the columns are', () => {
    const cell = fc.constantFrom('', 'علی', 'x', '12', '021', '9.12E+09', ...numbers);
    const rows = fc
      .integer({ min: 1, max: 5 })
      .chain((width) =>
        fc.tuple(
          fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
          fc.shuffledSubarray([...Array(width).keys()], { minLength: width, maxLength: width }),
        ),
      );
    fc.assert(
      fc.property(rows, ([table, order]) => {
        const titled = [table[0]?.map((_, at) => `t${'abcdefgh'[at] ?? ''}`) ?? [], ...table];
        const one = readColumns(titled);
        const other = readColumns(titled.map((row) => order.map((at) => row[at] ?? '')));
        expect(other.header).toBe(one.header);
        expect(other.certainty).toBe(one.certainty);
        expect(other.names).toEqual(order.map((at) => one.names[at]));
        if (one.certainty === 'unsure') return;
        expect(order[other.phone ?? -1]).toBe(one.phone);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the names of columns', () => {
  const named = (header: string[]): readonly string[] =>
    readColumns([[...header, 'موبایل'], ...numbers.map((n) => [...header.map(() => 'x'), n])]).names.slice(
      0,
      -1,
    );

  test.each<[string[], string[]]>([
    [
      ['  نام ', 'کد\u200cملی'],
      ['نام', 'کد\u200cملی'],
    ],
    [
      ['First\r\n name', '\u202aname\u202c'],
      ['First name', 'name'],
    ],
    [
      ['{name}', 'a}b', '{}'],
      ['name', 'ab', ''],
    ],
    [
      ['', ' ', '\u200c', '\u200f'],
      ['', '', '', ''],
    ],
    [
      ['name', 'Name', 'نام', 'name '],
      ['name', 'Name 2', 'نام', 'name 3'],
    ],
    [
      ['name', 'name', 'name 2'],
      ['name', 'name 3', 'name 2'],
    ],
    [
      ['کد', 'كد'],
      ['کد', 'كد 2'],
    ],
    [
      ['x'.repeat(50), 'x'.repeat(60)],
      ['x'.repeat(40), `${'x'.repeat(40)} 2`],
    ],
    [['😀'.repeat(50)], ['😀'.repeat(40)]],
    [[` ${'x'.repeat(50)}`], ['x'.repeat(40)]],
    [[`${'x'.repeat(39)} y`], ['x'.repeat(39)]],
    [
      ['a 1', 'a 1', ...Array.from({ length: 12 }, () => 'a')],
      ['a 1', 'a 1 2', 'a', ...[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13].map((nth) => `a ${nth}`)],
    ],
    [
      ['__proto__', 'constructor'],
      ['__proto__', 'constructor'],
    ],
    [
      ['half \ud83d', 'nul\0'],
      ['half \ufffd', 'nul'],
    ],
  ])('of %j are %j', (header, names) => {
    expect(named(header)).toEqual(names);
  });

  test.each([
    ['شمارهٔ خانۀ', 'شماره خانه'],
    ['ڪتابة', 'كتابه'],
    ['اېران', 'ايران'],
  ])('are alike in %s and %s', (one, other) => {
    expect(foldColumnName(one)).toBe(foldColumnName(other));
  });

  test('are as many as the widest row has cells, and none where no row names them', () => {
    expect(readColumns([['09121234567'], ['09121234567', 'a', 'b']]).names).toEqual(['', '', '']);
    expect(readColumns([['mobile'], ['09121234567', 'a', 'b']]).names).toEqual(['mobile', '', '']);
  });

  test('are never alike, never hold a brace and never throw, whatever the rows are', () => {
    const cell = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom('name', 'name 2', 'Name', 'name2', '', '{', 'موبایل', ...numbers),
    );
    fc.assert(
      fc.property(fc.array(fc.array(cell, { maxLength: 12 }), { maxLength: 6 }), (rows) => {
        const { names, phone } = readColumns(rows);
        const folded = names.map(foldColumnName);
        expect(names).toHaveLength(Math.max(0, ...rows.map((row) => row.length)));
        expect(names.every((name) => name.isWellFormed() && !/[{}\p{Cc}]/u.test(name))).toBe(true);
        expect(names.every((name, at) => (name === '') === (folded[at] === ''))).toBe(true);
        const real = folded.filter((name) => name !== '');
        expect(new Set(real).size).toBe(real.length);
        if (phone !== null) expect(phone).toBeLessThan(names.length);
      }),
      { numRuns: 1000 },
    );
  });
});
