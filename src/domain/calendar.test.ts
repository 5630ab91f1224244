import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dayAfter,
  GATEWAY_ZONE,
  gregorianDayOf,
  instantOf,
  jalaliDayOf,
  jalaliTimeOf,
  localTimeOf,
  weekdayOf,
} from './calendar.ts';

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
    expect(gregorianDayOf({ year: 1405, month: 99, day: 99 })).toBeNull();
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
  it('are shown in either calendar, as the clocks of the zone stand', () => {
    const instant = new Date('2026-03-20T20:29:59.999Z');
    expect(GATEWAY_ZONE).toBe('Asia/Tehran');
    expect(jalaliTimeOf(instant, GATEWAY_ZONE)).toEqual({
      year: 1404,
      month: 12,
      day: 29,
      hour: 23,
      minute: 59,
    });
    expect(localTimeOf(instant, GATEWAY_ZONE)).toEqual({
      year: 2026,
      month: 3,
      day: 20,
      hour: 23,
      minute: 59,
    });
    expect(localTimeOf(instant, 'UTC')).toEqual({ year: 2026, month: 3, day: 20, hour: 20, minute: 29 });
  });

  it('are null in the hour that spring skips, and the first of the two in autumn', () => {
    const local = { hour: 2, minute: 30 };
    expect(instantOf({ year: 2026, month: 3, day: 29, ...local }, 'Europe/Berlin')).toBeNull();
    // There the clocks go on by half an hour, from 02:00.
    const skipped = { year: 2026, month: 10, day: 4, hour: 2, minute: 15 };
    expect(instantOf(skipped, 'Australia/Lord_Howe')).toBeNull();
    expect(instantOf({ year: 2026, month: 10, day: 25, ...local }, 'Europe/Berlin')).toEqual(
      new Date('2026-10-25T00:30:00Z'),
    );
  });

  it('lead back to the same wall, and a day after another is the one on the calendar', () => {
    const minutes = fc.integer({ min: Date.UTC(1990, 0, 1) / 60_000, max: Date.UTC(2060, 0, 1) / 60_000 });
    const zones = fc.constantFrom('Asia/Tehran', 'UTC', 'Europe/Berlin', 'America/St_Johns');
    fc.assert(
      fc.property(minutes, zones, fc.integer({ min: -400, max: 400 }), (minute, timeZone, days) => {
        const local = localTimeOf(new Date(minute * 60_000), timeZone);
        expect(localTimeOf(instantOf(local, timeZone) ?? new Date(0), timeZone)).toEqual(local);
        const moved = dayAfter(local, days);
        expect(weekdayOf(moved)).toBe((((weekdayOf(local) + days) % 7) + 7) % 7);
        expect(dayAfter(moved, -days)).toEqual({ year: local.year, month: local.month, day: local.day });
      }),
      { numRuns: 500 },
    );
  });
});
