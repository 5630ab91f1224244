import { namesDay, type Phrase, type Reader } from './phrase.ts';
import { numeralAt } from './numerals.ts';
import { phraseAt, type Token } from './tokens.ts';
import {
  AGO,
  AHEAD,
  AT,
  BEFORE_HOUR,
  HALF_HOURS,
  MINUTES,
  NEAR_DAYS,
  PARTS,
  UNITS,
  WEEKDAYS,
} from './words.ts';

export const zone: Reader = (tokens, at, phrase) => {
  const name = /^\(([a-z].*)\)$/u.exec(tokens[at]?.text ?? '')?.[1];
  if (name === undefined || phrase.zone !== undefined || phrase.clock === undefined) return null;
  try {
    // oxlint-disable-next-line no-new -- it is asked whether there is such a zone
    phrase.zone = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    return at + 1;
  } catch {
    return null;
  }
};

export const clock: Reader = (tokens, from, phrase) => {
  if (phrase.clock !== undefined || phrase.distance?.isDays === false || phrase.now === true) return null;
  const marker = phraseAt(AT, tokens, from);
  const start = marker?.next ?? from;
  if (tokens[start]?.text === 'noon') return setClock(phrase, 12, 0, true, start + 1);
  const offset = phraseAt(BEFORE_HOUR, tokens, start);
  const number = numeralAt(tokens, offset?.next ?? start);
  if (number === null || number.isOrdinal || (number.digits?.length ?? 0) > 2) return null;
  const { value: hour, digits } = number;
  const [colon, minutes] = [tokens[number.next], tokens[number.next + 1]];
  const isBound = offset !== null || marker !== null || namesDay(phrase);
  const isExact =
    digits !== null &&
    colon?.glued === true &&
    minutes?.glued === true &&
    /^\d\d$/u.test(minutes.text) &&
    (colon.text === ':' || (colon.text === '.' && isBound));
  const more = isExact ? null : phraseAt(MINUTES, tokens, number.next);
  let next = isExact ? number.next + 2 : (more?.next ?? number.next);
  if (tokens[next]?.text === 'oclock') next += 1;
  const minute = isExact ? Number(minutes.text) : (more?.meaning ?? 0) + (offset?.meaning ?? 0);
  const isAlone =
    !isExact && more === null && !isBound && next === number.next && phraseAt(PARTS, tokens, next) === null;
  if (hour > 23 || minute > 59) return null;
  if (isAlone && phraseAt(NEAR_DAYS, tokens, next) === null && phraseAt(WEEKDAYS, tokens, next) === null)
    return null;
  const isSure = hour === 0 || hour > 6 || digits?.length === 2;
  return minute < 0
    ? setClock(phrase, (hour + 23) % 24, 60 + minute, isSure, next)
    : setClock(phrase, hour, minute, isSure, next);
};

function setClock(phrase: Phrase, hour: number, minute: number, isSure: boolean, next: number): number {
  phrase.clock = { hour, minute, isSure };
  return next;
}

export const part: Reader = (tokens, at, phrase) => {
  const found = phraseAt(PARTS, tokens, at);
  if (found === null || phrase.part !== undefined || phrase.distance?.isDays === false) return null;
  if (found.meaning.isHalf === true && phrase.clock === undefined) return null;
  phrase.part = found.meaning;
  return found.next;
};

const MINUTES_IN = { minute: 1, hour: 60, day: 1440, week: 10_080 } as const;

/** "in 2 hours", "3 days ago", «یک ساعت و نیم دیگر»: one or more lengths, with a word that says in which direction. */
export const distance: Reader = (tokens, from, phrase) => {
  if (Object.keys(phrase).length > 0) return null;
  const isIn = tokens[from - 1]?.text === 'in';
  let at = from;
  let minutes = 0;
  let isDays = true;
  for (let length = lengthAt(tokens, at); length !== null; length = lengthAt(tokens, at)) {
    minutes += length.minutes;
    isDays = isDays && length.isDays;
    at = length.next;
    const and = tokens[at]?.text;
    if ((and === 'و' || and === 'and') && lengthAt(tokens, at + 1) !== null) at += 1;
  }
  const ahead = phraseAt(AHEAD, tokens, at);
  const ago = isIn ? null : phraseAt(AGO, tokens, at);
  if (at === from || (!isIn && ahead === null && ago === null)) return null;
  phrase.distance = { minutes: ago === null ? minutes : -minutes, isDays };
  return ahead?.next ?? ago?.next ?? at;
};

function lengthAt(tokens: readonly Token[], at: number) {
  const half = phraseAt(HALF_HOURS, tokens, at);
  if (half !== null) return { minutes: half.meaning, isDays: false, next: half.next };
  const number = numeralAt(tokens, at);
  if (number === null || number.isOrdinal || number.value > 9999) return null;
  const unit = phraseAt(UNITS, tokens, number.next);
  if (unit === null || unit.meaning === 'month') return null;
  const each = MINUTES_IN[unit.meaning];
  const more = unit.meaning === 'hour' ? phraseAt(MINUTES, tokens, unit.next) : null;
  return {
    minutes: number.value * each + (more?.meaning ?? 0),
    isDays: each >= 1440,
    next: more?.next ?? unit.next,
  };
}
