import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayAfter, gregorianDayOf, jalaliDayOf, type CalendarDay } from './calendar.ts';
import {
  isDateMissed,
  keyOf,
  keysOn,
  occasionOf,
  readPersonDate,
  targetOf,
  type PersonDate,
} from './person-date.ts';

describe('a date in a cell', () => {
  test.each<[string, number | null, number, number]>([
    ['1370/05/12', 1370, 5, 12],
    ['۱۳۷۰/۵/۱۲', 1370, 5, 12],
    ['١٣٧٠-٠٥-١٢', 1370, 5, 12],
    ['1370.5.12', 1370, 5, 12],
    ['12/5/1370', 1370, 5, 12],
    ['12/25/1370', 1370, 12, 25],
    ['13700512', 1370, 5, 12],
    ['19910803', 1370, 5, 12],
    ['19000101', 1278, 10, 11],
    ['33453', 1370, 5, 12],
    ['33453.75', 1370, 5, 12],
    ['70/5/12', 1370, 5, 12],
    ['05/09/12', 1405, 9, 12],
    ['12/5/70', 1370, 5, 12],
    ['5/12', null, 5, 12],
    ['25/12', null, 12, 25],
    ['12/30', null, 12, 30],
    ['1399/12/30', 1399, 12, 30],
    ['1991-08-03', 1370, 5, 12],
    ['1991-08-03 00:00:00', 1370, 5, 12],
    ['1991-08-03T00:00:00', 1370, 5, 12],
    ['3/8/1370', 1370, 8, 3],
    ['3/12/1370', 1370, 12, 3],
    ['8/23/1991', 1370, 6, 1],
    ['12/12/1991', 1370, 9, 21],
    ['5/12/70', 1370, 12, 5],
    ['5/25/70', 1370, 5, 25],
    ['30/5/12', 1330, 5, 12],
    ['29/5/12', 1429, 5, 12],
    ['1370/6/31', 1370, 6, 31],
    ['1200/1/1', 1200, 1, 1],
    ['1499/12/1', 1499, 12, 1],
    ['1900-01-01', 1278, 10, 11],
    ['2199-12-31', 1578, 10, 10],
    ['Aug 3, 1900', 1279, 5, 12],
    ['1370/5/12  10:00', 1370, 5, 12],
    ['1991-08-03T00:00:00.000Z', 1370, 5, 12],
    ['1370/5/12'.padEnd(60), 1370, 5, 12],
    ['23/8/1991', 1370, 6, 1],
    ['12 Mordad 1370', 1370, 5, 12],
    ['12 mordad', null, 5, 12],
    ['Mordad 12', null, 5, 12],
    ['۱۲ مرداد ۱۳۷۰', 1370, 5, 12],
    ['۱۲ام مردادماه ۷۰', 1370, 5, 12],
    ['12 مرداد ماه سال 1370', 1370, 5, 12],
    ['30 اسفند', null, 12, 30],
    ['Aug 3, 1991', 1370, 5, 12],
    ['3-Aug-1991', 1370, 5, 12],
    ['the 3rd of August 1991', 1370, 5, 12],
    ['\u200f۱۳۷۰/۰۵/۱۲ ', 1370, 5, 12],
  ])('is read from %j', (typed, year, month, day) => {
    expect(readPersonDate(typed)).toEqual({ year, month, day });
  });

  test.each([
    ['fa', 'long'],
    ['en', 'long'],
    ['en', 'short'],
  ] as const)('has its month by the name that there is for it: %s, %s', (locale, month) => {
    for (const calendar of ['persian', 'gregory']) {
      const format = new Intl.DateTimeFormat(locale, { calendar, timeZone: 'UTC', month });
      for (let at = 0; at < 12; at += 1) {
        const day = new Date(Date.UTC(1991, at, 10, 12));
        const meant = jalaliDayOf(day, 'UTC');
        const written = calendar === 'persian' ? [meant.day, meant.year] : [10, 1991];
        expect(readPersonDate(written.join(` ${format.format(day)} `))).toEqual(meant);
      }
    }
  });

  test.each([
    '',
    '-',
    'unknown',
    '1400/12/30',
    '1370/7/31',
    '1370/13/1',
    '1370/5/0',
    '1370/5/123',
    '1199/1/1',
    '1500/1/1',
    '1899-12-31',
    '2200-01-01',
    '19911305',
    '5/12/1991',
    '12/5/1991',
    '5/12/100',
    '5/9/31',
    '12 Mordad 1500',
    '012 mordad',
    '1370/5/12 10:00 x',
    '1370 10:00/5/12',
    '1370/5/12'.padEnd(61),
    'a13700512',
    '137005123',
    'a33453',
    '133453',
    '!12 mordad 1370',
    '12 mordad 1370!',
    '112 mordad 1370',
    '12 Mordad 13705',
    'Aug 3, 91',
    'Aug 3, 1899',
    'Aug 3, 1370',
    '1370/0/5',
    '1370/5/32',
    '7/31',
    '12/31',
    '13/13',
    '3/8/1991',
    '1991-02-29',
    '1370',
    '1370/05',
    '700512',
    '09999',
    '5/9/12',
    '1600/1/1',
    '1370-05/12',
    '370/5/12',
    '12 May',
    '12 Foo 1370',
    '12 Mordad 1370 9',
    '12 Mordad 370',
    '31 mehr',
    '1370/5/12/6',
    '۱۳۷۰/۵/۱۲ تولد',
  ])('is not read from %j', (typed) => {
    expect(readPersonDate(typed)).toBeNull();
  });

  test('of any Jalali day is that day, however it is written', () => {
    const digits = fc.constantFrom('0123456789', '۰۱۲۳۴۵۶۷۸۹', '٠١٢٣٤٥٦٧٨٩');
    fc.assert(
      fc.property(
        fc.integer({ min: 1300, max: 1429 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 31 }),
        fc.constantFrom('/', '-', '.'),
        fc.boolean(),
        digits,
        (year, month, day, mark, pads, script) => {
          const two = (part: number): string => (pads ? String(part).padStart(2, '0') : String(part));
          const write = (...parts: readonly string[]): string =>
            parts.join(mark).replaceAll(/\d/gu, (digit) => script[Number(digit)] ?? '');
          const there = gregorianDayOf({ year, month, day });
          const meant = there === null ? null : { year, month, day };
          expect(readPersonDate(write(String(year), two(month), two(day)))).toEqual(meant);
          const short = write(String(year % 100).padStart(2, '0'), two(month), two(day));
          if (year >= 1330) expect(readPersonDate(short)).toEqual(meant);
          if (there !== null)
            expect(readPersonDate(write(String(there.year), two(there.month), two(there.day)))).toEqual(
              meant,
            );
        },
      ),
    );
  });

  test('is a day that there is, or none, whatever the text', () => {
    const piece = fc.constantFrom(
      '1370',
      '13',
      '5',
      '۱۲',
      '/',
      '-',
      '.',
      ' ',
      'مرداد',
      'esfand',
      '30',
      '31',
      'T',
      '00:00',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 8 }).map((all) => all.join('')),
        ),
        (typed) => {
          const read = readPersonDate(typed);
          if (read === null) return;
          const { year, month, day } = read;
          const inSome = year ?? (month === 12 && day === 30 ? 1399 : 1400);
          expect(gregorianDayOf({ year: inSome, month, day })).not.toBeNull();
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('what somebody keeps of a person', () => {
  test.each([
    ['end', '1400/12/30'],
    ['end', '۱۴۰۰-۱۳-۱'],
    ['end', '1370/5/123'],
    ['end', '5/12/1991'],
    ['end', '29.02.2023'],
    ['end', '1400٫1٫40'],
    ['Birthday', 'in spring'],
    ['تاريخ تولد', 'بهار'],
  ])('is a date that is none: %j, %j', (field, value) => {
    expect(isDateMissed(field, value)).toBe(true);
  });

  test.each([
    ['Birthday', ''],
    ['Birthday', '12 mordad'],
    ['end', '1370/5/12'],
    ['end', 'in spring'],
    ['end', '1150/13/1'],
    ['end', '3000-13-1'],
    ['end', '1400/13'],
    ['end', 'no 1400/13/1'],
    ['end', '1400/13/1 or so'],
  ])('is not a date that is none: %j, %j', (field, value) => {
    expect(isDateMissed(field, value)).toBe(false);
  });
});

describe('the days of a rule', () => {
  const FIRST: CalendarDay = { year: 2021, month: 3, day: 21 };
  /** Every day of 33 Jalali years: all of a cycle of leap years. */
  const days = Array.from({ length: 33 * 366 }, (_, at) => dayAfter(FIRST, at)).filter(
    ({ year, month, day }) => jalaliDayOf(new Date(Date.UTC(year, month - 1, day, 12)), 'UTC').year < 1433,
  );
  const yearlyOf = new Map<number, ReturnType<typeof runs>>();
  function runs(daysBefore: number, yearly: boolean) {
    return days.map((day) => {
      const target = targetOf(day, { daysBefore });
      return { keys: keysOn(target, { yearly }), occasion: occasionOf(target, { yearly }), target };
    });
  }
  const date = fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 31 }))
    .filter(([month, day]) => day <= (month <= 6 ? 31 : 30));

  test('are one in each year for everybody, born on a leap day too, however far from the day', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          date,
          fc.constant([12, 30] as const),
          fc.constant([12, 29] as const),
          fc.constant([1, 1] as const),
        ),
        fc.integer({ min: -30, max: 30 }),
        ([month, day], daysBefore) => {
          const all = yearlyOf.get(daysBefore) ?? runs(daysBefore, true);
          yearlyOf.set(daysBefore, all);
          const key = keyOf({ year: null, month, day }, { yearly: true }) ?? '';
          const years = all.filter(({ keys }) => keys.includes(key)).map(({ occasion }) => occasion);
          expect(new Set(years).size).toBe(years.length);
          // Those at either end may lie before the first of the days, or behind the last.
          for (let year = 1401; year <= 1431; year += 1)
            expect(years.filter((each) => each === year)).toEqual([year]);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('are one in all where it is the very date that counts', () => {
    const once = runs(3, false);
    fc.assert(
      fc.property(fc.integer({ min: 10, max: days.length - 10 }), (at) => {
        const on = days[at] ?? FIRST;
        const contract: PersonDate = jalaliDayOf(
          new Date(Date.UTC(on.year, on.month - 1, on.day, 12)),
          'UTC',
        );
        const key = keyOf(contract, { yearly: false }) ?? '';
        const hits = once.flatMap(({ keys }, index) => (keys.includes(key) ? [index] : []));
        expect(hits).toEqual([at - 3]);
      }),
      { numRuns: 60 },
    );
  });

  test('belong to the year of the day that is meant', () => {
    const target = targetOf({ year: 2027, month: 3, day: 19 }, { daysBefore: 3 });
    expect(target).toEqual({ year: 1406, month: 1, day: 2 });
    expect(occasionOf(target, { yearly: true })).toBe(1406);
    expect(occasionOf(target, { yearly: false })).toBe(14_060_102);
  });

  test('are none for a date without its year that counts once', () => {
    expect(keyOf({ year: null, month: 5, day: 12 }, { yearly: false })).toBeNull();
  });

  test('of a leap day are the 30th where there is one, and the 29th where there is none', () => {
    expect(keysOn({ year: 1399, month: 12, day: 30 }, { yearly: true })).toEqual(['12/30']);
    expect(keysOn({ year: 1399, month: 12, day: 29 }, { yearly: true })).toEqual(['12/29']);
    expect(keysOn({ year: 1400, month: 12, day: 29 }, { yearly: true })).toEqual(['12/29', '12/30']);
    expect(keysOn({ year: 1400, month: 12, day: 29 }, { yearly: false })).toEqual(['1400/12/29']);
  });
});
