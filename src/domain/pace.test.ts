import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWithin, minuteOfDay } from './limits.ts';
import {
  callSizeAt,
  daysThrough,
  HOUR_MS,
  PACE_LEAST,
  PACE_MOST,
  slowed,
  throughAt,
  waitAt,
} from './pace.ts';

const TEHRAN = 'Asia/Tehran';
const perHours = fc.oneof(
  fc.integer({ min: PACE_LEAST, max: 3000 }),
  fc.integer({ min: PACE_LEAST, max: PACE_MOST }),
);

describe('a pace', () => {
  test('lets through no more than it says in any 60 minutes, whenever somebody asks, and what it has wait it lets through then', () => {
    fc.assert(
      fc.property(
        perHours,
        fc.array(
          fc.record({
            // Somebody may ask at once, a moment later, or after days.
            afterMs: fc.oneof(
              fc.constant(0),
              fc.integer({ min: 0, max: HOUR_MS }),
              fc.integer({ min: 0, max: 48 * HOUR_MS }),
            ),
            share: fc.double({ min: 0, max: 1, noNaN: true }),
          }),
          { minLength: 1, maxLength: 60 },
        ),
        (perHour, asks) => {
          const passed: { at: number; size: number }[] = [];
          const within = (at: number) => passed.filter((each) => each.at > at - HOUR_MS);
          const takenAt = (at: number) =>
            within(at)
              .map((each) => ({ agoMs: at - each.at, size: each.size }))
              .toReversed();
          let now = 0;
          for (const { afterMs, share } of asks) {
            now += afterMs;
            const size = Math.max(1, Math.round(share * Math.min(perHour, 200)));
            now += waitAt({ perHour }, takenAt(now), size);
            expect(waitAt({ perHour }, takenAt(now), size)).toBe(0);
            passed.push({ at: now, size });
            // An hour that begins with any of them, and one that ends with this one.
            for (const { at } of passed) {
              const sum = passed
                .filter((each) => each.at >= at && each.at < at + HOUR_MS)
                .reduce((all, each) => all + each.size, 0);
              expect(sum).toBeLessThanOrEqual(perHour);
            }
          }
        },
      ),
    );
  });

  test('spreads its calls over the hour, and says of one that never fits that it does not fit now', () => {
    expect(callSizeAt({ perHour: 2000 })).toBe(166);
    expect(waitAt({ perHour: 2000 }, [], 166)).toBe(0);
    expect(waitAt({ perHour: 2000 }, [{ agoMs: 0, size: 166 }], 166)).toBe(298_800);
    expect(waitAt({ perHour: 2000 }, [{ agoMs: 298_800, size: 166 }], 166)).toBe(0);
    expect(waitAt({ perHour: 100 }, [], 101)).toBe(HOUR_MS);
    // Full with the one of half an hour ago, which it waits for; with less it has the room that there is.
    expect(waitAt({ perHour: 100 }, [{ agoMs: HOUR_MS / 2, size: 60 }], 41)).toBe(HOUR_MS / 2);
    expect(waitAt({ perHour: 100 }, [{ agoMs: 0.7 * HOUR_MS, size: 60 }], 40)).toBe(0);
  });

  test('has every message in one small call, in the order of before', () => {
    fc.assert(
      fc.property(
        perHours,
        fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 8 }),
        (perHour, sizes) => {
          const calls = sizes.map((size, call) => {
            const recipients = Array.from(
              { length: size },
              (_, index) => `98912${call}${String(index).padStart(6, '0')}`,
            );
            const messages = recipients.map((recipient) => ({
              line: '1',
              recipient,
              text: recipient,
              flash: false,
            }));
            return { recipients, messages: call % 2 === 0 ? messages : null };
          });
          const slow = slowed(calls, { perHour });
          expect(slow.flatMap(({ recipients }) => recipients)).toEqual(
            calls.flatMap(({ recipients }) => recipients),
          );
          for (const { recipients, messages } of slow) {
            expect(recipients.length).toBeLessThanOrEqual(callSizeAt({ perHour }));
            if (messages !== null) expect(messages.map(({ recipient }) => recipient)).toEqual(recipients);
          }
        },
      ),
    );
  });
});

const from = new Date('2026-11-26T10:00:00+03:30');
const day = { from: 9 * 60, to: 20 * 60 };

describe('the end of a send at a pace', () => {
  test.each([
    ['what leaves in one call is through at once', 2000, [], 166, '2026-11-26T10:00:00+03:30'],
    ['an hour of it is through in an hour, less its last call', 600, [], 650, '2026-11-26T11:00:00+03:30'],
    ['its hours end with it', 600, [{ from: 600, to: 660 }], 650, '2026-11-26T11:00:00+03:30'],
    ['it goes on tomorrow', 600, [day], 50 + 6000 + 600, '2026-11-27T10:00:00+03:30'],
    ['it begins when its hours do', 600, [{ from: 12 * 60, to: 20 * 60 }], 650, '2026-11-26T13:00:00+03:30'],
    [
      'hours over midnight',
      600,
      [{ from: 22 * 60, to: 120 }],
      50 + 600 * 4 + 600,
      '2026-11-27T23:00:00+03:30',
    ],
    [
      'the hours of the chat beside its own',
      600,
      [day, { from: 8 * 60, to: 12 * 60 }],
      50 + 1200 + 600,
      '2026-11-27T10:00:00+03:30',
    ],
  ])('%s', (_, perHour, hours, left, end) => {
    const through = throughAt({ perHour, window: null, hours }, { left, from, timeZone: TEHRAN });
    expect(through?.toISOString()).toBe(new Date(end).toISOString());
  });

  test('is not known where hours never meet, or it is years away', () => {
    const never = { perHour: 100, window: null, hours: [day, { from: 21 * 60, to: 22 * 60 }] };
    expect(throughAt(never, { left: 100, from, timeZone: TEHRAN })).toBe(null);
    const tooLarge = { perHour: 100, window: null, hours: [] };
    expect(throughAt(tooLarge, { left: 500, from, timeZone: TEHRAN, callSize: 200 })).toBe(null);
    const long = { perHour: 50, window: null, hours: [day] };
    expect(throughAt(long, { left: 1_000_000, from, timeZone: TEHRAN })).toBe(null);
  });

  test('is where every minute of open hours lets through its share', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1439 }),
        fc.integer({ min: 30, max: 1400 }),
        fc.integer({ min: 1, max: 3000 }),
        fc.integer({ min: 0, max: 59_999 }),
        (open, length, left, beyondMs) => {
          const hours = [{ from: open, to: (open + length) % 1440 }];
          const began = new Date(from.getTime() + beyondMs);
          const end = throughAt(
            { perHour: 600, window: null, hours },
            { left, from: began, timeZone: TEHRAN },
          );
          // 600 an hour in calls of 50: what is ahead of the last one, in ms of open hours.
          let ahead = Math.max(0, left - 50) * 6000;
          let at = began.getTime();
          for (;;) {
            const minute = (Math.floor(at / 60_000) + 210) % 1440;
            const rest = 60_000 - (at % 60_000);
            const isOpen = (minute - open + 1440) % 1440 < length;
            if (isOpen && ahead <= rest) break;
            if (isOpen) ahead -= rest;
            at += rest;
          }
          expect(end).toEqual(new Date(at + ahead));
        },
      ),
    );
  });

  test('lies within its hours, or at their end, and later for more', () => {
    const minutes = fc.integer({ min: 0, max: 1439 });
    fc.assert(
      fc.property(
        perHours,
        minutes,
        minutes,
        fc.integer({ min: 1, max: 20_000 }),
        (perHour, open, close, left) => {
          fc.pre(open !== close);
          const hours = [{ from: open, to: close }];
          const at = (count: number) =>
            throughAt({ perHour, window: null, hours }, { left: count, from, timeZone: TEHRAN });
          const [end, later] = [at(left), at(left + perHour)];
          if (end === null) return;
          const minute = minuteOfDay(end, TEHRAN);
          expect(isWithin({ from: open, to: close }, minute) || minute === close).toBe(true);
          if (later !== null) expect(later.getTime()).toBeGreaterThan(end.getTime());
        },
      ),
    );
  });
});

describe('the days of a send with a pace', () => {
  const days = (perHour: number, hours: { from: number; to: number }[], left: number, began = from) =>
    daysThrough({ perHour, window: null, hours }, { left, from: began, timeZone: TEHRAN }).map(
      ({ at, size }) => [new Intl.DateTimeFormat('en-CA', { timeZone: TEHRAN }).format(at), size],
    );

  test.each([
    ['all today', 600, [], 1000, [['2026-11-26', 1000]]],
    [
      'at any time, to midnight and on',
      600,
      [],
      9000,
      [
        ['2026-11-26', 8400],
        ['2026-11-27', 600],
      ],
    ],
    [
      'in its hours',
      600,
      [day],
      6000 + 6600 + 1,
      [
        ['2026-11-26', 6000],
        ['2026-11-27', 6600],
        ['2026-11-28', 1],
      ],
    ],
    [
      'over midnight, twice a day',
      600,
      [{ from: 22 * 60, to: 120 }],
      4000,
      [
        ['2026-11-26', 1200],
        ['2026-11-27', 2400],
        ['2026-11-28', 400],
      ],
    ],
  ] as const)('%s', (_, perHour, hours, left, expected) => {
    expect(days(perHour, [...hours], left)).toEqual(expected);
  });

  test.each([
    ['forward', '2026-03-28T23:00:00Z', [23, 24, 24]],
    ['back', '2026-10-24T22:00:00Z', [25, 24, 24]],
  ])('have as many hours as the clocks show them, which are put %s on the first', (_, began, hours) => {
    const at = { from: new Date(began), timeZone: 'Europe/Berlin' };
    const shares = daysThrough({ perHour: 600, window: null, hours: [] }, { ...at, left: 600 * 24 * 9 });
    expect(shares.slice(0, 3).map(({ size }) => size)).toEqual(hours.map((each) => 600 * each));
    const night = { perHour: 600, window: null, hours: [{ from: 0, to: 9 * 60 }] };
    const left = 600 * (9 - 24 + (hours[0] ?? 0));
    expect(daysThrough(night, { ...at, left: left + 1 })[0]?.size).toBe(left);
    const end = throughAt(night, { ...at, left: left + 50 });
    expect(end).toEqual(new Date(at.from.getTime() + left * 6000));
  });

  test('are none where hours never meet, or no call fits into one', () => {
    expect(days(100, [day, { from: 21 * 60, to: 22 * 60 }], 100)).toEqual([]);
    const tooLarge = { perHour: 100, window: null, hours: [] };
    expect(daysThrough(tooLarge, { left: 500, from, timeZone: TEHRAN, callSize: 200 })).toEqual([]);
  });

  test('hold all of it, and end where its card says', () => {
    const minutes = fc.integer({ min: 0, max: 1439 });
    fc.assert(
      fc.property(
        perHours,
        minutes,
        minutes,
        fc.integer({ min: 1, max: 20_000 }),
        (perHour, open, close, left) => {
          const hours = [{ from: open, to: close }];
          const end = throughAt({ perHour, window: null, hours }, { left, from, timeZone: TEHRAN });
          fc.pre(end !== null);
          const shares = days(perHour, hours, left);
          expect(shares.reduce((sum, [, size]) => sum + Number(size), 0)).toBe(left);
          expect(new Set(shares.map(([on]) => on)).size).toBe(shares.length);
          const last = new Intl.DateTimeFormat('en-CA', { timeZone: TEHRAN }).format(end);
          // A last call at the very end of its hours is the first of the next.
          expect(String(shares.at(-1)?.[0]) <= last).toBe(true);
        },
      ),
    );
  });
});
