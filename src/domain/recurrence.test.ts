import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gregorianDayOf, jalaliDayOf, localTimeOf, weekdayOf } from './calendar.ts';
import {
  nextOccurrence,
  readRecurrence,
  recurrenceAt,
  writeRecurrence,
  type Recurrence,
} from './recurrence.ts';

const DAY_MS = 86_400_000;
const ZONES = ['Asia/Tehran', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC'] as const;

const anyZone = fc.constantFrom(...ZONES);
const anyInstant = fc
  .integer({ min: Date.UTC(2015, 0, 1) / 1000, max: Date.UTC(2045, 0, 1) / 1000 })
  .map((second) => new Date(second * 1000));
const anyMinute = fc.integer({ min: 0, max: 1439 });
const anyWeekly: fc.Arbitrary<Recurrence> = fc.record({
  every: fc.constant('week' as const),
  weekday: fc.integer({ min: 0, max: 6 }),
  minute: anyMinute,
});
const anyMonthly: fc.Arbitrary<Extract<Recurrence, { every: 'month' }>> = fc.record({
  every: fc.constant('month' as const),
  calendar: fc.constantFrom('gregorian' as const, 'jalali' as const),
  day: fc.integer({ min: 1, max: 31 }),
  minute: anyMinute,
});
const anyDaily: fc.Arbitrary<Recurrence> = fc.record({
  every: fc.constant('day' as const),
  minute: anyMinute,
});
const anyRule: fc.Arbitrary<Recurrence> = fc.oneof(anyDaily, anyWeekly, anyMonthly);
/** In days, with an hour of the clocks. */
const LONGEST = { day: 2, week: 8, month: 33 } as const;

const dayIn = (calendar: 'gregorian' | 'jalali', at: Date, timeZone: string) =>
  calendar === 'jalali' ? jalaliDayOf(at, timeZone) : localTimeOf(at, timeZone);
const minuteIn = (at: Date, timeZone: string): number => {
  const { hour, minute } = localTimeOf(at, timeZone);
  return hour * 60 + minute;
};
const iso = (rule: Recurrence, after: string, timeZone: string): string =>
  nextOccurrence(rule, new Date(after), timeZone).toISOString();

describe('the next time of a rule', () => {
  test('lies ahead, at most a week or a month and a day, wherever the clocks are', () => {
    fc.assert(
      fc.property(anyRule, anyInstant, anyZone, (rule, after, zone) => {
        const ahead = nextOccurrence(rule, after, zone).getTime() - after.getTime();
        expect(ahead).toBeGreaterThan(0);
        expect(ahead).toBeLessThanOrEqual(LONGEST[rule.every] * DAY_MS);
      }),
      { numRuns: 1000 },
    );
  });

  test('shows the same time on the wall before and after the clocks change, but for a time that they skip', () => {
    fc.assert(
      fc.property(anyRule, anyInstant, anyZone, (rule, after, zone) => {
        const at = nextOccurrence(rule, after, zone);
        const late = (minuteIn(at, zone) - rule.minute + 1440) % 1440;
        if (late === 0) return;
        // The clocks went from before the wanted time to just this one.
        expect(late).toBeLessThanOrEqual(60);
        const before = minuteIn(new Date(at.getTime() - 60_000), zone);
        expect((minuteIn(at, zone) - before + 1440) % 1440).toBeGreaterThan(1);
      }),
      { numRuns: 2000 },
    );
  });

  test('of a week is on its weekday, and none in between is left out', () => {
    fc.assert(
      fc.property(anyWeekly, anyInstant, anyZone, (rule, after, zone) => {
        const first = nextOccurrence(rule, after, zone);
        const second = nextOccurrence(rule, first, zone);
        if (rule.every !== 'week') return;
        if (minuteIn(first, zone) === rule.minute)
          expect(weekdayOf(localTimeOf(first, zone))).toBe(rule.weekday);
        expect(Math.round((second.getTime() - first.getTime()) / DAY_MS)).toBe(7);
      }),
      { numRuns: 1000 },
    );
  });

  test('of a month is on its day, or on the last of a shorter month, once in each month', () => {
    fc.assert(
      fc.property(anyMonthly, anyInstant, anyZone, (rule, after, zone) => {
        let at = nextOccurrence(rule, after, zone);
        for (let n = 0; n < 14; n += 1) {
          const on = dayIn(rule.calendar, at, zone);
          if (minuteIn(at, zone) === rule.minute && on.day !== rule.day) {
            expect(on.day).toBeLessThan(rule.day);
            const tomorrow = dayIn(rule.calendar, new Date(at.getTime() + 26 * 3_600_000), zone);
            expect(tomorrow.month).not.toBe(on.month);
          }
          const next = nextOccurrence(rule, at, zone);
          const then = dayIn(rule.calendar, next, zone);
          expect(then.year * 12 + then.month).toBe(on.year * 12 + on.month + 1);
          at = next;
        }
      }),
      { numRuns: 300 },
    );
  });

  test('is what a calendar on the wall says', () => {
    const weekly: Recurrence = { every: 'week', weekday: 2, minute: 600 };
    expect(iso(weekly, '2026-11-24T06:29:59Z', 'Asia/Tehran')).toBe('2026-11-24T06:30:00.000Z');
    expect(iso(weekly, '2026-11-24T06:30:00Z', 'Asia/Tehran')).toBe('2026-12-01T06:30:00.000Z');
    // Berlin goes back on 25 October: 10:00 there is 08:00 before and 09:00 after in UTC.
    expect(iso(weekly, '2026-10-13T09:00:00Z', 'Europe/Berlin')).toBe('2026-10-20T08:00:00.000Z');
    expect(iso(weekly, '2026-10-20T09:00:00Z', 'Europe/Berlin')).toBe('2026-10-27T09:00:00.000Z');
    // The clocks of Berlin skip 02:30 on 29 March.
    const night: Recurrence = { every: 'week', weekday: 0, minute: 150 };
    expect(iso(night, '2026-03-23T00:00:00Z', 'Europe/Berlin')).toBe('2026-03-29T01:00:00.000Z');
    expect(iso(night, '2026-03-29T01:00:00Z', 'Europe/Berlin')).toBe('2026-04-05T00:30:00.000Z');

    const last: Recurrence = { every: 'month', calendar: 'gregorian', day: 31, minute: 540 };
    expect(iso(last, '2027-01-31T09:00:00Z', 'UTC')).toBe('2027-02-28T09:00:00.000Z');
    expect(iso(last, '2028-01-31T09:00:00Z', 'UTC')).toBe('2028-02-29T09:00:00.000Z');
    expect(iso(last, '2028-02-29T09:00:00Z', 'UTC')).toBe('2028-03-31T09:00:00.000Z');
  });

  test('knows which Jalali years have a 30th of Esfand', () => {
    const rule: Recurrence = { every: 'month', calendar: 'jalali', day: 30, minute: 600 };
    for (const [year, last] of [
      [1403, 30],
      [1404, 29],
      [1405, 29],
      [1406, 29],
      [1407, 29],
      [1408, 30],
    ] as const) {
      const bahman = gregorianDayOf({ year, month: 11, day: 30 });
      const after = new Date(Date.UTC(bahman?.year ?? 0, (bahman?.month ?? 1) - 1, bahman?.day ?? 1, 12));
      const at = nextOccurrence(rule, after, 'Asia/Tehran');
      expect(jalaliDayOf(at, 'Asia/Tehran')).toEqual({ year, month: 12, day: last });
      const then = nextOccurrence(rule, at, 'Asia/Tehran');
      expect(jalaliDayOf(then, 'Asia/Tehran')).toEqual({ year: year + 1, month: 1, day: 30 });
    }
  });

  test('leaves out a day that a zone has never had', () => {
    // Samoa went from Thursday, 29 December 2011, to Saturday.
    const friday: Recurrence = { every: 'week', weekday: 5, minute: 600 };
    const at = nextOccurrence(friday, new Date('2011-12-28T00:00:00Z'), 'Pacific/Apia');
    expect(localTimeOf(at, 'Pacific/Apia')).toEqual({ year: 2012, month: 1, day: 6, hour: 10, minute: 0 });
    // Also where the last one is only just over.
    for (const [rule, after, next] of [
      [{ every: 'day', minute: 600 }, '2011-12-29T21:00:00Z', '2011-12-30T20:00:00.000Z'],
      [friday, '2011-12-23T21:00:00Z', '2012-01-05T20:00:00.000Z'],
      [
        { every: 'month', calendar: 'gregorian', day: 30, minute: 600 },
        '2011-11-30T21:00:00Z',
        '2012-01-29T20:00:00.000Z',
      ],
    ] as const)
      expect(iso(rule, after, 'Pacific/Apia')).toBe(next);
  });

  test('comes as soon as the clocks show it again, be it three hours later or on the next day', () => {
    const at = (minute: number, after: string, zone: string) => iso({ every: 'day', minute }, after, zone);
    // Casey went from 02:00 to 05:00, and Toronto once from 23:30 to 00:30.
    expect(at(120, '2009-10-17T12:00:00Z', 'Antarctica/Casey')).toBe('2009-10-17T18:00:00.000Z');
    for (const minute of [1410, 1425, 1439])
      expect(at(minute, '1919-03-31T04:00:00Z', 'America/Toronto')).toBe('1919-03-31T04:30:00.000Z');
  });
});

test('a rule made from a time has that time as one of its own, and is kept whole', () => {
  fc.assert(
    fc.property(
      anyInstant,
      anyZone,
      fc.constantFrom('day' as const, 'week' as const, 'month' as const),
      fc.constantFrom('gregorian' as const, 'jalali' as const),
      (instant, timeZone, every, calendar) => {
        const minute = new Date(Math.floor(instant.getTime() / 60_000) * 60_000);
        const rule = recurrenceAt(every, minute, { timeZone, calendar });
        expect(readRecurrence(writeRecurrence(rule))).toEqual(rule);
        const found = nextOccurrence(rule, new Date(minute.getTime() - 1), timeZone);
        const shown = JSON.stringify(localTimeOf(minute, timeZone));
        const isSecond = [30, 60].some(
          (ago) => JSON.stringify(localTimeOf(new Date(minute.getTime() - ago * 60_000), timeZone)) === shown,
        );
        // Of an hour that comes twice it is the first, which is over when the second was meant.
        if (isSecond) expect(found.getTime()).toBeGreaterThan(minute.getTime());
        else expect(found).toEqual(minute);
      },
    ),
    { numRuns: 1000 },
  );
});

test('a rule comes back as it was kept, and nothing else is taken for one', () => {
  fc.assert(
    fc.property(anyRule, (rule) => {
      expect(readRecurrence(writeRecurrence(rule))).toEqual(rule);
    }),
  );
  for (const written of [null, '', 'weekly', 'week 7 600', 'month 5 600', 'month lunar 5 600', 'day x'])
    expect(readRecurrence(written)).toBeNull();
  for (const written of ['day 600', 'week 2 600', 'month jalali 5 600'])
    for (const longer of [`a ${written}`, `${written} `, `${written}00`])
      expect(readRecurrence(longer)).toBeNull();
});
