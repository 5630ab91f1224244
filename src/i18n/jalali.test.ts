import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { gregorianDayOf, instantOf, jalaliDayOf, parseDateTime } from './jalali.ts';

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(1921, 2, 21) / DAY_MS;
const LAST_DAY = Date.UTC(2122, 2, 20) / DAY_MS;

describe('the Jalali calendar', () => {
  it('knows days that are in every calendar on the wall', () => {
    expect(gregorianDayOf({ year: 1405, month: 9, day: 3 })).toEqual({ year: 2026, month: 11, day: 24 });
    expect(gregorianDayOf({ year: 1357, month: 11, day: 22 })).toEqual({ year: 1979, month: 2, day: 11 });
    expect(gregorianDayOf({ year: 1403, month: 12, day: 30 })).toEqual({ year: 2025, month: 3, day: 20 });
    expect(jalaliDayOf(new Date('2026-03-20T20:30:00Z'), 'Asia/Tehran')).toEqual({
      year: 1405,
      month: 1,
      day: 1,
    });
    expect(jalaliDayOf(new Date('2026-03-20T20:29:59Z'), 'Asia/Tehran')).toEqual({
      year: 1404,
      month: 12,
      day: 29,
    });
  });

  it('has no day that does not exist', () => {
    expect(gregorianDayOf({ year: 1404, month: 12, day: 30 })).toBeNull();
    expect(gregorianDayOf({ year: 1405, month: 7, day: 31 })).toBeNull();
    expect(gregorianDayOf({ year: 1405, month: 13, day: 1 })).toBeNull();
    expect(gregorianDayOf({ year: 1405, month: 0, day: 1 })).toBeNull();
    expect(gregorianDayOf({ year: 1405, month: 1, day: 0 })).toBeNull();
  });

  it('comes back to the same day from 1300 to 1500', () => {
    fc.assert(
      fc.property(fc.integer({ min: FIRST_DAY, max: LAST_DAY }), (epochDay) => {
        const noon = new Date(epochDay * DAY_MS + DAY_MS / 2);
        const jalali = jalaliDayOf(noon, 'UTC');
        expect(jalali.year).toBeGreaterThanOrEqual(1300);
        expect(jalali.year).toBeLessThanOrEqual(1500);
        expect(gregorianDayOf(jalali)).toEqual({
          year: noon.getUTCFullYear(),
          month: noon.getUTCMonth() + 1,
          day: noon.getUTCDate(),
        });
      }),
      { numRuns: 1000 },
    );
  });
});

describe('wall-clock times', () => {
  it('come back from every instant in zones with and without summer time', () => {
    const zones = [
      'Asia/Tehran',
      'UTC',
      'Europe/Berlin',
      'America/St_Johns',
      'Pacific/Kiritimati',
      'Asia/Kathmandu',
    ];
    const minutes = fc.integer({ min: Date.UTC(1990, 0, 1) / 60_000, max: Date.UTC(2060, 0, 1) / 60_000 });
    fc.assert(
      fc.property(minutes, fc.constantFrom(...zones), (minute, timeZone) => {
        const instant = new Date(minute * 60_000);
        const text = new Intl.DateTimeFormat('sv-SE', {
          timeZone,
          dateStyle: 'short',
          timeStyle: 'short',
        }).format(instant);
        const read = parseDateTime(text, timeZone);
        // The hour that comes twice in autumn is read as its first coming.
        expect([0, 3_600_000]).toContain(instant.getTime() - (read?.getTime() ?? 0));
      }),
      { numRuns: 500 },
    );
  });

  it('are null in the hour that spring skips, and the first of the two in autumn', () => {
    const local = { hour: 2, minute: 30 };
    expect(instantOf({ year: 2026, month: 3, day: 29, ...local }, 'Europe/Berlin')).toBeNull();
    expect(instantOf({ year: 2026, month: 10, day: 25, ...local }, 'Europe/Berlin')).toEqual(
      new Date('2026-10-25T00:30:00Z'),
    );
  });

  it('know that Tehran had summer time until 2022 and has none since', () => {
    expect(parseDateTime('1401/05/01 10:00', 'Asia/Tehran')).toEqual(new Date('2022-07-23T05:30:00Z'));
    expect(parseDateTime('1402/05/01 10:00', 'Asia/Tehran')).toEqual(new Date('2023-07-23T06:30:00Z'));
  });
});

describe('reading a time that a person typed', () => {
  const expected = new Date('2026-11-24T06:30:00Z');

  it.each([
    '1405/09/03 10:00',
    '1405-9-3 10:00',
    '۱۴۰۵/۰۹/۰۳ ۱۰:۰۰',
    '2026-11-24 10:00',
    '2026/11/24T10:00',
    ' \u20661405/09/03\u2069 10:00 ',
  ])('understands %j', (text) => {
    expect(parseDateTime(text, 'Asia/Tehran')).toEqual(expected);
  });

  it.each([
    '',
    'tomorrow',
    '1405/09/03',
    '10:00',
    '1405/09-03 10:00',
    '1405/09/03 24:00',
    '1405/09/03 10:60',
    '2026-02-30 10:00',
    '1404/12/30 10:00',
    '05/09/03 10:00',
    '1405/09/03 10:00 x',
    '1405/09/03 -1:00',
  ])('does not understand %j', (text) => {
    expect(parseDateTime(text, 'Asia/Tehran')).toBeNull();
  });
});
