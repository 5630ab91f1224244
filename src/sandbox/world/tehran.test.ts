import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { tehranDay, tehranTime } from './tehran.ts';

const MIDNIGHT = { hour: 0, minute: 0 };

test.each([
  [{ year: 1405, month: 1, day: 1 }, '2026-03-20T20:30:00.000Z'],
  [{ year: 1403, month: 12, day: 30 }, '2025-03-19T20:30:00.000Z'],
  [{ year: 1399, month: 7, day: 30 }, '2020-10-20T20:30:00.000Z'],
  [{ year: 2026, month: 11, day: 21 }, '2026-11-20T20:30:00.000Z'],
])('%j begins in Tehran at %s', (date, expected) => {
  const at = tehranTime({ ...date, ...MIDNIGHT });
  expect(at === undefined ? at : new Date(at).toISOString()).toBe(expected);
});

test.each([
  { year: 1404, month: 12, day: 30 },
  { year: 1405, month: 7, day: 31 },
  { year: 1405, month: 13, day: 1 },
  { year: 1405, month: 0, day: 1 },
  { year: 1405, month: 1, day: 0 },
  { year: 2026, month: 2, day: 29 },
  { year: 2026, month: 0, day: 1 },
])('%j is no day', (date) => {
  expect(tehranTime({ ...date, ...MIDNIGHT })).toBeUndefined();
});

test('every Jalali day of a century follows the day before it', () => {
  const date = fc.record({
    year: fc.integer({ min: 1350, max: 1450 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 28 }),
  });
  fc.assert(
    fc.property(date, ({ year, month, day }) => {
      const today = tehranTime({ year, month, day, ...MIDNIGHT }) ?? Number.NaN;
      const tomorrow = tehranTime({ year, month, day: day + 1, ...MIDNIGHT }) ?? Number.NaN;
      expect(tomorrow - today).toBe(86_400_000);
      expect(tehranDay(tomorrow)).toBe(tehranDay(tomorrow - 1) + 1);
    }),
  );
});
