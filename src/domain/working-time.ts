import { isWithin, minuteOfDay, type SendingWindow } from './limits.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
/** Clocks are put forward or back at quarters of an hour: within one they only go on. */
const QUARTER = 15;
const DAYS_BACK = 31;

/**
 * The instant since which so many whole minutes of working hours have gone by, to the minute: what began then or before has
 * taken at least as long. Null: it lies more than a month back.
 * @param hours by the clocks of the time zone; null: all hours
 */
export function workingTimeAgo(
  now: Date,
  minutes: number,
  hours: SendingWindow | null,
  timeZone: string,
): Date | null {
  const end = Math.floor(now.getTime() / MINUTE_MS);
  if (hours === null) return new Date((end - minutes) * MINUTE_MS);
  let left = minutes;
  for (let minute = end - 1; minute > end - DAYS_BACK * DAY_MINUTES;) {
    const quarter = Math.floor(minute / QUARTER) * QUARTER;
    const shown = minuteOfDay(new Date(quarter * MINUTE_MS), timeZone);
    for (; minute >= quarter; minute -= 1) {
      if (!isWithin(hours, (shown + minute - quarter) % DAY_MINUTES)) continue;
      left -= 1;
      if (left <= 0) return new Date(minute * MINUTE_MS);
    }
  }
  return null;
}
