import { z } from 'zod';
import { isBlank } from '../../../domain/message.ts';
import { MOST_DAYS_AWAY } from '../../../domain/person-date.ts';
import { normalizeDigits } from '../../../domain/phone.ts';
import { parseTag } from '../../../domain/tag.ts';
import { createFormat } from '../../../i18n/format.ts';
import type { Stores } from '../../../storage/stores.ts';
import type { Argument } from '../../../telegram/feature.ts';
import { clip } from '../../../telegram/html.ts';
import { takeName, unquoted } from '../../../telegram/forms/quoted.ts';
import { peopleTagArgument } from '../../shared/people-tag.ts';
import { readClock, wordReader } from '../../shared/words.ts';
import { texts } from './texts.ts';

/* `/dates #customers birthday 3 days before 10:00 once Dear {name}, …`: each takes what is its own off the front. */

const TYPED_UNITS = 40;
const DAYS_OFFERED = [0, 1, 3, 7] as const;
const TIMES_OFFERED = ['10:00', '09:00', '12:00', '18:00'] as const;
const DAY_MINUTES = 1440;

/** The tag of the people who are written to. */
export function tagArgument(people: Pick<Stores['people'], 'overview'>) {
  return {
    ...peopleTagArgument(people),
    take: takeName,
    ask: ({ locale }) => texts(locale).askTag,
  } satisfies Argument;
}

export const fieldArgument = {
  schema: z
    .string()
    .transform((typed) => unquoted(typed.trim()).trim())
    .refine((typed) => !isBlank(typed)),
  take: takeName,
  usage: (locale) => texts(locale).usageField,
  ask: ({ locale }, known) => texts(locale).askField(parseTag(known['tag'] ?? '') ?? ''),
  problem: (locale) => texts(locale).badField,
} satisfies Argument;

const SAME_DAY = /^\s*(?:on the day|same day|همان ?روز|روز خودش)(?=\s|$)\s*/iu;
const AWAY =
  /^\s*(\d{1,3}|an?|one|یک)\s*(days?|weeks?|روز|هفته)\s*(before|earlier|after|later|قبل|پیش|بعد|پس)(?=\s|$)(?:\s+(?:it|از آن))?\s*/iu;

/** How many days before the date; below zero, after it. */
export const daysArgument = {
  schema: z.string().transform((typed, ctx): number => {
    const found = daysIn(typed);
    return found === null || found.rest !== '' || Math.abs(found.days) > MOST_DAYS_AWAY
      ? refuse(ctx)
      : found.days;
  }),
  // Left out, it is the day itself.
  take: (input: string) => {
    const found = daysIn(input);
    return found === null
      ? { value: 'on the day', rest: input }
      : { value: input.slice(0, input.length - found.rest.length).trim(), rest: found.rest };
  },
  usage: (locale) => texts(locale).usageDays,
  ask: ({ locale }) => texts(locale).askDays,
  problem: (locale, typed) =>
    texts(locale).badDays(clip(typed, TYPED_UNITS), createFormat(locale, 'UTC').number(MOST_DAYS_AWAY)),
  choices: async ({ locale, format }) =>
    DAYS_OFFERED.map((days) => ({
      label: texts(locale).daysLabel(days, format.number(days)),
      value: days === 0 ? 'on the day' : `${days} days before`,
    })),
} satisfies Argument;

/** A time of the day, in minutes. */
export const timeArgument = {
  schema: z.string().transform((typed, ctx): number => {
    const minute = readClock(typed.trim().replace(/^at\s/iu, ''));
    return minute === null || minute >= DAY_MINUTES ? refuse(ctx) : minute;
  }),
  take: (input: string) => {
    const [, value = '', rest = ''] = /((?:(?:at|ساعت)\s+)?\S+)\s*([\s\S]*)/iu.exec(input) ?? [];
    return { value, rest };
  },
  usage: (locale) => texts(locale).usageTime,
  ask: ({ locale, format }) => texts(locale).askTime(format.timeZone),
  problem: (locale, typed) => texts(locale).badTime(clip(typed, TYPED_UNITS)),
  choices: async ({ format }) =>
    TIMES_OFFERED.map((time) => ({ label: `🕐 ${format.digits(time)}`, value: time })),
} satisfies Argument;

const REPEATS = /^\s*(once|yearly|every year|each year|(?:فقط )?یک ?بار|هر ?سال|سالانه)(?=\s|$)\s*/iu;
const readRepeat = wordReader({
  yearly: ['every year', 'each year', 'هر سال', 'سالانه'],
  once: ['یک بار', 'فقط یک بار'],
});

/** Whether it comes again each year. */
export const repeatArgument = {
  schema: z.string().transform((typed, ctx): boolean => {
    const repeat = readRepeat(typed);
    return repeat === null ? refuse(ctx) : repeat === 'yearly';
  }),
  // Left out, it is each year.
  take: (input: string) => {
    const found = REPEATS.exec(input);
    return found === null
      ? { value: 'yearly', rest: input }
      : { value: found[1] ?? '', rest: input.slice(found[0].length) };
  },
  usage: (locale) => texts(locale).usageRepeat,
  ask: ({ locale }, known) => texts(locale).askRepeat(unquoted(known['field'] ?? '')),
  problem: (locale) => texts(locale).badRepeat,
  choices: async ({ locale }) => [
    { label: texts(locale).yearlyLabel, value: 'yearly' },
    { label: texts(locale).onceLabel, value: 'once' },
  ],
} satisfies Argument;

function daysIn(typed: string): { readonly days: number; readonly rest: string } | null {
  const text = normalizeDigits(typed);
  const same = SAME_DAY.exec(text);
  if (same !== null) return { days: 0, rest: typed.slice(same[0].length) };
  const [all, count = '', unit = '', way = ''] = AWAY.exec(text) ?? [];
  if (all === undefined) return null;
  const days = (/\d/u.test(count) ? Number(count) : 1) * (/week|هفته/iu.test(unit) ? 7 : 1);
  const isAfter = /after|later|بعد|پس/iu.test(way);
  return { days: isAfter && days > 0 ? -days : days, rest: typed.slice(all.length) };
}

function refuse(ctx: z.RefinementCtx): never {
  ctx.addIssue({ code: 'custom', message: 'not one of these' });
  return z.NEVER;
}
