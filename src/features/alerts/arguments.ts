import { z } from 'zod';
import { foldWord } from '../../domain/fold.ts';
import { normalizeDigits } from '../../domain/phone.ts';
import { takeRest, type Argument } from '../../telegram/feature.ts';
import { clip } from '../../telegram/html.ts';
import {
  isOff,
  readClock,
  readHours,
  readNumber,
  readRial,
  readWeekday,
  wordReader,
} from '../shared/words.ts';
import { texts } from './texts.ts';

/** What somebody wants of alerts, from one line. */
export type Wanted =
  | { readonly what: 'credit'; readonly rial: number | null }
  | { readonly what: 'failures'; readonly percent: number | null }
  | { readonly what: 'unanswered'; readonly minutes: number | null }
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
  ask: ({ locale }) => texts(locale).askSetting,
  problem: (locale, typed) => {
    const [word = '', ...value] = typed.trim().split(/\s+/u);
    return nameOf(word) === null
      ? texts(locale).bad(clip(typed, 40))
      : texts(locale).badValue(clip(typed, 40), value.length > 0);
  },
} satisfies Argument;

const MAX_RIAL = 1_000_000_000_000;
const DAY = 1440;
const MAX_MINUTES = 1440;

const nameOf = wordReader({
  credit: ['اعتبار'],
  failures: ['failure', 'نرسیده', 'نرسیدن', 'تحویل نشده', 'تحویل نشدن'],
  unanswered: ['بی‌پاسخ', 'بی پاسخ', 'پاسخ‌نداده'],
  quiet: ['سکوت'],
  digest: ['daily', 'خلاصه'],
  week: ['weekly', 'هفته'],
  here: ['این‌جا'],
});
function readWanted(typed: string): Wanted | null {
  const place = placeIn(typed);
  if (place !== null) return { what: 'place', place };
  const [word = '', ...rest] = foldWord(typed).split(/\s+/u);
  const name = nameOf(word);
  const value = rest.join(' ');
  if (name === 'here') return value === '' ? { what: 'here' } : null;
  if (name === null || value === '') return null;
  const off = isOff(value);
  switch (name) {
    case 'credit': {
      const rial = off ? null : atMost(readRial(value), MAX_RIAL);
      return rial === undefined ? null : { what: name, rial };
    }
    case 'failures': {
      const percent = off ? null : atMost(readNumber(value.replace(/\s*[%٪]$/u, '')), 100);
      return percent === undefined ? null : { what: name, percent };
    }
    case 'unanswered': {
      const typedMinutes = value.replace(/\s*(?:min(?:utes?)?|دقیقه)$/u, '');
      const minutes = off ? null : atMost(readNumber(typedMinutes), MAX_MINUTES);
      return minutes === undefined ? null : { what: name, minutes };
    }
    case 'quiet': {
      const hours = off ? null : readHours(value);
      return hours === null && !off ? null : { what: name, hours };
    }
    case 'digest': {
      const at = off ? null : readClock(value);
      return (at === null && !off) || at === DAY ? null : { what: name, at };
    }
    case 'week': {
      const day = off ? null : readWeekday(value);
      // Counted from Saturday on.
      return day === null && !off ? null : { what: name, day: day === null ? null : (day + 1) % 7 };
    }
  }
}

/** `@name`, a link to it, or the id of a group or channel, which is below zero. */
function placeIn(typed: string): string | number | null {
  const text = normalizeDigits(typed).trim();
  const named = /^(?:@|(?:https?:\/\/)?t\.me\/)([A-Za-z][A-Za-z0-9_]{3,31})$/u.exec(text);
  if (named !== null) return `@${named[1]}`;
  return /^-\d{5,15}$/u.test(text) ? Number(text) : null;
}

/** Undefined: none, or none that is meant. */
function atMost(number: number | null, most: number): number | undefined {
  return number !== null && number >= 1 && number <= most ? number : undefined;
}
