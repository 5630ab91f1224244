import { z } from 'zod';
import { hasLetters, OPT_OUT_PHRASE, PHRASE_MAX, WORDS_MAX } from '../../../domain/line-rules.ts';
import { LINE_PURPOSES, type LinePurpose, type SendingWindow } from '../../../domain/limits.ts';
import type { Argument } from '../../../telegram/feature.ts';
import { clip } from '../../../telegram/html.ts';
import { isOff, readHours, wordReader } from '../../shared/words.ts';
import { lineTexts } from './line-texts.ts';

export const LINE_SETTINGS = ['purpose', 'must', 'words', 'hours'] as const;
export type LineSetting = (typeof LINE_SETTINGS)[number];

const readSetting = wordReader<LineSetting | 'rules'>({
  rules: ['rule', 'show', 'قاعده', 'قاعده‌ها', 'نمایش'],
  purpose: ['for', 'کاربرد', 'برای'],
  must: ['required', 'phrase', 'الزامی', 'عبارت'],
  words: ['word', 'banned', 'کلمه', 'کلمه‌ها', 'ممنوع'],
  hours: ['window', 'ساعت', 'ساعت‌ها', 'بازه'],
});
const readPurpose = wordReader<LinePurpose>({
  service: ['services', 'transactional', 'خدمات', 'خدماتی'],
  advertising: ['ads', 'ad', 'advertisement', 'marketing', 'تبلیغ', 'تبلیغات', 'تبلیغاتی'],
});

/** The word behind the line: which of its rules, or all of them. */
export const settingArgument = {
  schema: z.string().transform((typed, ctx): LineSetting | 'rules' => readSetting(typed) ?? refuse(ctx)),
  usage: (locale) => lineTexts(locale).usageSetting,
  ask: ({ locale }) => lineTexts(locale).askSetting,
  problem: (locale, typed) => lineTexts(locale).badSetting(clip(typed, SHOWN_UNITS)),
  choices: async ({ locale }) =>
    LINE_SETTINGS.map((name) => ({ label: lineTexts(locale).names[name], value: name })),
  optional: true,
} as const satisfies Argument;

const common = {
  take: null,
  usage: (locale) => lineTexts(locale).usageValue,
  choices: async ({ locale }) => [{ label: lineTexts(locale).off, value: 'off' }],
} satisfies Partial<Argument>;

/** The new value of each; null or none: off. */
export const VALUES = {
  purpose: {
    ...common,
    schema: z
      .string()
      .transform((typed, ctx): LinePurpose | null =>
        isOff(typed) ? null : (readPurpose(typed) ?? refuse(ctx)),
      ),
    ask: ({ locale }, { line = '' }) => lineTexts(locale).askPurpose(line),
    problem: (locale, typed) => lineTexts(locale).badPurpose(clip(typed, SHOWN_UNITS)),
    choices: async ({ locale }) => [
      ...LINE_PURPOSES.map((value) => ({ label: lineTexts(locale).purposes[value], value })),
      { label: lineTexts(locale).off, value: 'off' },
    ],
  },
  must: {
    ...common,
    schema: z.string().transform((typed, ctx): string | null => {
      if (isOff(typed)) return null;
      const phrase = typed.replaceAll(/\s+/gu, ' ').trim();
      return isPhrase(phrase) ? phrase : refuse(ctx);
    }),
    ask: ({ locale }, { line = '' }) => lineTexts(locale).askMust(line),
    problem: (locale) => lineTexts(locale).badMust,
    choices: async ({ locale }) => [
      { label: OPT_OUT_PHRASE, value: OPT_OUT_PHRASE },
      { label: lineTexts(locale).off, value: 'off' },
    ],
  },
  words: {
    ...common,
    schema: z.string().transform((typed, ctx): readonly string[] => {
      if (isOff(typed)) return [];
      const words = new Set(typed.split(PARTED).map((word) => word.replaceAll(/\s+/gu, ' ').trim()));
      words.delete('');
      const isList = words.size > 0 && words.size <= WORDS_MAX && [...words].every(isPhrase);
      return isList ? [...words] : refuse(ctx);
    }),
    ask: ({ locale }, { line = '' }) => lineTexts(locale).askWords(line),
    problem: (locale) => lineTexts(locale).badWords,
  },
  hours: {
    ...common,
    schema: z
      .string()
      .transform((typed, ctx): SendingWindow | null =>
        isOff(typed) ? null : (readHours(typed) ?? refuse(ctx)),
      ),
    ask: ({ locale, format }, { line = '' }) => lineTexts(locale).askHours(line, format.timeZone),
    problem: (locale, typed) => lineTexts(locale).badHours(clip(typed, SHOWN_UNITS)),
  },
} satisfies Record<LineSetting, Argument>;

const SHOWN_UNITS = 40;
const PARTED = /[,،؛;\n]/u;

function isPhrase(typed: string): boolean {
  return typed.length <= PHRASE_MAX && typed.isWellFormed() && hasLetters(typed);
}

function refuse(ctx: z.RefinementCtx): never {
  ctx.addIssue({ code: 'custom', message: 'not a value of this rule' });
  return z.NEVER;
}
