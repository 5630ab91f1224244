import { z } from 'zod';
import { tehranTime } from '../world/tehran.ts';
import type { LocalTime } from '../world/tehran.ts';
import { looseText, wholeNumber } from './fields.ts';

/** The minute is called min by the clients that are known. */
const parts = z.object({
  year: wholeNumber,
  month: wholeNumber,
  day: wholeNumber,
  hour: wholeNumber,
  min: wholeNumber.optional(),
  minute: wholeNumber.optional(),
});

/** The parameter as it comes; {@link readSendDate} reads it. */
export const sendDate = z
  .unknown()
  .refine((date) => date !== undefined)
  .meta({ description: 'Year, month, day, hour and min of Tehran, the same in a text, or epoch seconds.' });

const WRITTEN = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})[ T](\d{1,2}):(\d{1,2})(?::\d{1,2})?$/;

/**
 * The time of a scheduled send as epoch ms, by Tehran's clock, in either calendar; undefined when it cannot be
 * read. The interface gives it no format, so several are taken: an object of its parts (texts or numbers), the
 * same written out, or epoch seconds.
 */
export function readSendDate(value: unknown): number | undefined {
  const object = parts.safeParse(value);
  if (object.success) {
    const { min, minute = min ?? 0, ...rest } = object.data;
    return tehranTime({ ...rest, minute });
  }
  const text = looseText.safeParse(value).data?.trim() ?? '';
  if (/^\d{9,11}$/.test(text)) return Number(text) * 1000;
  const written = WRITTEN.exec(text);
  return written === null ? undefined : tehranTime(timeOf(written.slice(1).map(Number)));
}

function timeOf([year = 0, month = 0, day = 0, hour = 0, minute = 0]: readonly number[]): LocalTime {
  return { year, month, day, hour, minute };
}
