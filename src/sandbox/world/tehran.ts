/** Iran keeps one offset all year. */
const OFFSET_MS = 3.5 * 3600 * 1000;
const DAY_MS = 86_400_000;

/** Years below this are of the Jalali calendar. */
const FIRST_GREGORIAN_YEAR = 1700;

const jalali = new Intl.DateTimeFormat('en-u-ca-persian-nu-latn', {
  timeZone: 'UTC',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
});

export type LocalTime = { year: number; month: number; day: number; hour: number; minute: number };

/** The number of the day in Tehran that an epoch ms falls on. */
export function tehranDay(at: number): number {
  return Math.floor((at + OFFSET_MS) / DAY_MS);
}

/** Epoch ms at which a day of {@link tehranDay} begins. */
export function tehranMidnight(day: number): number {
  return day * DAY_MS - OFFSET_MS;
}

/** Epoch ms of a time in Tehran, Jalali or Gregorian by its year; undefined when there is no such time. */
export function tehranTime({ year, month, day, hour, minute }: LocalTime): number | undefined {
  if (hour > 23 || minute > 59) return undefined;
  const midnight = year < FIRST_GREGORIAN_YEAR ? jalaliDay(year, month, day) : gregorianDay(year, month, day);
  return midnight === undefined ? undefined : midnight + (hour * 60 + minute) * 60_000 - OFFSET_MS;
}

function gregorianDay(year: number, month: number, day: number): number | undefined {
  const at = new Date(Date.UTC(year, month - 1, day));
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === day ? at.getTime() : undefined;
}

/** The year begins within two days of 21 March, so the right day is among a few, and the calendar itself tells. */
function jalaliDay(year: number, month: number, day: number): number | undefined {
  const dayOfYear = month <= 7 ? (month - 1) * 31 + day : 186 + (month - 7) * 30 + day;
  const guess = Date.UTC(year + 621, 2, 20 + dayOfYear);
  return [0, -1, 1, -2, 2]
    .map((shift) => guess + shift * DAY_MS)
    .find((at) => {
      const parts = Object.fromEntries(
        jalali.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
      );
      return parts['year'] === year && parts['month'] === month && parts['day'] === day;
    });
}
