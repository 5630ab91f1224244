import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Locale } from './define.ts';
import { createFormat } from './format.ts';
import { parseRange } from './range.ts';
import { spanText } from '../features/shared/range-argument.ts';

const TEHRAN = 'Asia/Tehran';
/** Tuesday, 3 Azar 1405, 14:02:30 in Tehran. */
const NOW = new Date('2026-11-24T10:32:30Z');

function read(text: string, timeZone = TEHRAN): [string, string] | null {
  const range = parseRange(text, { now: NOW, timeZone });
  return range === null ? null : [range.from.toISOString(), range.to.toISOString()];
}

const tonight = '2026-11-24T20:29:59.000Z';
const today = '2026-11-23T20:30:00.000Z';

describe('a range of past time', () => {
  it.each([
    ['today', [today, tonight]],
    ['امروز', [today, tonight]],
    [' TODAY ', [today, tonight]],
    ['yesterday', ['2026-11-22T20:30:00.000Z', '2026-11-23T20:29:59.000Z']],
    ['دیروز', ['2026-11-22T20:30:00.000Z', '2026-11-23T20:29:59.000Z']],
    ['1d', [today, tonight]],
    ['7d', ['2026-11-17T20:30:00.000Z', tonight]],
    ['7 days', ['2026-11-17T20:30:00.000Z', tonight]],
    ['۷ روز', ['2026-11-17T20:30:00.000Z', tonight]],
    ['۷روز', ['2026-11-17T20:30:00.000Z', tonight]],
    ['last 7 days', ['2026-11-17T20:30:00.000Z', tonight]],
    ['week', ['2026-11-17T20:30:00.000Z', tonight]],
    ['هفته', ['2026-11-17T20:30:00.000Z', tonight]],
    ['24h', ['2026-11-23T10:32:30.000Z', tonight]],
    ['۲۴ ساعت', ['2026-11-23T10:32:30.000Z', tonight]],
    ['1405/09/01', ['2026-11-21T20:30:00.000Z', '2026-11-22T20:29:59.000Z']],
    ['۱۴۰۵/۰۹/۰۱', ['2026-11-21T20:30:00.000Z', '2026-11-22T20:29:59.000Z']],
    ['2026-11-22', ['2026-11-21T20:30:00.000Z', '2026-11-22T20:29:59.000Z']],
    ['1405/09/03', [today, tonight]],
    ['1405/09/03 10:00', ['2026-11-24T06:30:00.000Z', tonight]],
    ['1405/09/01..1405/09/02', ['2026-11-21T20:30:00.000Z', '2026-11-23T20:29:59.000Z']],
    ['1405/09/01 1405/09/02', ['2026-11-21T20:30:00.000Z', '2026-11-23T20:29:59.000Z']],
    ['از ۱۴۰۵/۰۹/۰۱ تا ۱۴۰۵/۰۹/۰۲', ['2026-11-21T20:30:00.000Z', '2026-11-23T20:29:59.000Z']],
    ['2026-11-22 to yesterday', ['2026-11-21T20:30:00.000Z', '2026-11-23T20:29:59.000Z']],
    ['1405/09/02 10:00 1405/09/03 10:00', ['2026-11-23T06:30:00.000Z', '2026-11-24T06:30:00.000Z']],
    ['yesterday now', ['2026-11-22T20:30:00.000Z', tonight]],
    ['1405/09/01 1406/01/01', ['2026-11-21T20:30:00.000Z', tonight]],
    ['آذر', ['2026-11-21T20:30:00.000Z', tonight]],
    ['آبان', ['2026-10-22T20:30:00.000Z', '2026-11-21T20:29:59.000Z']],
    ['دی', ['2025-12-21T20:30:00.000Z', '2026-01-20T20:29:59.000Z']],
    ['November', ['2026-10-31T20:30:00.000Z', tonight]],
    ['oct 2026', ['2026-09-30T20:30:00.000Z', '2026-10-31T20:29:59.000Z']],
    ['آبان ۱۴۰۵', ['2026-10-22T20:30:00.000Z', '2026-11-21T20:29:59.000Z']],
    ['1405/08', ['2026-10-22T20:30:00.000Z', '2026-11-21T20:29:59.000Z']],
    ['۱ آذر', ['2026-11-21T20:30:00.000Z', '2026-11-22T20:29:59.000Z']],
    ['اول آذر', ['2026-11-21T20:30:00.000Z', '2026-11-22T20:29:59.000Z']],
    ['1 azar', ['2026-11-21T20:30:00.000Z', '2026-11-22T20:29:59.000Z']],
    ['22 Nov', ['2026-11-21T20:30:00.000Z', '2026-11-22T20:29:59.000Z']],
    ['Sun 22 Nov 2026', ['2026-11-21T20:30:00.000Z', '2026-11-22T20:29:59.000Z']],
    ['یکشنبه ۱ آذر ۱۴۰۵', ['2026-11-21T20:30:00.000Z', '2026-11-22T20:29:59.000Z']],
    ['از ۱ آذر تا ۲ آذر', ['2026-11-21T20:30:00.000Z', '2026-11-23T20:29:59.000Z']],
    ['۱ تا ۲ آذر', ['2026-11-21T20:30:00.000Z', '2026-11-23T20:29:59.000Z']],
    ['1-2 Azar', ['2026-11-21T20:30:00.000Z', '2026-11-23T20:29:59.000Z']],
    ['از ۱ آذر', ['2026-11-21T20:30:00.000Z', tonight]],
    ['since 22 Nov', ['2026-11-21T20:30:00.000Z', tonight]],
    ['since yesterday 10:00', ['2026-11-23T06:30:00.000Z', tonight]],
    ['2 days ago', ['2026-11-21T20:30:00.000Z', '2026-11-22T20:29:59.000Z']],
    ['۲ روز پیش', ['2026-11-21T20:30:00.000Z', '2026-11-22T20:29:59.000Z']],
    ['2 hours ago', ['2026-11-24T08:32:30.000Z', tonight]],
    ['sunday', ['2026-11-21T20:30:00.000Z', '2026-11-22T20:29:59.000Z']],
    ['یکشنبه', ['2026-11-21T20:30:00.000Z', '2026-11-22T20:29:59.000Z']],
    ['last tuesday', ['2026-11-16T20:30:00.000Z', '2026-11-17T20:29:59.000Z']],
    ['سه‌شنبه گذشته', ['2026-11-16T20:30:00.000Z', '2026-11-17T20:29:59.000Z']],
    // It is Tuesday: of the week before, or a Tuesday that is not today's.
    ['tuesday to thursday', ['2026-11-16T20:30:00.000Z', '2026-11-19T20:29:59.000Z']],
    ['از سه‌شنبه تا پنجشنبه', ['2026-11-16T20:30:00.000Z', '2026-11-19T20:29:59.000Z']],
    ['دوشنبه تا جمعه', ['2026-11-15T20:30:00.000Z', '2026-11-20T20:29:59.000Z']],
    ['sunday to tuesday', ['2026-11-21T20:30:00.000Z', tonight]],
    ['this week', ['2026-11-22T20:30:00.000Z', tonight]],
    ['این هفته', ['2026-11-20T20:30:00.000Z', tonight]],
    ['هفته گذشته', ['2026-11-13T20:30:00.000Z', '2026-11-20T20:29:59.000Z']],
    ['2 weeks', ['2026-11-10T20:30:00.000Z', tonight]],
    ['۲ هفته اخیر', ['2026-11-10T20:30:00.000Z', tonight]],
    ['last month', ['2026-09-30T20:30:00.000Z', '2026-10-31T20:29:59.000Z']],
    ['ماه گذشته', ['2026-10-22T20:30:00.000Z', '2026-11-21T20:29:59.000Z']],
    ['این ماه', ['2026-11-21T20:30:00.000Z', tonight]],
    ['۱۴۰۴', ['2025-03-20T20:30:00.000Z', '2026-03-20T20:29:59.000Z']],
    ['پارسال', ['2025-03-20T20:30:00.000Z', '2026-03-20T20:29:59.000Z']],
    ['\u20661405/09/01\u2069', ['2026-11-21T20:30:00.000Z', '2026-11-22T20:29:59.000Z']],
  ])('is read from %j', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each([
    '',
    'soon',
    '0d',
    '0h',
    '99999d',
    'today today today',
    '1405/09/03 1405/09/01',
    'this tuesday to thursday',
    'today to thursday',
    '1405/09/04',
    '1405/13/01',
    '1404/12/30',
    '2026-02-30',
    '2026-11-22 10:00 09:00',
    'd',
    '-7d',
    '7',
    '1405/09/01 or so',
    'a'.repeat(5000),
    '..',
    'tomorrow',
    '5 azar 1405',
    'next week',
    'in 2 hours',
    'every day 9:00',
    'Mon 22 Nov 2026 or so',
    '3 تا ۱ آذر',
  ])('is not read from %j', (text) => {
    expect(read(text)).toBeNull();
  });

  it('is of whole days in the zone it is asked for', () => {
    expect(read('today', 'UTC')).toEqual(['2026-11-24T00:00:00.000Z', '2026-11-24T23:59:59.000Z']);
    expect(read('today', 'America/New_York')).toEqual([
      '2026-11-24T05:00:00.000Z',
      '2026-11-25T04:59:59.000Z',
    ]);
  });

  it('may be what a report prints above it, in both languages, to the minute', () => {
    const minutes = fc.integer({
      min: Math.floor(NOW.getTime() / 60_000) - 400 * 1440,
      max: Math.floor(NOW.getTime() / 60_000) - 1440,
    });
    fc.assert(
      fc.property(minutes, fc.nat(1439), fc.constantFrom<Locale>('en', 'fa'), (start, length, locale) => {
        const format = createFormat(locale, TEHRAN);
        const span = { from: start * 60, to: (start + length) * 60 };
        for (const text of [spanText(format, span), format.zoned(spanText(format, span), NOW)]) {
          const range = parseRange(text, { now: NOW, timeZone: TEHRAN });
          // A whole day is printed without its times, and ends with its last second.
          const [from, to] = [range?.from, range?.to].map((at) => Math.floor((at?.getTime() ?? 0) / 60_000));
          expect([from, to], text).toEqual([start, start + length]);
        }
      }),
    );
  });

  it('has begun, ends today at the latest, runs forwards, and is quick to read or refuse', () => {
    const words = fc.constantFrom(
      'today',
      'دیروز',
      '7d',
      '1405/09/01',
      '2026-11-20 10:00',
      '..',
      ' ',
      'to',
      'تا',
      '۳',
      'h',
      '\u202e',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words, { maxLength: 6 }).map((each) => each.join('')),
        ),
        (text) => {
          const range = parseRange(text, { now: NOW, timeZone: TEHRAN });
          if (range === null) return;
          expect(range.from.getTime()).toBeLessThanOrEqual(range.to.getTime());
          expect(range.from.getTime()).toBeLessThanOrEqual(NOW.getTime());
          expect(range.to.getTime()).toBeLessThanOrEqual(Date.parse(tonight));
        },
      ),
      { numRuns: 2000 },
    );
  });
});
