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

/** Whether {@link readJson} gives an integer above 2^53 whole: an older runtime has rounded it before anyone can look. */
export function readsLongIntegers(): boolean {
  return readJson('9007199254740993') === 9_007_199_254_740_993n;
}

function isList(value: object): value is readonly Json[] {
  return Array.isArray(value);
}

function parse(text: string): unknown {
  return JSON.parse(text, (_name: string, value: unknown, ...rest: unknown[]) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    const source = sourceOf(rest[0]);
    return source !== undefined && /^-?\d+$/.test(source) ? BigInt(source) : value;
  });
}

/** The runtime hands revivers the source text of a primitive; the type library does not know it yet. */
function sourceOf(context: unknown): string | undefined {
  if (typeof context !== 'object' || context === null || !('source' in context)) return undefined;
  return typeof context.source === 'string' ? context.source : undefined;
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
