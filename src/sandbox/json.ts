import { randomUUID } from 'node:crypto';

/** What the sandbox can write: JSON whose integers may be 64-bit. */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [member: string]: Json | undefined };

/**
 * Writes JSON with every bigint as a bare integer, so that a message id above 2^53 keeps its digits.
 * Members whose value is undefined are left out. A number that is not finite is written as null.
 */
export function writeJson(value: Json): string {
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(writeJson).join(',')}]`;
  const members: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${writeJson(member)}`);
  }
  return `{${members.join(',')}}`;
}

/**
 * Reads a request body. Integers outside the safe range become bigints, and raw control characters
 * inside strings are let through, because clients that glue JSON together by hand send them.
 * Throws SyntaxError, or RangeError when nested too deeply.
 */
export function readJson(text: string): unknown {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return parse(body);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return parse(escapeControls(body));
  }
}

/** Reads JSON as {@link readJson} does, but for control characters in strings: throws SyntaxError for them. */
export function readExactJson(text: string): unknown {
  return parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
}

function isList(value: object): value is readonly Json[] {
  return Array.isArray(value);
}

/** A string of valid JSON, which may hold digits, or a number. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Begins the strings that stand for long integers; nobody outside knows it. */
const MARK = randomUUID();

/** Node 20 rounds a long integer before a reviver sees it, so that it is made a string first. */
function parse(text: string): unknown {
  return JSON.parse(/\d{16}/.test(text) ? markLong(text) : text, (_name: string, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value,
  );
}

function markLong(text: string): string {
  // What is no JSON ends here: the expression below takes valid text for granted.
  JSON.parse(text);
  return text.replace(STRING_OR_NUMBER, (found) =>
    /^-?\d+$/.test(found) && !Number.isSafeInteger(Number(found)) ? `"${MARK}${found}"` : found,
  );
}

/** One pass by hand: a regular expression over unterminated strings would be quadratic. */
function escapeControls(text: string): string {
  const out: string[] = [];
  let inString = false;
  let escaped = false;
  for (const char of text) {
    if (inString && char < ' ') {
      out.push(escaped ? '\\' : '', JSON.stringify(char).slice(1, -1));
      escaped = false;
      continue;
    }
    out.push(char);
    if (escaped) escaped = false;
    else if (inString && char === '\\') escaped = true;
    else if (char === '"') inString = !inString;
  }
  return out.join('');
}
