import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMoment, readRepeat } from './moment.ts';

/** Tuesday, 3 Azar 1405, 14:02:30 in Tehran. */
const NOW = new Date('2026-11-24T10:32:30Z');
const context = { now: NOW, timeZone: 'Asia/Tehran' };

function read(text: string): [string, string] | null {
  const found = readMoment(text, context);
  return found === null ? null : [found.at.toISOString(), text.slice(found.taken)];
}

describe('a time ahead', () => {
  it.each([
    ['1405/09/04 10:00', '2026-11-25T06:30:00.000Z'],
    ['۱۴۰۵/۰۹/۰۴ ۱۰:۰۰', '2026-11-25T06:30:00.000Z'],
    ['2026-11-25 10:00', '2026-11-25T06:30:00.000Z'],
    ['2026/11/25 10:00', '2026-11-25T06:30:00.000Z'],
    ['2026-11-25T10:00', '2026-11-25T06:30:00.000Z'],
    ['tomorrow 9', '2026-11-25T05:30:00.000Z'],
    ['Tomorrow at 9:30', '2026-11-25T06:00:00.000Z'],
    ['tomorrow 9pm', '2026-11-25T17:30:00.000Z'],
    ['فردا ۹ صبح', '2026-11-25T05:30:00.000Z'],
    ['فردا ساعت ۹ شب', '2026-11-25T17:30:00.000Z'],
    ['پس‌فردا ۱۲ ظهر', '2026-11-26T08:30:00.000Z'],
    ['today 18:30', '2026-11-24T15:00:00.000Z'],
    ['امروز ساعت ۱۸', '2026-11-24T14:30:00.000Z'],
    ['saturday 10', '2026-11-28T06:30:00.000Z'],
    ['tuesday 10', '2026-12-01T06:30:00.000Z'],
    ['سه‌شنبه ۱۰', '2026-12-01T06:30:00.000Z'],
    ['شنبه ساعت ۱۰', '2026-11-28T06:30:00.000Z'],
    ['سه شنبه ۱۰:۳۰', '2026-12-01T07:00:00.000Z'],
    ['پنج‌شنبه ۱۰', '2026-11-26T06:30:00.000Z'],
    ['يكشنبه ۱۰', '2026-11-29T06:30:00.000Z'],
    ['پس فردا ۱۰', '2026-11-26T06:30:00.000Z'],
    ['18:30', '2026-11-24T15:00:00.000Z'],
    ['09:00', '2026-11-25T05:30:00.000Z'],
    ['ساعت ۹', '2026-11-25T05:30:00.000Z'],
    ['in 2 hours', '2026-11-24T12:32:30.000Z'],
    ['in 2h', '2026-11-24T12:32:30.000Z'],
    ['in 30 minutes', '2026-11-24T11:02:30.000Z'],
    ['۲ ساعت دیگر', '2026-11-24T12:32:30.000Z'],
    ['3 روز دیگر', '2026-11-27T10:32:30.000Z'],
  ])('is read from %j, and leaves what follows', (text, expected) => {
    expect(read(text)).toEqual([expected, '']);
    expect(read(`${text} 09121234567 Hello`)).toEqual([expected, '09121234567 Hello']);
  });

  it.each([
    '',
    'Hello',
    '09121234567 Hello',
    'tomorrow',
    'tomorrow Hello',
    '1405/13/01 10:00',
    '1405/09/04 24:00',
    '1405/09/04 10:60',
    'tomorrow 13pm',
    '25:00',
    'in h',
    '9',
    '1404/12/30 10:00',
  ])('is not read from %j', (text) => {
    expect(read(text)).toBeNull();
  });

  it('is never more than the text, whatever the text is', () => {
    const words = fc.constantFrom(
      'tomorrow',
      'فردا',
      ' ',
      '9',
      ':',
      '30',
      'صبح',
      '1405/09/04',
      '۱۰',
      '\n',
      'in',
      '2h',
      '\u202e',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words, { maxLength: 8 }).map((each) => each.join('')),
        ),
        (text) => {
          const found = readMoment(text, context);
          if (found === null) return;
          expect(found.taken).toBeGreaterThan(0);
          expect(found.taken).toBeLessThanOrEqual(text.length);
          expect(Number.isNaN(found.at.getTime())).toBe(false);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

function readRule(text: string): [string, unknown, string] | null {
  const found = readRepeat(text, context);
  return found === null ? null : [found.at.toISOString(), found.rule, text.slice(found.taken)];
}

describe('a rule by which something repeats', () => {
  const tuesday = { every: 'week', weekday: 2, minute: 600 };
  const gregorian = { every: 'month', calendar: 'gregorian', day: 5, minute: 540 };
  const jalali = { every: 'month', calendar: 'jalali', day: 5, minute: 540 };

  // It is Tuesday, 14:02: this week's 10:00 is over, 18:00 is not.
  it.each([
    ['every tuesday 10', tuesday, '2026-12-01T06:30:00.000Z'],
    ['Every Tuesday at 10:00', tuesday, '2026-12-01T06:30:00.000Z'],
    ['every week on tuesdays 10am', tuesday, '2026-12-01T06:30:00.000Z'],
    ['هر سه‌شنبه ۱۰', tuesday, '2026-12-01T06:30:00.000Z'],
    ['هر سه شنبه ساعت ۱۰', tuesday, '2026-12-01T06:30:00.000Z'],
    ['هر هفته سه‌شنبه ۱۰ صبح', tuesday, '2026-12-01T06:30:00.000Z'],
    ['سه‌شنبه‌ها ساعت ۱۰', tuesday, '2026-12-01T06:30:00.000Z'],
    ['every tuesday 18', { every: 'week', weekday: 2, minute: 1080 }, '2026-11-24T14:30:00.000Z'],
    ['هر شنبه ۹:۳۰', { every: 'week', weekday: 6, minute: 570 }, '2026-11-28T06:00:00.000Z'],
    ['every month 5 9:00', gregorian, '2026-12-05T05:30:00.000Z'],
    ['every month on the 5th at 9', gregorian, '2026-12-05T05:30:00.000Z'],
    ['monthly 5 9:00', gregorian, '2026-12-05T05:30:00.000Z'],
    ['هر ماه ۵ ام ساعت ۹', jalali, '2026-11-26T05:30:00.000Z'],
    ['هر ماه روز ۵ ساعت ۹', jalali, '2026-11-26T05:30:00.000Z'],
    ['ماهانه ۵م ۹ صبح', jalali, '2026-11-26T05:30:00.000Z'],
    ['every month 31 9', { ...gregorian, day: 31 }, '2026-11-30T05:30:00.000Z'],
  ])('is read from %j, and leaves what follows', (text, rule, first) => {
    expect(readRule(text)).toEqual([first, rule, '']);
    expect(readRule(`${text} 09121234567 Hello`)).toEqual([first, rule, '09121234567 Hello']);
    expect(readMoment(text, context)).toBeNull();
  });

  it.each([
    'every day 10',
    'every tuesday',
    'every tuesday 25',
    'every month 9:00',
    'every month 0 9:00',
    'every month 32 9:00',
    'هر روز ۱۰',
    'tuesday 10',
    'سه‌شنبه ۱۰',
    'every Hello',
  ])('is not read from %j', (text) => {
    expect(readRule(text)).toBeNull();
  });
});
