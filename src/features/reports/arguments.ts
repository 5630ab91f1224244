import { z } from 'zod';
import { normalizeDigits } from '../../domain/phone.ts';
import { takeRest, type Argument } from '../../telegram/feature.ts';
import { rangeArgument } from '../../telegram/range-argument.ts';
import { texts } from './texts.ts';

const MOST_IDS = 1000;

export const idsArgument = {
  schema: z.string().transform((typed, ctx): { card: string } | { ids: string[] } => {
    const card = cardIn(typed);
    if (card !== null) return { card };
    const words = normalizeDigits(typed)
      .split(/[\s,،;؛]+/u)
      .map((word) => word.replace(/^#/, ''))
      .filter((word) => word !== '');
    const ids = [...new Set(words.map((word) => word.replace(/^0+(?=\d)/u, '')))];
    if (ids.length > 0 && ids.length <= MOST_IDS && ids.every((id) => /^\d{1,19}$/u.test(id))) return { ids };
    ctx.addIssue({ code: 'custom', message: 'neither ids nor a card' });
    return z.NEVER;
  }),
  take: takeRest,
  usage: (locale) => texts(locale).usageIds,
  ask: ({ locale }) => texts(locale).askIds,
  problem: (locale) => texts(locale).badIds,
} satisfies Argument;

/** Since when; of a range its beginning counts. */
export const sinceArgument = {
  ...rangeArgument,
  usage: (locale) => texts(locale).usageSince,
} satisfies Argument;

export const outboxArgument = {
  ...rangeArgument,
  schema: z.string().transform((typed, ctx): { latest: true } | { typed: string } => {
    if (isLatest(typed)) return { latest: true };
    if (rangeArgument.schema.safeParse(typed).success) return { typed };
    ctx.addIssue({ code: 'custom', message: 'neither a time nor the latest' });
    return z.NEVER;
  }),
  problem: (locale) => texts(locale).badOutbox,
} satisfies Argument;

export const reportArgument = {
  ...rangeArgument,
  schema: z.string().transform((typed, ctx): { card: string } | { typed: string } => {
    const card = cardIn(typed);
    if (card !== null) return { card };
    if (rangeArgument.schema.safeParse(typed).success) return { typed };
    ctx.addIssue({ code: 'custom', message: 'neither a card nor a time' });
    return z.NEVER;
  }),
  usage: (locale) => texts(locale).usageReport,
  ask: ({ locale }) => texts(locale).askReport,
  problem: (locale) => texts(locale).badReport,
} satisfies Argument;

/** `#A41`, `a41`, `A۴۱`: the code of a card, or null. */
function cardIn(typed: string): string | null {
  const word = normalizeDigits(typed)
    .replaceAll(/[\u200b-\u200f\u2066-\u2069]/gu, '')
    .trim();
  return /^#?([A-Za-z]\d{1,9})$/u.exec(word)?.[1]?.toUpperCase() ?? null;
}

function isLatest(typed: string): boolean {
  return /^(?:latest|newest|last|آخرین(?:[\s\u200c]?ها)?|تازه‌ترین(?:[\s\u200c]?ها)?)$/iu.test(typed.trim());
}
