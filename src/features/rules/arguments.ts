import { z } from 'zod';
import { foldWords, WORD_WAYS, WORDS_MAX, type WordWay } from '../../domain/inbox-rules.ts';
import { checkMessage } from '../../domain/message.ts';
import { parseLine } from '../../domain/phone.ts';
import type { DeskHours } from '../../domain/working-time.ts';
import type { Stores } from '../../storage/stores.ts';
import { takeRest, type Argument } from '../../telegram/feature.ts';
import { clip } from '../../telegram/html.ts';
import { takeName, unquoted } from '../../telegram/forms/quoted.ts';
import { lineArgument, lineSchema } from '../shared/shared-arguments.ts';
import { isOff, wordReader } from '../shared/words.ts';
import { readDeskHours } from '../shared/desk-hours.ts';
import { texts } from './texts.ts';

/* `/rule contains «price» on 3000123456 → here answer «…»`: each takes what is its own off the front. */

const WAYS: ReadonlyMap<string, WordWay> = new Map([
  ...WORD_WAYS.map((way) => [way, way] as const),
  ['شامل', 'contains'],
  ['دقیقا', 'equals'],
  ['دقیقاً', 'equals'],
  ['الگو', 'pattern'],
]);

function wayOf(typed: string | undefined): WordWay | null {
  return WAYS.get(typed?.trim().toLowerCase() ?? '') ?? null;
}

export const wayArgument = {
  schema: z.string().transform((typed, ctx) => {
    const way = wayOf(typed);
    if (way !== null) return way;
    ctx.addIssue({ code: 'custom', message: 'not a way' });
    return z.NEVER;
  }),
  usage: (locale) => texts(locale).usageWay,
  ask: ({ locale }) => texts(locale).askWay,
  problem: (locale) => texts(locale).badWay,
  choices: async ({ locale }) => WORD_WAYS.map((way) => ({ label: texts(locale).ways[way], value: way })),
} satisfies Argument;

export const wordsArgument = {
  schema: z
    .string()
    .transform((typed) => unquoted(typed.trim()).trim())
    .refine((words) => words.length <= WORDS_MAX && foldWords(words) !== '' && words.isWellFormed()),
  take: takeName,
  usage: (locale) => texts(locale).usageWords,
  ask: ({ locale }, known) => texts(locale).askWords(wayOf(known['way']) ?? 'contains'),
  problem: (locale) => texts(locale).badWords,
} satisfies Argument;

const ON = /^(?:on|در خط|خط)\s/iu;

export const ruleLineArgument = {
  schema: lineSchema,
  take: (input: string) => {
    const taken = lineArgument.take(input);
    const isLine = ON.test(input) || lineSchema.safeParse(taken.value).success;
    return isLine ? taken : { value: '', rest: input };
  },
  usage: (locale) => texts(locale).usageLine,
  ask: ({ locale }) => texts(locale).badLine,
  problem: (locale) => texts(locale).badLine,
  optional: true,
} satisfies Argument;

const ARROW = /^(?:→|←|-+>|=+>|<-+)\s*/u;
const readTarget = wordReader({ here: ['این‌جا'], topic: ['موضوع'], all: ['همه'] });
const ANSWER = /^(?:answer|reply|پاسخ|جواب)(?=[\s:«"“])[:\s]*([\s\S]*)$/iu;

/** Where a rule has messages go: a word for it, or the name of a place. */
export type Target =
  | { readonly kind: 'all' | 'here' | 'topic' }
  | { readonly kind: 'place'; readonly name: string }
  | { readonly kind: 'sink'; readonly id: string };

const DESTINATION = /^sink:([0-9a-f-]{36})$/u;

export function targetArgument(destinations: Pick<Stores['destinations'], 'of'>) {
  return {
    schema: z.string().transform((typed, ctx): Target => {
      const name = unquoted(typed.trim().replace(ARROW, '')).trim();
      const kind = readTarget(name);
      if (kind !== null) return { kind };
      const destination = DESTINATION.exec(name.toLowerCase())?.[1];
      if (destination !== undefined) return { kind: 'sink', id: destination };
      if (name !== '' && name.length <= 128) return { kind: 'place', name };
      ctx.addIssue({ code: 'custom', message: 'no place' });
      return z.NEVER;
    }),
    take: (input: string) => {
      // What is answered may follow at once: the message then goes where all go.
      if (ANSWER.test(input)) return { value: 'all', rest: input };
      return takeName(input.replace(ARROW, ''));
    },
    usage: (locale) => texts(locale).usageTarget,
    ask: ({ locale }) => texts(locale).askTarget,
    problem: (locale) => texts(locale).badTarget,
    choices: async ({ chat, locale, threadId }) => {
      const t = texts(locale);
      const others = (await destinations.of(chat.id)).filter(({ isChatItself }) => !isChatItself);
      return [
        { label: t.targetHere, value: 'here' },
        ...(threadId === undefined ? [] : [{ label: t.targetTopic, value: 'topic' }]),
        ...others.map(({ id, title }) => ({ label: title, value: `sink:${id}` })),
        { label: t.targetAll, value: 'all' },
      ];
    },
  } satisfies Argument;
}

export const answerArgument = {
  schema: z
    .string()
    .transform((typed) => unquoted(typed.trim()))
    .refine((typed) => checkMessage(typed).ok),
  take: (input: string) => {
    const found = ANSWER.exec(input);
    // Anything else at the end of the line is a slip, which the schema must see.
    return found === null ? takeRest(input === '' ? '' : '\u0000') : { value: found[1] ?? '', rest: '' };
  },
  usage: (locale) => texts(locale).usageAnswer,
  ask: ({ locale }) => texts(locale).badAnswer,
  problem: (locale) => texts(locale).badAnswer,
  optional: true,
} satisfies Argument;

const NUMBERS = /^(?:numbers|شماره‌ها|شمارهها)\s+(full|masked|کامل|پوشیده)$/iu;
const READ = /^(?:read|خوانده)\s+(on|off|روشن|خاموش)$/iu;
const OPT_OUT = /^(?:optout|لغو[\s\u200c]*(?:11|۱۱))\s+(\S+)\s+(on|off|روشن|خاموش)$/iu;

const DESK = /^(hours|closed|ساعت[\s\u200c]*کار[یي]|ساعت|تعطیل)(?:[\s:]+([\s\S]*))?$/iu;

/** What `/rules` can be told to set; `desk`: what comes behind the word is read, or asked for, by a form. */
export type Setting =
  | { readonly kind: 'desk'; readonly what: 'hours' | 'closed'; readonly typed: string }
  | { readonly kind: 'optout'; readonly line: string; readonly isOn: boolean }
  | { readonly kind: 'numbers'; readonly isWhole: boolean }
  | { readonly kind: 'read'; readonly isOn: boolean };

export const settingArgument = {
  schema: z.string().transform((typed, ctx): Setting => {
    const numbers = NUMBERS.exec(typed.trim())?.[1];
    if (numbers !== undefined) return { kind: 'numbers', isWhole: /^(?:full|کامل)$/iu.test(numbers) };
    const read = READ.exec(typed.trim())?.[1];
    if (read !== undefined) return { kind: 'read', isOn: isOnWord(read) };
    const [, desk, value = ''] = DESK.exec(typed.trim()) ?? [];
    if (desk !== undefined)
      return { kind: 'desk', what: /^(?:closed|تعطیل)$/iu.test(desk) ? 'closed' : 'hours', typed: value };
    const found = OPT_OUT.exec(typed.trim());
    const line = parseLine(found?.[1] ?? '');
    if (found !== null && line !== null) return { kind: 'optout', line, isOn: isOnWord(found[2] ?? '') };
    ctx.addIssue({ code: 'custom', message: 'no line and switch' });
    return z.NEVER;
  }),
  take: takeRest,
  usage: (locale) => texts(locale).usageSetting,
  ask: ({ locale }) => texts(locale).askSetting,
  problem: (locale, typed) => texts(locale).badSetting(clip(typed, 40)),
  optional: true,
} satisfies Argument;

/** Null: off. */
export const deskHoursArgument = {
  schema: z.string().transform((typed, ctx): DeskHours | null => {
    if (isOff(typed)) return null;
    const hours = readDeskHours(typed);
    if (hours !== null) return hours;
    ctx.addIssue({ code: 'custom', message: 'no hours' });
    return z.NEVER;
  }),
  take: null,
  usage: (locale) => texts(locale).usageHours,
  ask: ({ locale, format }) => texts(locale).askHours(format.timeZone),
  problem: (locale, typed) => texts(locale).badHours(clip(typed, 40)),
  choices: async ({ locale }) => [
    ...texts(locale).usualHours.map((hours) => ({ label: hours, value: hours })),
    { label: texts(locale).off, value: 'off' },
  ],
} satisfies Argument;

/** A text, or a kept one by its `#name`; null: none. */
export const closedAnswerArgument = (templates: Pick<Stores['templates'], 'forAnswers'>) =>
  ({
    schema: z
      .string()
      .transform((typed) => (isOff(typed) ? null : unquoted(typed.trim())))
      .refine((text) => text === null || checkMessage(text).ok),
    take: null,
    usage: (locale) => texts(locale).usageAnswer,
    ask: ({ locale }) => texts(locale).askClosed,
    problem: (locale) => texts(locale).badClosed,
    choices: async ({ chat, locale }) => [
      ...(await templates.forAnswers(chat.id, KEPT)).map(({ name }) => ({
        label: `#${name}`,
        value: `#${name}`,
      })),
      { label: texts(locale).off, value: 'off' },
    ],
  }) satisfies Argument;

/** Kept texts that are offered as buttons; each can be called by its name. */
const KEPT = 8;

function isOnWord(word: string): boolean {
  return /^(?:on|روشن)$/iu.test(word);
}
