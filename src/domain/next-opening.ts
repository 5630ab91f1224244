import { dayAfter, instantOf, localTimeOf, type CalendarDay } from './calendar.ts';
import { isWithin, minuteOfDay, type SendingWindow } from './limits.ts';

const DAYS_AHEAD = 3;

/**
 * When sending windows are all open next: the instant itself while they are, else the first minute of it that the clocks of
 * the time zone show, of an hour that comes twice only the first. Null where they have no minute in common.
 */
export function nextOpening(windows: readonly SendingWindow[], from: Date, timeZone: string): Date | null {
  let at: Date | null = from;
  for (let turns = 0; at !== null && turns <= windows.length * DAYS_AHEAD; turns += 1) {
    const now: Date = at;
    const closed = windows.find((each) => !isWithin(each, minuteOfDay(now, timeZone)));
    if (closed === undefined) return now;
    at = openingOf(closed, now, timeZone);
  }
  return null;
}

/** The same of one. Null for a window of which the clocks show nothing for days, which no zone is known to do. */
function openingOf(window: SendingWindow, from: Date, timeZone: string): Date | null {
  const today = localTimeOf(from, timeZone);
  for (let days = 0; days <= DAYS_AHEAD; days += 1) {
    const at = firstOpenMinute(window, dayAfter(today, days), timeZone);
    if (at !== null && at > from) return at;
  }
  return null;
}

/** Summer time can leave out the minute in which a window opens, and even its last: the caller sees whether it is open then. */
function firstOpenMinute({ from }: SendingWindow, day: CalendarDay, timeZone: string): Date | null {
  for (let minute = from; minute < 1440; minute += 1) {
    const at = instantOf({ ...day, hour: Math.floor(minute / 60), minute: minute % 60 }, timeZone);
    if (at !== null) return at;
  }
  return null;
}
