import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localTimeOf } from './calendar.ts';
import { bucketOf, timeBuckets } from './time-buckets.ts';

const ZONES = [
  'Asia/Tehran',
  'UTC',
  'Asia/Kathmandu',
  'Europe/Berlin',
  'America/New_York',
  'Pacific/Kiritimati',
];
const DAY = 86_400;
/** Tehran's clocks went from 23:59 to 01:00 one night a year, for the last time in March 2022. */
const LAST_SKIPPED = Date.UTC(2022, 2, 22) / 1000;

const span = fc
  .tuple(fc.integer({ min: 1_600_000_000, max: 1_900_000_000 }), fc.oneof(fc.nat(7200), fc.nat(95 * DAY)))
  .map(([from, length]) => ({ from, to: from + length }));

describe('the pieces of a time', () => {
  it('cover all of it without a gap, few enough to be looked at', () => {
    fc.assert(
      fc.property(span, fc.constantFrom(...ZONES), fc.constantFrom(60, 900), (time, zone, finest) => {
        const buckets = timeBuckets(time, zone, finest);
        const { starts, unit } = buckets;
        expect(starts.length).toBeGreaterThan(0);
        expect(starts[0]).toBeLessThanOrEqual(time.from);
        expect(starts.at(-1)).toBeLessThanOrEqual(time.to);
        expect(starts).toEqual([...new Set(starts)].toSorted((left, right) => left - right));
        expect(starts.length).toBeLessThanOrEqual({ minutes: 31, hours: 50, days: 97 }[unit]);
        expect(bucketOf(buckets, time.from)).toBe(0);
        expect(bucketOf(buckets, time.to)).toBe(starts.length - 1);
      }),
    );
  });

  it('begin when the clocks of the zone show a whole hour, and days at midnight', () => {
    fc.assert(
      fc.property(span, fc.constantFrom('Asia/Tehran', 'UTC', 'Asia/Kathmandu'), (time, zone) => {
        const { starts, unit } = timeBuckets(time, zone, 3600);
        for (const start of starts) {
          const { hour, minute } = localTimeOf(new Date(start * 1000), zone);
          expect(minute).toBe(0);
          if (unit === 'days' && start > LAST_SKIPPED) expect(hour).toBe(0);
        }
      }),
    );
  });

  it('are days of 23 and 25 hours where the clocks change', () => {
    const from = Date.UTC(2026, 9, 23, 22) / 1000;
    const { starts } = timeBuckets({ from, to: from + 4 * DAY }, 'Europe/Berlin');
    expect(starts.map((start, index) => (starts[index + 1] ?? start) - start)).toEqual([
      DAY,
      DAY + 3600,
      DAY,
      0,
    ]);
  });

  it('are days from one o’clock on where the clocks skip midnight', () => {
    const { starts } = timeBuckets({ from: LAST_SKIPPED - 2 * DAY, to: LAST_SKIPPED + DAY }, 'Asia/Tehran');
    expect(starts.map((start) => localTimeOf(new Date(start * 1000), 'Asia/Tehran').hour)).toEqual([
      0, 0, 1, 0,
    ]);
  });

  it.each([
    ['a minute', 59, 'minutes', 1],
    ['half an hour', 1799, 'minutes', 30],
    ['two hours', 7199, 'minutes', 24],
    ['a day', DAY - 1, 'hours', 24],
    ['two days', 2 * DAY - 1, 'hours', 48],
    ['two days and a second', 2 * DAY, 'days', 3],
    ['a week', 7 * DAY - 1, 'days', 7],
    ['a week and a midnight', 7 * DAY, 'days', 8],
    ['31 days', 31 * DAY - 1, 'days', 31],
  ])('of %s are few', (_name, length, unit, count) => {
    const from = Date.UTC(2026, 10, 24) / 1000;
    expect(timeBuckets({ from, to: from + length }, 'UTC')).toMatchObject({
      unit,
      starts: { length: count },
    });
  });
});
