import { z } from 'zod';
import { foldWord } from '../../domain/fold.ts';
import { normalizeDigits } from '../../domain/phone.ts';
import { takeRest, type Argument } from '../../telegram/feature.ts';
import { clip } from '../../telegram/html.ts';
import { texts } from './texts.ts';

/** What somebody wants of alerts, from one line. */
export type Wanted =
  | { readonly what: 'credit'; readonly rial: number | null }
  | { readonly what: 'failures'; readonly percent: number | null }
  | { readonly what: 'quiet'; readonly hours: { readonly from: number; readonly to: number } | null }
  | { readonly what: 'digest'; readonly at: number | null }
  | { readonly what: 'week'; readonly day: number | null }
  | { readonly what: 'here' }
  | { readonly what: 'place'; readonly place: string | number };

const wantedSchema = z.string().transform((typed, ctx): Wanted => {
  const wanted = readWanted(typed);
  if (wanted !== null) return wanted;
  ctx.addIssue({ code: 'custom', message: 'not a setting of alerts' });
  return z.NEVER;
});

/** Everything behind `/alerts`. */
export const wantedArgument = {
  schema: wantedSchema,
  take: takeRest,
  optional: true,
  usage: (locale) => texts(locale).usage,
  ask: ({ locale }) => texts(locale).addHint,
  problem: (locale, typed) => {
    const [word = ''] = typed.trim().split(/\s+/u);
    return nameOf(foldWord(word)) === null
      ? texts(locale).bad(clip(typed, 40))
      : texts(locale).badValue(clip(typed, 40));
  },
} satisfies Argument;

const MOST_RIAL = 1_000_000_000_000;
const DAY = 1440;
const NAMES = ['credit', 'failures', 'quiet', 'digest', 'week', 'here'] as const;
type Name = (typeof NAMES)[number];

const WORDS: Readonly<Record<Name, ReadonlySet<string>>> = {
  credit: new Set(['credit', 'اعتبار']),
  failures: new Set(['failures', 'failure', 'نرسیده', 'نرسیدن']),
  quiet: new Set(['quiet', 'سکوت']),
  digest: new Set(['digest', 'daily', 'خلاصه']),
  week: new Set(['week', 'weekly', 'هفته']),
  here: new Set(['here', 'اینجا']),
};
const OFF: ReadonlySet<string> = new Set(['off', 'none', 'خاموش', 'هیچ']);
/** From Saturday on. */
const DAYS: readonly ReadonlySet<string>[] = [
  ['saturday', 'sat', 'شنبه'],
  ['sunday', 'sun', 'یکشنبه'],
  ['monday', 'mon', 'دوشنبه'],
  ['tuesday', 'tue', 'سهشنبه'],
  ['wednesday', 'wed', 'چهارشنبه'],
  ['thursday', 'thu', 'پنجشنبه'],
  ['friday', 'fri', 'جمعه'],
].map((names) => new Set(names));

function readWanted(typed: string): Wanted | null {
  const place = placeIn(typed);
  if (place !== null) return { what: 'place', place };
  const [word = '', ...rest] = foldWord(typed).split(/\s+/u);
  const name = nameOf(word);
  const value = rest.join(' ');
  if (name === 'here') return value === '' ? { what: 'here' } : null;
  if (name === null || value === '') return null;
  const isOff = OFF.has(value);
  switch (name) {
    case 'credit': {
      const rial = isOff ? null : numberIn(value.replace(/\s*(?:rials?|irr|ریال)$/u, ''), MOST_RIAL);
      return rial === undefined ? null : { what: name, rial };
    }
    case 'failures': {
      const percent = isOff ? null : numberIn(value.replace(/\s*[%٪]$/u, ''), 100);
      return percent === undefined ? null : { what: name, percent };
    }
    case 'quiet': {
      const hours = isOff ? null : hoursIn(value);
      return hours === undefined ? null : { what: name, hours };
    }
    case 'digest': {
      const at = isOff ? null : timeIn(value);
      return at === undefined || at === DAY ? null : { what: name, at };
    }
    case 'week': {
      const day = isOff ? null : DAYS.findIndex((names) => names.has(value.replaceAll(/\s/gu, '')));
      return day === -1 ? null : { what: name, day };
    }
  }
}

function nameOf(word: string): Name | null {
  return NAMES.find((name) => WORDS[name].has(word)) ?? null;
}

/** `@name`, a link to it, or the id of a group or channel, which is below zero. */
function placeIn(typed: string): string | number | null {
  const text = normalizeDigits(typed).trim();
  const named = /^(?:@|(?:https?:\/\/)?t\.me\/)([A-Za-z][A-Za-z0-9_]{3,31})$/u.exec(text);
  if (named !== null) return `@${named[1]}`;
  return /^-\d{5,15}$/u.test(text) ? Number(text) : null;
}

/** Undefined: it is no such number. */
function numberIn(text: string, most: number): number | undefined {
  const digits = /^\d{1,3}(?:[,٬،]\d{3})+$/u.test(text) ? text.replaceAll(/\D/gu, '') : text;
  const number = /^\d{1,15}$/u.test(digits) ? Number(digits) : 0;
  return number >= 1 && number <= most ? number : undefined;
}

function hoursIn(text: string): { from: number; to: number } | undefined {
  const [first, second, ...more] = text.split(/\s*(?:-|–|—|to|تا|\.\.)\s*/u);
  const [from, to] = [timeIn(first ?? ''), timeIn(second ?? '')];
  if (from === undefined || to === undefined || more.length > 0 || from % DAY === to % DAY) return undefined;
  return { from: from % DAY, to: to % DAY };
}

/** Minutes after midnight. */
function timeIn(text: string): number | undefined {
  const match = /^(?:ساعت\s+)?(\d{1,2})(?::(\d{2}))?$/u.exec(text.trim());
  if (match === null) return undefined;
  const minutes = Number(match[2] ?? '0');
  const total = Number(match[1]) * 60 + minutes;
  return minutes > 59 || total > DAY ? undefined : total;
}
