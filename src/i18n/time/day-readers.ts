import type { Calendar } from '../../domain/calendar.ts';
import { isPersian, mayDate, past, type Reader } from './phrase.ts';
import { numeralAt } from './numerals.ts';
import { phraseAt } from './tokens.ts';
import { MONTHS, NEAR_DAYS, NOW, PARTS, UNITS, WEEKDAYS, WEEKDAYS_AGAIN, WHICH } from './words.ts';

export const numericDate: Reader = (tokens, at, phrase) => {
  if (!mayDate(phrase)) return null;
  const [first, mark, second, again, third] = tokens.slice(at, at + 5);
  if (first === undefined || mark === undefined || second === undefined) return null;
  if (!/^[-/.]$/u.test(mark.text) || !mark.glued || !second.glued) return null;
  const numbers = [first, second, third].map((each) => Number(each?.text));
  const [one = 0, two = 0, three = 0] = numbers;
  if (again?.text !== mark.text || !again.glued || third?.glued !== true) {
    if (first.text.length !== 4 || !isYear(one) || !(two >= 1 && two <= 12)) return null;
    phrase.date = { year: one, month: two, day: null, calendar: calendarOfYear(one) };
    return at + 3;
  }
  if (first.text.length === 4 && isYear(one)) {
    phrase.date = { year: one, month: two, day: three, calendar: calendarOfYear(one) };
    return at + 5;
  }
  if (third.text.length !== 4 || !isYear(three)) return null;
  // Which comes first, day or month, is certain in the Jalali calendar, and where one of them can be no month.
  const isMonthFirst = two > 12;
  if (calendarOfYear(three) === 'gregorian' && one <= 12 && two <= 12 && one !== two) return null;
  const [month, day] = isMonthFirst ? [one, two] : [two, one];
  phrase.date = { year: three, month, day, calendar: calendarOfYear(three) };
  return at + 5;
};

const isYear = (year: number): boolean => (year >= 1300 && year < 1500) || (year >= 1900 && year < 2200);
const calendarOfYear = (year: number): Calendar => (year < 1500 ? 'jalali' : 'gregorian');

export const namedDate: Reader = (tokens, from, phrase) => {
  if (!mayDate(phrase)) return null;
  const number = numeralAt(tokens, from);
  const before = number !== null && number.value >= 1 && number.value <= 31 ? number : null;
  const at = before === null ? from : tokens[before.next]?.text === 'of' ? before.next + 1 : before.next;
  const month = phraseAt(MONTHS, tokens, at);
  if (month === null) return null;
  let next = past(tokens, month.next, /^(?:ماه|\.)$/u);
  const after = before === null ? numeralAt(tokens, next) : null;
  const isDay = after !== null && after.value >= 1 && after.value <= 31 && tokens[after.next]?.text !== ':';
  if (isDay) next = after.next;
  const yearAt = past(tokens, next, /^(?:,|،|سال)$/u);
  const typed = tokens[yearAt]?.text ?? '';
  const hasYear =
    /^\d{4}$/u.test(typed) &&
    isYear(Number(typed)) &&
    calendarOfYear(Number(typed)) === month.meaning.calendar;
  const day = before?.value ?? (isDay ? after.value : null);
  phrase.date = { ...month.meaning, day, year: hasYear ? Number(typed) : null };
  return hasYear ? yearAt + 1 : next;
};

export const nearDay: Reader = (tokens, at, phrase) => {
  if (!mayDate(phrase) || phrase.weekday !== undefined) return null;
  const now = phraseAt(NOW, tokens, at);
  if (now !== null && Object.keys(phrase).length === 0) {
    phrase.now = true;
    return now.next;
  }
  const near = phraseAt(NEAR_DAYS, tokens, at);
  if (near === null) return null;
  phrase.days = near.meaning.days;
  if (near.meaning.part !== undefined) phrase.part = near.meaning.part;
  return near.next;
};

const AWAY = { next: 1, this: 0, last: -1 } as const;

/** "next week", «هفته بعد»: where weeks begin on another day in the language of the words, another week may be meant. */
export const weekOrMonth: Reader = (tokens, at, phrase) => {
  if (phrase.week !== undefined || phrase.month !== undefined || phrase.days !== undefined) return null;
  const before = phraseAt(WHICH, tokens, at);
  const unit = phraseAt(UNITS, tokens, before?.next ?? at);
  if (unit === null || (unit.meaning !== 'week' && unit.meaning !== 'month')) return null;
  const which = before ?? phraseAt(WHICH, tokens, unit.next);
  if (which === null) return null;
  const away = AWAY[which.meaning];
  const inPersian = isPersian(tokens[unit.next - 1]);
  if (unit.meaning === 'week') phrase.week = { away, begins: inPersian ? [6] : [1, 6] };
  else phrase.month = { away, calendar: inPersian ? 'jalali' : 'gregorian' };
  return before === null ? which.next : unit.next;
};

export const weekday: Reader = (tokens, from, phrase) => {
  const { weekday: known, days, date, distance: away, every } = phrase;
  if ([known, days, away].some((each) => each !== undefined) || every === 'day' || every === 'month')
    return null;
  const before = phraseAt(WHICH, tokens, from);
  const again = every === 'week' ? phraseAt(WEEKDAYS_AGAIN, tokens, from) : null;
  const day = again ?? phraseAt(WEEKDAYS, tokens, before?.next ?? from);
  if (day === null || (before !== null && date !== undefined)) return null;
  phrase.weekday = day.meaning;
  if (phrase.part?.isNight === true && tokens[from - 1]?.text === 'شب') phrase.isEve = true;
  const next = past(tokens, day.next, /^\.$/u);
  const after = before ?? (isPersian(tokens[next]) ? phraseAt(WHICH, tokens, next) : null);
  // «بعد از ظهر» behind a weekday is no "next".
  if (after === null || (before === null && phraseAt(PARTS, tokens, next) !== null)) return next;
  phrase.which = after.meaning;
  return before === null ? after.next : next;
};
