import { z } from 'zod';
import { MAX_NAME_UNITS } from '../../domain/people.ts';
import { normalizeDigits } from '../../domain/phone.ts';
import type { Stores } from '../../storage/stores.ts';
import { takeRest, type Argument } from '../../telegram/feature.ts';
import { clip } from '../../telegram/html.ts';
import { rangeArgument } from '../shared/range-argument.ts';
import { lineArgument, lineSchema } from '../shared/shared-arguments.ts';
import { isAll } from '../shared/words.ts';
import type { DeskView } from './desk-card.ts';
import { numberOf, queryArgument } from './find-card.ts';
import { inboundTexts } from './inbound-texts.ts';
import type { InboxView } from './reader.ts';
import { texts } from './texts.ts';

/** One of the words, wherever it stands: nobody should have to know whether the line comes first. */
const WORD =
  /(?<=^|\s)(?:unread|new|all|mine|unanswered|open|نخوانده|خوانده[\s\u200c]*نشده|همه|(?:با|مال|برای)[\s\u200c]+من|بی[\s\u200c]*(?:پاسخ|جواب)|باز)(?=\s|$)/iu;

/** What a word asks for: what the gateway holds, or who waits for whom here. */
function readView(typed: string): InboxView | DeskView {
  if (isAll(typed)) return 'all';
  if (/mine|من$/iu.test(typed)) return 'mine';
  return /unanswered|open|^بی|^باز$/iu.test(typed) ? 'unanswered' : 'unread';
}

export const viewArgument = {
  schema: z.string().transform(readView),
  take: (input: string) => {
    const found = WORD.exec(input);
    if (found === null) return { value: '', rest: input };
    const rest = `${input.slice(0, found.index)} ${input.slice(found.index + found[0].length)}`;
    return { value: found[0], rest: rest.trim() };
  },
  usage: (locale) => texts(locale).usageView,
  ask: queryArgument.ask,
  problem: queryArgument.problem,
  optional: true,
} satisfies Argument;

type Shown = { readonly line: string } | { readonly time: string } | { readonly query: string };

/** A line whose messages are shown; a past time, as it was typed; or what is looked for, as whose number is typed alone. */
export const shownArgument = {
  ...queryArgument,
  schema: queryArgument.schema.transform((typed): Shown => {
    const line = lineSchema.safeParse(typed);
    if (line.success && numberOf(typed) === null) return { line: line.data };
    return rangeArgument.schema.safeParse(typed).success ? { time: typed } : { query: typed };
  }),
  usage: (locale) => texts(locale).usageShown,
  optional: true,
} satisfies Argument;

/** Left out, it is the line of the chat. */
export const optionalLine = (bindings: Pick<Stores['bindings'], 'lines'>) =>
  ({
    ...lineArgument,
    optional: true,
    choices: async (ctx) => {
      const lines = ctx.binding === null ? [] : await bindings.lines(ctx.binding.id);
      return lines.map((line) => ({ label: line, value: line }));
    },
  }) satisfies Argument;

/** The number of a received message as its card shows it: `#in12`, `in12` or `12`. */
export const inboundIdArgument = {
  schema: z.string().transform((typed, ctx) => {
    const found = /^#?(?:in)?([1-9]\d{0,14})$/iu.exec(normalizeDigits(typed.trim()));
    if (found?.[1] !== undefined) return Number(found[1]);
    ctx.addIssue({ code: 'custom', message: 'not the number of a message' });
    return z.NEVER;
  }),
  usage: (locale) => inboundTexts(locale).usageId,
  ask: ({ locale }) => inboundTexts(locale).askId,
  problem: (locale, typed) => inboundTexts(locale).badId(clip(typed, 40)),
} satisfies Argument;

const NO_NAME = /^[-–—]$/u;

/** What people call a number; a dash: nothing any more. */
export const contactNameArgument = {
  schema: z
    .string()
    .trim()
    .min(1)
    .max(MAX_NAME_UNITS)
    .refine((typed) => !/[\p{Cc}\p{Cs}]/u.test(typed))
    .transform((typed) => (NO_NAME.test(typed) ? null : typed)),
  endsByNo: true,
  take: takeRest,
  usage: (locale) => inboundTexts(locale).usageName,
  ask: ({ locale }) => inboundTexts(locale).askName,
  problem: (locale) => inboundTexts(locale).badName,
} satisfies Argument;
