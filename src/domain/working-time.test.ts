import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWithin, minuteOfDay, type SendingWindow } from './limits.ts';
import { workingTimeAgo } from './working-time.ts';

const MINUTE_MS = 60_000;
const DAY = { from: 540, to: 1020 };

test('between what it gives and now lie exactly so many minutes of working hours, and the first is one of them', () => {
  const window = fc.record({
    from: fc.integer({ min: 0, max: 1439 }),
    to: fc.integer({ min: 0, max: 1439 }),
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
function workedBy(hours: SendingWindow | null, from: Date, to: Date, timeZone: string): number {
  let count = 0;
  for (let at = from.getTime(); at + MINUTE_MS <= to.getTime(); at += MINUTE_MS)
    if (isOpen(hours, new Date(at), timeZone)) count += 1;
  return count;
}

function isOpen(hours: SendingWindow | null, at: Date, timeZone: string): boolean {
  return hours === null || isWithin(hours, minuteOfDay(at, timeZone));
}

test('the night does not count', () => {
  const morning = new Date('2026-11-25T05:40:30Z');
  expect(workingTimeAgo(morning, 30, DAY, 'Asia/Tehran')).toEqual(new Date('2026-11-24T13:10:00Z'));
  expect(workingTimeAgo(morning, 30, null, 'Asia/Tehran')).toEqual(new Date('2026-11-25T05:10:00Z'));
});

test('what would lie more than a month back is not looked for', () => {
  const now = new Date('2026-11-25T05:40:00Z');
  expect(workingTimeAgo(now, 60, { from: 600, to: 601 }, 'UTC')).toBeNull();
});
