import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Locale } from './define.ts';
import { createFormat } from './format.ts';
import { readMoment } from './moment.ts';

const TEHRAN = 'Asia/Tehran';
/** Tuesday, 3 Azar 1405, 14:02:30 in Tehran. */
const NOW = new Date('2026-11-24T10:32:30Z');
const context = { now: NOW, timeZone: TEHRAN };

/** As the clocks in Tehran show it. */
function shown(at: Date): string {
  const parts = new Intl.DateTimeFormat('sv-SE', {
    timeZone: TEHRAN,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return parts.format(at);
}

function read(text: string) {
  const found = readMoment(text, context);
  if (found === null) return null;
  const rest = text.slice(found.taken);
  return 'doubt' in found
    ? [found.doubt, found.could.map(({ at }) => shown(at)), rest]
    : [shown(found.at), found.rule, rest];
}

const ENGLISH: readonly [text: string, at: string][] = [
  ['1405/09/04 10:00', '2026-11-25 10:00'],
  ['2026-11-25 10:00', '2026-11-25 10:00'],
  ['2026/11/25 10:00', '2026-11-25 10:00'],
  ['2026-11-25T10:00', '2026-11-25 10:00'],
  ['2026.11.25 10.30', '2026-11-25 10:30'],
  ['26/11/2026 10:00', '2026-11-26 10:00'],
  ['26 Nov 10:00', '2026-11-26 10:00'],
  ['26 nov. at 10', '2026-11-26 10:00'],
  ['Thu 26 Nov 2026, 20:00', '2026-11-26 20:00'],
  ['Thursday, November 26th, 2026 at 8 p.m.', '2026-11-26 20:00'],
  ['Thursday 26 November at 8pm', '2026-11-26 20:00'],
  ['Nov 26 10:00', '2026-11-26 10:00'],
  ['the 26th of November at 10 am', '2026-11-26 10:00'],
  ['first of December, 9:30', '2026-12-01 09:30'],
  ['5 azar 10:00', '2026-11-26 10:00'],
  ['5 Dey 1405 18:30', '2026-12-26 18:30'],
  ['15 June 9:00', '2027-06-15 09:00'],
  ['10:00 26 Nov', '2026-11-26 10:00'],
  ['tomorrow 9', '2026-11-25 09:00'],
  ['Tomorrow at 9:30', '2026-11-25 09:30'],
  ['tomorrow, 9:30', '2026-11-25 09:30'],
  ['tomorrow 9pm', '2026-11-25 21:00'],
  ['tomorrow 9 PM', '2026-11-25 21:00'],
  ['tomorrow 9 a.m.', '2026-11-25 09:00'],
  ['9am tomorrow', '2026-11-25 09:00'],
  ['9 tomorrow', '2026-11-25 09:00'],
  ['at 9 tomorrow morning', '2026-11-25 09:00'],
  ['tomorrow morning', '2026-11-25 09:00'],
  ['tomorrow at noon', '2026-11-25 12:00'],
  ['tomorrow afternoon at 3', '2026-11-25 15:00'],
  ['tomorrow evening', '2026-11-25 18:00'],
  ['tomorrow at eight in the evening', '2026-11-25 20:00'],
  ['tomorrow 05:00', '2026-11-25 05:00'],
  ['tomorrow at half past 8', '2026-11-25 08:30'],
  ['tomorrow at quarter to 9', '2026-11-25 08:45'],
  ["tomorrow at 9 o'clock", '2026-11-25 09:00'],
  ['day after tomorrow 10:00', '2026-11-26 10:00'],
  ['the day after tomorrow at 10', '2026-11-26 10:00'],
  ['today 18:30', '2026-11-24 18:30'],
  ['today at 5', '2026-11-24 17:00'],
  ['this evening at 7', '2026-11-24 19:00'],
  ['tonight', '2026-11-24 20:00'],
  ['tonight at 9', '2026-11-24 21:00'],
  ['saturday 10', '2026-11-28 10:00'],
  ['on Saturday at 10', '2026-11-28 10:00'],
  ['sat 10am', '2026-11-28 10:00'],
  ['10am saturday', '2026-11-28 10:00'],
  ['Thu 09:00', '2026-11-26 09:00'],
  ['thurs. 9:00', '2026-11-26 09:00'],
  ['friday night at 8', '2026-11-27 20:00'],
  ['tuesday 10', '2026-12-01 10:00'],
  ['next tuesday 18:00', '2026-12-01 18:00'],
  ['next friday at 8', '2026-11-27 08:00'],
  ['this friday at 8', '2026-11-27 08:00'],
  ['monday next week at 9', '2026-11-30 09:00'],
  ['next week monday 9:00', '2026-11-30 09:00'],
  ['18:30', '2026-11-24 18:30'],
  ['09:00', '2026-11-25 09:00'],
  ['at 18', '2026-11-24 18:00'],
  ['6:30pm', '2026-11-24 18:30'],
  ['noon', '2026-11-25 12:00'],
  ['in 2 hours', '2026-11-24 16:02'],
  ['in 2h', '2026-11-24 16:02'],
  ['in 30 minutes', '2026-11-24 14:32'],
  ['in half an hour', '2026-11-24 14:32'],
  ['in an hour', '2026-11-24 15:02'],
  ['in an hour and a half', '2026-11-24 15:32'],
  ['in 1 h 30 min', '2026-11-24 15:32'],
  ['2 hours from now', '2026-11-24 16:02'],
  ['two hours later', '2026-11-24 16:02'],
  ['in 3 days', '2026-11-27 14:02'],
  ['in 3 days at 10:00', '2026-11-27 10:00'],
  ['in a week', '2026-12-01 14:02'],
  ['Thu 26 Nov 2026, 20:00 (Asia/Tehran)', '2026-11-26 20:00'],
  ['Thu 26 Nov 2026, 20:00 (UTC)', '2026-11-26 23:30'],
];

const PERSIAN: readonly [text: string, at: string][] = [
  ['۱۴۰۵/۰۹/۰۴ ۱۰:۰۰', '2026-11-25 10:00'],
  ['۱۴۰۵-۹-۴ ساعت ۱۰', '2026-11-25 10:00'],
  ['۴/۹/۱۴۰۵ ۱۰:۰۰', '2026-11-25 10:00'],
  ['۵ آذر ساعت ۱۰', '2026-11-26 10:00'],
  ['5 اذر ساعت 10', '2026-11-26 10:00'],
  ['۵ آذر ۱۴۰۵ ۱۰:۰۰', '2026-11-26 10:00'],
  ['۵ آذر سال ۱۴۰۵ ساعت ۱۰ صبح', '2026-11-26 10:00'],
  ['۵ آذرماه ساعت ۱۰', '2026-11-26 10:00'],
  ['۵ آذر ماه ساعت ۱۰', '2026-11-26 10:00'],
  ['پنجشنبه ۵ آذر ۱۴۰۵، ۲۰:۰۰', '2026-11-26 20:00'],
  ['پنج‌شنبه ۵ آذر، ساعت ۲۰', '2026-11-26 20:00'],
  ['پنجم آذر ساعت ۱۰', '2026-11-26 10:00'],
  ['۵ام آذر ساعت ۱۰', '2026-11-26 10:00'],
  ['اول دی ساعت ۹', '2026-12-22 09:00'],
  ['بیست و پنجم آذر ساعت ۹', '2026-12-16 09:00'],
  ['روز ۱۰ دی ساعت ۹', '2026-12-31 09:00'],
  ['ساعت ۱۰ روز ۵ آذر', '2026-11-26 10:00'],
  ['۲۶ نوامبر ساعت ۱۰', '2026-11-26 10:00'],
  ['۱ فروردین ساعت ۱۰', '2027-03-21 10:00'],
  ['۵شنبه ساعت ۸ شب', '2026-11-26 20:00'],
  ['5شنبه ساعت 8 شب', '2026-11-26 20:00'],
  ['۵ شنبه ۸ شب', '2026-11-26 20:00'],
  ['پنج شنبه ۸ شب', '2026-11-26 20:00'],
  ['پنجشنبه شب ساعت ۸', '2026-11-26 20:00'],
  ['جمعه شب', '2026-11-27 20:00'],
  ['فردا ۹', '2026-11-25 09:00'],
  ['فردا ۹ صبح', '2026-11-25 09:00'],
  ['فردا ساعت ۹ شب', '2026-11-25 21:00'],
  ['فردا صبح', '2026-11-25 09:00'],
  ['صبح فردا', '2026-11-25 09:00'],
  ['فردا صبح ساعت ۱۰', '2026-11-25 10:00'],
  ['فردا صبح ساعت هشت و نیم', '2026-11-25 08:30'],
  ['فردا عصر ساعت ۵', '2026-11-25 17:00'],
  ['عصر فردا', '2026-11-25 17:00'],
  ['فردا ظهر', '2026-11-25 12:00'],
  ['فردا ساعت ۱ ظهر', '2026-11-25 13:00'],
  ['فردا ساعت ۵ بعد از ظهر', '2026-11-25 17:00'],
  ['فردا ۵ بعدازظهر', '2026-11-25 17:00'],
  ['فردا ۵ ب.ظ', '2026-11-25 17:00'],
  ['فردا شب', '2026-11-25 20:00'],
  ['فردا ساعت ۹:۳۰', '2026-11-25 09:30'],
  ['فردا ساعت ۹ و نیم', '2026-11-25 09:30'],
  ['فردا یک ربع به ۹', '2026-11-25 08:45'],
  ['ساعت ۹ فردا', '2026-11-25 09:00'],
  ['ساعت ۸ شب فردا', '2026-11-25 20:00'],
  ['پس‌فردا ۱۲ ظهر', '2026-11-26 12:00'],
  ['پس فردا ۱۰', '2026-11-26 10:00'],
  ['امروز ساعت ۱۸', '2026-11-24 18:00'],
  ['امروز ساعت ۵', '2026-11-24 17:00'],
  ['امروز عصر', '2026-11-24 17:00'],
  ['امشب', '2026-11-24 20:00'],
  ['امشب ساعت ۹', '2026-11-24 21:00'],
  ['سه‌شنبه ۱۰', '2026-12-01 10:00'],
  ['شنبه ساعت ۱۰', '2026-11-28 10:00'],
  ['روز شنبه ساعت ۱۰', '2026-11-28 10:00'],
  ['شنبه صبح', '2026-11-28 09:00'],
  ['سه شنبه ۱۰:۳۰', '2026-12-01 10:30'],
  ['يكشنبه ۱۰', '2026-11-29 10:00'],
  ['شنبه هفته بعد ساعت ۱۰', '2026-11-28 10:00'],
  ['چهارشنبه هفتهٔ بعد ساعت ۱۰', '2026-12-02 10:00'],
  ['هفته آینده چهارشنبه ساعت ۱۰', '2026-12-02 10:00'],
  ['جمعه بعد ساعت ۱۰', '2026-11-27 10:00'],
  ['همین جمعه ساعت ۱۰', '2026-11-27 10:00'],
  ['جمعه بعد از ظهر', '2026-11-27 15:00'],
  ['ساعت ۹', '2026-11-25 09:00'],
  ['ساعت ۱۸', '2026-11-24 18:00'],
  ['۸ شب', '2026-11-24 20:00'],
  ['نیم ساعت دیگر', '2026-11-24 14:32'],
  ['نیم‌ساعت دیگه', '2026-11-24 14:32'],
  ['یک ربع دیگر', '2026-11-24 14:17'],
  ['۲ ساعت دیگر', '2026-11-24 16:02'],
  ['دو ساعت دیگه', '2026-11-24 16:02'],
  ['یک ساعت و نیم دیگر', '2026-11-24 15:32'],
  ['۲ ساعت و ۵ دقیقه بعد', '2026-11-24 16:07'],
  ['3 روز دیگر', '2026-11-27 14:02'],
  ['سه روز دیگر ساعت ۱۰', '2026-11-27 10:00'],
  ['یک هفته دیگر', '2026-12-01 14:02'],
  ['پنجشنبه ۵ آذر ۱۴۰۵، ۲۰:۰۰ (UTC)', '2026-11-26 23:30'],
];

describe('a time ahead', () => {
  it.each([...ENGLISH, ...PERSIAN])('is read from %j, and leaves what follows', (text, at) => {
    expect(read(text)).toEqual([at, null, '']);
    expect(read(`${text} 09121234567 Hello`)).toEqual([at, null, '09121234567 Hello']);
    expect(read(`${text}\n۰۹۱۲ ۱۲۳ ۴۵۶۷ سلام`)).toEqual([at, null, '۰۹۱۲ ۱۲۳ ۴۵۶۷ سلام']);
  });
});

describe('a time that may be another', () => {
  it.each<[string, string, readonly string[]]>([
    ['tomorrow', 'time', ['2026-11-25 09:00', '2026-11-25 18:00']],
    ['today', 'time', ['2026-11-24 18:00']],
    ['فردا', 'time', ['2026-11-25 09:00', '2026-11-25 18:00']],
    ['5 azar', 'time', ['2026-11-26 09:00', '2026-11-26 18:00']],
    ['شنبه', 'time', ['2026-11-28 09:00', '2026-11-28 18:00']],
    ['next week', 'time', ['2026-11-28 09:00', '2026-11-28 18:00', '2026-11-30 09:00', '2026-11-30 18:00']],
    ['tomorrow at 5', 'hour', ['2026-11-25 05:00', '2026-11-25 17:00']],
    ['tomorrow 5:30', 'hour', ['2026-11-25 05:30', '2026-11-25 17:30']],
    ['فردا ساعت ۵', 'hour', ['2026-11-25 05:00', '2026-11-25 17:00']],
    ['at 5', 'hour', ['2026-11-25 05:00', '2026-11-24 17:00']],
    ['ساعت ۵ شنبه', 'hour', ['2026-11-28 05:00', '2026-11-28 17:00']],
    ['tuesday 18:00', 'day', ['2026-11-24 18:00', '2026-12-01 18:00']],
    ['سه‌شنبه ساعت ۱۸', 'day', ['2026-11-24 18:00', '2026-12-01 18:00']],
    ['next wednesday 10:00', 'day', ['2026-11-25 10:00', '2026-12-02 10:00']],
    ['saturday next week at 10', 'day', ['2026-11-28 10:00', '2026-12-05 10:00']],
    ['شب جمعه ساعت ۸', 'day', ['2026-11-26 20:00', '2026-11-27 20:00']],
    ['فردا ۱۲ شب', 'day', ['2026-11-25 00:00', '2026-11-26 00:00']],
    ['فردا ساعت ۲ شب', 'day', ['2026-11-25 02:00', '2026-11-26 02:00']],
    ['Wed 26 Nov 2026, 20:00', 'day', ['2026-11-26 20:00']],
    ['every tuesday', 'time', ['2026-12-01 09:00']],
    ['هر روز', 'time', ['2026-11-25 09:00']],
    ['every day at 5', 'hour', ['2026-11-25 05:00', '2026-11-24 17:00']],
  ])('is not taken for one: %j', (text, doubt, could) => {
    expect(read(text)).toEqual([doubt, could, '']);
  });

  it.each([
    '',
    'Hello',
    '09121234567 Hello',
    '1405/13/01 10:00',
    'tomorrow 13pm',
    '25:00',
    'in h',
    '9',
    '1404/12/30 10:00',
    '5/9/2026 10:00',
    'yesterday 10:00',
    'last friday 10:00',
    'next month',
    'two hours ago',
    'every hour',
    'every month 0 9:00',
    'every month 9:00',
    'every Hello',
    'فردا ساعت ۹ ظهر',
  ])('is not read from %j', (text) => {
    expect(read(text)).toBeNull();
  });

  it('is not read from an hour that no clock has', () => {
    expect(read('1405/09/04 24:00')).toEqual(['time', ['2026-11-25 09:00', '2026-11-25 18:00'], '24:00']);
    expect(read('1405/09/04 10:60')).toEqual(['time', ['2026-11-25 09:00', '2026-11-25 18:00'], '10:60']);
  });

  it('that is just over is that day, and not the same of next year', () => {
    expect(read('20 Nov 10:00')).toEqual(['2026-11-20 10:00', null, '']);
    expect(read('۳ آذر ۱۰:۰۰')).toEqual(['2026-11-24 10:00', null, '']);
    expect(read('3 Azar 18:00')).toEqual(['2026-11-24 18:00', null, '']);
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
      'İ',

      'every',
      'هر',
      'روز',
      'month',
      '5',
      'آذر',
      'next',
      'friday',
      '(',
      'UTC',
      ')',
      'شب',
      'بعد',
      'و',
      'نیم',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words, { maxLength: 8 }).map((each) => each.join('')),
          fc.array(words, { maxLength: 8 }).map((each) => each.join(' ')),
        ),
        (text) => {
          const found = readMoment(text, context);
          if (found === null) return;
          expect(found.taken).toBeGreaterThan(0);
          expect(found.taken).toBeLessThanOrEqual(text.length);
          for (const { at } of 'doubt' in found ? found.could : [found])
            expect(Number.isNaN(at.getTime())).toBe(false);
        },
      ),
      { numRuns: 4000 },
    );
  });
});

describe('a rule by which something repeats', () => {
  const tuesday = { every: 'week', weekday: 2, minute: 600 };
  const gregorian = { every: 'month', calendar: 'gregorian', day: 5, minute: 540 };
  const jalali = { every: 'month', calendar: 'jalali', day: 5, minute: 540 };
  const daily = { every: 'day', minute: 540 };

  // It is Tuesday, 14:02: this week's 10:00 is over, 18:00 is not.
  it.each([
    ['every day 9:00', daily, '2026-11-25 09:00'],
    ['every day at 9', daily, '2026-11-25 09:00'],
    ['daily at 9am', daily, '2026-11-25 09:00'],
    ['at 9 every day', daily, '2026-11-25 09:00'],
    ['every morning', daily, '2026-11-25 09:00'],
    ['every night at 9', { every: 'day', minute: 1260 }, '2026-11-24 21:00'],
    ['هر روز ۹', daily, '2026-11-25 09:00'],
    ['هرروز ساعت ۹ صبح', daily, '2026-11-25 09:00'],
    ['روزانه ساعت ۹', daily, '2026-11-25 09:00'],
    ['ساعت ۹ هر روز', daily, '2026-11-25 09:00'],
    ['هر شب ساعت ۹', { every: 'day', minute: 1260 }, '2026-11-24 21:00'],
    ['هر روز صبح', daily, '2026-11-25 09:00'],
    ['every tuesday 10', tuesday, '2026-12-01 10:00'],
    ['Every Tuesday at 10:00', tuesday, '2026-12-01 10:00'],
    ['every week on tuesdays 10am', tuesday, '2026-12-01 10:00'],
    ['Tuesdays at 10', tuesday, '2026-12-01 10:00'],
    ['هر سه‌شنبه ۱۰', tuesday, '2026-12-01 10:00'],
    ['هر سه شنبه ساعت ۱۰', tuesday, '2026-12-01 10:00'],
    ['هر هفته سه‌شنبه ۱۰ صبح', tuesday, '2026-12-01 10:00'],
    ['سه‌شنبه‌ها ساعت ۱۰', tuesday, '2026-12-01 10:00'],
    ['سه شنبه ها ساعت ۱۰', tuesday, '2026-12-01 10:00'],
    ['every tuesday 18', { every: 'week', weekday: 2, minute: 1080 }, '2026-11-24 18:00'],
    ['هر شنبه ۹:۳۰', { every: 'week', weekday: 6, minute: 570 }, '2026-11-28 09:30'],
    ['every month 5 9:00', gregorian, '2026-12-05 09:00'],
    ['every month on the 5th at 9', gregorian, '2026-12-05 09:00'],
    ['5th of every month at 9', gregorian, '2026-12-05 09:00'],
    ['monthly 5 9:00', gregorian, '2026-12-05 09:00'],
    ['هر ماه ۵ ام ساعت ۹', jalali, '2026-11-26 09:00'],
    ['هر ماه روز ۵ ساعت ۹', jalali, '2026-11-26 09:00'],
    ['پنجم هر ماه ساعت ۹', jalali, '2026-11-26 09:00'],
    ['اول هر ماه ساعت ۹', { ...jalali, day: 1 }, '2026-12-22 09:00'],
    ['ماهانه ۵م ۹ صبح', jalali, '2026-11-26 09:00'],
    ['every month 31 9', { ...gregorian, day: 31 }, '2026-11-30 09:00'],
  ])('is read from %j, and leaves what follows', (text, rule, first) => {
    expect(read(text)).toEqual([first, rule, '']);
    expect(read(`${text} 09121234567 Hello`)).toEqual([first, rule, '09121234567 Hello']);
  });
});

describe('what a card prints', () => {
  const zones = [
    'Asia/Tehran',
    'UTC',
    'Europe/Berlin',
    'America/St_Johns',
    'Pacific/Kiritimati',
    'Asia/Kathmandu',
  ];

  it('can be typed back, in both languages and calendars, and is the same minute', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 366 * 1440 }),
        fc.integer({ min: Date.UTC(2024, 0, 1) / 60_000, max: Date.UTC(2032, 0, 1) / 60_000 }),
        fc.constantFrom(...zones),
        fc.constantFrom<Locale>('en', 'fa'),
        (ahead, minute, timeZone, locale) => {
          const format = createFormat(locale, timeZone);
          const [now, at] = [new Date(minute * 60_000 - 1), new Date((minute + ahead) * 60_000)];
          const day = format.date(at);
          for (const text of [
            format.dateTime(at),
            format.zoned(format.dateTime(at), at),
            `${format.dateTime(at)} (${timeZone})`,
            `${day} ${format.time(at)}`,
            `${day}${locale === 'fa' ? '،' : ','} ${format.time(at)}`,
          ]) {
            const found = readMoment(text, { now, timeZone });
            const back = found !== null && 'at' in found ? found.at.getTime() : Number.NaN;
            expect(found?.taken, text).toBe(text.length);
            // The hour that comes twice in autumn is read as its first coming.
            expect([0, 3_600_000], text).toContain(at.getTime() - back);
          }
        },
      ),
      { numRuns: 400 },
    );
  });
});
