import { foldWord } from '../../domain/fold.ts';

/**
 * Makes a reader of one word out of a few, each of which people type in several ways and in either language; it gives
 * null for any other. Case, spaces, hyphens, and what keyboards write differently make no difference.
 */
export function wordReader<N extends string>(
  words: Readonly<Record<N, readonly string[]>>,
): (typed: string) => N | null {
  const names = new Map<string, N>();
  for (const name in words) for (const word of [name, ...words[name]]) names.set(plainWord(word), name);
  return (typed) => names.get(plainWord(typed)) ?? null;
}

/** Words that mean the same behind every command. */
const readCommon = wordReader({
  all: ['همه'],
  off: ['none', 'no', 'خاموش', 'هیچ'],
});

export function isAll(typed: string): boolean {
  return readCommon(typed) === 'all';
}

/** Whether something is to be switched off, or to be nothing. */
export function isOff(typed: string): boolean {
  return readCommon(typed) === 'off';
}

/** A word as it is compared: no spaces, hyphens, joiners, vowel signs or hamza, and one form of each letter. */
export function plainWord(typed: string): string {
  return foldWord(typed).replaceAll(/[\s-]/gu, '');
}

/** From Sunday on, as `Date` counts them. */
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
const weekday = wordReader<(typeof WEEKDAYS)[number]>({
  sunday: ['sun', 'یکشنبه', '1شنبه'],
  monday: ['mon', 'دوشنبه', '2شنبه'],
  tuesday: ['tue', 'tues', 'سه‌شنبه', '3شنبه'],
  wednesday: ['wed', 'چهارشنبه', '4شنبه'],
  thursday: ['thu', 'thur', 'thurs', 'پنج‌شنبه', '5شنبه'],
  friday: ['fri', 'جمعه'],
  saturday: ['sat', 'شنبه'],
});

/** Reads a day of the week: 0 Sunday … 6 Saturday; null for anything else. */
export function readWeekday(typed: string): number | null {
  const day = weekday(typed);
  return day === null ? null : WEEKDAYS.indexOf(day);
}

const DAY_MINUTES = 1440;

/** Reads a whole number, with or without marks between the thousands; null for anything else. */
export function readNumber(typed: string): number | null {
  const text = foldWord(typed);
  const digits = /^\d{1,3}(?:[,٬،]\d{3})+$/u.test(text) ? text.replaceAll(/\D/gu, '') : text;
  return /^\d{1,15}$/u.test(digits) ? Number(digits) : null;
}

const AMOUNT =
  /^(.*?)\s*(k|thousand|هزار|m|million|میلیون|billion|میلیارد)?\s*(?:rials?|irr|ریال|(tomans?|تومان|تومن))?$/u;
const TIMES: Readonly<Record<string, number>> = {
  k: 1000,
  thousand: 1000,
  هزار: 1000,
  m: 1e6,
  million: 1e6,
  میلیون: 1e6,
  billion: 1e9,
  میلیارد: 1e9,
};

/**
 * The same of an amount of money, as people say it: in rial, or in toman of ten, also so many thousand or million of them.
 * In rial.
 */
export function readRial(typed: string): number | null {
  const [, figures = '', scale = '', toman] = AMOUNT.exec(foldWord(typed)) ?? [];
  const times = (TIMES[scale] ?? 1) * (toman === undefined ? 1 : 10);
  const [, whole = '', part = ''] = (scale !== '' && /^(\d{1,3})[./٫](\d{1,3})$/u.exec(figures)) || [];
  if (part !== '') return Number(whole) * times + (Number(part) * times) / 10 ** part.length;
  const number = scale !== '' && /^(?:one|یک)$/u.test(figures) ? 1 : readNumber(figures);
  return number === null ? null : number * times;
}

/** Reads a time of day such as `9` or `9:30`, in minutes after midnight: 24:00 is the end of the day. Null for anything else. */
export function readClock(typed: string): number | null {
  const match = /^(?:ساعت\s+)?(\d{1,2})(?::(\d{2}))?$/u.exec(foldWord(typed));
  const minutes = Number(match?.[2] ?? '0');
  const total = Number(match?.[1] ?? Number.NaN) * 60 + minutes;
  return minutes <= 59 && total <= DAY_MINUTES ? total : null;
}

/** Reads hours such as `9-21` or `from 9:00 to 21:00`, over midnight too; null for anything else, and for a day or nothing. */
export function readHours(typed: string): { readonly from: number; readonly to: number } | null {
  const words = foldWord(typed).replace(/^(?:from|از)\s+/u, '');
  const [first = '', second = '', ...more] = words.split(/\s*(?:-|–|—|to|تا|\.\.)\s*/u);
  const [from, to] = [readClock(first), readClock(second)];
  if (from === null || to === null || more.length > 0) return null;
  if (from === DAY_MINUTES || from === to % DAY_MINUTES) return null;
  return { from, to: to % DAY_MINUTES };
}
