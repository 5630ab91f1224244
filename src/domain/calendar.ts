export interface CalendarDay {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
}

export interface LocalTime extends CalendarDay {
  hour: number;
  minute: number;
}

/** The gateway lives there: it is told times, and its day begins and ends, as the clocks there show them. */
export const GATEWAY_ZONE = 'Asia/Tehran';

export type Calendar = 'gregorian' | 'jalali';

/** The Gregorian day and time that the clocks of a time zone show, to the minute. */
export function localTimeOf(instant: Date, timeZone: string): LocalTime {
  const { year, month, day, hour, minute } = fieldsOf(instant, timeZone, 'gregory');
  return { year, month, day, hour, minute };
}

/** The Gregorian day that comes so many days after another. */
export function dayAfter({ year, month, day }: CalendarDay, days: number): CalendarDay {
  const moved = new Date(Date.UTC(year, month - 1, day) + days * DAY_MS);
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() };
}

/** 0 for Sunday, to 6, of a Gregorian day. */
export function weekdayOf({ year, month, day }: CalendarDay): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

/** The Jalali day that an instant falls on in a time zone. The calendar is the runtime's own. */
export function jalaliDayOf(instant: Date, timeZone: string): CalendarDay {
  const { year, month, day } = fieldsOf(instant, timeZone, 'persian');
  return { year, month, day };
}

/** The same with the time on the wall, to the minute. */
export function jalaliTimeOf(instant: Date, timeZone: string): LocalTime {
  const { year, month, day, hour, minute } = fieldsOf(instant, timeZone, 'persian');
  return { year, month, day, hour, minute };
}

/** The Gregorian day of a Jalali one, or null if there is no such day (30 Esfand of a common year). */
export function gregorianDayOf(jalali: CalendarDay): CalendarDay | null {
  const guess = jalaliEpochDay(jalali);
  // The estimate is off by a day or two at most; the calendar decides.
  for (let day = guess - 3; day <= guess + 3; day += 1) {
    const noon = new Date(day * DAY_MS + DAY_MS / 2);
    if (isSameDay(jalaliDayOf(noon, 'UTC'), jalali)) {
      return { year: noon.getUTCFullYear(), month: noon.getUTCMonth() + 1, day: noon.getUTCDate() };
    }
  }
  return null;
}

/**
 * The instant of a Gregorian wall-clock time in a time zone; null if the clock never shows it (a day that does
 * not exist, or the hour skipped in spring). Of an hour that comes twice, the first.
 */
export function instantOf(local: LocalTime, timeZone: string): Date | null {
  const wall = Date.UTC(local.year, local.month - 1, local.day, local.hour, local.minute);
  // A zone's offset changes by few hours at most, so one of these two offsets is the right one. Both are where the clocks
  // went back in between, and the one from before is that of the first.
  const offsets = [wall - DAY_MS, wall + DAY_MS].map((near) => wallClockOf(near, timeZone) - near);
  for (const instant of offsets.map((offset) => wall - offset)) {
    const shown = fieldsOf(new Date(instant), timeZone, 'gregory');
    const isSame = isSameDay(shown, local) && shown.hour === local.hour && shown.minute === local.minute;
    if (isSame) return new Date(instant);
  }
  return null;
}

const DAY_MS = 86_400_000;

/** Days from 1970-01-01 to about the given Jalali day. */
function jalaliEpochDay({ year, month, day }: CalendarDay): number {
  const beforeMonth = month <= 7 ? (month - 1) * 31 : 186 + (month - 7) * 30;
  // 1 Farvardin 1349 was 21 March 1970, day 79.
  return Math.floor((year - 1349) * 365.2422) + 79 + beforeMonth + day - 1;
}

/** Tells whether two are one day of a calendar. */
export function isSameDay(left: CalendarDay, right: CalendarDay): boolean {
  return left.year === right.year && left.month === right.month && left.day === right.day;
}

/** What the wall clock of a zone shows, as if it were UTC, to the second. */
function wallClockOf(instant: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = fieldsOf(new Date(instant), timeZone, 'gregory');
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

// One entry per zone and calendar; making a formatter takes about 50 µs, using one about 1.
const formatters = new Map<string, Intl.DateTimeFormat>();

function fieldsOf(instant: Date, timeZone: string, calendar: 'persian' | 'gregory') {
  const key = `${calendar} ${timeZone}`;
  const formatter =
    formatters.get(key) ??
    new Intl.DateTimeFormat(`en-u-ca-${calendar}-nu-latn`, {
      timeZone,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      hourCycle: 'h23',
    });
  formatters.set(key, formatter);
  const parts = formatter.formatToParts(instant);
  const field = (wanted: Intl.DateTimeFormatPartTypes): number =>
    Number.parseInt(parts.find(({ type }) => type === wanted)?.value ?? '', 10);
  return {
    year: field('year'),
    month: field('month'),
    day: field('day'),
    hour: field('hour'),
    minute: field('minute'),
    second: field('second'),
  };
}
