import {
  gregorianDayOf,
  jalaliDayOf,
  localTimeOf,
  type Calendar,
  type CalendarDay,
} from '../../domain/calendar.ts';

/** The Gregorian day of one in either calendar; null if there is no such day. */
export function gregorianDay({
  calendar,
  year,
  month,
  day,
}: CalendarDay & { readonly calendar: Calendar }): CalendarDay | null {
  if (calendar === 'jalali') return gregorianDayOf({ year, month, day });
  const noon = new Date(Date.UTC(year, month - 1, day, 12));
  return noon.getUTCMonth() === month - 1 && noon.getUTCDate() === day ? { year, month, day } : null;
}

/** The same of a day whose year is not said. */
export function dayInYear(
  {
    calendar,
    month,
    day,
  }: { readonly calendar: Calendar; readonly month: number; readonly day: number | null },
  year: number,
): CalendarDay | null {
  return gregorianDay({ calendar, year, month, day: day ?? 1 });
}

/** The year of a calendar in which an instant lies. */
export function yearOf(instant: Date, calendar: Calendar, timeZone: string): number {
  return calendar === 'jalali' ? jalaliDayOf(instant, timeZone).year : localTimeOf(instant, timeZone).year;
}
