import { dayAfter, gregorianDayOf, jalaliDayOf, type Calendar, type CalendarDay } from './calendar.ts';
import { foldWord } from './fold.ts';
import { MONTH_NAMES } from './month-names.ts';

/** A day of somebody's as it stands in a file or a message, in the Jalali calendar: a birthday, the end of a contract. */
export interface PersonDate {
  /** Null where it was left out. */
  readonly year: number | null;
  readonly month: number;
  readonly day: number;
}

/** On which days of a person's date something is sent. */
export interface DateRule {
  /** Each year; else once, on the very date. */
  readonly yearly: boolean;
  /** Below zero: so many days after it. */
  readonly daysBefore: number;
}

/** How far from a date something may be sent, in days. */
export const MOST_DAYS_AWAY = 60;

/**
 * Reads a date as people type it into a cell: Jalali, or Gregorian from its year; with `/`, `-` or `.`, as eight digits,
 * with the name of the month, or as the number that a sheet keeps it as; without its year, or with the last two digits of
 * a Jalali one. Null for what is no day of any calendar, or could be two.
 */
export function readPersonDate(typed: string): PersonDate | null {
  if (typed.length > LONGEST) return null;
  const text = foldWord(typed).replace(TIME_BEHIND, '');
  const numbers = NUMBERS.exec(text);
  if (numbers !== null) {
    const [, first = '', , second = '', third] = numbers;
    return third === undefined ? yearless(first, second) : whole(first, second, third);
  }
  const [, year, month, day] = EIGHT_DIGITS.exec(text) ?? [];
  if (year !== undefined) return jalali(Number(year), Number(month), Number(day));
  const [, serial] = OF_SHEET.exec(text) ?? [];
  if (serial !== undefined)
    return jalaliDayOf(new Date(SHEET_BEGINS_MS + (Number(serial) + 0.5) * DAY_MS), 'UTC');
  return named(text);
}

/** Whether what somebody keeps of a person is meant as a date, by itself or by the name of its field, and is none that is read. */
export function isDateMissed(field: string, value: string): boolean {
  const isMeant = WITH_YEAR.test(foldWord(value)) || /birth|تولد/u.test(foldWord(field));
  return value !== '' && isMeant && readPersonDate(value) === null;
}

/** The Jalali day that is meant by a send of a Gregorian day. */
export function targetOf(day: CalendarDay, { daysBefore }: Pick<DateRule, 'daysBefore'>): CalendarDay {
  const { year, month, day: date } = dayAfter(day, daysBefore);
  return jalaliDayOf(new Date(Date.UTC(year, month - 1, date, 12)), 'UTC');
}

/** What a date has in common with the days that it falls on, see {@link keysOn}; null: it falls on none. */
export function keyOf({ year, month, day }: PersonDate, { yearly }: Pick<DateRule, 'yearly'>): string | null {
  if (yearly) return `${month}/${day}`;
  return year === null ? null : `${year}/${month}/${day}`;
}

/** The keys of the dates that fall on a Jalali day: 30 Esfand falls on the 29th where the year has no 30th. */
export function keysOn(target: CalendarDay, { yearly }: Pick<DateRule, 'yearly'>): readonly string[] {
  const { year, month, day } = target;
  const own = keyOf(target, { yearly }) ?? '';
  const isShortEnd = yearly && day === 29 && gregorianDayOf({ year, month, day: 30 }) === null;
  return isShortEnd ? [own, '12/30'] : [own];
}

/** The one time for which somebody is sent something: the year of the day that is meant, or that very day. */
export function occasionOf({ year, month, day }: CalendarDay, { yearly }: Pick<DateRule, 'yearly'>): number {
  return yearly ? year : year * 10_000 + month * 100 + day;
}

const LONGEST = 60;
/** Sheets keep a day as its midnight. */
const TIME_BEHIND = /(?:t|\s+)\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?z?$/u;
const NUMBERS = /^(\d{1,4})\s*([-/.٫])\s*(\d{1,2})(?:\s*\2\s*(\d{1,4}))?$/u;
const WITH_YEAR = /^(?=.*\b(?:1[2-4]|19|20)\d\d\b)\d{1,4}[-/.٫]\d{1,2}[-/.٫]\d{1,4}$/u;
const EIGHT_DIGITS = /^((?:1[2-4]|19|20)\d{2})(\d{2})(\d{2})$/u;
/** A day that a sheet keeps as a date comes as its number, from 1927 on. */
const OF_SHEET = /^([1-9]\d{4})(?:\.\d+)?$/u;
const SHEET_BEGINS_MS = Date.UTC(1899, 11, 30);
const DAY_MS = 86_400_000;
/** What may stand between the words of a date. */
const BESIDE = /^(?:st|nd|rd|th|of|the|ام|م|ماه|سال)$/u;
/** Two digits from here on are of the century before. */
const PIVOT = 30;

const MONTHS: ReadonlyMap<string, { readonly calendar: Calendar; readonly month: number }> = new Map(
  (['jalali', 'gregorian'] as const).flatMap((calendar) =>
    MONTH_NAMES[calendar].flatMap((names, at) =>
      names.split('|').flatMap((name) => {
        const month = { calendar, month: at + 1 };
        return [[foldWord(name), month] as const, [`${foldWord(name)}ماه`, month] as const];
      }),
    ),
  ),
);

/** Month and day, in this order unless the first can be no month. */
function yearless(first: string, second: string): PersonDate | null {
  const [one, two] = [Number(first), Number(second)];
  const [month, day] = one > 12 ? [two, one] : [one, two];
  return isJalali(null, month, day) ? { year: null, month, day } : null;
}

function whole(first: string, second: string, third: string): PersonDate | null {
  const [one, two, three] = [Number(first), Number(second), Number(third)];
  if (first.length === 4) return dated(one, two, three);
  if (third.length === 4) {
    // Which comes first is certain in the Jalali calendar, and where one of them can be no month.
    const [month, day] = two > 12 ? [one, two] : [two, one];
    const isSure = three < 1500 || one > 12 || two > 12 || one === two;
    return isSure ? dated(three, month, day) : null;
  }
  if (third.length === 3) return null;
  if (three > 31)
    return jalali(century(three), ...(two > 12 ? ([one, two] as const) : ([two, one] as const)));
  return first.length === 2 ? jalali(century(one), two, three) : null;
}

/** "12 Mordad 1370", "12th of May 1990", «۱۲ مرداد»: the day first or the month first, the year last. */
function named(text: string): PersonDate | null {
  if (!/^[\d\p{L}\s,،./-]+$/u.test(text)) return null;
  const words = (text.match(/\d+|\p{L}+/gu) ?? []).filter((word) => !BESIDE.test(word));
  const [first = '', second = '', typedYear, ...more] = words;
  if (more.length > 0) return null;
  const month = MONTHS.get(first) ?? MONTHS.get(second);
  const typedDay = MONTHS.has(first) ? second : first;
  if (month === undefined || !/^\d{1,2}$/u.test(typedDay)) return null;
  const day = Number(typedDay);
  if (typedYear === undefined)
    return month.calendar === 'jalali' && isJalali(null, month.month, day)
      ? { year: null, month: month.month, day }
      : null;
  const year = Number(typedYear);
  if (month.calendar === 'jalali')
    return jalali(typedYear.length === 2 ? century(year) : year, month.month, day);
  return year >= 1900 ? dated(year, month.month, day) : null;
}

/** By its year a date is of the one calendar or the other. */
function dated(year: number, month: number, day: number): PersonDate | null {
  if (year < 1500) return jalali(year, month, day);
  const noon = new Date(Date.UTC(year, month - 1, day, 12));
  // What is no day of its month is one of the next.
  const isThere = noon.getUTCMonth() === month - 1;
  return year >= 1900 && year < 2200 && isThere ? jalaliDayOf(noon, 'UTC') : null;
}

function jalali(year: number, month: number, day: number): PersonDate | null {
  if (year >= 1900) return dated(year, month, day);
  return year >= 1200 && year < 1500 && isJalali(year, month, day) ? { year, month, day } : null;
}

function century(year: number): number {
  return year + (year >= PIVOT ? 1300 : 1400);
}

/** Whether there is such a day in a year, or in some year: each is there in a leap year. */
function isJalali(year: number | null, month: number, day: number): boolean {
  return gregorianDayOf({ year: year ?? 1399, month, day }) !== null;
}
