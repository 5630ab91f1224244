import { z } from 'zod';
import { AppError } from '../../domain/errors.ts';
import { parseRange, type Range, type RangeContext } from '../../i18n/range.ts';
import type { Argument } from '../../telegram/feature.ts';
import { takeRest } from '../../telegram/feature.ts';
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
  problem: (locale) => kitTexts(locale).badRange,
  optional: true,
} satisfies Argument;

/**
 * The range that was typed, in the time zone of the chat, or the fallback's, such as `today`. Throws `bad_input` for
 * a day that has begun elsewhere in the world, but not there.
 */
export function readRange(
  typed: string | undefined,
  { fallback, ...context }: RangeContext & { readonly fallback: string },
): Range {
  const range = parseRange(typed ?? fallback, context);
  if (range !== null) return range;
  throw new AppError('bad_input', 'a range that has not begun', { params: { field: 'range' } });
}
