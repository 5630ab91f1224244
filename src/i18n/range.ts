import { gregorianDayOf, instantOf, type CalendarDay } from '../domain/calendar.ts';
import { normalizeDigits } from '../domain/phone.ts';
import { parseDateTime } from './jalali.ts';

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
 * Reads a range of past time as people write it, in English or Persian and with digits of any of the three scripts:
 *
 * - `today`, `yesterday`, `week` (7 days), `month` (30 days), امروز، دیروز، هفته، ماه;
 * - `7d`, `7 days`, `۷ روز` (that many calendar days, today among them), `24h`, `۲۴ ساعت` (hours back from now);
 * - a day `1405/09/03`, `2026-11-24`, or a day and time (from then until now);
 * - two of these points: `A..B`, `A B`, `A to B`, `A تا B`; a second day counts to its end.
 *
 * What reaches now ends with the day: what was sent a moment ago may bear a later time, by the gateway's clock. Null
 * for anything else, for a range that runs backwards and for one that has not begun.
 */
export function parseRange(input: string, context: RangeContext): Range | null {
  const text = normalizeDigits(input)
    .replaceAll(/[\u200b-\u200f\u2066-\u2069]/gu, '')
    .trim()
    .toLowerCase();
  const range = span(text, context) ?? between(text, context);
  if (range === null || range.from > context.now) return null;
  if (range.from > range.to) return null;
  return range.to < context.now ? range : { from: range.from, to: endOfDay(context.now, context.timeZone) };
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MAX_DAYS = 3660;

/** A range that one word or one length names. */
function span(text: string, { now, timeZone }: RangeContext): Range | null {
  const named = /^(?:(week|هفته|این هفته)|(month|ماه|این ماه))$/u.exec(text);
  const counted = /^(?:last )?(\d{1,5}) ?(?:(d|days?|روز)|(h|hours?|ساعت))(?: (?:اخیر|گذشته))?$/u.exec(text);
  if (counted?.[3] !== undefined) {
    const hours = Number(counted[1]);
    return hours < 1 || hours > MAX_DAYS * 24
      ? null
      : { from: new Date(now.getTime() - hours * HOUR_MS), to: now };
  }
  if (named === null && counted === null) return null;
  const days = named === null ? Number(counted?.[1]) : named[1] === undefined ? 30 : 7;
  if (days < 1 || days > MAX_DAYS) return null;
  return { from: startOfDay(dayAt(now, timeZone, 1 - days), timeZone), to: now };
}

function between(text: string, context: RangeContext): Range | null {
  const [first, second, ...more] = points(text);
  if (first === undefined || more.length > 0) return null;
  const from = point(first, context);
  if (from === null) return null;
  if (second === undefined) return { from: from.start, to: from.isDay ? from.end : context.now };
  const to = point(second, context);
  return to === null ? null : { from: from.start, to: to.end };
}

const POINT = String.raw`(?:\d{4}[-/]\d{1,2}[-/]\d{1,2}(?:[\st،,]+\d{1,2}:\d{2})?|[a-z]+|[\u0600-\u06ff]+)`;
const POINTS = new RegExp(
  String.raw`^(${POINT})(?:(?:\s*(?:\.\.+|…|–|—)\s*|\s+(?:to|until|تا|الی)\s+|\s+)(${POINT}))?$`,
  'u',
);

function points(text: string): string[] {
  const match = POINTS.exec(text.replace(/^(?:from|since|از)\s+/u, ''));
  return match === null ? [] : match.slice(1).filter((each) => each !== undefined);
}

interface Point {
  readonly start: Date;
  readonly end: Date;
  readonly isDay: boolean;
}

function point(text: string, { now, timeZone }: RangeContext): Point | null {
  if (text === 'now' || text === 'اکنون' || text === 'الان') return { start: now, end: now, isDay: false };
  const instant = parseDateTime(text, timeZone);
  if (instant !== null) return { start: instant, end: instant, isDay: false };
  const day = dayOf(text, now, timeZone);
  if (day === null) return null;
  const start = startOfDay(day, timeZone);
  return { start, end: endOfDay(start, timeZone), isDay: true };
}

function dayOf(text: string, now: Date, timeZone: string): CalendarDay | null {
  if (text === 'today' || text === 'امروز') return dayAt(now, timeZone, 0);
  if (text === 'yesterday' || text === 'دیروز') return dayAt(now, timeZone, -1);
  if (text === 'پریروز') return dayAt(now, timeZone, -2);
  const match = /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})$/u.exec(text);
  if (match === null) return null;
  const typed = { year: Number(match[1]), month: Number(match[3]), day: Number(match[4]) };
  if (typed.year < 1500) return gregorianDayOf(typed);
  const noon = new Date(Date.UTC(typed.year, typed.month - 1, typed.day, 12));
  const isReal = noon.getUTCMonth() === typed.month - 1 && noon.getUTCDate() === typed.day;
  return isReal ? typed : null;
}

/** The Gregorian day in a zone, so many days after the one that an instant falls on. */
function dayAt(instant: Date, timeZone: string, after: number): CalendarDay {
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(instant);
  const [year = 0, month = 1, day = 1] = local.split('-').map(Number);
  const moved = new Date(Date.UTC(year, month - 1, day) + after * DAY_MS);
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() };
}

/** The last second of the day that an instant falls on. */
function endOfDay(instant: Date, timeZone: string): Date {
  return new Date(startOfDay(dayAt(instant, timeZone, 1), timeZone).getTime() - 1000);
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
