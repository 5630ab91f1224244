import { expect, test } from 'vitest';
import { dayText, daysToDo } from './date-send.ts';

const days = (doneOn: string, upTo: string) => daysToDo(doneOn, upTo).map(dayText);

test('an order has the days to do that are not done, and of those that passed by the last seven', () => {
  expect(days('2026-11-25', '2026-11-26')).toEqual(['2026-11-26']);
  expect(days('2026-11-26', '2026-11-26')).toEqual([]);
  expect(days('2026-11-28', '2026-11-26')).toEqual([]);
  expect(days('2026-12-30', '2027-01-02')).toEqual(['2026-12-31', '2027-01-01', '2027-01-02']);
  expect(days('2025-01-01', '2026-03-02')).toEqual([
    '2026-02-23',
    '2026-02-24',
    '2026-02-25',
    '2026-02-26',
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
    '2026-03-02',
  ]);
});
