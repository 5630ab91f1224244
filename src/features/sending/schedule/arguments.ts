import { z } from 'zod';
import type { Calendar } from '../../../domain/calendar.ts';
import { recurrenceAt, type Recurrence } from '../../../domain/recurrence.ts';
import type { Locale } from '../../../i18n/define.ts';
import type { Format } from '../../../i18n/format.ts';
import { readMoment, readRepeat, type Moment, type MomentContext } from '../../../i18n/moment.ts';
import type { Argument } from '../../../telegram/feature.ts';
import { clip, type Html } from '../../../telegram/html.ts';
import { isWhen, whenArgument } from '../../shared/when-argument.ts';
import { texts } from './texts.ts';

/** When something leaves, and by which rule it then repeats. */
export interface When {
  readonly sendAt: Date;
  readonly recur: Recurrence | null;
}

const LEAST_MS = 60_000;
const MAX_MS = 366 * 86_400_000;
const MINUTE_MS = 60_000;
const TYPED_UNITS = 60;
const WORDS = {
  en: { week: 'every', month: 'every month' },
  fa: { week: 'هر', month: 'هر ماه' },
} as const;

const common = {
  usage: (locale) => texts(locale).usageWhen,
  problem: (locale, typed) => texts(locale).bad(clip(typed, TYPED_UNITS)),
} satisfies Partial<Argument>;

/** A time, or a rule, at the front of a line. */
export const atArgument = {
  ...common,
  ...whenArgument(readAny),
  ask: ({ locale }) => texts(locale).ask,
} satisfies Argument;

/** The same, or a word about the time that a draft has. */
export const wishArgument = {
  ...common,
  schema: z.string().refine((typed) => wishNamed(typed) !== null || isWhen(typed, readAny)),
  take: null,
  ask: ({ locale }) => texts(locale).askDraft,
} satisfies Argument;

/** A time for a send that has one. */
export const timeArgument = { ...atArgument, take: null } satisfies Argument;

/** Day and time alone, of each week or month. */
export const weeklyArgument = ruleArgument('week', (locale) => texts(locale).askWeekly);
export const monthlyArgument = ruleArgument('month', (locale) => texts(locale).askMonthly);

/**
 * What was typed, by the clocks of the chat; or why it will not do.
 * @param before the time that the draft has: what is said of it alone keeps the rest.
 */
export function readWhen(
  typed: string,
  { now, format, before }: { readonly now: Date; readonly format: Format; readonly before: When | null },
): { readonly when: When | null } | { readonly problem: Html } {
  const t = texts(format.locale);
  const { timeZone } = format;
  const wish = wishNamed(typed);
  if (wish === 'now') return { when: null };
  if (wish === 'once') return { when: before === null ? null : { ...before, recur: null } };
  if (wish !== null) {
    if (before === null) return { problem: t.bad(clip(typed, TYPED_UNITS)) };
    const calendar = calendarOf(format.locale);
    return { when: { ...before, recur: recurrenceAt(wish, before.sendAt, { timeZone, calendar }) } };
  }
  // One that is almost due would be over by the time it is confirmed.
  const repeated = readRepeat(typed, { now: new Date(now.getTime() + LEAST_MS), timeZone });
  const found = repeated ?? readMoment(typed, { now, timeZone });
  if (found === null) return { problem: t.bad(clip(typed, TYPED_UNITS)) };
  const sendAt = new Date(Math.ceil(found.at.getTime() / MINUTE_MS) * MINUTE_MS);
  const ahead = sendAt.getTime() - now.getTime();
  if (ahead <= 0) return { problem: t.past };
  if (ahead < LEAST_MS) return { problem: t.tooSoon };
  if (ahead > MAX_MS) return { problem: t.tooFar };
  return { when: { sendAt, recur: repeated?.rule ?? before?.recur ?? null } };
}

/** The calendar in which a language shows days. */
export function calendarOf(locale: Locale): Calendar {
  return locale === 'fa' ? 'jalali' : 'gregorian';
}

const WISHES: Readonly<Record<'now' | 'once' | 'week' | 'month', RegExp>> = {
  now: /^(now|at once|الان|حالا|اکنون|هم‌?اکنون|همین (حالا|الان))$/u,
  once: /^(once|only once|(فقط )?یک ?بار)$/u,
  week: /^(every week|weekly|هر هفته|هفتگی)$/u,
  month: /^(every month|monthly|هر ماه|ماهانه)$/u,
};

function wishNamed(typed: string): keyof typeof WISHES | null {
  const plain = typed.trim().toLowerCase();
  if (WISHES.now.test(plain)) return 'now';
  if (WISHES.once.test(plain)) return 'once';
  if (WISHES.week.test(plain)) return 'week';
  return WISHES.month.test(plain) ? 'month' : null;
}

function readAny(input: string, context: MomentContext): Moment | null {
  return readRepeat(input, context) ?? readMoment(input, context);
}

/**
 * A day and a time as a whole rule: the word for "every" may be left out. A day of the month is one of the calendar of
 * the language. Null when it is neither.
 */
export function ruleLine(every: Recurrence['every'], typed: string, locale: Locale): string | null {
  const plain = typed.trim();
  const line = [plain, `${WORDS[locale][every]} ${plain}`].find((each) => {
    const found = readRepeat(each, { now: new Date(), timeZone: 'UTC' });
    return found?.rule.every === every && found.taken === each.length;
  });
  return line ?? null;
}

function ruleArgument(every: Recurrence['every'], ask: (locale: Locale) => Html) {
  return {
    ...common,
    take: null,
    ask: ({ locale }) => ask(locale),
    schema: z.string().refine((typed) => ruleLine(every, typed, 'en') !== null),
  } satisfies Argument;
}
