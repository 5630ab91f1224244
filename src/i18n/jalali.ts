import { gregorianDayOf, instantOf } from '../domain/calendar.ts';
import { normalizeDigits } from '../domain/phone.ts';

/**
 * Reads `YYYY-MM-DD HH:MM` or `YYYY/MM/DD HH:MM` in a time zone, with digits of any of the three scripts.
 * A year below 1500 is Jalali. Null for anything else and for times that do not exist.
 */
export function parseDateTime(input: string, timeZone: string): Date | null {
  const text = normalizeDigits(input)
    .replaceAll(/[\u200b-\u200f\u2066-\u2069]/gu, '')
    .trim();
  const match = /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})[\sT،,]+(\d{1,2}):(\d{2})$/u.exec(text);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0] = [match[1], match[3], match[4]].map((part) =>
    Number.parseInt(part ?? '', 10),
  );
  const hour = Number.parseInt(match[5] ?? '', 10);
  const minute = Number.parseInt(match[6] ?? '', 10);
  if (hour > 23 || minute > 59) return null;
  const gregorian = year < 1500 ? gregorianDayOf({ year, month, day }) : { year, month, day };
  return gregorian === null ? null : instantOf({ ...gregorian, hour, minute }, timeZone);
}
