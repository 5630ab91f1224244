import { localTimeOf, weekdayOf } from './calendar.ts';
import { isWithin, type SendingWindow } from './limits.ts';

/** When somebody is at the desk. */
export interface DeskHours extends SendingWindow {
  /** 0 Sunday … 6 Saturday; null: every day. What goes over midnight belongs to the day on which it began. */
  readonly days: readonly number[] | null;
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
const WEEK_DAYS = 7;
/** Clocks are put forward or back at quarters of an hour: within one they only go on. */
const QUARTER = 15;
/** Working time is counted back for so long: nobody waits for longer. */
export const DAYS_BACK = 31;

/**
 * The instant since which so many whole minutes of working hours have gone by, to the minute: what began then or before has
 * taken at least as long. Null: it lies more than a month back.
 * @param hours by the clocks of the time zone; null: all hours
 */
export function workingTimeAgo(
  now: Date,
  minutes: number,
  hours: DeskHours | null,
  timeZone: string,
): Date | null {
  const end = Math.floor(now.getTime() / MINUTE_MS);
  if (hours === null) return new Date((end - minutes) * MINUTE_MS);
  let left = minutes;
  for (let minute = end - 1; minute > end - DAYS_BACK * DAY_MINUTES;) {
    const quarter = Math.floor(minute / QUARTER) * QUARTER;
    const shown = weekMinuteOf(new Date(quarter * MINUTE_MS), timeZone);
    for (; minute >= quarter; minute -= 1) {
      if (!isOpen(hours, shown + minute - quarter)) continue;
      left -= 1;
      if (left <= 0) return new Date(minute * MINUTE_MS);
    }
  }
  return null;
}

/** Since when nobody is at the desk, to the minute and at most for a month; null: somebody is. */
export function closedSince(now: Date, hours: DeskHours, timeZone: string): Date | null {
  if (isOpen(hours, weekMinuteOf(now, timeZone))) return null;
  const last = workingTimeAgo(now, 1, hours, timeZone)?.getTime();
  return new Date(
    last === undefined ? now.getTime() - DAYS_BACK * DAY_MINUTES * MINUTE_MS : last + MINUTE_MS,
  );
}

/** How much of the time when nobody is at the desk lies within a sending window. */
export function openWhileClosed(hours: DeskHours, window: SendingWindow): 'all' | 'some' | 'none' {
  let within = false;
  let without = false;
  for (let minute = 0; minute < WEEK_DAYS * DAY_MINUTES; minute += 1) {
    if (isOpen(hours, minute)) continue;
    if (isWithin(window, minute % DAY_MINUTES)) within = true;
    else without = true;
  }
  if (!without) return 'all';
  return within ? 'some' : 'none';
}

/** @param weekMinute since the Sunday began */
function isOpen({ from, to, days }: DeskHours, weekMinute: number): boolean {
  const minute = weekMinute % DAY_MINUTES;
  if (!isWithin({ from, to }, minute)) return false;
  const day = Math.floor(weekMinute / DAY_MINUTES);
  const began = from >= to && minute < to ? day + WEEK_DAYS - 1 : day;
  return days === null || days.includes(began % WEEK_DAYS);
}

function weekMinuteOf(at: Date, timeZone: string): number {
  const local = localTimeOf(at, timeZone);
  return weekdayOf(local) * DAY_MINUTES + local.hour * 60 + local.minute;
}
