import { parse, stringify } from 'lossless-json';

/** Deeper than anything the interface shows; the parser is recursive and must not meet the stack's end. */
const DEPTH_LIMIT = 64;
const LITERAL_LIMIT = 64;

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
  if (text.trim() === '') return { ok: false, reason: 'empty' };
  if (isDeeperThan(text, DEPTH_LIMIT)) return { ok: false, reason: 'too_deep' };
  try {
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
