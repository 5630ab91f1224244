import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeDigits } from '../domain/phone.ts';
import { createFormat, isolateAuto, isolateLtr, stripBidi, compactNumber } from './format.ts';

const en = createFormat('en', 'Asia/Tehran');
const fa = createFormat('fa', 'Asia/Tehran');
const instant = new Date('2026-11-24T06:32:00Z');

describe('numbers and money', () => {
  it('groups numbers and uses the digits of the language', () => {
    expect(en.number(1_234_567)).toBe('1,234,567');
    expect(fa.number(1_234_567)).toBe('۱٬۲۳۴٬۵۶۷');
    expect(en.number(12_345_678_901_234_567_890n)).toBe('12,345,678,901,234,567,890');
  });

  it('names the currency', () => {
    expect(en.rial(2840)).toBe('2,840 rial');
    expect(fa.rial(2840)).toBe('۲٬۸۴۰ ریال');
  });

  it('shows shares as percent', () => {
    expect(en.percent(0.9434)).toBe('94.3%');
    expect(fa.percent(0.9434)).toBe('۹۴٫۳٪');
  });

  it('picks the noun that fits the number', () => {
    expect(en.count(1, { one: 'part', other: 'parts' })).toBe('1 part');
    expect(en.count(0, { one: 'part', other: 'parts' })).toBe('0 parts');
    expect(fa.count(1200, { one: 'پارت', other: 'پارت' })).toBe('۱٬۲۰۰ پارت');
  });

  it('turns digits of a text into Persian ones and back without loss', () => {
    expect(en.digits('at 10:30')).toBe('at 10:30');
    fc.assert(
      fc.property(fc.stringMatching(/^[\d:/ a-z]*$/), (text) => {
        expect(fa.digits(text)).not.toMatch(/[0-9]/);
        expect(normalizeDigits(fa.digits(text))).toBe(text);
      }),
    );
  });

  it('keeps every digit of a whole number in both languages', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        for (const format of [en, fa]) {
          const digits = normalizeDigits(format.number(value)).replaceAll(/\D/g, '');
          expect(digits).toBe(String(Math.abs(value)));
        }
      }),
    );
  });
});

describe('dates and times', () => {
  it('shows the Gregorian calendar in English and the Jalali one in Persian', () => {
    expect(en.date(instant)).toBe('24 Nov 2026');
    expect(fa.date(instant)).toBe('۳ آذر ۱۴۰۵');
    expect(en.dateTime(instant)).toBe('Tue 24 Nov 2026, 10:02');
    expect(fa.dateTime(instant)).toBe('سه‌شنبه ۳ آذر ۱۴۰۵، ۱۰:۰۲');
  });

  it('names the zone where its clocks are not those of the gateway, whatever it is called', () => {
    expect(createFormat('en', 'UTC').zoned('06:32', instant)).toBe('06:32 (\u2066UTC\u2069)');
    expect(createFormat('fa', 'Europe/Berlin').zoned('۰۷:۳۲', instant)).toBe(
      '۰۷:۳۲ (\u2066Europe/Berlin\u2069)',
    );
    expect(en.zoned('10:02', instant)).toBe('10:02');
    expect(createFormat('en', 'Iran').zoned('10:02', instant)).toBe('10:02');
  });

  it('shows the time of the time zone, midnight as 00', () => {
    expect(en.time(instant)).toBe('10:02');
    expect(fa.time(instant)).toBe('۱۰:۰۲');
    expect(createFormat('en', 'UTC').time(new Date('2026-01-01T00:00:00Z'))).toBe('00:00');
    expect(createFormat('en', 'Europe/Berlin').time(instant)).toBe('07:32');
  });

  it('shows a length of time by its two largest units', () => {
    expect(en.duration(7_500_000)).toBe('2 h 5 min');
    expect(fa.duration(7_500_000)).toBe('۲ ساعت و ۵ دقیقه');
    expect(en.duration(2 * 86_400_000 + 9 * 3_600_000 + 59_000)).toBe('2 d 9 h');
    expect(en.duration(10_000)).toBe('10 s');
    expect(en.duration(86_400_000)).toBe('1 d');
    expect(en.duration(-5)).toBe('0 s');
    expect(fa.duration(0)).toBe('۰ ثانیه');
  });

  it('tells how long ago something was or when it will be', () => {
    const later = new Date(instant.getTime() + 300_000);
    expect(en.relative(instant, later)).toBe('5 minutes ago');
    expect(en.relative(later, instant)).toBe('in 5 minutes');
    expect(fa.relative(instant, later)).toBe('۵ دقیقه پیش');
    expect(fa.relative(later, instant)).toBe('۵ دقیقه دیگر');
  });

  it.each([
    // 25 hours, 45 and a half, and just less than two days, all from 14:32 in Tehran.
    ['2026-11-29T12:02:00Z', 'in 1 day', '۱ روز دیگر'],
    ['2026-11-30T08:30:00Z', 'in 2 days', '۲ روز دیگر'],
    ['2026-11-30T11:01:00Z', 'in 2 days', '۲ روز دیگر'],
    ['2026-11-29T05:30:00Z', 'in 18 hours', '۱۸ ساعت دیگر'],
    ['2026-11-26T19:00:00Z', '2 days ago', '۲ روز پیش'],
  ])('counts days as people do who look at a calendar: %s', (at, inEnglish, inPersian) => {
    const now = new Date('2026-11-28T11:02:00Z');
    expect(en.relative(new Date(at), now)).toBe(inEnglish);
    expect(fa.relative(new Date(at), now)).toBe(inPersian);
  });

  it('refuses a time zone that does not exist', () => {
    expect(() => createFormat('en', 'Mars/Olympus')).toThrow(RangeError);
  });
});

describe('lists and direction', () => {
  it('joins items in the manner of the language', () => {
    expect(en.list(['a', 'b', 'c'])).toBe('a, b and c');
    expect(fa.list(['الف', 'ب'])).toBe('الف و ب');
    expect(en.list([])).toBe('');
  });

  it('isolates values and leaves their digits as they are', () => {
    expect(isolateLtr('3000123456')).toBe('\u20663000123456\u2069');
    expect(isolateAuto('نیک')).toBe('\u2068نیک\u2069');
  });

  it('lets nothing inside an isolate end it or turn the direction', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('\u2069', '\u202e', '\u200f', '\u2067'),
        (text, control) => {
          const shown = isolateAuto(text + control + text);
          expect(isolateLtr(text + control + text).slice(1)).toBe(shown.slice(1));
          expect(stripBidi(shown)).toBe(shown.slice(1, -1));
          expect(shown.slice(1, -1)).not.toContain(control);
        },
      ),
    );
  });

  it('keeps the joiners that Persian spelling needs', () => {
    expect(stripBidi('می\u200cشود\u202e')).toBe('می\u200cشود');
  });
});

it.each([
  [0, '0', '۰'],
  [11_642, '11,642', '۱۱٬۶۴۲'],
  [2.5, '2.5', '۲٫۵'],
  [1_200_000, '1.2M', '۱٫۲ میلیون'],
])('%d is short in both languages', (value, en, fa) => {
  expect(compactNumber('en', value)).toBe(en);
  expect(compactNumber('fa', value).replaceAll('\u00a0', ' ')).toBe(fa);
});
