import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAll, isOff, readClock, readHours, readNumber, readRial, wordReader } from './words.ts';

describe('a word out of a few', () => {
  const read = wordReader({ cap: ['سقف'], personcap: ['cap-person', 'سقف هر نفر'], none: ['بی‌نقش'] });

  test.each([
    ['cap', 'cap'],
    [' CAP ', 'cap'],
    ['person cap', 'personcap'],
    ['Cap-Person', 'personcap'],
    ['سقف‌هر‌نفر', 'personcap'],
    ['سقف هر نفر', 'personcap'],
    ['بی نقش', 'none'],
    ['بي‌نقش', 'none'],
    ['caps', null],
    ['', null],
    ['constructor', null],
  ])('«%s» is %s', (typed, name) => {
    expect(read(typed)).toBe(name);
  });

  test('that every command knows, in both languages', () => {
    expect(['all', 'ALL', 'همه'].every(isAll)).toBe(true);
    expect(['off', 'none', 'خاموش', 'هیچ'].every(isOff)).toBe(true);
  });
});

test.each([
  ['1,000,000', 1_000_000],
  ['۱٬۰۰۰', 1000],
  ['1000', 1000],
  ['1,00', null],
  ['-1', null],
  ['1.5', null],
  ['', null],
])('the number «%s» is %s', (typed, number) => {
  expect(readNumber(typed)).toBe(number);
  expect(readRial(`${typed} rial`)).toBe(number);
});

test.each([
  ['5 million', 5_000_000],
  ['۵ میلیون ریال', 5_000_000],
  ['۵۰۰ هزار تومان', 5_000_000],
  ['500k toman', 5_000_000],
  ['1.5m', 1_500_000],
  ['۱٫۲۵ میلیون تومن', 12_500_000],
  ['2 میلیارد', 2_000_000_000],
  ['یک میلیون', 1_000_000],
  ['1,500 thousand', 1_500_000],
  ['20 toman', 200],
  ['million', null],
  ['1.5 toman', null],
  ['1.2345 million', null],
  ['-5 million', null],
  ['5 million million', null],
])('«%s» is %s rial', (typed, rial) => {
  expect(readRial(typed)).toBe(rial);
});

describe('hours', () => {
  test.each([
    ['9-21', 540, 1260],
    ['from 9:30 to 21', 570, 1260],
    ['از ساعت ۹ تا ۲۱', 540, 1260],
    ['22 – 6', 1320, 360],
    ['8..24:00', 480, 0],
  ])('«%s»', (typed, from, to) => {
    expect(readHours(typed)).toEqual({ from, to });
  });

  test.each(['24-9', '0-24', '9-9', '9', '9-10-11', '9:60-10', '25-3', 'nine-ten'])(
    '«%s» are none',
    (typed) => {
      expect(readHours(typed)).toBe(null);
    },
  );

  test('are read back as they are written', () => {
    const minute = fc.integer({ min: 0, max: 1439 });
    const written = (at: number) => `${Math.floor(at / 60)}:${String(at % 60).padStart(2, '0')}`;
    fc.assert(
      fc.property(minute, minute, (from, to) => {
        expect(readClock(written(from))).toBe(from);
        expect(readHours(`${written(from)} - ${written(to)}`)).toEqual(from === to ? null : { from, to });
      }),
    );
  });
});
