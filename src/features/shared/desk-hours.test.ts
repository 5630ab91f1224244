import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFormat } from '../../i18n/format.ts';
import { deskHoursText, readDeskHours } from './desk-hours.ts';

const WEEK = [0, 1, 2, 3, 6];
const EIGHT_TO_FOUR = { from: 480, to: 960 };

test.each([
  ['8-16', null],
  ['Every day 8-16', null],
  ['هر روز ۸ تا ۱۶', null],
  ['Sat-Wed 8-16', WEEK],
  ['8-16 Sat–Wed', WEEK],
  ['from Saturday to Wednesday, from 8:00 to 16:00', WEEK],
  ['شنبه تا چهارشنبه ۸ تا ۱۶', WEEK],
  ['از شنبه تا چهار شنبه از ساعت ۸ تا ۱۶', WEEK],
  ['۸ تا ۱۶، شنبه تا چهارشنبه', WEEK],
  ['sat, mon and wed 8-16', [1, 3, 6]],
  ['شنبه و سه‌شنبه و پنج شنبه ۸ تا ۱۶', [2, 4, 6]],
  ['۵شنبه ۸ تا ۱۶', [4]],
  ['sat sun 8-16', [0, 6]],
  ['sat-mon, thu 8-16', [0, 1, 4, 6]],
  ['thu-mon 8-16', [0, 1, 4, 5, 6]],
  ['sat-fri 8-16', null],
] as const)('«%s» is read', (typed, days) => {
  expect(readDeskHours(typed)).toEqual({ ...EIGHT_TO_FOUR, days });
});

test.each([
  '',
  'soon',
  'Sat-Wed',
  '8',
  '8-8',
  '8-25',
  'sat 8-16 wed',
  'sat- 8-16',
  '8-16 9-17',
  'sat-wed 8-16 please',
])('«%s» is not', (typed) => {
  expect(readDeskHours(typed)).toBeNull();
});

test('what is shown can be typed, in both languages', () => {
  const minute = fc.integer({ min: 0, max: 1439 });
  const days = fc.option(fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1, maxLength: 6 }));
  fc.assert(
    fc.property(minute, minute, days, fc.constantFrom('en', 'fa'), (from, to, on, lang) => {
      fc.pre(from !== to);
      const hours = { from, to, days: on };
      expect(readDeskHours(deskHoursText(hours, createFormat(lang, 'Asia/Tehran')))).toEqual(hours);
    }),
  );
});
