import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { localTimeOf, weekdayOf } from './calendar.ts';
import { isWithin, minuteOfDay } from './limits.ts';
import { closedSince, openWhileClosed, workingTimeAgo, type DeskHours } from './working-time.ts';

const MINUTE_MS = 60_000;
const DAY = { from: 540, to: 1020, days: null };
/** Saturday to Wednesday. */
const WEEK = [6, 0, 1, 2, 3];

test('between what it gives and now lie exactly so many minutes of working hours, and the first is one of them', () => {
  const window = fc.record({
    from: fc.integer({ min: 0, max: 1439 }),
    to: fc.integer({ min: 0, max: 1439 }),
    days: fc.option(fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 })),
  });
  // Half of the instants are about a change of clocks.
  const instant = fc
    .oneof(
      fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2030, 0, 1) }),
      fc.integer({ min: Date.UTC(2026, 9, 25), max: Date.UTC(2026, 9, 27) }),
      fc.integer({ min: Date.UTC(2026, 2, 29), max: Date.UTC(2026, 2, 31) }),
    )
    .map((ms) => new Date(ms));
  const zone = fc.constantFrom('Asia/Tehran', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu');
  fc.assert(
    fc.property(
      instant,
      fc.integer({ min: 1, max: 600 }),
      fc.option(window),
      zone,
      (now, minutes, hours, timeZone) => {
        const since = workingTimeAgo(now, minutes, hours, timeZone);
        if (since === null) {
          expect(workedBy(hours, new Date(now.getTime() - 30 * 86_400_000), now, timeZone)).toBeLessThan(
            minutes,
          );
          return;
        }
        expect(workedBy(hours, since, now, timeZone)).toBe(minutes);
        expect(isOpen(hours, since, timeZone)).toBe(true);
      },
    ),
    { numRuns: 30 },
  );
});

/** Whole minutes of working hours in between, counted one by one. */
function workedBy(hours: DeskHours | null, from: Date, to: Date, timeZone: string): number {
  let count = 0;
  for (let at = from.getTime(); at + MINUTE_MS <= to.getTime(); at += MINUTE_MS)
    if (isOpen(hours, new Date(at), timeZone)) count += 1;
  return count;
}

function isOpen(hours: DeskHours | null, at: Date, timeZone: string): boolean {
  if (hours === null) return true;
  const minute = minuteOfDay(at, timeZone);
  const day = weekdayOf(localTimeOf(at, timeZone));
  const began = hours.from < hours.to || minute >= hours.from ? day : (day + 6) % 7;
  return isWithin(hours, minute) && (hours.days?.includes(began) ?? true);
}

test('since when the desk is closed is a minute after the last that was open, and none is open in between', () => {
  const hours = { from: 480, to: 960, days: WEEK };
  const since = (now: string) => closedSince(new Date(now), hours, 'Asia/Tehran')?.toISOString() ?? null;
  expect(since('2026-11-25T12:29:59Z')).toBeNull();
  expect(since('2026-11-25T12:30:00Z')).toBe('2026-11-25T12:30:00.000Z');
  expect(since('2026-11-26T02:00:00Z')).toBe('2026-11-25T12:30:00.000Z');
  // Thursday and Friday are one closed time with the nights about them.
  expect(since('2026-11-28T04:29:00Z')).toBe('2026-11-25T12:30:00.000Z');
  expect(since('2026-11-28T04:30:00Z')).toBeNull();
  const never = { from: 600, to: 601, days: [] };
  expect(closedSince(new Date('2026-11-25T00:00:00Z'), never, 'UTC')).toEqual(
    new Date('2026-10-25T00:00:00Z'),
  );
});

test('what goes over midnight belongs to the day on which it began', () => {
  const night = { from: 1320, to: 360, days: [5] };
  const isClosed = (now: string) => closedSince(new Date(now), night, 'UTC') !== null;
  expect(
    ['2026-11-27T05:00:00Z', '2026-11-27T22:00:00Z', '2026-11-28T05:59:00Z', '2026-11-28T22:00:00Z'].map(
      isClosed,
    ),
  ).toEqual([true, false, false, true]);
  const whole = { from: 480, to: 480, days: [5] };
  const closed = (now: string) => closedSince(new Date(now), whole, 'UTC') !== null;
  expect(
    ['2026-11-27T07:59:00Z', '2026-11-27T08:00:00Z', '2026-11-28T07:59:00Z', '2026-11-28T08:00:00Z'].map(
      closed,
    ),
  ).toEqual([true, false, false, true]);
});

test('how much of the closed time a sending window leaves', () => {
  const room = (from: number, to: number, days: number[] | null = null) =>
    openWhileClosed({ from: 480, to: 960, days }, { from, to });
  expect([room(480, 960), room(540, 900), room(480, 1200), room(960, 480), room(0, 0)]).toEqual([
    'none',
    'none',
    'some',
    'all',
    'all',
  ]);
  expect(room(480, 960, WEEK)).toBe('some');
});

test('the night does not count', () => {
  const morning = new Date('2026-11-25T05:40:30Z');
  expect(workingTimeAgo(morning, 30, DAY, 'Asia/Tehran')).toEqual(new Date('2026-11-24T13:10:00Z'));
  expect(workingTimeAgo(morning, 30, null, 'Asia/Tehran')).toEqual(new Date('2026-11-25T05:10:00Z'));
});

test('what would lie more than a month back is not looked for', () => {
  const now = new Date('2026-11-25T05:40:00Z');
  expect(workingTimeAgo(now, 60, { from: 600, to: 601, days: null }, 'UTC')).toBeNull();
});
