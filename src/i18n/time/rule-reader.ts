import type { Calendar } from '../../domain/calendar.ts';
import { isPersian, type Phrase, type Reader } from './phrase.ts';
import { numeralAt, type Numeral } from './numerals.ts';
import { phraseAt, type Token } from './tokens.ts';
import { EVERY, PARTS, WEEKDAYS, WEEKDAYS_AGAIN } from './words.ts';

const RULE_DAYS = /^(?:daily|everyday|هرروز|روزانه)$/u;
const RULE_WEEKS = /^(?:weekly|هفتگی)$/u;
const RULE_MONTHS = /^(?:monthly|ماهانه|ماهیانه)$/u;

export const rule: Reader = (tokens, from, phrase) => {
  if (phrase.every !== undefined || phrase.days !== undefined || phrase.date !== undefined) return null;
  const text = tokens[from]?.text ?? '';
  const dayBefore = ordinalOfMonth(tokens, from);
  const every = phraseAt(EVERY, tokens, dayBefore?.next ?? from);
  if (every === null) {
    const again = phrase.weekday === undefined ? phraseAt(WEEKDAYS_AGAIN, tokens, from) : null;
    const word = RULE_DAYS.test(text) ? 'day' : RULE_WEEKS.test(text) ? 'week' : null;
    if (RULE_MONTHS.test(text)) return monthly(tokens, from + 1, phrase, undefined);
    if (again === null && word === null) return null;
    phrase.every = word ?? 'week';
    if (again !== null) phrase.weekday = again.meaning;
    return again?.next ?? from + 1;
  }
  const kind = tokens[every.next]?.text ?? '';
  if (/^(?:month|ماه)$/u.test(kind) || /^(?:jalali|gregorian|persian)$/u.test(kind))
    return monthly(tokens, every.next, phrase, dayBefore?.value);
  if (dayBefore !== null) return null;
  if (/^(?:day|روز)$/u.test(kind)) return set(phrase, 'day', every.next + 1);
  if (/^(?:week|هفته)$/u.test(kind)) return set(phrase, 'week', every.next + 1);
  const weekday = phraseAt(WEEKDAYS_AGAIN, tokens, every.next) ?? phraseAt(WEEKDAYS, tokens, every.next);
  if (weekday !== null) {
    phrase.weekday = weekday.meaning;
    return set(phrase, 'week', weekday.next);
  }
  // "every morning": the word stays, as the time of the day.
  return phraseAt(PARTS, tokens, every.next)?.meaning.isHalf === undefined &&
    phraseAt(PARTS, tokens, every.next) !== null
    ? set(phrase, 'day', every.next)
    : null;
};

function set(phrase: Phrase, every: 'day' | 'week' | 'month', next: number): number {
  phrase.every = every;
  return next;
}

/** "5th of" before "every month". */
function ordinalOfMonth(tokens: readonly Token[], at: number): Numeral | null {
  const number = numeralAt(tokens, at);
  if (number?.isOrdinal !== true) return null;
  return tokens[number.next]?.text === 'of' ? { ...number, next: number.next + 1 } : number;
}

function monthly(
  tokens: readonly Token[],
  from: number,
  phrase: Phrase,
  dayBefore: number | undefined,
): number {
  let at = from;
  let calendar: Calendar = isPersian(tokens[from]) || isPersian(tokens[from - 1]) ? 'jalali' : 'gregorian';
  for (; ; at += 1) {
    const text = tokens[at]?.text ?? '';
    if (/^(?:jalali|persian|شمسی)$/u.test(text)) calendar = 'jalali';
    else if (/^(?:gregorian|میلادی)$/u.test(text)) calendar = 'gregorian';
    else if (!/^(?:month|ماه|on|the|day|روز|در)$/u.test(text)) break;
  }
  const number = dayBefore === undefined ? numeralAt(tokens, at) : null;
  const isDay = number !== null && tokens[number.next]?.text !== ':' && number.value <= 31;
  phrase.every = 'month';
  const day = dayBefore ?? (isDay ? number.value : undefined);
  phrase.ofMonth = day === undefined ? { calendar } : { calendar, day };
  return isDay ? pastLast(tokens, number.next) : at;
}

/** "(or its last)" stands behind a day that not every month has. */
function pastLast(tokens: readonly Token[], at: number): number {
  const said = tokens
    .slice(at, at + 5)
    .map(({ text }) => text)
    .join(' ');
  return /^\( (?:or its last|یا روز پایانی) \)$/u.test(said) ? at + 5 : at;
}
