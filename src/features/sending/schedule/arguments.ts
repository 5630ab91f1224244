import { z } from 'zod';
import type { Calendar } from '../../../domain/calendar.ts';
import { recurrenceAt, type Recurrence } from '../../../domain/recurrence.ts';
import type { Locale } from '../../../i18n/define.ts';
import type { Format } from '../../../i18n/format.ts';
import { readMoment } from '../../../i18n/moment.ts';
import type { Argument } from '../../../telegram/feature.ts';
import type { Html } from '../../../telegram/html.ts';
import type { RequestContext } from '../../../telegram/request-context.ts';
import { isWhen, readAhead, whenArgument } from '../../shared/when-argument.ts';
import { texts } from './texts.ts';

/** When something leaves, and by which rule it then repeats. */
export interface When {
  readonly sendAt: Date;
  readonly recur: Recurrence | null;
}

export const NEEDS = { rules: true, least: 60_000 } as const;
const MINUTE_MS = 60_000;
const WORDS = {
  en: { day: 'every day', week: 'every', month: 'every month' },
  fa: { day: 'هر روز', week: 'هر', month: 'هر ماه' },
} as const;

/** A time, or a rule, at the front of a line. */
export const atArgument = {
  ...whenArgument(NEEDS),
  ask: ({ locale }) => texts(locale).ask,
} satisfies Argument;

/** The same, or a word about the time that a draft has. */
export const wishArgument = {
  ...atArgument,
  schema: z.string().refine((typed) => wishNamed(typed) !== null || isWhen(typed, NEEDS)),
  take: null,
  ask: ({ locale }) => texts(locale).askDraft,
} satisfies Argument;

/** A time for a send that has one. */
export const timeArgument = { ...atArgument, take: null } satisfies Argument;

/** What is said of a rule beside the word for "every": a time of each day, a day and a time of each week or month. */
export const dailyArgument = ruleArgument('day', (locale) => texts(locale).askDaily);
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
  const wish = wishNamed(typed);
  if (wish === 'now') return { when: null };
  if (wish === 'once') return { when: before === null ? null : { ...before, recur: null } };
  if (wish !== null && before !== null) {
    const { timeZone, locale } = format;
    const recur = recurrenceAt(wish, before.sendAt, { timeZone, calendar: calendarOf(locale) });
    return { when: { ...before, recur } };
  }
  const found = readAhead(typed, { ...NEEDS, now, format });
  if ('problem' in found) return found;
  const sendAt = new Date(Math.ceil(found.at.getTime() / MINUTE_MS) * MINUTE_MS);
  return { when: { sendAt, recur: found.rule ?? before?.recur ?? null } };
}

/** The calendar in which a language shows days. */
export function calendarOf(locale: Locale): Calendar {
  return locale === 'fa' ? 'jalali' : 'gregorian';
}

const WISHES: Readonly<Record<'now' | 'once' | Recurrence['every'], RegExp>> = {
  now: /^(now|at once|الان|حالا|اکنون|هم‌?اکنون|همین (حالا|الان))$/u,
  once: /^(once|only once|(فقط )?یک ?بار)$/u,
  day: /^(every ?day|daily|هر ?روز|روزانه)$/u,
  week: /^(every week|weekly|هر هفته|هفتگی)$/u,
  month: /^(every month|monthly|هر ماه|ماهانه)$/u,
};

function wishNamed(typed: string): keyof typeof WISHES | null {
  const plain = typed.trim().toLowerCase();
  return (['now', 'once', 'day', 'week', 'month'] as const).find((wish) => WISHES[wish].test(plain)) ?? null;
}

/**
 * A day and a time as a whole rule: the word for "every" may be left out. A day of the month is one of the calendar of
 * the language. Null when it is neither.
 */
export function ruleLine(every: Recurrence['every'], typed: string, locale: Locale): string | null {
  const plain = typed.trim();
  const line = [plain, `${WORDS[locale][every]} ${plain}`].find((each) => {
    const found = readMoment(each, { now: new Date(), timeZone: 'UTC' });
    return found !== null && 'at' in found && found.rule?.every === every && found.taken === each.length;
  });
  return line ?? null;
}

function ruleArgument(every: Recurrence['every'], ask: (locale: Locale) => Html) {
  return {
    ...atArgument,
    take: null,
    ask: ({ locale }) => ask(locale),
    schema: z.string().refine((typed) => ruleLine(every, typed, 'en') !== null),
    problem: (locale: Locale, typed: string, request?: RequestContext) =>
      atArgument.problem(locale, typed === '' ? '' : `${WORDS[locale][every]} ${typed}`, request),
  } satisfies Argument;
}
