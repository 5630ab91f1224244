import {
  dayAfter,
  gregorianDayOf,
  instantOf,
  jalaliDayOf,
  localTimeOf,
  weekdayOf,
  type Calendar,
  type CalendarDay,
} from './calendar.ts';

/**
 * How a send repeats, by the clocks on the wall of the chat's time zone. A day of the month that a month has not is
 * its last day.
 */
export type Recurrence =
  | { readonly every: 'day'; readonly minute: number }
  /** 0 for Sunday, to 6. */
  | { readonly every: 'week'; readonly weekday: number; readonly minute: number }
  | {
      readonly every: 'month';
      readonly calendar: Calendar;
      /** 1 to 31. */
      readonly day: number;
      /** Minutes after midnight. */
      readonly minute: number;
    };

/**
 * The first time of a rule after an instant. Summer time moves it along with the clocks: 10:00 stays 10:00. A time
 * that the clocks skip that day is the first they show after it.
 */
export function nextOccurrence(rule: Recurrence, after: Date, timeZone: string): Date {
  const today = localTimeOf(after, timeZone);
  for (const day of daysOf(rule, today)) {
    const at = shownAt(day, rule.minute, timeZone);
    if (at !== null && at > after) return at;
  }
  throw new RangeError('a zone that leaves out two such days, one after the other');
}

/**
 * The time of the next of a series behind one that leaves by an instant: behind the time of this rule too for which that
 * one stands, though it leaves sooner. By the clocks of another zone the rule may come again within hours of that time:
 * that is the same day, week or month once more.
 */
export function nextInSeries(
  rule: Recurrence,
  leavesBy: Date,
  slot: { readonly rule: string; readonly at: Date } | undefined,
  timeZone: string,
): Date {
  const stands = slot?.rule === writeRecurrence(rule) ? slot.at : null;
  const next = nextOccurrence(rule, stands !== null && stands > leavesBy ? stands : leavesBy, timeZone);
  const isSame = stands !== null && next.getTime() - stands.getTime() < HALF_DAYS[rule.every] * DAY_MS;
  return isSame ? nextOccurrence(rule, next, timeZone) : next;
}

/** The rule by which an instant is one of its times. */
export function recurrenceAt(
  every: Recurrence['every'],
  instant: Date,
  { timeZone, calendar }: { readonly timeZone: string; readonly calendar: Calendar },
): Recurrence {
  const local = localTimeOf(instant, timeZone);
  const minute = local.hour * 60 + local.minute;
  if (every === 'day') return { every, minute };
  if (every === 'week') return { every, weekday: weekdayOf(local), minute };
  const { day } = calendar === 'jalali' ? jalaliDayOf(instant, timeZone) : local;
  return { every, calendar, day, minute };
}

/** As it is kept: `day 600`, `week 2 600`, `month jalali 31 600`. */
export function writeRecurrence(rule: Recurrence): string {
  if (rule.every === 'day') return `day ${rule.minute}`;
  return rule.every === 'week'
    ? `week ${rule.weekday} ${rule.minute}`
    : `month ${rule.calendar} ${rule.day} ${rule.minute}`;
}

/** Null for what no rule was written as. */
export function readRecurrence(written: string | null): Recurrence | null {
  const day = /^day (\d{1,4})$/.exec(String(written));
  if (day !== null) return { every: 'day', minute: Number(day[1]) };
  const week = /^week ([0-6]) (\d{1,4})$/.exec(String(written));
  if (week !== null) return { every: 'week', weekday: Number(week[1]), minute: Number(week[2]) };
  const month = /^month (gregorian|jalali) (\d{1,2}) (\d{1,4})$/.exec(String(written));
  if (month === null) return null;
  const calendar = month[1] === 'jalali' ? 'jalali' : 'gregorian';
  return { every: 'month', calendar, day: Number(month[2]), minute: Number(month[3]) };
}

/**
 * The instant at which the clocks of a zone show a time of a Gregorian day, or the first they show after it where they
 * skip that. Null for a day that the zone left out altogether.
 * @param minute after midnight
 */
export function shownAt(day: CalendarDay, minute: number, timeZone: string): Date | null {
  for (let late = 0; late <= GAP_MINUTES; late += 1) {
    const at = minute + late;
    const on = at < 1440 ? day : dayAfter(day, 1);
    const found = instantOf({ ...on, hour: Math.floor((at % 1440) / 60), minute: at % 60 }, timeZone);
    if (found !== null) return found;
  }
  return null;
}

/** The time of today may be over, and a zone may have left out the day of the next. */
const NEXT = [0, 1, 2] as const;
/** The longest that clocks leave out at once, but for a whole day, is far below this. */
const GAP_MINUTES = 180;
const DAY_MS = 86_400_000;
/** Half of what lies between two times of a rule. */
const HALF_DAYS = { day: 0.5, week: 3.5, month: 14 } as const;

function* daysOf(rule: Recurrence, today: CalendarDay): Generator<CalendarDay> {
  if (rule.every === 'day') {
    yield* NEXT.map((days) => dayAfter(today, days));
    return;
  }
  if (rule.every === 'week') {
    const first = rule.weekday - weekdayOf(today);
    yield* NEXT.map((weeks) => dayAfter(today, first + weeks * 7));
    return;
  }
  const noon = new Date(Date.UTC(today.year, today.month - 1, today.day, 12));
  const start = rule.calendar === 'jalali' ? jalaliDayOf(noon, 'UTC') : today;
  for (const months of NEXT) {
    const month = start.month - 1 + months;
    yield dayInMonth(rule, start.year + Math.floor(month / 12), (month % 12) + 1);
  }
}

/** The day of the rule in a month, as a Gregorian one. */
function dayInMonth(
  { calendar, day }: Pick<Extract<Recurrence, { every: 'month' }>, 'calendar' | 'day'>,
  year: number,
  month: number,
): CalendarDay {
  if (calendar === 'jalali')
    return gregorianDayOf({ year, month, day }) ?? dayInMonth({ calendar, day: day - 1 }, year, month);
  const { day: length } = dayAfter({ year, month: month + 1, day: 1 }, -1);
  return { year, month, day: Math.min(day, length) };
}
