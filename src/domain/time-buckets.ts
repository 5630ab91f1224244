import { dayAfter, instantOf, localTimeOf, type CalendarDay } from './calendar.ts';
import { DAY_SECONDS, type TimeSpan } from './time-range.ts';

/** A time cut into pieces as the clocks of a zone cut it: whole minutes, hours or days. */
export interface TimeBuckets {
  readonly unit: 'minutes' | 'hours' | 'days';
  /** Epoch seconds at which each begins, ascending; the first may begin before the time does. */
  readonly starts: readonly number[];
}

/** Up to so many pieces of less than an hour, and of an hour. */
const MAX_SHORT = 31;
const MAX_HOURS = 49;
const STEPS = [60, 300, 900] as const;
const HOUR = 3600;

/**
 * The finest pieces of a time that are few enough to be looked at together; none finer than `finest` seconds (60, 300,
 * 900 or 3600). Of a time of more than two days they are calendar days, each as long as it is.
 */
export function timeBuckets({ from, to }: TimeSpan, timeZone: string, finest = 60): TimeBuckets {
  const length = to - from + 1;
  const short = STEPS.find((each) => each >= finest && length / each <= MAX_SHORT - 1);
  if (short !== undefined) return { unit: 'minutes', starts: even(from, to, { step: short, timeZone }) };
  if (length / HOUR <= MAX_HOURS - 1)
    return { unit: 'hours', starts: even(from, to, { step: HOUR, timeZone }) };
  const starts: number[] = [];
  for (let day: CalendarDay = localTimeOf(new Date(from * 1000), timeZone); ; day = dayAfter(day, 1)) {
    const start = startOf(day, timeZone);
    if (start > to) return { unit: 'days', starts };
    starts.push(start);
  }
}

/** Which piece a moment is in; moments before the first are in the first, those after the last in the last. */
export function bucketOf({ starts }: TimeBuckets, at: number): number {
  return Math.max(
    0,
    starts.findLastIndex((start) => start <= at),
  );
}

/** Aligned by the clocks of the zone: an hour there may begin at half past elsewhere. */
function even(
  from: number,
  to: number,
  { step, timeZone }: { readonly step: number; readonly timeZone: string },
): number[] {
  const { hour, minute } = localTimeOf(new Date(from * 1000), timeZone);
  const first = from - ((hour * HOUR + minute * 60 + (from % 60)) % step);
  return Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, index) => first + index * step);
}

/** Midnight, or the first time of the day where the clocks skip it. */
function startOf(day: CalendarDay, timeZone: string): number {
  for (const [hour, minute] of [
    [0, 0],
    [0, 30],
    [1, 0],
  ] as const) {
    const start = instantOf({ ...day, hour, minute }, timeZone);
    if (start !== null) return start.getTime() / 1000;
  }
  return Date.UTC(day.year, day.month - 1, day.day) / 1000 + DAY_SECONDS / 24;
}
