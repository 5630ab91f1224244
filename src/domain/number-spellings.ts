import type { Recipient } from './phone-tokens.ts';

const DIGIT = '[0-9۰-۹٠-٩]';
/** So begins what stands in the place of a number that was taken out of everything. */
export const FORGOTTEN = 'forgotten-';

/** What people, spreadsheets and programs write between the digits of one number, as characters. */
export const WRITTEN_WITHIN = [
  " \t\n\r\u00a0\u1680\u202f\u205f\u3000-\u2212\u2043\ufe58\ufe63\uff0d\u00b7_.,\u060c\u066b\u066c()[]{}/'\u2019",
  '\u2010\u2011\u2012\u2013\u2014\u2015\u00ad\u061c\u180e\ufeff',
  ...['\u2000-\u200f', '\u202a-\u202e', '\u2060-\u2069'].map(between),
].join('');

const BETWEEN = `[${Array.from(WRITTEN_WITHIN, (each) => `\\u{${(each.codePointAt(0) ?? 0).toString(16)}}`).join('')}]{0,3}`;

/**
 * Takes one mobile number out of a text, in every way that `phone.ts` reads it and with what stands between its digits;
 * longer runs of digits that hold it are other numbers and stay.
 * @param instead what stands in its place
 */
export function withoutNumber(text: string, number: Recipient, instead: string): string {
  return text.replaceAll(spellings(number), instead);
}

const known = new Map<Recipient, RegExp>();

function spellings(number: Recipient): RegExp {
  const found = known.get(number);
  if (found !== undefined) return found;
  const digits = Array.from(number.slice(2), digit).join(BETWEEN);
  const abroad = `(?:[+＋﹢]|${digit('0')}${BETWEEN}${digit('0')})${BETWEEN}`;
  const country = `(?:${abroad})?${digit('9')}${BETWEEN}${digit('8')}${BETWEEN}${digit('0')}?`;
  const made = new RegExp(
    `(?<!${DIGIT})(?:(?:${country}|${digit('0')})${BETWEEN})?${digits}(?!${DIGIT})`,
    'gu',
  );
  known.clear();
  known.set(number, made);
  return made;
}

/** A digit in each of its scripts. */
function digit(latin: string): string {
  const value = Number(latin);
  return `[${latin}${String.fromCodePoint(0x6f0 + value)}${String.fromCodePoint(0x660 + value)}]`;
}

/** The characters from one to another, both included. */
function between(ends: string): string {
  const [first = 0, last = 0] = ends.split('-').map((each) => each.codePointAt(0));
  return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index));
}
