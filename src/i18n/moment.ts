import { normalizeDigits } from '../domain/phone.ts';
import { gregorianDayOf, instantOf, type CalendarDay } from './jalali.ts';

export interface MomentContext {
  readonly now: Date;
  readonly timeZone: string;
}

/**
 * Reads a time that lies ahead, from the front of a line, in English or Persian and with digits of any script:
 *
 * - a day and a time: `1405/09/03 10:00`, `2026-11-24 10:00`, `tomorrow 9`, `فردا ۹ صبح`, `saturday 18:30`, `شنبه ساعت ۱۰`;
 * - a time alone, of today or else of tomorrow: `18:30`, `ساعت ۱۸`;
 * - a distance: `in 2h`, `in 30 minutes`, `۲ ساعت دیگر`.
 *
 * `taken` is how much of the line it was. Null when the line does not begin with a time.
 */
export function readMoment(
  input: string,
  context: MomentContext,
): { readonly at: Date; readonly taken: number } | null {
  // Digits of every script are one unit long, so places in the text stay what they are.
  const text = normalizeDigits(input).toLowerCase();
  const match = DISTANCE.exec(text) ?? DAY_AND_TIME.exec(text) ?? TIME_ALONE.exec(text);
  if (match === null) return null;
  const at = instant(match.groups ?? {}, context);
  return at === null ? null : { at, taken: match[0].length };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

const CLOCK = String.raw`(?:at\s+|ساعت\s+)?(?<hour>\d{1,2})(?::(?<minute>\d{2}))?(?:\s*(?<half>am|pm|صبح|ظهر|بعدازظهر|بعد\s?از\s?ظهر|عصر|شب))?`;
const WORDS = [
  'today',
  'tomorrow',
  'امروز',
  'فردا',
  'پس‌فردا',
  'پسفردا',
  'saturday',
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'یکشنبه',
  'یک‌شنبه',
  'دوشنبه',
  'سه‌شنبه',
  'سهشنبه',
  'چهارشنبه',
  'پنجشنبه',
  'پنج‌شنبه',
  'شنبه',
  'جمعه',
].join('|');
const DATE = String.raw`(?<year>\d{4})(?<mark>[-/])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})`;
const END = String.raw`(?=\s|$)`;
const DAY_AND_TIME = new RegExp(
  String.raw`^\s*(?:${DATE}|(?<word>${WORDS}))(?:\s+|t|\s*[،,]\s*)${CLOCK}${END}\s*`,
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

type Groups = Readonly<Record<string, string | undefined>>;

function instant(groups: Groups, { now, timeZone }: MomentContext): Date | null {
  const count = groups['count'] ?? groups['number'];
  if (count !== undefined) {
    const unit = groups['unit'] ?? groups['name'] ?? '';
    const ms = /^(m|دقیقه)/u.test(unit) ? MINUTE_MS : /^(h|ساعت)/u.test(unit) ? HOUR_MS : DAY_MS;
    return new Date(now.getTime() + Number(count) * ms);
  }
  const hour = hourOf(groups['hour'] ?? groups['hours'] ?? '', groups['half']);
  const minute = Number(groups['minute'] ?? groups['minutes'] ?? 0);
  if (hour === null || minute > 59) return null;
  const { year, month, day, word } = groups;
  if (year !== undefined) {
    const typed = { year: Number(year), month: Number(month), day: Number(day) };
    const date = typed.year < 1500 ? gregorianDayOf(typed) : typed;
    return date === null ? null : instantOf({ ...date, hour, minute }, timeZone);
  }
  if (word !== undefined)
    return instantOf({ ...dayAhead(now, timeZone, daysTo(word, now, timeZone)), hour, minute }, timeZone);
  const today = instantOf({ ...dayAhead(now, timeZone, 0), hour, minute }, timeZone);
  if (today !== null && today > now) return today;
  return instantOf({ ...dayAhead(now, timeZone, 1), hour, minute }, timeZone);
}

/** In 24 hours; null when the clock has no such hour. */
function hourOf(typed: string, half: string | undefined): number | null {
  const hour = Number(typed);
  if (half === undefined) return hour > 23 ? null : hour;
  if (hour < 1 || hour > 12) return null;
  if (half === 'am' || half === 'صبح') return hour % 12;
  // Noon is 12 or 1; the night of a day begins in its evening.
  if (half === 'شب' && hour === 12) return 0;
  return (hour % 12) + 12;
}

const SATURDAY_FIRST = [
  ['saturday', 'شنبه'],
  ['sunday', 'یکشنبه'],
  ['monday', 'دوشنبه'],
  ['tuesday', 'سهشنبه'],
  ['wednesday', 'چهارشنبه'],
  ['thursday', 'پنجشنبه'],
  ['friday', 'جمعه'],
] as const;

/** A weekday means the next one, never today. */
function daysTo(word: string, now: Date, timeZone: string): number {
  const plain = word.replaceAll('\u200c', '');
  if (plain === 'today' || plain === 'امروز') return 0;
  if (plain === 'tomorrow' || plain === 'فردا') return 1;
  if (plain === 'پسفردا') return 2;
  const today = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'long' }).format(now).toLowerCase();
  const at = (name: string) => SATURDAY_FIRST.findIndex((names) => names.some((each) => each === name));
  return (at(plain) - at(today) + 7) % 7 || 7;
}

function dayAhead(now: Date, timeZone: string, days: number): CalendarDay {
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(now);
  const [year = 0, month = 1, day = 1] = local.split('-').map(Number);
  const moved = new Date(Date.UTC(year, month - 1, day) + days * DAY_MS);
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() };
}
