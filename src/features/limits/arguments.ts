import { z } from 'zod';
import { foldWord } from '../../domain/fold.ts';
import type { SendingWindow } from '../../domain/limits.ts';
import type { Argument } from '../../telegram/feature.ts';
import { clip } from '../../telegram/html.ts';
import { texts } from './texts.ts';

export const LIMIT_NAMES = ['approval', 'cap', 'personcap', 'window'] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];

/** What stands in their place: the switch that stops every send, and lets them go on. */
const SWITCHES = ['stop', 'go'] as const;
type Switch = (typeof SWITCHES)[number];

export type WantedCap = { readonly unit: 'rial' | 'parts'; readonly amount: number };

const MOST_APPROVAL_PARTS = 1_000_000;
const MOST_CAP = { rial: 1_000_000_000_000, parts: 100_000_000 };

const limitSchema = z.string().transform((typed, ctx): LimitName | Switch => {
  const word = foldWord(typed);
  const name = [...LIMIT_NAMES, ...SWITCHES].find((each) => WORDS[each].has(word));
  return name ?? refuse(ctx);
});

/** Null: off. */
const approvalSchema = z.string().transform((typed, ctx): number | null => {
  if (isOff(typed)) return null;
  const parts = readNumber(foldWord(typed).replace(PARTS, ''));
  return parts === null || parts > MOST_APPROVAL_PARTS ? refuse(ctx) : parts;
});

const capSchema = z.string().transform((typed, ctx): WantedCap | null => {
  if (isOff(typed)) return null;
  const text = foldWord(typed);
  const unit = PARTS.test(text) ? 'parts' : 'rial';
  const amount = readNumber(text.replace(unit === 'parts' ? PARTS : RIAL, ''));
  return amount === null || amount < 1 || amount > MOST_CAP[unit] ? refuse(ctx) : { unit, amount };
});

const windowSchema = z.string().transform((typed, ctx): SendingWindow | null => {
  if (isOff(typed)) return null;
  const words = foldWord(typed).replaceAll(/(?:^|\s)(?:from|از|ساعت)(?=\s)/gu, ' ');
  const match = /^\s*(\d{1,2})(?::(\d{2}))?\s*(?:-|–|—|to|تا|\.\.)\s*(\d{1,2})(?::(\d{2}))?\s*$/u.exec(words);
  const from = match === null ? null : minutesOf(match[1], match[2]);
  const to = match === null ? null : minutesOf(match[3], match[4]);
  if (from === null || to === null || from === DAY || from % DAY === to % DAY) return refuse(ctx);
  return { from, to: to % DAY };
});

/** The first word behind `/limits`. */
export const limitArgument = {
  schema: limitSchema,
  usage: (locale) => texts(locale).usageLimit,
  ask: ({ locale }) => texts(locale).askLimit,
  problem: (locale, typed) => texts(locale).badLimit(clip(typed, 40)),
  choices: async ({ locale }) =>
    LIMIT_NAMES.map((name) => ({ label: texts(locale).names[name], value: name })),
} satisfies Argument;

const common = {
  take: null,
  usage: (locale) => texts(locale).usageValue,
  choices: async ({ locale }) => [{ label: texts(locale).off, value: 'off' }],
} satisfies Partial<Argument>;

/** The new value of each limit. */
export const VALUES = {
  approval: {
    ...common,
    schema: approvalSchema,
    ask: ({ locale }) => texts(locale).askApproval,
    problem: (locale, typed) => texts(locale).badApproval(clip(typed, 40)),
  },
  cap: {
    ...common,
    schema: capSchema,
    ask: ({ locale }) => texts(locale).askCap,
    problem: (locale, typed) => texts(locale).badCap(clip(typed, 40)),
  },
  personcap: {
    ...common,
    schema: capSchema,
    ask: ({ locale }) => texts(locale).askPersonCap,
    problem: (locale, typed) => texts(locale).badCap(clip(typed, 40)),
  },
  window: {
    ...common,
    schema: windowSchema,
    ask: ({ locale, format }) => texts(locale).askWindow(format.timeZone),
    problem: (locale, typed) => texts(locale).badWindow(clip(typed, 40)),
  },
} satisfies Record<LimitName, Argument>;

const DAY = 1440;
const PARTS = /\s*(?:parts?|بخش|پارت|پیامک)$/u;
const RIAL = /\s*(?:rials?|irr|ریال)$/u;
const WORDS: Readonly<Record<LimitName | Switch, ReadonlySet<string>>> = {
  approval: new Set(['approval', 'approve', 'تایید']),
  cap: new Set(['cap', 'سقف']),
  personcap: new Set(['personcap', 'person-cap', 'cap-person', 'سقفنفر', 'سقف-نفر', 'سقفهرنفر']),
  window: new Set(['window', 'بازه']),
  stop: new Set(['stop', 'halt', 'بایست', 'توقف']),
  go: new Set(['go', 'resume', 'ادامه', 'برو']),
};
const OFF: ReadonlySet<string> = new Set(['off', 'none', 'خاموش', 'هیچ']);

function isOff(typed: string): boolean {
  return OFF.has(foldWord(typed));
}

/** Digits, with or without marks between the thousands. */
function readNumber(text: string): number | null {
  const digits = /^\d{1,3}(?:[,٬،]\d{3})+$/u.test(text) ? text.replaceAll(/\D/gu, '') : text;
  return /^\d{1,15}$/u.test(digits) ? Number(digits) : null;
}

/** Minutes after midnight; 24:00 is the end of the day. */
function minutesOf(hours = '', minutes = '0'): number | null {
  const total = Number(hours) * 60 + Number(minutes);
  return Number(minutes) > 59 || total > DAY ? null : total;
}

function refuse(ctx: z.RefinementCtx): never {
  ctx.addIssue({ code: 'custom', message: 'not a value of this limit' });
  return z.NEVER;
}
