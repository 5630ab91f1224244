import { z } from 'zod';
import { AppError } from '../../domain/errors.ts';
import type { TimeSpan } from '../../domain/time-range.ts';
import { defineTexts } from '../../i18n/define.ts';
import type { Format } from '../../i18n/format.ts';
import { parseRange } from '../../i18n/range.ts';
import type { Clock } from '../../ports/runtime.ts';
import { takeRest, type Argument } from '../../telegram/feature.ts';
import { clip } from '../../telegram/html.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { kitTexts } from '../../telegram/texts.ts';

/** Where a day has begun anywhere, it has begun here. */
const EARLIEST_ZONE = 'Pacific/Kiritimati';

/**
 * A range of past time, from the rest of the line; see parseRange for what it understands. It stays a text
 * until it is used: a form that waits over midnight must not mean another day.
 */
export const rangeArgument = {
  schema: z
    .string()
    .refine((typed) => parseRange(typed, { now: new Date(), timeZone: EARLIEST_ZONE }) !== null),
  take: takeRest,
  usage: (locale) => kitTexts(locale).usageRange,
  ask: ({ locale }) => kitTexts(locale).askRange,
  problem: (locale, typed) => kitTexts(locale).badRange(clip(typed, 40)),
  optional: true,
} satisfies Argument;

/**
 * The range that was typed, in epoch seconds, by the time zone of the chat; today's where none was. Throws `bad_input` for
 * a day that has begun elsewhere in the world, but not there.
 */
export function readSpan(
  { format: { timeZone } }: RequestContext,
  clock: Pick<Clock, 'now'>,
  typed = 'today',
): TimeSpan {
  const range = parseRange(typed, { now: clock.now(), timeZone });
  if (range === null)
    throw new AppError('bad_input', 'a range that has not begun', { params: { field: 'range' } });
  return { from: Math.floor(range.from.getTime() / 1000), to: Math.floor(range.to.getTime() / 1000) };
}

const between = defineTexts({
  en: {
    span: (from: string, to: string): string => `${from} – ${to}`,
    day: (date: string, from: string, to: string): string => `${date}, ${from}–${to}`,
    moment: (date: string, time: string): string => `${date}, ${time}`,
  },
  fa: {
    span: (from, to) => `${from} تا ${to}`,
    day: (date, from, to) => `${date}، ${from} تا ${to}`,
    moment: (date, time) => `${date}، ${time}`,
  },
});

/** A time in words, no longer than it must be: whole days without hours. */
export function spanText(format: Format, { from, to }: TimeSpan): string {
  const t = between(format.locale);
  const [start, end] = [new Date(from * 1000), new Date(to * 1000)];
  const [startTime, endTime] = [format.time(start), format.time(end)];
  const isFromMidnight = startTime === format.digits('00:00');
  const isToMidnight = endTime === format.digits('23:59');
  if (format.date(start) === format.date(end)) {
    return isFromMidnight && isToMidnight
      ? format.date(start)
      : t.day(format.date(start), startTime, endTime);
  }
  return t.span(
    isFromMidnight ? format.date(start) : t.moment(format.date(start), startTime),
    isToMidnight ? format.date(end) : t.moment(format.date(end), endTime),
  );
}
