import type { Calendar } from '../../domain/calendar.ts';
import { MONTH_NAMES } from '../../domain/month-names.ts';
import { phrases } from './tokens.ts';

export const WEEKDAYS = phrases<number>([
  ['sunday|sun|یکشنبه|یک شنبه|1 شنبه', 0],
  ['monday|mon|دوشنبه|دو شنبه|2 شنبه', 1],
  ['tuesday|tues|tue|سه‌شنبه|سه شنبه|3 شنبه', 2],
  ['wednesday|weds|wed|چهارشنبه|چهار شنبه|4 شنبه|چارشنبه', 3],
  ['thursday|thurs|thur|thu|پنجشنبه|پنج شنبه|5 شنبه', 4],
  ['friday|fri|جمعه', 5],
  ['saturday|sat|شنبه', 6],
]);

/** The same as what comes again: "Tuesdays", «سه‌شنبه‌ها». */
export const WEEKDAYS_AGAIN: typeof WEEKDAYS = WEEKDAYS.flatMap(([words, day]) => {
  const [last = '', before] = [words.at(-1), words.slice(0, -1)];
  // "thurs" and "tues" are one day, however much they look like several.
  const english = last.endsWith('day') ? [[`${last}s`]] : [];
  const plurals = /[a-z]/u.test(last) ? english : [[`${last}ها`], [last, 'ها']];
  return plurals.map((plural) => [[...before, ...plural], day] as const);
}).toSorted(([left], [right]) => right.length - left.length);

export interface Month {
  readonly calendar: Calendar;
  readonly month: number;
}

const months = (calendar: Calendar, names: readonly string[]) =>
  names.map((said, at): readonly [string, Month] => [
    `${said}|${said.split('|', 1)[0]}ماه`,
    { calendar, month: at + 1 },
  ]);

export const MONTHS = phrases<Month>([
  ...months('jalali', MONTH_NAMES.jalali),
  ...months('gregorian', MONTH_NAMES.gregorian),
]);

export interface Part {
  readonly from: number;
  readonly to: number;
  /** The hour that is meant where none is named. */
  readonly usual: number;
  /** Its hours go on after midnight: which day is meant then does not show. */
  readonly isNight?: boolean;
  /** A half of the clock: of 12 hours, not of 24. */
  readonly isHalf?: boolean;
}

const NIGHT: Part = { from: 18, to: 23, usual: 20, isNight: true };
const MORNING: Part = { from: 1, to: 11, usual: 9 };
const NOON: Part = { from: 11, to: 15, usual: 12 };
const AFTERNOON: Part = { from: 12, to: 19, usual: 15 };
const EVENING: Part = { from: 14, to: 20, usual: 17 };

/** Times of the day, each with the hours of a clock that it may be said of. */
export const PARTS = phrases<Part>([
  ['morning|صبح', MORNING],
  ['بامداد|سحر', { from: 0, to: 6, usual: 5 }],
  ['قبل از ظهر|پیش از ظهر|ق . ظ', { ...MORNING, from: 6 }],
  ['ظهر', NOON],
  ['afternoon|بعدازظهر|بعد از ظهر|ب . ظ', AFTERNOON],
  ['عصر|غروب', EVENING],
  ['evening', { from: 16, to: 23, usual: 18 }],
  ['night|شب', NIGHT],
  ['am|a . m .|a . m', { from: 0, to: 11, usual: 9, isHalf: true }],
  ['pm|p . m .|p . m', { from: 12, to: 23, usual: 15, isHalf: true }],
]);

/** Days counted from today, some with their time of the day. */
export const NEAR_DAYS = phrases<{ readonly days: number; readonly part?: Part }>([
  ['today|امروز', { days: 0 }],
  ['tomorrow|tmrw|tomorow|فردا', { days: 1 }],
  ['day after tomorrow|پس‌فردا|پس فردا', { days: 2 }],
  ['پسون‌فردا|پس پس فردا', { days: 3 }],
  ['yesterday|دیروز', { days: -1 }],
  ['day before yesterday|پریروز', { days: -2 }],
  ['this morning', { days: 0, part: MORNING }],
  ['this afternoon', { days: 0, part: AFTERNOON }],
  ['this evening', { days: 0, part: { ...EVENING, from: 16, to: 23, usual: 18 } }],
  ['tonight|امشب', { days: 0, part: NIGHT }],
  ['فرداشب', { days: 1, part: NIGHT }],
]);

export type Which = 'next' | 'this' | 'last';

/** Which of several weeks, months or weekdays; in Persian some stand behind it. */
export const WHICH = phrases<Which>([
  ['next|coming|بعد|بعدی|آینده|دیگر|دیگه', 'next'],
  ['this|این|همین', 'this'],
  ['last|past|previous|گذشته|قبل|قبلی|پیش|اخیر', 'last'],
]);

export const UNITS = phrases<'minute' | 'hour' | 'day' | 'week' | 'month'>([
  ['m|min|mins|minute|minutes|دقیقه', 'minute'],
  ['h|hr|hrs|hour|hours|ساعت', 'hour'],
  ['d|day|days|روز', 'day'],
  ['w|week|weeks|هفته', 'week'],
  ['month|months|ماه', 'month'],
]);

export const HALF_HOURS = phrases<number>([
  ['half an hour|نیم ساعت|نیمساعت', 30],
  ['یک ربع|یه ربع|یکربع', 15],
  ['سه ربع', 45],
]);
export const AHEAD = phrases<true>([['later|from now|دیگر|دیگه|بعد', true]]);
export const AGO = phrases<true>([['ago|پیش|قبل', true]]);
export const NOW = phrases<true>([['now|اکنون|الان|حالا|هم‌اکنون|همین الان|همین حالا', true]]);
export const EVERY = phrases<true>([['every|each|هر', true]]);
export const AT = phrases<true>([['at|@|ساعت|راس ساعت|سر ساعت', true]]);
export const MINUTES = phrases<number>([
  ['and a half|و نیم', 30],
  ['and a quarter|و ربع|و یک ربع', 15],
]);
export const BEFORE_HOUR = phrases<number>([
  ['half past', 30],
  ['quarter past|a quarter past', 15],
  ['quarter to|a quarter to|یک ربع به|یه ربع به|ربع به', -15],
]);
/** What stands between the words of a time without saying anything. */
export const FILLERS = phrases<true>([[',|،|on|the|of|for|in the|in|t|روز|در|برای|تاریخ|مورخ', true]]);
