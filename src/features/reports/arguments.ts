import { z } from 'zod';
import { normalizeDigits, parseLine, parseRecipients, splitNumbersAndText } from '../../domain/phone.ts';
import { parseTag } from '../../domain/tag.ts';
import { takeRest, type Argument } from '../../telegram/feature.ts';
import { clip } from '../../telegram/html.ts';
import { ITS_SEND, readCardCode } from '../shared/card-code.ts';
import { rangeArgument } from '../shared/range-argument.ts';
import { texts } from './texts.ts';

const MAX_IDS = 1000;

/** What a report can be of. */
export type ReportOf = { readonly card: string } | Tracked | SelectedTime;

/** Nothing was named. */
export const ALL: SelectedTime = { typed: undefined, line: null, tag: null };

/** From what was typed to what it names, where one of some readers knows it. */
const readBy = <T>(...readers: readonly ((typed: string) => T | null)[]) =>
  z.string().transform((typed, ctx): T => {
    for (const read of readers) {
      const found = read(typed);
      if (found !== null) return found;
    }
    ctx.addIssue({ code: 'custom', message: 'nothing of that' });
    return z.NEVER;
  });

export const reportArgument = {
  ...rangeArgument,
  shown: ITS_SEND,
  schema: readBy<ReportOf>(cardOf, trackedNumber, selectedTime),
  usage: (locale) => texts(locale).usageReport,
  ask: ({ locale }) => texts(locale).askReport,
  problem: (locale, typed) => texts(locale).badReport(clip(typed, 40)),
} satisfies Argument;

export const idsArgument = {
  schema: readBy<ReportOf | { readonly ids: string[] }>(cardOf, trackedNumber, idsOf, selectedTime),
  take: takeRest,
  shown: ITS_SEND,
  usage: (locale) => texts(locale).usageIds,
  ask: ({ locale }) => texts(locale).askIds,
  problem: (locale) => texts(locale).badIds,
} satisfies Argument;

export const outboxArgument = {
  ...rangeArgument,
  schema: readBy<ReportOf | { readonly latest: true }>(latest, cardOf, trackedNumber, selectedTime),
  ask: ({ locale }) => texts(locale).askOutbox,
} satisfies Argument;

/** Since when; of a range its beginning counts. */
export const sinceArgument = {
  ...rangeArgument,
  usage: (locale) => texts(locale).usageSince,
} satisfies Argument;

function cardOf(typed: string): { readonly card: string } | null {
  const card = readCardCode(typed);
  return card === null ? null : { card };
}

function idsOf(typed: string): { readonly ids: string[] } | null {
  const words = normalizeDigits(typed)
    .split(/[\s,،;؛]+/u)
    .map((word) => word.replace(/^#/, ''))
    .filter((word) => word !== '');
  const ids = [...new Set(words.map((word) => word.replace(/^0+(?=\d)/u, '')))];
  const isRead = ids.length > 0 && ids.length <= MAX_IDS && ids.every((id) => /^\d{1,19}$/u.test(id));
  return isRead ? { ids } : null;
}

/** A number to which messages went, and since when, as it was typed. */
interface Tracked {
  readonly number: string;
  readonly since: string | undefined;
}

/** One mobile number as no id and no line is written, with the time behind it. Null for anything else. */
function trackedNumber(typed: string): Tracked | null {
  const { numbers, text: since } = splitNumbersAndText(typed.trim());
  const { recipients, invalid } = parseRecipients(numbers);
  const [number] = recipients;
  if (number === undefined || recipients.length > 1 || invalid.length > 0) return null;
  if (!/^[+0]/u.test(normalizeDigits(numbers))) return null;
  if (since === '') return { number, since: undefined };
  return rangeArgument.schema.safeParse(since).success ? { number, since } : null;
}

/** A time, or all of it that a report looks back on, of one line or one tag alone. */
interface SelectedTime {
  /** As it was typed; undefined where no time was named. */
  readonly typed: string | undefined;
  readonly line: string | null;
  readonly tag: string | null;
}

/** `7d line:3000123456 tag:promo`, or `#promo`, in any order; a number that is long enough for a line is one. Null for anything else. */
function selectedTime(typed: string): SelectedTime | null {
  const left: string[] = [];
  const lines: (string | null)[] = [];
  const tags: (string | null)[] = [];
  for (const word of typed.trim().replaceAll(/:\s+/gu, ':').split(/\s+/u)) {
    const named = /^(?:(?:(line|خط)|tag|برچسب):|#)(.+)$/iu.exec(word);
    if (named?.[2] !== undefined) {
      if (named[1] === undefined) tags.push(parseTag(named[2]));
      else lines.push(parseLine(named[2]));
    } else if (/^\+?\d{5,}$/u.test(normalizeDigits(word))) lines.push(parseLine(word));
    else if (word !== '') left.push(word);
  }
  const [line = null, tag = null] = [lines[0], tags[0]];
  const isRead = [...lines, ...tags].every((each) => each !== null) && lines.length < 2 && tags.length < 2;
  const range = left.join(' ');
  if (!isRead || (range !== '' && !rangeArgument.schema.safeParse(range).success)) return null;
  return range === '' && line === null && tag === null
    ? null
    : { typed: range === '' ? undefined : range, line, tag };
}

function latest(typed: string): { readonly latest: true } | null {
  const isLatest = /^(?:latest|newest|last|آخرین(?:[\s\u200c]?ها)?|تازه‌ترین(?:[\s\u200c]?ها)?)$/iu.test(
    typed.trim(),
  );
  return isLatest ? { latest: true } : null;
}
