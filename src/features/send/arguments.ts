import { z } from 'zod';
import { checkMessage } from '../../domain/message.ts';
import { parseRecipients, splitNumbersAndText } from '../../domain/phone.ts';
import type { Argument } from '../../telegram/feature.ts';
import { takeRest } from '../../telegram/feature.ts';
import { lineSchema } from '../../telegram/line-argument.ts';
import { texts } from './texts.ts';

export const numbersArgument = {
  schema: z.string().transform((typed, ctx) => {
    const parsed = parseRecipients(typed);
    if (parsed.recipients.length > 0) return parsed;
    ctx.addIssue({ code: 'custom', message: 'no recipient' });
    return z.NEVER;
  }),
  take: (input: string) => {
    const { numbers, text } = splitNumbersAndText(input);
    return { value: numbers, rest: text };
  },
  usage: (locale) => texts(locale).usageNumbers,
  ask: ({ locale }) => texts(locale).askNumbers,
  problem: (locale, typed) => texts(locale).badNumbers(typed.slice(0, 60)),
} satisfies Argument;

export const textArgument = {
  schema: z.string().refine((typed) => checkMessage(typed).ok),
  take: takeRest,
  usage: (locale) => texts(locale).usageText,
  ask: ({ locale }) => texts(locale).askText,
  problem: (locale, typed) => {
    const check = checkMessage(typed);
    return check.ok
      ? texts(locale).askText
      : texts(locale).badText(check.reason, check.characters, check.limit);
  },
} satisfies Argument;

export const lineArgument = {
  schema: lineSchema,
  take: null,
  usage: (locale) => texts(locale).usageLine,
  ask: ({ locale }) => texts(locale).askLine,
  problem: (locale) => texts(locale).badLine,
} satisfies Argument;

export const mobileArgument = {
  schema: z.string().transform((typed, ctx) => {
    const [only, ...more] = parseRecipients(typed).recipients;
    if (only !== undefined && more.length === 0) return only;
    ctx.addIssue({ code: 'custom', message: 'not one mobile number' });
    return z.NEVER;
  }),
  take: null,
  usage: (locale) => texts(locale).usageMobile,
  ask: ({ locale }) => texts(locale).askMobile,
  problem: (locale) => texts(locale).badMobile,
} satisfies Argument;

/** Carried by a form from its start; a person is never asked for it. */
export const carried = {
  schema: z.string(),
  take: null,
  usage: () => '',
  ask: ({ locale }) => texts(locale).notOpen,
  problem: (locale) => texts(locale).notOpen,
} satisfies Argument;
