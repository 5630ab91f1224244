import { z } from 'zod';
import type { Calendar } from '../../../domain/calendar.ts';
import type { SendingWindow } from '../../../domain/limits.ts';
import { PACE_LEAST, PACE_MOST } from '../../../domain/pace.ts';
import { recurrenceAt, type Recurrence } from '../../../domain/recurrence.ts';
import type { Locale } from '../../../i18n/define.ts';
import { createFormat, type Format } from '../../../i18n/format.ts';
import { readMoment } from '../../../i18n/moment.ts';
import type { Argument } from '../../../telegram/feature.ts';
import { clip, type Html } from '../../../telegram/html.ts';
import type { RequestContext } from '../../../telegram/request-context.ts';
import { isWhen, readAhead, whenArgument } from '../../shared/when-argument.ts';
import { isOff, readHours, readNumber } from '../../shared/words.ts';
import { paceTexts } from './pace-card.ts';
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
  const line = [typed, `${WORDS[locale][every]} ${typed}`].find((each) => {
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

const PER_HOUR = [500, 1000, 2000, 5000];
const HOURS = [
  [9, 20],
  [8, 22],
] as const;
const UNIT =
  /^ساعتی\s|\s*(?:(?:recipients?\s*)?(?:an hour|per hour|\/\s*h(?:our)?)|(?:تا\s*)?در\s+ساعت|تا)$/giu;
const TYPED_UNITS = 40;

/** How many recipients an hour; null: as fast as possible. */
export const paceArgument = {
  schema: z.string().transform((typed, ctx): number | null => {
    if (isOff(typed)) return null;
    const perHour = readNumber(typed.trim().replace(UNIT, ''));
    return perHour === null || perHour < PACE_LEAST || perHour > PACE_MOST ? refuse(ctx) : perHour;
  }),
  take: null,
  usage: (locale) => paceTexts(locale).about,
  ask: ({ locale, format }) => paceTexts(locale).ask(format.number(PACE_LEAST), format.number(PACE_MOST)),
  problem: (locale, typed) => badPace(locale, typed, PACE_LEAST),
  choices: async ({ locale, format }) =>
    PER_HOUR.map((count) => ({
      label: paceTexts(locale).perHour(format.number(count)),
      value: String(count),
    })),
} satisfies Argument;

/** Between which hours; null: at any time. */
export const paceHoursArgument = {
  schema: z
    .string()
    .transform((typed, ctx): SendingWindow | null =>
      isOff(typed) ? null : (readHours(typed) ?? refuse(ctx)),
    ),
  take: null,
  usage: (locale) => paceTexts(locale).about,
  ask: ({ locale, format }) => paceTexts(locale).askHours(format.timeZone),
  problem: (locale, typed) => paceTexts(locale).badHours(clip(typed, TYPED_UNITS)),
  choices: async ({ locale, format }) => [
    ...HOURS.map(([from, to]) => ({
      label: paceTexts(locale).hours(format.number(from), format.number(to)),
      value: `${from}-${to}`,
    })),
    { label: paceTexts(locale).anyTime, value: 'off' },
  ],
} satisfies Argument;

/** What is said of a pace that will not do. */
export function badPace(locale: Locale, typed: string, least: number): Html {
  const { number } = createFormat(locale, 'UTC');
  return paceTexts(locale).bad(clip(typed, TYPED_UNITS), number(least), number(PACE_MOST));
}

function refuse(ctx: z.RefinementCtx): never {
  ctx.addIssue({ code: 'custom', message: 'not a pace' });
  return z.NEVER;
}
