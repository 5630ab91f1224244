import { dayAfter, gregorianDayOf, instantOf, localTimeOf, weekdayOf } from '../domain/calendar.ts';
import { foldLetters } from '../domain/fold.ts';
import { normalizeDigits } from '../domain/phone.ts';
import { nextOccurrence, type Recurrence } from '../domain/recurrence.ts';

export interface MomentContext {
  readonly now: Date;
  readonly timeZone: string;
}

/** A time ahead, and how much of the line it was. */
export interface Moment {
  readonly at: Date;
  readonly taken: number;
}

/**
 * Reads a time that lies ahead, from the front of a line, in English or Persian and with digits of any script:
 *
 * - a day and a time: `1405/09/03 10:00`, `2026-11-24 10:00`, `tomorrow 9`, `فردا ۹ صبح`, `saturday 18:30`, `شنبه ساعت ۱۰`;
 * - a time alone, of today or else of tomorrow: `18:30`, `ساعت ۱۸`;
 * - a distance: `in 2h`, `in 30 minutes`, `۲ ساعت دیگر`.
 *
 * Null when the line does not begin with a time.
 */
export function readMoment(input: string, context: MomentContext): Moment | null {
  const text = folded(input);
  const match = DISTANCE.exec(text) ?? DAY_AND_TIME.exec(text) ?? TIME_ALONE.exec(text);
  if (match === null) return null;
  const at = instant(match.groups ?? {}, context);
  return at === null ? null : { at, taken: match[0].length };
}

/**
 * Reads a rule by which something repeats, from the front of a line, and its first time from now on:
 *
 * - each week: `every tuesday 10`, `هر سه‌شنبه ساعت ۱۰`, `سه‌شنبه‌ها ۱۰`;
 * - each month: `every month 5 9:00`, of the Gregorian calendar, or `هر ماه ۵ ام ساعت ۹`, of the Jalali one.
 *
 * Null when the line does not begin with one.
 */
export function readRepeat(
  input: string,
  { now, timeZone }: MomentContext,
): (Moment & { readonly rule: Recurrence }) | null {
  const text = folded(input);
  const match = WEEKLY.exec(text) ?? MONTHLY.exec(text);
  if (match === null) return null;
  const rule = ruleIn(match.groups ?? {});
  return rule === null ? null : { rule, at: nextOccurrence(rule, now, timeZone), taken: match[0].length };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** From Sunday on, each in English and Persian; Persian names are written in one word, in two, or halfway. */
const WEEKDAYS = [
  ['sunday', 'یکشنبه'],
  ['monday', 'دوشنبه'],
  ['tuesday', 'سهشنبه'],
  ['wednesday', 'چهارشنبه'],
  ['thursday', 'پنجشنبه'],
  ['friday', 'جمعه'],
  ['saturday', 'شنبه'],
] as const;

const CLOCK = String.raw`(?:at\s+|ساعت\s+)?(?<hour>\d{1,2})(?::(?<minute>\d{2}))?(?:\s*(?<half>am|pm|صبح|ظهر|بعدازظهر|بعد\s?از\s?ظهر|عصر|شب))?`;
const WEEKDAY = WEEKDAYS.flatMap(([english, persian]) => [
  english,
  persian.replace(/(?<=.)شنبه/u, String.raw`[\s\u200c]?شنبه`),
]).join('|');
const WORD = String.raw`today|tomorrow|امروز|فردا|پس[\s\u200c]?فردا|${WEEKDAY}`;
const DATE = String.raw`(?<year>\d{4})(?<mark>[-/])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})`;
const GAP = String.raw`(?:\s+|\s*[،,]\s*)`;
const END = String.raw`(?=\s|$)`;
const DAY_AND_TIME = new RegExp(
  String.raw`^\s*(?:${DATE}|(?<word>${WORD}))(?:${GAP}|t)${CLOCK}${END}\s*`,
  'u',
);
const TIME_ALONE = new RegExp(
  String.raw`^\s*(?:(?:at|ساعت)\s+(?<hour>\d{1,2})(?::(?<minute>\d{2}))?|(?<hours>\d{1,2}):(?<minutes>\d{2}))${END}\s*`,
  'u',
);
const DISTANCE = new RegExp(
  String.raw`^\s*(?:in\s+(?<count>\d{1,4})\s*(?<unit>m|min|minutes?|h|hours?|d|days?)|(?<number>\d{1,4})\s*(?<name>دقیقه|ساعت|روز)\s*(?:دیگر|دیگه|بعد))${END}\s*`,
  'u',
);
const WEEKLY = new RegExp(
  String.raw`^\s*(?:(?:every|each|هر)\s+(?:(?:week|هفته)\s+(?:on\s+)?)?(?<word>${WEEKDAY})(?:s|[\s\u200c]?ها)?|(?<plural>${WEEKDAY})[\s\u200c]?ها(?:ی\s+هر\s+هفته)?)${GAP}${CLOCK}${END}\s*`,
  'u',
);
const MONTHLY = new RegExp(
  String.raw`^\s*(?<every>(?:every|each)\s+month|monthly|هر\s+ماه|ماهانه)\s+(?:on\s+)?(?:the\s+|day\s+|روز\s+)?(?<day>\d{1,2})(?:st|nd|rd|th|[\s\u200c]?(?:اُ?)?م)?${GAP}${CLOCK}${END}\s*`,
  'u',
);

type Groups = Readonly<Record<string, string | undefined>>;

/** Digits of every script, and letters of an Arabic keyboard, are one unit long: places in the text stay what they are. */
function folded(input: string): string {
  return foldLetters(normalizeDigits(input).toLowerCase());
}

function instant(groups: Groups, { now, timeZone }: MomentContext): Date | null {
  const count = groups['count'] ?? groups['number'];
  if (count !== undefined) {
    const unit = groups['unit'] ?? groups['name'] ?? '';
    const ms = /^(m|دقیقه)/u.test(unit) ? MINUTE_MS : /^(h|ساعت)/u.test(unit) ? HOUR_MS : DAY_MS;
    return new Date(now.getTime() + Number(count) * ms);
  }
  const clock = clockIn(groups);
  if (clock === null) return null;
  const { year, month, day, word } = groups;
  if (year !== undefined) {
    const typed = { year: Number(year), month: Number(month), day: Number(day) };
    const date = typed.year < 1500 ? gregorianDayOf(typed) : typed;
    return date === null ? null : instantOf({ ...date, ...clock }, timeZone);
  }
  const today = localTimeOf(now, timeZone);
  if (word !== undefined) return instantOf({ ...dayAfter(today, daysTo(word, today)), ...clock }, timeZone);
  const soon = instantOf({ ...today, ...clock }, timeZone);
  if (soon !== null && soon > now) return soon;
  return instantOf({ ...dayAfter(today, 1), ...clock }, timeZone);
}

function ruleIn(groups: Groups): Recurrence | null {
  const clock = clockIn(groups);
  if (clock === null) return null;
  const minute = clock.hour * 60 + clock.minute;
  const { word = groups['plural'], every, day } = groups;
  if (word !== undefined) return { every: 'week', weekday: weekdayNamed(word), minute };
  const typed = Number(day);
  if (typed < 1 || typed > 31) return null;
  return { every: 'month', calendar: /ماه/u.test(every ?? '') ? 'jalali' : 'gregorian', day: typed, minute };
}

/** In 24 hours; null when the clock has no such time. */
function clockIn(groups: Groups): { hour: number; minute: number } | null {
  const hour = hourOf(groups['hour'] ?? groups['hours'] ?? '', groups['half']);
  const minute = Number(groups['minute'] ?? groups['minutes'] ?? 0);
  return hour === null || minute > 59 ? null : { hour, minute };
}

function hourOf(typed: string, half: string | undefined): number | null {
  const hour = Number(typed);
  if (half === undefined) return hour > 23 ? null : hour;
  if (hour < 1 || hour > 12) return null;
  if (half === 'am' || half === 'صبح') return hour % 12;
  // Noon is 12 or 1; the night of a day begins in its evening.
  if (half === 'شب' && hour === 12) return 0;
  return (hour % 12) + 12;
}

/** A weekday means the next one, never today. */
function daysTo(word: string, today: Parameters<typeof weekdayOf>[0]): number {
  const plain = word.replaceAll(/[\s\u200c]/gu, '');
  if (plain === 'today' || plain === 'امروز') return 0;
  if (plain === 'tomorrow' || plain === 'فردا') return 1;
  if (plain === 'پسفردا') return 2;
  return (weekdayNamed(plain) - weekdayOf(today) + 7) % 7 || 7;
}

function weekdayNamed(word: string): number {
  const plain = word.replaceAll(/[\s\u200c]/gu, '');
  return WEEKDAYS.findIndex((names) => names.some((each) => each === plain));
}
