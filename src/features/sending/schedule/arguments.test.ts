import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localTimeOf } from '../../../domain/calendar.ts';
import type { Recurrence } from '../../../domain/recurrence.ts';
import { createFormat, stripBidi } from '../../../i18n/format.ts';
import { readLine } from '../../../telegram/feature.ts';
import { plainText } from '../../../telegram/html.ts';
import { ruleText } from '../../shared/rule-texts.ts';
import {
  dailyArgument,
  monthlyArgument,
  paceArgument,
  paceHoursArgument,
  readWhen,
  ruleLine,
  weeklyArgument,
  wishArgument,
  type When,
} from './arguments.ts';
import { createScheduleFeature, type ScheduleDeps } from './index.ts';

const [schedule] = createScheduleFeature({ clock: {} } as unknown as ScheduleDeps).commands;
const MINUTE = 60_000;
const YEAR = 366 * 86_400_000;
/** Tuesday, 3 Azar 1405, 14:02:30 in Tehran. */
const NOW = new Date('2026-11-24T10:32:30Z');

const formats = { en: createFormat('en', 'Asia/Tehran'), fa: createFormat('fa', 'Asia/Tehran') };

function read(typed: string, before: When | null = null, locale: 'en' | 'fa' = 'en', now = NOW) {
  const found = readWhen(typed, { now, format: formats[locale], before });
  return 'problem' in found ? 'problem' : found.when;
}

const TIMES = [
  '1405/09/04 10:00',
  '2026-11-25 10:00',
  'فردا ۹ صبح',
  'tomorrow 9',
  'سه‌شنبه ۱۰:۳۰',
  'in 2 hours',
  '۲ ساعت دیگر',
  'saturday 18',
  '۵ آذر ساعت ۱۰',
  'Thu 26 Nov 2026, 20:00',
  'هر روز ۹',
  'every day 9:00',
  'هر سه‌شنبه ۱۰',
  'every tuesday 10',
  'هر ماه ۵ ام ساعت ۹',
  'every month 5 9:00',
];

describe('a line of /schedule', () => {
  test('is a time or a rule, numbers and a text, however each is written', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...TIMES),
        fc.constantFrom('09121234567', '09121234567, ۰۹۳۵۱۱۱۲۲۳۳', '+98 912 123 4567'),
        fc.constantFrom('Hello', 'every tuesday 10 we meet', 'سلام، فردا ساعت ۹'),
        fc.constantFrom(' ', '\n'),
        (when, numbers, text, gap) => {
          if (schedule === undefined) throw new Error('no command');
          expect(readLine(schedule, `${when}${gap}${numbers} ${text}`)).toEqual({ when, numbers, text });
          expect(schedule.args['when']?.schema.safeParse(when).success, when).toBe(true);
        },
      ),
    );
  });

  test('without a time keeps the numbers and the text', () => {
    for (const numbers of ['09121234567', '۰۹۱۲۱۲۳۴۵۶۷، ۰۹۳۵۱۱۱۲۲۳۳', '+98 912 123 4567']) {
      if (schedule === undefined) throw new Error('no command');
      expect(readLine(schedule, `${numbers} Hello you`)).toEqual({ numbers, text: 'Hello you' });
    }
  });

  test('keeps what stands behind a time that nobody knows', () => {
    for (const when of ['every tuesday', 'every hour', 'next week', 'tomorrow at 5', 'every month 32 9:00']) {
      if (schedule === undefined) throw new Error('no command');
      expect(readLine(schedule, `${when} 09121234567 Hello you`)).toEqual({
        when,
        numbers: '09121234567',
        text: 'Hello you',
      });
      expect(schedule.args['when']?.schema.safeParse(when).success).toBe(false);
    }
  });
});

describe('what was typed as a time', () => {
  test('is a whole minute ahead, within a year, or is refused', () => {
    const hours = fc.integer({ min: 0, max: 9999 });
    const anyTime = fc.oneof(
      fc.constantFrom(...TIMES),
      hours.map((count) => `in ${count} h`),
      fc.tuple(hours, fc.integer({ min: 0, max: 23 })).map(([days, hour]) => {
        const on = localTimeOf(new Date(NOW.getTime() + (days - 5000) * 3_600_000), 'Asia/Tehran');
        return `${on.year}-${on.month}-${on.day} ${hour}:00`;
      }),
    );
    const anyNow = fc.integer({ min: -43_200, max: 43_200 }).map((s) => new Date(NOW.getTime() + s * 1000));
    fc.assert(
      fc.property(anyTime, anyNow, (typed, now) => {
        const when = read(typed, null, 'en', now);
        if (when === 'problem' || when === null) return;
        const ahead = when.sendAt.getTime() - now.getTime();
        expect(ahead).toBeGreaterThanOrEqual(MINUTE);
        expect(ahead).toBeLessThanOrEqual(YEAR);
        expect(when.sendAt.getTime() % MINUTE).toBe(0);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    '2020-01-01 10:00',
    'today 9:00',
    'in 0 minutes',
    'in 400 days',
    'soon',
    'every week',
    'every day',
    'tomorrow',
    'tomorrow 5',
    'tuesday 18:00',
  ])('is refused: %s', (typed) => {
    expect(read(typed)).toBe('problem');
  });

  test('keeps the rule that a draft has, unless another one is typed', () => {
    const before = {
      sendAt: new Date('2026-12-01T06:30:00Z'),
      recur: { every: 'week', weekday: 2, minute: 600 },
    } as const;
    expect(read('tomorrow 9', before)).toEqual({
      sendAt: new Date('2026-11-25T05:30:00Z'),
      recur: before.recur,
    });
    expect(read('every friday 9', before)).toMatchObject({ recur: { weekday: 5, minute: 540 } });
    expect(read('once', before)).toEqual({ sendAt: before.sendAt, recur: null });
    expect(read('now', before)).toBeNull();
    expect(read('یک بار', before)).toEqual({ sendAt: before.sendAt, recur: null });
    expect(read('همین حالا', before)).toBeNull();
  });

  test('makes a rule of the time that a draft has, by the calendar of the language', () => {
    const before = { sendAt: new Date('2026-11-24T14:30:00Z'), recur: null };
    expect(read('every week', before)).toMatchObject({ recur: { every: 'week', weekday: 2, minute: 1080 } });
    expect(read('every day', before)).toEqual({ ...before, recur: { every: 'day', minute: 1080 } });
    expect(read('هر روز', before)).toEqual({ ...before, recur: { every: 'day', minute: 1080 } });
    expect(read('every month', before)).toMatchObject({ recur: { calendar: 'gregorian', day: 24 } });
    expect(read('هر ماه', before, 'fa')).toMatchObject({ recur: { calendar: 'jalali', day: 3 } });
    expect(read('every week', before)).toMatchObject({ sendAt: before.sendAt });
  });

  test.each([
    ['tomorrow', 'At what time? Write «tomorrow» as Wed 25 Nov 2026, 09:00 or Wed 25 Nov 2026, 18:00.'],
    [
      'tomorrow 5',
      '«tomorrow 5»: before noon or after it? Write Wed 25 Nov 2026, 05:00 or Wed 25 Nov 2026, 17:00.',
    ],
    [
      'tuesday 18',
      '«tuesday 18»: which day is meant? Write Tue 24 Nov 2026, 18:00 or Tue 1 Dec 2026, 18:00.',
    ],
    [
      'every day at 5',
      '«every day at 5»: before noon or after it? Write every day at 05:00 or every day at 17:00.',
    ],
  ])('is not guessed where it may mean two things, and a line that would do is given: %s', (typed, says) => {
    const found = readWhen(typed, { now: NOW, format: formats.en, before: null });
    expect('problem' in found && stripBidi(plainText(found.problem))).toBe(says);
  });

  test('may be what a card says of a time or a rule, in both languages and calendars', () => {
    const minutes = fc.integer({ min: 2, max: 365 * 1440 });
    const rules = fc.oneof(
      fc.record({ every: fc.constant('day'), minute: fc.nat(1439) }),
      fc.record({ every: fc.constant('week'), weekday: fc.nat(6), minute: fc.nat(1439) }),
      fc.record({
        every: fc.constant('month'),
        calendar: fc.constantFrom('jalali', 'gregorian'),
        day: fc.integer({ min: 1, max: 31 }),
        minute: fc.nat(1439),
      }),
    ) as fc.Arbitrary<Recurrence>;
    fc.assert(
      fc.property(minutes, rules, fc.constantFrom('en', 'fa'), (ahead, recur, locale) => {
        const sendAt = new Date(Math.floor(NOW.getTime() / MINUTE + ahead) * MINUTE);
        const printed = formats[locale].dateTime(sendAt);
        expect(read(printed, null, locale), printed).toEqual({ sendAt, recur: null });
        expect(read(ruleText(recur, formats[locale]), null, locale)).toMatchObject({ recur });
      }),
    );
  });

  test('of each day needs no word for "every" either, and no other hour than the one that is typed', () => {
    for (const typed of ['9:00', '۹ صبح', 'at 9pm', 'every day 9', 'هر روز ۹'])
      expect(dailyArgument.schema.safeParse(typed).success, typed).toBe(true);
    expect(read(ruleLine('day', '۹ صبح', 'fa') ?? '')).toMatchObject({
      recur: { every: 'day', minute: 540 },
    });
    expect(dailyArgument.schema.safeParse('5').success).toBe(false);
    expect(stripBidi(plainText(dailyArgument.problem('en', '5')))).toContain(
      'every day at 05:00 or every day at 17:00',
    );
  });

  test('of each week or month needs no word for "every", and takes the calendar of the language', () => {
    for (const typed of [' tuesday 10:00 ', 'سه‌شنبه ۱۰', 'every tuesday 10', 'هر سه‌شنبه ۱۰']) {
      expect(weeklyArgument.schema.safeParse(typed).success, typed).toBe(true);
      expect(read(ruleLine('week', typed, 'en') ?? '')).toMatchObject({ recur: { weekday: 2, minute: 600 } });
    }
    for (const [typed, locale, calendar] of [
      ['5 9:00', 'en', 'gregorian'],
      ['5 9:00', 'fa', 'jalali'],
      ['۵ ساعت ۹', 'fa', 'jalali'],
      ['every month 5 9:00', 'fa', 'gregorian'],
      ['هر ماه ۵ ام ساعت ۹', 'en', 'jalali'],
    ] as const) {
      expect(monthlyArgument.schema.safeParse(typed).success, typed).toBe(true);
      const line = ruleLine('month', typed, locale) ?? '';
      expect(read(line), typed).toMatchObject({ recur: { calendar, day: 5, minute: 540 } });
    }
    for (const typed of ['5 9:00', 'someday 9', 'tuesday 10:00 Hello', ''])
      expect(weeklyArgument.schema.safeParse(typed).success).toBe(false);
    expect(plainText(weeklyArgument.problem('en', ''))).not.toContain('every');
    for (const typed of ['tuesday 9', '32 9:00', ''])
      expect(monthlyArgument.schema.safeParse(typed).success).toBe(false);
  });

  test.each([
    ['now', null],
    [' At once ', null],
    ['هم‌اکنون', null],
    ['هماکنون', null],
    ['once', 'once'],
    ['فقط یک بار', 'once'],
    ['یکبار', 'once'],
    ['everyday', 'day'],
    ['هرروز', 'day'],
    ['Weekly', 'week'],
    ['هفتگی', 'week'],
    ['ماهانه', 'month'],
    ['right now', 'problem'],
    ['nowhere', 'problem'],
    ['not once', 'problem'],
    ['once more', 'problem'],
    ['not daily', 'problem'],
    ['daily x', 'problem'],
    ['biweekly', 'problem'],
    ['weekly 9', 'problem'],
    ['bimonthly', 'problem'],
    ['monthly 9', 'problem'],
  ])('of a draft that has one may be changed by a word: %j', (typed, wish) => {
    const before = {
      sendAt: new Date('2026-12-01T06:30:00Z'),
      recur: { every: 'week', weekday: 1, minute: 1 },
    } as const;
    const found = read(typed, before);
    const named = typeof found === 'string' || found === null ? found : (found.recur?.every ?? 'once');
    expect(named).toBe(wish);
    expect(wishArgument.schema.safeParse(typed).success).toBe(wish !== 'problem');
  });

  test('is none of a draft that has none, where it is to come once', () => {
    expect(read('once')).toBeNull();
  });
});

describe('a pace', () => {
  test.each([
    ['500', 500],
    [' ۲۰۰۰ ', 2000],
    ['2,000 per hour', 2000],
    ['  500 per hour  ', 500],
    ['ساعتی  ۵۰۰', 500],
    ['۵۰۰تادر  ساعت', 500],
    ['5ساعتی 00', undefined],
    ['500 recipients an hour', 500],
    ['500recipient/h', 500],
    ['500 / hour', 500],
    ['ساعتی ۵۰۰ تا', 500],
    ['۵۰۰ در ساعت', 500],
    ['۵۰۰ تا در ساعت', 500],
    ['50', 50],
    ['100000', 100_000],
    ['off', null],
    ['49', undefined],
    ['100001', undefined],
    ['500 a day', undefined],
    ['an hour 500', undefined],
    ['fast', undefined],
  ])('is so many an hour: %j is %j', (typed, perHour) => {
    expect(paceArgument.schema.safeParse(typed)).toMatchObject(
      perHour === undefined ? { success: false } : { success: true, data: perHour },
    );
  });

  test.each([
    ['9-20', { from: 540, to: 1200 }],
    ['off', null],
    ['9', undefined],
  ])('has hours of its own: %j is %j', (typed, hours) => {
    expect(paceHoursArgument.schema.safeParse(typed)).toMatchObject(
      hours === undefined ? { success: false } : { success: true, data: hours },
    );
  });

  test('is offered as what it takes', async () => {
    const ctx = { locale: 'en', format: formats.en } as never;
    expect(stripBidi(plainText(paceArgument.problem('en', 'x')))).toContain(
      '«x» is not a number of recipients an hour. Type one from 50 to 100,000',
    );
    expect(plainText(paceHoursArgument.problem('en', 'x'))).toContain('9-20');
    for (const { choices, schema } of [paceArgument, paceHoursArgument]) {
      const offered = await choices(ctx);
      expect(offered.length).toBeGreaterThan(2);
      for (const { value } of offered) expect(schema.safeParse(value).success, value).toBe(true);
    }
  });
});
