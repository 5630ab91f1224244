import { INVISIBLE, canonical, normalizeDigits, reasonOf } from './phone-tokens.ts';
import { parseRecipients, type InvalidReason, type Recipient } from './phone.ts';

/** `digits_lost`: a spreadsheet rounded the number (`9.12E+09`), and nobody can tell which one it was. */
export type CellProblem = InvalidReason | 'no_number' | 'several_numbers' | 'digits_lost';

export type CellNumber =
  | { readonly ok: true; readonly recipient: Recipient }
  | { readonly ok: false; readonly reason: CellProblem };

/**
 * The one mobile number that a cell of a file holds: as people write it ({@link parseRecipients}), and as spreadsheets
 * leave it, without its zero, with `.0`, grouped by thousands, as `="0912…"`, or in scientific notation where that
 * still has every digit. Digits are moved and never computed. Total: accepts any string.
 */
export function readCellNumber(cell: string): CellNumber {
  const tidy = normalizeDigits(cell.replaceAll(INVISIBLE, '').replaceAll(/[＋﹢]/gu, '+'));
  const text = tidy.replace(/^\s*(?:="(.*)"|['’`]+(.*))\s*$/su, '$1$2').trim();
  if (text === '') return PROBLEMS.no_number;
  const spaced = /^\+?\d+(?:[\s-]\d{2,}){0,5}$/u.test(text)
    ? canonical(text.replaceAll(/[\s-]/gu, ''))
    : null;
  if (spaced !== null) return { ok: true, recipient: spaced };
  const whole = /^(\+?\d+)[.,٫]0{1,9}$/u.exec(text)?.[1] ?? /^\+?\d{1,3}(?:[,٬]\d{3})+$/u.exec(text)?.[0];
  if (whole !== undefined) return numberOf(whole.replaceAll(/[,٬]/gu, ''));
  return readScientific(text) ?? readMentions(text);
}

/** `9.121234567E+09`, read where all its digits are there; null for what is not written so. */
function readScientific(text: string): CellNumber | null {
  const [, first, rest = '', places] = /^\+?(\d)(?:[.,٫](\d+))?e\+?(\d{1,3})$/iu.exec(text) ?? [];
  if (first === undefined) return null;
  const exponent = Number(places);
  if (rest.length >= exponent) {
    const isWhole = /^0*$/u.test(rest.slice(exponent));
    return isWhole ? numberOf(first + rest.slice(0, exponent)) : PROBLEMS.not_a_number;
  }
  // Ten digits from 9 on, or twelve from 989 on, which are 9.9 when rounded to two.
  const couldBeMobile =
    first === '9' && (exponent === 9 || (exponent === 11 && /^(?:|8|8?9\d*)$/u.test(rest)));
  return couldBeMobile ? PROBLEMS.digits_lost : PROBLEMS.not_mobile;
}

function readMentions(text: string): CellNumber {
  const { recipients, repeated, invalid } = parseRecipients(text);
  const [recipient] = recipients;
  if (recipient === undefined) return PROBLEMS[reasonOf(text.replaceAll(/\s/gu, ''))];
  if (recipients.length > 1 || repeated.length > 0) return PROBLEMS.several_numbers;
  if (invalid.length === 0) return { ok: true, recipient };
  return invalid.some(({ raw }) => /\d/u.test(raw)) ? PROBLEMS.several_numbers : PROBLEMS.not_a_number;
}

function numberOf(digits: string): CellNumber {
  const recipient = canonical(digits);
  return recipient === null ? PROBLEMS[reasonOf(digits)] : { ok: true, recipient };
}

/** One object for each: a file can have a million of one. */
const PROBLEMS = {
  no_number: { ok: false, reason: 'no_number' },
  several_numbers: { ok: false, reason: 'several_numbers' },
  digits_lost: { ok: false, reason: 'digits_lost' },
  too_short: { ok: false, reason: 'too_short' },
  too_long: { ok: false, reason: 'too_long' },
  not_mobile: { ok: false, reason: 'not_mobile' },
  not_a_number: { ok: false, reason: 'not_a_number' },
} as const satisfies Record<CellProblem, CellNumber>;
