import { parse, stringify } from 'lossless-json';

/** Deeper than anything the interface shows; the parser is recursive and must not meet the stack's end. */
const DEPTH_LIMIT = 64;
const LITERAL_LIMIT = 64;
/** An integer with fewer digits is a safe one. */
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
  const quick = hasLongNumber(text) ? null : readPlain(text);
  if (quick !== null) return quick;
  if (isDeeperThan(text, DEPTH_LIMIT)) return { ok: false, reason: 'too_deep' };
  try {
    return { ok: true, value: parse(text, undefined, { parseNumber: readNumber }) };
  } catch {
    return { ok: false, reason: 'not_json' };
  }
}

/** Writes JSON; a bigint goes out as a plain integer. */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    // The runtime knows no bigint.
    return stringify(value) ?? 'null';
  }
}

function readNumber(literal: string): number | bigint | string {
  const value = Number(literal);
  if (!/^-?[0-9]+$/.test(literal) || Number.isSafeInteger(value)) return value;
  // No identifier is this long, and turning it into a bigint would cost time that an answer must not cost.
  return literal.length > LITERAL_LIMIT ? literal : BigInt(literal);
}

/**
 * What the runtime's own parser makes of a text without long numbers: many times as fast, and with a hundredth of the
 * garbage. Null where that is not sure to be all of it: it says nothing of a name that stands twice, and bears any depth.
 */
function readPlain(text: string): JsonReading | null {
  try {
    const value: unknown = JSON.parse(text);
    return keysIn(value, DEPTH_LIMIT) === mostKeysOf(text) ? { ok: true, value } : null;
  } catch {
    return null;
  }
}

/** Whether so many digits stand in a row, be it within a text. One of them would stand at every so manieth place. */
function hasLongNumber(text: string): boolean {
  for (let at = LONG_DIGITS - 1; at < text.length; at += LONG_DIGITS) {
    if (!isDigit(text, at)) continue;
    let [first, last] = [at, at];
    while (isDigit(text, first - 1)) first -= 1;
    while (isDigit(text, last + 1)) last += 1;
    if (last - first + 1 >= LONG_DIGITS) return true;
    at = last;
  }
  return false;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= ZERO && code <= NINE;
}

/** How many names are written, or more than that: what looks like one within a text is counted too. */
function mostKeysOf(text: string): number {
  let keys = 0;
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) {
    let before = at - 1;
    while (before > 0 && text.charCodeAt(before) <= SPACE) before -= 1;
    if (text.charCodeAt(before) === QUOTE) keys += 1;
  }
  return keys;
}

const SPACE = 0x20;
const QUOTE = 0x22;
const ZERO = 0x30;
const NINE = 0x39;

/** How many names a value and all within it have; not a number when it is deeper than so many objects and lists. */
function keysIn(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth === 0) return Number.NaN;
  const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
  let keys = Array.isArray(value) ? 0 : members.length;
  for (const member of members) keys += keysIn(member, depth - 1);
  return keys;
}

/** Counts open brackets outside strings. */
function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i];
    if (inString) {
      if (char === '\\') i += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') {
      depth += 1;
      if (depth > limit) return true;
    } else if (char === '}' || char === ']') depth -= 1;
  }
  return false;
}
