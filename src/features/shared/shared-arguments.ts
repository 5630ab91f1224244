import { z } from 'zod';
import { checkMessage } from '../../domain/message.ts';
import {
  displayRecipient,
  parseLine,
  parseRecipients,
  slipAtStart,
  splitNumbersAndText,
} from '../../domain/phone.ts';
import { readTemplateCall } from '../../domain/template-name.ts';
import { takeRest, type Argument, type Choice } from '../../telegram/feature.ts';
import { clipLine } from '../../telegram/html.ts';
import { kitTexts } from '../../telegram/texts.ts';

/* Arguments that several commands have. One that asks in other words spreads these and sets its own `ask`. */

/** Whom a card speaks of: the sender of its message. */
export const SENDER = {
  of: 'number',
  isNamedBy: (typed) => /\p{Nd}/u.test(typed),
} satisfies Argument['shown'];

/** Mobile numbers at the front of a line, before a text; at least one is good. */
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
  contact: true,
  shown: SENDER,
  usage: (locale) => kitTexts(locale).usageNumbers,
  ask: ({ locale }) => kitTexts(locale).askNumbers,
  problem: (locale, typed) => kitTexts(locale).badNumbers(typed.slice(0, 60)),
} satisfies Argument;

/** The same, also as they were typed: where something else was wrong, that alone is asked for again. */
export const typedNumbersArgument = {
  ...numbersArgument,
  schema: z.string().transform((typed, ctx) => {
    const parsed = numbersArgument.schema.safeParse(typed);
    if (parsed.success) return { ...parsed.data, typed };
    ctx.addIssue({ code: 'custom', message: 'no recipient' });
    return z.NEVER;
  }),
} satisfies Argument;

/** Exactly one mobile number, to its canonical form. */
export const recipientArgument = {
  schema: z.string().transform((typed, ctx) => {
    const [only, ...more] = parseRecipients(typed).recipients;
    if (only !== undefined && more.length === 0) return only;
    ctx.addIssue({ code: 'custom', message: 'not one mobile number' });
    return z.NEVER;
  }),
  take: (input: string) => {
    const { numbers, text } = splitNumbersAndText(input);
    return numbers === '' ? takeRest(input) : { value: numbers, rest: text };
  },
  contact: true,
  shown: SENDER,
  usage: (locale) => kitTexts(locale).usageNumber,
  ask: ({ locale }) => kitTexts(locale).askNumber,
  // Of several typed, one is meant.
  choices: async ({ format }, known) =>
    Object.values(known)
      .flatMap((typed) => parseRecipients(typed).recipients)
      .slice(0, CHOICES)
      .map((number) => ({ label: format.phone(number), value: displayRecipient(number) })),
  problem: (locale, typed) =>
    parseRecipients(typed).recipients.length > 1
      ? kitTexts(locale).onlyOneNumber
      : kitTexts(locale).badNumber(typed.slice(0, 60)),
} satisfies Argument;

const CHOICES = 8;

/** What people write before a line: `on line`, «از خط». */
export const BEFORE_LINE = String.raw`(?:(?:on|from|در|از|روی)\s+)?(?:(?:line|خط)[\s:]+)?`;
const LINE_WORDS = new RegExp(`^${BEFORE_LINE}`, 'iu');

/** A sender line as people write it, to its digits. */
export const lineSchema = z.string().transform((typed, ctx) => {
  const line = parseLine(typed.replace(LINE_WORDS, ''));
  if (line !== null) return line;
  ctx.addIssue({ code: 'custom', message: 'not a sender line' });
  return z.NEVER;
});

export const lineArgument = {
  schema: lineSchema,
  take: (input: string) => {
    const [words] = LINE_WORDS.exec(input) ?? [''];
    const [, line = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/u.exec(input.slice(words.length)) ?? [];
    return { value: `${words}${line}`.trim(), rest };
  },
  usage: (locale) => kitTexts(locale).usageLine,
  ask: ({ locale }) => kitTexts(locale).askLine,
  problem: (locale, typed) => kitTexts(locale).badLine(typed.slice(0, 60)),
} satisfies Argument;

/** Carried by a form from its start; a person is never asked for it. */
export const carried = {
  schema: z.string(),
  take: null,
  usage: () => '',
  ask: ({ locale }) => kitTexts(locale).errors.stale,
  problem: (locale) => kitTexts(locale).errors.stale,
} satisfies Argument;

/** The words behind the numbers of an answer, unless they are more of these. */
function wordsBehind([name, typed]: readonly [string, string]): readonly Choice[] {
  const { numbers, text } = splitNumbersAndText(typed);
  const hasNumber = (part: string) => parseRecipients(part).recipients.length > 0;
  if (!hasNumber(numbers) || text === '' || hasNumber(text) || slipAtStart(text) !== null) return [];
  return [{ label: `✉️ ${clipLine(text, 40)}`, value: text, known: { [name]: numbers } }];
}

/** What a message says, to the end of the line. */
export const textArgument = {
  schema: z.string().refine((typed) => checkMessage(typed).ok),
  take: takeRest,
  answered: true,
  endsByNo: true,
  usage: (locale) => kitTexts(locale).usageText,
  ask: ({ locale }) => kitTexts(locale).askText,
  // Whoever was asked for the numbers may have written the text behind them.
  choices: (_, known) => Promise.resolve(Object.entries(known).flatMap(wordsBehind)),
  problem: (locale, typed) => {
    const check = checkMessage(typed);
    const name = readTemplateCall(typed);
    if (check.ok) return name === null ? kitTexts(locale).askText : kitTexts(locale).noTemplate(name);
    return kitTexts(locale).badText(check.reason, check.characters, check.limit);
  },
} satisfies Argument;
