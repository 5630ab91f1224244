import { z } from 'zod';
import { foldWord } from '../../domain/fold.ts';
import type { SendingWindow } from '../../domain/limits.ts';
import type { LimitsStore } from '../../ports/limits.ts';
import { takeRest, type Argument } from '../../telegram/feature.ts';
import { clip } from '../../telegram/html.ts';
import { isOff, readHours, readNumber, readRial, wordReader } from '../shared/words.ts';
import { texts } from './texts.ts';

export const LIMIT_NAMES = ['approval', 'cap', 'personcap', 'window'] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];

/** What stands in their place: the switch that stops every send, and lets them go on. */
type Switch = 'stop' | 'go';

export type WantedCap = { readonly unit: 'rial' | 'parts'; readonly amount: number };

const labels = (name: LimitName): string[] => [texts('en').names[name], texts('fa').names[name]];

const readLimit = wordReader<LimitName | Switch>({
  approval: [...labels('approval'), 'approve'],
  cap: [...labels('cap'), 'سقف', 'daily', 'روزانه'],
  personcap: [...labels('personcap'), 'cap-person', 'سقف نفر', 'سقف هر نفر'],
  window: [...labels('window'), 'hours', 'بازه', 'ساعت', 'ساعات'],
  stop: ['halt', 'بایست', 'توقف'],
  go: ['resume', 'ادامه', 'برو'],
});

const MAX_APPROVAL_PARTS = 1_000_000;
const MAX_CAP = { rial: 1_000_000_000_000, parts: 100_000_000 };

const limitSchema = z.string().transform((typed, ctx): LimitName | Switch => {
  return readLimit(typed) ?? refuse(ctx);
});

/** Null: off. */
const approvalSchema = z.string().transform((typed, ctx): number | null => {
  if (isOff(typed)) return null;
  const parts = readNumber(foldWord(typed).replace(PARTS, ''));
  return parts === null || parts > MAX_APPROVAL_PARTS ? refuse(ctx) : parts;
});

const capSchema = z.string().transform((typed, ctx): WantedCap | null => {
  if (isOff(typed)) return null;
  const text = foldWord(typed);
  const unit = PARTS.test(text) ? 'parts' : 'rial';
  const amount = unit === 'parts' ? readNumber(text.replace(PARTS, '')) : readRial(text);
  return amount === null || amount < 1 || amount > MAX_CAP[unit] ? refuse(ctx) : { unit, amount };
});

const windowSchema = z.string().transform((typed, ctx): SendingWindow | null => {
  if (isOff(typed)) return null;
  return readHours(typed) ?? refuse(ctx);
});

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

/** Cities as people here write them; what is no zone is left to whoever knows them all. */
const readCity = wordReader<string>({
  'Asia/Tehran': ['تهران', 'ایران', 'iran'],
  'Asia/Dubai': ['دبی', 'دوبی', 'امارات'],
  'Europe/Istanbul': ['استانبول', 'ترکیه'],
  'Asia/Kabul': ['کابل', 'افغانستان'],
  'Asia/Baghdad': ['بغداد', 'عراق'],
  'Asia/Muscat': ['مسقط', 'عمان'],
  'Asia/Qatar': ['دوحه', 'قطر', 'doha'],
  'Asia/Kuwait': ['کویت'],
  'Asia/Yerevan': ['ایروان'],
  'Asia/Tbilisi': ['تفلیس'],
  'Asia/Baku': ['باکو'],
  'Europe/London': ['لندن'],
  'Europe/Berlin': ['برلین'],
  'Europe/Paris': ['پاریس'],
  'America/Toronto': ['تورنتو'],
});

export const zoneArgument = (limits: Pick<LimitsStore, 'zoneCalled'>) =>
  ({
    schema: z
      .string()
      .trim()
      .min(1)
      .transform((typed) => readCity(typed) ?? typed),
    take: takeRest,
    usage: (locale) => texts(locale).usageZone,
    ask: ({ locale, format }) => texts(locale).askZone(format.timeZone),
    problem: (locale, typed) => texts(locale).badZone(clip(typed, 40)),
    isThere: async (_, typed) => (await limits.zoneCalled(readCity(typed) ?? typed.trim())) !== null,
    choices: async ({ locale }) =>
      Object.entries(texts(locale).zones).map(([value, label]) => ({ label, value })),
  }) satisfies Argument;

/** The limits that can have a value. */
export function takenBy(value: string): LimitName[] {
  return LIMIT_NAMES.filter((name) => VALUES[name].schema.safeParse(value).success);
}

/** What `/limits` begins with: a word, or the several of a label; behind a value or without it, that value stays. */
export const limitArgument = {
  schema: limitSchema,
  take: (input) => {
    const line = input.trim();
    const ends = [...`${line} `.matchAll(/\s+/gu)].map(({ index }) => index);
    const end = ends.findLast((at) => readLimit(line.slice(0, at)) !== null);
    if (end !== undefined) return { value: line.slice(0, end), rest: line.slice(end).trim() };
    const start = ends.find(
      (at) =>
        takenBy(line.slice(0, at)).length > 0 && (at === line.length || readLimit(line.slice(at)) !== null),
    );
    if (start !== undefined) return { value: line.slice(start).trim(), rest: line.slice(0, start) };
    return { value: line.slice(0, ends[0]), rest: line.slice(ends[0]).trim() };
  },
  usage: (locale) => texts(locale).usageLimit,
  ask: ({ locale }, { value = '' }) => texts(locale).askLimit(clip(value, 40)),
  problem: (locale, typed) => texts(locale).badLimit(clip(typed, 40)),
  choices: async ({ locale }, { value = '' }) => {
    const taking = takenBy(value);
    const offered = taking.length === 0 ? LIMIT_NAMES : taking;
    return offered.map((name) => ({ label: texts(locale).names[name], value: name }));
  },
} satisfies Argument;

const PARTS = /\s*(?:parts?|بخش|پارت|پیامک)$/u;

function refuse(ctx: z.RefinementCtx): never {
  ctx.addIssue({ code: 'custom', message: 'not a value of this limit' });
  return z.NEVER;
}
