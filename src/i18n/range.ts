import {
  dayAfter,
  instantOf,
  jalaliDayOf,
  localTimeOf,
  weekdayOf,
  type Calendar,
  type CalendarDay,
} from '../domain/calendar.ts';
import { dayInYear, gregorianDay, yearOf } from './time/days.ts';
import { numeralAt } from './time/numerals.ts';
import { namesDay, type Phrase, type TypedDate } from './time/phrase.ts';
import { readPhrase } from './time/read-phrase.ts';
import { MAX_TOKENS, phraseAt, tokensOf, type Token } from './time/tokens.ts';
import { UNITS, WHICH } from './time/words.ts';

/** Two instants, to the second, both meant to be included. */
export interface Range {
  readonly from: Date;
  readonly to: Date;
}

export interface RangeContext {
  readonly now: Date;
  readonly timeZone: string;
}

/**
 * Reads a range of past time, in English or Persian, with the same words for days and times as a time ahead (moment.ts):
 *
 * - `today`, `yesterday`, `last tuesday`, `week` (7 days), `month` (30 days), `هفته گذشته`, `ماه قبل`;
 * - `7d`, `7 days`, `۷ روز` (that many calendar days, today among them), `24h`, `۲۴ ساعت` (hours back from now);
 * - a day `1405/09/03`, `۱ آذر`, `24 Nov 2026`, a month `آذر`, `Nov 2026`, a year; or a day and time (from then until now);
 * - two of these points: `A..B`, `A B`, `A to B`, `A تا B`; a second day counts to its end. After `since` and `از` it goes on until now.
 *
 * What reaches now ends with the day: what was sent a moment ago may bear a later time, by the gateway's clock. Null
 * for anything else, for a range that runs backwards and for one that has not begun.
 */
export function parseRange(input: string, context: RangeContext): Range | null {
  const tokens = tokensOf(input);
  if (tokens.length === 0 || tokens.length === MAX_TOKENS) return null;
  const range = span(tokens, context) ?? between(tokens, context);
  if (range === null || range.from > context.now || range.from > range.to) return null;
  return range.to < context.now ? range : { from: range.from, to: endOfDay(context.now, context.timeZone) };
}

const HOUR_MS = 3_600_000;
const MAX_DAYS = 3660;
const DAYS_IN = { day: 1, week: 7, month: 30 } as const;
const SINCE = /^(?:from|since|از)$/u;
const TO = /^(?:\.\.+|…|–|—|-|to|until|till|تا|الی)$/u;

/** A range that one word or one length names. */
function span(tokens: readonly Token[], { now, timeZone }: RangeContext): Range | null {
  const before = phraseAt(WHICH, tokens, 0);
  const isCounted = before === null || before.meaning === 'last';
  const number = isCounted ? numeralAt(tokens, before?.next ?? 0) : null;
  // Without a number a week is 7 days and a month 30; the last of them is another thing.
  if (number === null && before !== null) return null;
  const unit = phraseAt(UNITS, tokens, number?.next ?? 0);
  if (unit === null || unit.meaning === 'minute' || number?.isOrdinal === true) return null;
  const count = number?.value ?? 1;
  if (number === null && (unit.meaning === 'day' || unit.meaning === 'hour')) return null;
  const after = number === null ? null : phraseAt(WHICH, tokens, unit.next);
  const isAgo = after?.meaning === 'last' && /^(?:پیش|قبل)$/u.test(tokens[unit.next]?.text ?? '');
  if (isAgo || (after !== null && after.meaning !== 'last') || (after?.next ?? unit.next) < tokens.length)
    return null;
  if (count < 1 || count > MAX_DAYS * 24) return null;
  if (unit.meaning === 'hour') return { from: new Date(now.getTime() - count * HOUR_MS), to: now };
  const days = count * DAYS_IN[unit.meaning];
  return days > MAX_DAYS
    ? null
    : { from: startOfDay(dayAfter(localTimeOf(now, timeZone), 1 - days), timeZone), to: now };
}

function between(tokens: readonly Token[], context: RangeContext): Range | null {
  const isSince = SINCE.test(tokens[0]?.text ?? '');
  const first = pointAt(tokens, isSince ? 1 : 0, context) ?? dayOfSameMonth(tokens, isSince ? 1 : 0, context);
  if (first === null) return null;
  if (first.next === tokens.length) return isSince ? { from: first.start, to: context.now } : first.alone;
  const isJoined = TO.test(tokens[first.next]?.text ?? '');
  const second = pointAt(tokens, first.next + Number(isJoined), context, isJoined ? first.start : null);
  if (second === null || second.next < tokens.length) return null;
  const to = second.alone.to < second.end ? second.alone.to : second.end;
  // «از شنبه تا چهارشنبه», said on a Saturday, is of the Saturday before.
  const isWeekBefore = first.start > to && first.isWeekday === true;
  return { from: isWeekBefore ? daysBefore(first.start, 7, context.timeZone) : first.start, to };
}

interface Point {
  readonly start: Date;
  readonly end: Date;
  /** What it means by itself. */
  readonly alone: Range;
  /** A day of the week that nothing else is said of. */
  readonly isWeekday?: boolean;
  readonly next: number;
}

/** @param sameDay the day of a time alone: that of the point before it, else today; null: it is no point */
function pointAt(
  tokens: readonly Token[],
  from: number,
  context: RangeContext,
  sameDay: Date | null = context.now,
): Point | null {
  const { now } = context;
  const year = yearAt(tokens, from, context);
  const read = readPhrase(tokens, from);
  if (year !== null && (read === null || read.next <= year.next)) return year;
  if (read === null) return null;
  const { phrase, next } = read;
  const here = { now, timeZone: phrase.zone ?? context.timeZone };
  if (phrase.every !== undefined) return null;
  const { distance, clock } = phrase;
  if (phrase.now === true) return { start: now, end: now, alone: { from: now, to: now }, next };
  if (distance !== undefined && distance.minutes >= 0) return null;
  if (distance?.isDays === false) {
    const start = new Date(now.getTime() + distance.minutes * 60_000);
    return { start, end: start, alone: { from: start, to: now }, next };
  }
  const isTimeAlone = clock !== undefined && !namesDay(phrase) && phrase.month === undefined;
  if (isTimeAlone && sameDay === null) return null;
  const days = isTimeAlone ? dayOnly(localTimeOf(sameDay ?? now, here.timeZone)) : daysOf(phrase, here);
  if (days === null) return null;
  if (clock === undefined && phrase.part === undefined) {
    const whole = { from: startOfDay(days.first, here.timeZone), to: endOf(days.last, here.timeZone) };
    const { weekday, which, week, zone } = phrase;
    const isWeekday =
      weekday !== undefined && which === undefined && week === undefined && zone === undefined;
    return { start: whole.from, end: whole.to, alone: whole, isWeekday, next };
  }
  const hour = hourOf(phrase);
  const start =
    hour === null ? null : instantOf({ ...days.first, hour, minute: clock?.minute ?? 0 }, here.timeZone);
  return start === null ? null : { start, end: start, alone: { from: start, to: now }, next };
}

/** What is read back on is shown with its times, so an hour without its half of the day is one of 24. */
function hourOf({ clock, part }: Phrase): number | null {
  if (clock === undefined) return null;
  const { hour } = clock;
  if (part === undefined) return hour;
  return [hour, hour + 12].find((each) => each >= part.from && each <= part.to) ?? null;
}

interface Days {
  readonly first: CalendarDay;
  readonly last: CalendarDay;
}

const dayOnly = (day: CalendarDay): Days => ({ first: day, last: day });

function daysOf(phrase: Phrase, { now, timeZone }: RangeContext): Days | null {
  const today = localTimeOf(now, timeZone);
  const { date, days, distance, weekday, week, month } = phrase;
  if (date !== undefined) return dateOf(date, { now, timeZone });
  if (days !== undefined) return dayOnly(dayAfter(today, days));
  if (distance !== undefined) return dayOnly(dayAfter(today, distance.minutes / 1440));
  if (month !== undefined && month.away <= 0) {
    const local = month.calendar === 'jalali' ? jalaliDayOf(now, timeZone) : today;
    const index = local.year * 12 + local.month - 1 + month.away;
    return monthOf(month.calendar, Math.floor(index / 12), (index % 12) + 1);
  }
  if (week !== undefined && week.away <= 0) {
    const [begin = 6] = week.begins;
    const first = dayAfter(today, week.away * 7 - ((weekdayOf(today) - begin + 7) % 7));
    const within = weekday === undefined ? null : dayAfter(first, (weekday - begin + 7) % 7);
    return within === null ? { first, last: dayAfter(first, 6) } : dayOnly(within);
  }
  if (weekday === undefined || phrase.which === 'next') return null;
  const back = (weekdayOf(today) - weekday + 7) % 7;
  return dayOnly(dayAfter(today, -(phrase.which === 'last' ? back || 7 : back)));
}

/** Where no year is said, the last of that day, or month, that has begun. */
function dateOf(date: TypedDate, { now, timeZone }: RangeContext): Days | null {
  const { day, calendar, month } = date;
  const year = yearOf(now, calendar, timeZone);
  for (const each of date.year === null ? [year, year - 1, year - 2, year - 3, year - 4] : [date.year]) {
    const first = dayInYear(date, each);
    if (first === null || (date.year === null && startOfDay(first, timeZone) > now)) continue;
    return day === null ? monthOf(calendar, each, month) : dayOnly(first);
  }
  return null;
}

function monthOf(calendar: Calendar, year: number, month: number): Days | null {
  const first = gregorianDay({ calendar, year, month, day: 1 });
  const next = gregorianDay({
    calendar,
    year: month === 12 ? year + 1 : year,
    month: (month % 12) + 1,
    day: 1,
  });
  return first === null || next === null ? null : { first, last: dayAfter(next, -1) };
}

/** «۱ تا ۳ آذر»: the month stands behind the second day alone. */
function dayOfSameMonth(tokens: readonly Token[], at: number, context: RangeContext): Point | null {
  const number = numeralAt(tokens, at);
  if (number === null || !TO.test(tokens[number.next]?.text ?? '')) return null;
  const second = readPhrase(tokens, number.next + 1)?.phrase.date;
  if (second === undefined || second.day === null) return null;
  const whole = dateOf(second, context);
  const [month] = whole === null ? [] : [whole.first];
  if (month === undefined) return null;
  const first = dayAfter(month, number.value - second.day);
  if (number.value < 1 || number.value > second.day) return null;
  const start = startOfDay(first, context.timeZone);
  const end = endOf(first, context.timeZone);
  return { start, end, alone: { from: start, to: end }, next: number.next };
}

/** A year by itself: `1405`, «سال ۱۴۰۵», «پارسال». */
function yearAt(tokens: readonly Token[], from: number, { now, timeZone }: RangeContext): Point | null {
  const at = /^(?:year|سال)$/u.test(tokens[from]?.text ?? '') ? from + 1 : from;
  const text = tokens[at]?.text ?? '';
  const jalali = yearOf(now, 'jalali', timeZone);
  const named = text === 'امسال' ? jalali : text === 'پارسال' ? jalali - 1 : null;
  const year = named ?? (/^(?:1[34]\d\d|20\d\d)$/u.test(text) ? Number(text) : null);
  if (year === null) return null;
  const calendar = year < 1500 ? 'jalali' : 'gregorian';
  const [first, last] = [monthOf(calendar, year, 1), monthOf(calendar, year, 12)];
  if (first === null || last === null) return null;
  const whole = { from: startOfDay(first.first, timeZone), to: endOf(last.last, timeZone) };
  return { start: whole.from, end: whole.to, alone: whole, next: at + 1 };
}

function endOfDay(instant: Date, timeZone: string): Date {
  return endOf(localTimeOf(instant, timeZone), timeZone);
}

/** The last second of a day. */
function endOf(day: CalendarDay, timeZone: string): Date {
  return new Date(startOfDay(dayAfter(day, 1), timeZone).getTime() - 1000);
}

function daysBefore(instant: Date, days: number, timeZone: string): Date {
  return startOfDay(dayAfter(localTimeOf(instant, timeZone), -days), timeZone);
}

/** Midnight, or the first time of the day where the clocks skip it. */
function startOfDay(day: CalendarDay, timeZone: string): Date {
  for (const [hour, minute] of [
    [0, 0],
    [0, 30],
    [1, 0],
  ] as const) {
    const start = instantOf({ ...day, hour, minute }, timeZone);
    if (start !== null) return start;
  }
  return new Date(Date.UTC(day.year, day.month - 1, day.day));
}
