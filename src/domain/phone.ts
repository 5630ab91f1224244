import { INVISIBLE, mentionAt, normalizeDigits, reasonOf, tokenize } from './phone-tokens.ts';
import type { InvalidReason, Mention, Recipient, Token } from './phone-tokens.ts';

export { normalizeDigits } from './phone-tokens.ts';
export type { InvalidReason, Recipient } from './phone-tokens.ts';

export interface ParsedRecipients {
  /** Canonical, each once, in the order of their first mention. */
  recipients: Recipient[];
  /** Further mentions of a number that is in `recipients` already; `raw` is as it was typed. */
  repeated: { raw: string; recipient: Recipient }[];
  invalid: { raw: string; reason: InvalidReason }[];
}

/**
 * Reads a list of mobile numbers as people type and paste them.
 *
 * Numbers stand apart by comma, semicolon (Latin and Persian), newline, tab or space. Each may be `09…`, `9…`,
 * `989…`, `+989…` or `00989…`, in Latin, Persian or Arabic digits, with dashes, brackets, dots or slashes, after
 * `tel:` or a spreadsheet's apostrophe. A mobile is `09` and nine digits: there is no table of prefixes,
 * because new ranges keep appearing. Spaces inside one number are understood when the pieces make exactly one
 * mobile together and none alone (`0912 123 4567`, `+98 912 123 4567`). Nothing is ever converted to a
 * floating-point number: `9.89E+11` is invalid, not rounded.
 */
export function parseRecipients(input: string): ParsedRecipients {
  const recipients = new Set<Recipient>();
  const result: ParsedRecipients = { recipients: [], repeated: [], invalid: [] };
  for (const mention of readMentions(tokenize(input))) {
    const raw = input.slice(mention.start, mention.end).replaceAll(INVISIBLE, '');
    if (raw === '') continue;
    for (const found of mention.recipients) {
      if (recipients.has(found)) result.repeated.push({ raw, recipient: found });
      else recipients.add(found);
    }
    if (mention.recipients.length === 0) result.invalid.push({ raw, reason: reasonOf(raw) });
  }
  result.recipients = [...recipients];
  return result;
}

export interface NumbersAndText {
  /** The leading part that lists numbers, as typed: food for `parseRecipients`. May be empty. */
  numbers: string;
  /** All that follows, with its own spaces and newlines. May be empty. */
  text: string;
}

/**
 * Splits the arguments of a send, numbers first and then the text, without quotes or a divider.
 *
 * Tokens are read from the left, and the first one that is not taken begins the text. Taken are:
 * 1. a mobile in any form that `parseRecipients` knows;
 * 2. a slip of the hand: digits that begin as a mobile does (`09`, `98`, `+`) and count 9 to 16;
 * 3. a stump such as `0912x` (it begins as a mobile does), but only where a number must stand: in the
 *    first place, after a comma, or before another mobile;
 * 4. in the first place alone, a number from abroad or of a landline: `+1 202 555 0100`, `02188776655`.
 * After a newline, numbers go on only if that whole line is numbers or a comma stood before the newline;
 * a line that mixes both is text. So a text that must begin with a number goes on a line of its own, with a word.
 *
 * Nothing gets lost: `numbers` is a beginning of the input, `text` an end of it, and only separators lie
 * between. What is taken by rules 2 to 4 is never a recipient; the caller lists it as invalid.
 */
export function splitNumbersAndText(args: string): NumbersAndText {
  const tokens = tokenize(args);
  let taken = 0;
  while (taken < tokens.length) {
    const token = tokens[taken];
    if (token?.gap === 'newline' && !isLineOfNumbers(tokens, taken)) break;
    const length = takenAt(tokens, taken);
    if (length === 0) break;
    taken += length;
  }
  const last = tokens[taken - 1];
  if (last === undefined) return { numbers: '', text: args.trimStart() };
  return { numbers: args.slice(0, last.end), text: args.slice(last.end).replace(/^[\s,،;؛，؍]+/u, '') };
}

/** Finds what a text begins with and stands for no mobile but was perhaps meant to: a slip or a stump, as typed. */
export function slipAtStart(text: string): { raw: string; reason: InvalidReason } | null {
  const tokens = tokenize(text);
  const [first] = tokens;
  if (first === undefined || takenAt(tokens, 0) === 0 || mentionAt(tokens, 0)?.recipients.length !== 0)
    return null;
  const raw = text.slice(first.start, first.end);
  return { raw, reason: reasonOf(raw) };
}

/**
 * Reads a sender line: 5 to 14 digits after an optional `+98`, `98` or `00`. Answers the digits without the
 * country prefix, or null. A leading zero stays, because some lines are written with it.
 */
export function parseLine(input: string): string | null {
  const digits = normalizeDigits(input)
    .replaceAll(INVISIBLE, '')
    .replaceAll(/[\s\-‐‑‒–—().]/gu, '');
  const match = /^(?:(?:\+|00)?98(?=[1-9])|00(?=[1-9]))?(\d{5,14})$/.exec(digits);
  return match?.[1] ?? null;
}

/** `989121234567` as people write it: `09121234567`. What is not canonical is given back unchanged. */
export function displayRecipient(recipient: Recipient): string {
  return CANONICAL.test(recipient) ? `0${recipient.slice(2)}` : recipient;
}

/** Enough of a number to recognise it, not enough to dial it: `0912•••4567`. */
export function maskRecipient(recipient: Recipient): string {
  const shown = displayRecipient(recipient);
  return shown.length < 10 ? `${shown.slice(0, 2)}•••` : `${shown.slice(0, 4)}•••${shown.slice(-4)}`;
}

const CANONICAL = /^989\d{9}$/;

function* readMentions(tokens: readonly Token[]): Generator<Mention> {
  for (let index = 0; index < tokens.length;) {
    const mention = mentionAt(tokens, index);
    if (mention === null) return;
    yield mention;
    index += mention.length;
  }
}

/** How many tokens from `index` on are one number, good or bad: 0 if the text begins there. */
function takenAt(tokens: readonly Token[], index: number): number {
  const token = tokens[index];
  const mention = mentionAt(tokens, index);
  if (token === undefined || mention === null) return 0;
  const mustBeNumber = index === 0 || token.gap === 'comma';
  if (mention.recipients.length > 0) {
    // Figures of a text can add up to ten digits that begin with 9: `91 2000 4000`.
    const isWeak = mention.length > 1 && digitsOf(tokens.slice(index, index + mention.length)) === 10;
    return isWeak && !mustBeNumber ? 0 : mention.length;
  }
  if (isSlip(token.clean)) return 1;
  const length = index === 0 ? otherAt(tokens) : 0;
  if (length > 0) return length;
  return isStump(token.clean) && (mustBeNumber || isBeforeMobile(tokens, index)) ? 1 : 0;
}

/** How many tokens a number at the start has that is no mobile; 0: there is none. */
function otherAt(tokens: readonly Token[]): number {
  let [digits, length] = ['', 0];
  for (const [at, { clean, gap }] of tokens.entries()) {
    const more = clean.replaceAll(/[-().]/gu, '');
    if ((at > 0 && gap !== 'space') || !/^\+?\d+$/u.test(more)) break;
    digits += more;
    if (/^(?:\+\d{8,15}|0\d{9,14})$/u.test(digits)) length = at + 1;
    if (!digits.startsWith('+')) break;
  }
  return length;
}

/** Whether the tokens from `index` to the end of their line are numbers, one of them at least a near miss. */
function isLineOfNumbers(tokens: readonly Token[], index: number): boolean {
  let at = index;
  do {
    const length = takenAt(tokens, at);
    if (length === 0) return false;
    at += length;
  } while (at < tokens.length && tokens[at]?.gap !== 'newline');
  return true;
}

function isBeforeMobile(tokens: readonly Token[], index: number): boolean {
  for (let at = index + 1; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined || token.gap === 'newline') return false;
    if ((mentionAt(tokens, at)?.recipients.length ?? 0) > 0) return true;
    if (!isSlip(token.clean) && !isStump(token.clean)) return false;
  }
  return false;
}

function digitsOf(tokens: readonly Token[]): number {
  return tokens.reduce((sum, token) => sum + token.clean.replaceAll(/\D/g, '').length, 0);
}

function isSlip(clean: string): boolean {
  const digits = clean.replaceAll(/[-().]/g, '');
  return /^(?=\+?\d{9,16}$)(?:09|989|\+|00989)/.test(digits);
}

function isStump(clean: string): boolean {
  if (!/^(?:(?:(?:\+|00)980?|0)?9\d\d|\+\d{3})/.test(clean)) return false;
  const digits = clean.replaceAll(/\D/g, '').length;
  const startsBare = clean.startsWith('9') && !clean.startsWith('98');
  const others = clean.replaceAll(/[\d+\-().]/g, '');
  return digits >= (startsBare ? 7 : 4) && others.length < digits && /^\p{L}*$/u.test(others);
}
