import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { localTimeOf } from './calendar.ts';
import { isWithin, minuteOfDay, type SendingWindow } from './limits.ts';
import { nextOpening } from './next-opening.ts';

const HOUR = 3_600_000;
const anyWindow: fc.Arbitrary<SendingWindow> = fc
  .record({ from: fc.integer({ min: 0, max: 1439 }), to: fc.integer({ min: 0, max: 1439 }) })
  .filter(({ from, to }) => (to - from + 1440) % 1440 >= 90);
const anyInstant = fc
  .integer({ min: Date.UTC(2015, 0, 1) / 1000, max: Date.UTC(2045, 0, 1) / 1000 })
  .map((second) => new Date(second * 1000));
const anyZone = fc.constantFrom('Asia/Tehran', 'Europe/Berlin', 'America/New_York', 'UTC');

test('a window opens ahead, within a day, and is open then but was not a minute before', () => {
  fc.assert(
    fc.property(anyWindow, anyInstant, anyZone, (window, from, zone) => {
      const at = nextOpening([window], from, zone);
      expect(at).not.toBeNull();
      if (at === null) return;
      expect(at.getTime()).toBeGreaterThanOrEqual(from.getTime());
      expect(at.getTime() - from.getTime()).toBeLessThanOrEqual(26 * HOUR);
      expect(isWithin(window, minuteOfDay(at, zone))).toBe(true);
      if (at.getTime() === from.getTime() || isTurnedBack(from, at, zone)) return;
      expect(isWithin(window, minuteOfDay(new Date(at.getTime() - 60_000), zone))).toBe(false);
      // Nothing in between would have been earlier.
      for (let each = from.getTime(); each < at.getTime(); each += 15 * 60_000)
        expect(isWithin(window, minuteOfDay(new Date(each), zone))).toBe(false);
    }),
    { numRuns: 500 },
  );
});

/** Whether the clocks have gone back in between. */
function isTurnedBack(from: Date, to: Date, zone: string): boolean {
  const [before, after] = [from, to].map((instant) => {
    const { year, month, day, hour, minute } = localTimeOf(instant, zone);
    return Date.UTC(year, month - 1, day, hour, minute);
  });
  return Number(after) - Number(before) < to.getTime() - from.getTime();
}

test('of an hour that comes twice only the first opens a window', () => {
  const after = new Date('2026-10-25T00:45:00Z');
  expect(nextOpening([{ from: 0, to: 150 }], after, 'Europe/Berlin')).toEqual(
    new Date('2026-10-25T23:00:00Z'),
  );
  expect(nextOpening([{ from: 130, to: 160 }], after, 'Europe/Berlin')).toEqual(
    new Date('2026-10-26T01:10:00Z'),
  );
});

test('it is 09:00 on the wall on the day after the clocks have changed too', () => {
  const day = { from: 540, to: 1260 };
  expect(nextOpening([day], new Date('2026-10-24T20:30:00Z'), 'Europe/Berlin')).toEqual(
    new Date('2026-10-25T08:00:00Z'),
  );
  expect(nextOpening([day], new Date('2026-11-24T18:00:00Z'), 'Asia/Tehran')).toEqual(
    new Date('2026-11-25T05:30:00Z'),
  );
});

test('a minute that the clocks skip opens when they go on, or the next day where the window is over by then', () => {
  const before = new Date('2026-03-29T00:30:00Z');
  expect(nextOpening([{ from: 150, to: 300 }], before, 'Europe/Berlin')).toEqual(
    new Date('2026-03-29T01:00:00Z'),
  );
  expect(nextOpening([{ from: 130, to: 170 }], before, 'Europe/Berlin')).toEqual(
    new Date('2026-03-30T00:10:00Z'),
  );
});

test('of several hours it is the first minute in all of them, and none where they have none in common', () => {
  const from = new Date('2026-11-24T18:00:00Z');
  const [day, line] = [
    { from: 540, to: 1260 },
    { from: 1200, to: 600 },
  ];
  expect(nextOpening([day, line], from, 'UTC')).toEqual(new Date('2026-11-24T20:00:00Z'));
  expect(nextOpening([day], from, 'UTC')).toEqual(from);
  expect(nextOpening([day, { from: 660, to: 720 }], from, 'UTC')).toEqual(new Date('2026-11-25T11:00:00Z'));
  expect(nextOpening([line, { from: 480, to: 540 }], from, 'UTC')).toEqual(new Date('2026-11-25T08:00:00Z'));
  expect(nextOpening([day, { from: 60, to: 120 }], from, 'UTC')).toBeNull();
  expect(nextOpening([], from, 'UTC')).toEqual(from);
});
