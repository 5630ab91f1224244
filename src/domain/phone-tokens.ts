/** A mobile number in canonical form: `98`, then `9` and nine digits. */
export type Recipient = string;

export type InvalidReason = 'too_short' | 'too_long' | 'not_mobile' | 'not_a_number';

/** A piece of the input between separators. `hard` tells that something firmer than a space came before it. */
export interface Token {
  start: number;
  end: number;
  /** Without invisible characters, with Latin digits. */
  clean: string;
  /** What stands between this token and the one before it. */
  gap: 'start' | 'space' | 'comma' | 'newline';
}

/** One mention of a number: one token or several that belong together. */
export interface Mention {
  start: number;
  end: number;
  /** Several only where two numbers were joined by a slash or a dash; none when it is not a mobile. */
  recipients: Recipient[];
  /** How many tokens it covers. */
  length: number;
}

const DASHES = '\\-\u2010-\u2015\u2212\u2043\ufe58\ufe63\uff0d\u00b7_';

const DIGIT = '[\\d۰-۹٠-٩]';

/** Between the digits of one number; it matches in one way alone, so that a long text without any is soon read. */
const WITHIN = `[^\\S\\r\\n]?(?:[${DASHES}().][^\\S\\r\\n]?)?`;

/** A whole number: digits without a break, or a mobile with its prefix. */
const WHOLE = `(?:\\+?${DIGIT}{10,14}|\\(?(?:(?:\\+|[0۰٠]{2})?[9۹٩][8۸٨]|[0۰٠])${WITHIN}[9۹٩](?:${WITHIN}${DIGIT}){9}):?(?=[\\s,،;؛]|و|and|$)`;

/** Between two numbers, with a space around it or none. */
const AND = `(?<=${DIGIT}|[^\\S\\r\\n])(?:و|and)(?=[^\\S\\r\\n]*${WHOLE})`;

/** Before a number that has its line to itself: of a list, as `1)` or `-`. */
const MARK = `(?=\\S)(?<=(?:^|[\\r\\n])[^\\S\\r\\n]*)(?:[-–—•*]|${DIGIT}{1,2}[-.)])(?=[^\\S\\r\\n]+${WHOLE}[^\\S\\r\\n]*(?:[\\r\\n]|$))`;

/** The mark of a list, a comma, an "and" or a stroke before a whole number, or a "to" or "send to" before the first; a newline; a space; anything else. */
const PIECES = new RegExp(
  [
    `(${MARK}|[,،;؛，؍\\t]|${AND}|(?:(?<=[^\\S\\r\\n])[-–—&/|+]|(?<=^\\s*)(?:(?:ارسال|بفرست|send)\\s+)?(?:به|برای|to|for)(?:\\s+شماره)?)(?=[^\\S\\r\\n]+${WHOLE}))`,
    // Word processors write a soft line break as a vertical tab.
    '(\\r\\n?|[\\n\\u000b\\f\\u2028\\u2029])',
    '(\\s)',
    `(?:(?!${AND})[^\\s,،;؛，؍])+`,
  ].join('|'),
  'giu',
);

/** Cuts the input at separators; offsets refer to the input as it was typed. */
export function tokenize(input: string): Token[] {
  const tokens: Token[] = [];
  let gap: Token['gap'] = 'start';
  for (const match of input.matchAll(PIECES)) {
    const [text, comma, newline, space] = match;
    // A comma is the strongest sign that the list goes on, so a newline after it changes nothing.
    if (comma !== undefined) gap = 'comma';
    else if (newline !== undefined) gap = gap === 'space' ? 'newline' : gap;
    else if (space === undefined) {
      const clean = normalizeDigits(text.replaceAll(INVISIBLE, '').replaceAll(/[＋﹢]/gu, '+'));
      if (clean === '') continue;
      tokens.push({ start: match.index, end: match.index + text.length, clean, gap });
      gap = 'space';
    }
  }
  return tokens;
}

/** The mention that begins at token `index`. */
export function mentionAt(tokens: readonly Token[], index: number): Mention | null {
  const first = tokens[index];
  if (first === undefined) return null;
  const { start, end, clean } = first;
  return groupAt(tokens, index, start) ?? { start, end, recipients: severalIn(clean), length: 1 };
}

/** Persian and Arabic-Indic digits become Latin ones; everything else stays. */
export function normalizeDigits(text: string): string {
  return text.replaceAll(/[۰-۹٠-٩]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf));
}

// Bidi controls, zero-width characters, soft hyphen, byte order mark: pasted along with numbers, never meant.
export const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

const DECORATION = new RegExp(`[${DASHES}().[\\]{}/]`, 'gu');

// `0912123456.0` is a spreadsheet's number, not ten digits and one more: joining them would make another number.
const STRAY_LAST_DIGIT = new RegExp(`[.${DASHES}]\\d$`, 'u');

/** One mobile: a token, or up to six with spaces between them. */
function groupAt(tokens: readonly Token[], index: number, start: number): Mention | null {
  let joined = '';
  for (let length = 1; length <= 6; length += 1) {
    const token = tokens[index + length - 1];
    if (token === undefined || (length > 1 && token.gap !== 'space')) return null;
    const digits = bareDigits(token.clean);
    if (digits === null) return null;
    const isTrunkZero = digits === '0' && (length === 1 || isCountryPrefix(joined));
    if (!isTrunkZero && digits.length < 2) return null;
    joined += digits;
    const recipient = canonical(joined);
    if (recipient !== null) return { start, end: token.end, recipients: [recipient], length };
  }
  return null;
}

function isCountryPrefix(digits: string): boolean {
  return /^(?:\+98|0098|98|0)0?$/.test(digits);
}

/** The mobiles of a token that is several, joined by a slash or a dash. */
function severalIn(clean: string): Recipient[] {
  const pieces = clean.split(/[/\-\u2010-\u2015]/u).map((piece) => canonical(bareDigits(piece) ?? ''));
  const found = pieces.filter((piece) => piece !== null);
  return found.length === pieces.length ? found : [];
}

/** Digits with at most a leading plus, free of decoration; null if anything else is in there. */
function bareDigits(clean: string): string | null {
  const text = clean
    .replace(/^tel:/iu, '')
    .replace(/^['’`]/u, '')
    .replace(/:$/u, '');
  if (STRAY_LAST_DIGIT.test(text)) return null;
  const digits = text.replaceAll(DECORATION, '');
  return /^\+?\d+$/.test(digits) ? digits : null;
}

/** The mobile that a run of digits is, after at most one `+`; null when it is none. */
export function canonical(digits: string): Recipient | null {
  const match = /^(?:(?:\+|00)?980?|0)?(9\d{9})$/.exec(digits);
  return match?.[1] === undefined ? null : `98${match[1]}`;
}

export function reasonOf(raw: string): InvalidReason {
  const digits = bareDigits(normalizeDigits(raw.replaceAll(/[＋﹢]/gu, '+')));
  if (digits === null) return 'not_a_number';
  const isForeign = /^(?:\+|00)/.test(digits) && !/^(?:\+|00)98/.test(digits);
  if (isForeign) return 'not_mobile';
  const national = digits.replace(/^(?:(?:\+|00)980?|980?(?=9)|0)/, '');
  if (national.length < 10) return 'too_short';
  return national.length > 10 ? 'too_long' : 'not_mobile';
}
