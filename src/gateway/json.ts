import { parse, stringify } from 'lossless-json';

/** Deeper than anything the interface shows; the parser is recursive and must not meet the stack's end. */
const DEPTH_LIMIT = 64;
const LITERAL_LIMIT = 64;
/** With fewer every integer is a safe one. */
const LONG_DIGITS = 16;

export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: 'empty' | 'not_utf8' | 'too_deep' | 'not_json' };

/**
 * Reads a JSON document without losing digits: an integer beyond the safe range becomes a bigint. A leading
 * byte order mark is skipped. One key with two different values makes the document unreadable, because
 * which of them counts would be a guess. Never throws.
 */
export function readJson(bytes: Uint8Array): JsonReading {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { ok: false, reason: 'not_utf8' };
  }
  if (!/\S/.test(text)) return { ok: false, reason: 'empty' };
  const { depth, keys, hasLongNumber } = survey(text);
  if (depth > DEPTH_LIMIT) return { ok: false, reason: 'too_deep' };
  try {
    if (!hasLongNumber) {
      const value: unknown = JSON.parse(text);
      // With fewer keys than were written some of them stand twice.
      if (keysIn(value) === keys) return { ok: true, value };
    }
    return { ok: true, value: parse(text, undefined, { parseNumber: readNumber }) };
  } catch {
    return { ok: false, reason: 'not_json' };
  }
}

/** Writes JSON; a bigint goes out as a plain integer. */
export function writeJson(value: unknown): string {
  return stringify(value) ?? 'null';
}

function readNumber(literal: string): number | bigint | string {
  const value = Number(literal);
  if (!/^-?[0-9]+$/.test(literal) || Number.isSafeInteger(value)) return value;
  // No identifier is this long, and turning it into a bigint would cost time that an answer must not cost.
  return literal.length > LITERAL_LIMIT ? literal : BigInt(literal);
}

interface Survey {
  /** Of brackets in brackets. */
  readonly depth: number;
  readonly keys: number;
  /** Whether a number is written with so many digits that the runtime's own reader may lose some. */
  readonly hasLongNumber: boolean;
}

/** Looks at what stands outside of strings. What it finds in a text that is no JSON means nothing, but for the depth. */
function survey(text: string): Survey {
  let [open, depth, keys, digits] = [0, 0, 0, 0];
  let hasLongNumber = false;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code >= ZERO && code <= NINE) {
      digits += 1;
      if (digits === LONG_DIGITS) hasLongNumber = true;
      continue;
    }
    digits = 0;
    if (code === QUOTE) i = endOfString(text, i);
    else if (code === COLON) keys += 1;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      open += 1;
      if (open > depth) depth = open;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) open -= 1;
  }
  return { depth, keys, hasLongNumber };
}

const [QUOTE, BACKSLASH, COLON, ZERO, NINE] = [0x22, 0x5c, 0x3a, 0x30, 0x39];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Where the quotation mark stands that ends the string; the end of the text when there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
  const own = Array.isArray(value) ? 0 : members.length;
  return members.reduce((sum: number, member) => sum + keysIn(member), own);
}
