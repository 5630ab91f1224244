import type postgres from 'postgres';

/*
 * The driver can learn the array types of a database by asking for them on every new connection, and leaves the
 * failure of that question to nobody when the connection breaks meanwhile. These are all that Peyk uses.
 */

const TEXTS = [1009, 1015, 2951] as const;
const NUMBERS = [1005, 1007, 1021, 1022] as const;
const BIGINT = 20;
const BIGINTS = 1016;

/** `bigint`, as a number: one that is not exact is an error. Arrays of text and uuid, as text; and of numbers, as numbers. */
export const DRIVER_TYPES = {
  bigint: { to: BIGINT, from: [BIGINT], serialize: String, parse: exact },
  bigints: { to: BIGINTS, from: [BIGINTS], serialize: write, parse: (text: string) => numbers(text, exact) },
  texts: { to: 1009, from: [...TEXTS], serialize: write, parse: (text: string) => read(text) },
  numbers: {
    to: 1007,
    from: [...NUMBERS],
    serialize: write,
    parse: (text: string) => numbers(text, Number),
  },
} satisfies Record<string, postgres.PostgresType>;

function exact(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number))
    throw new RangeError('the database holds a whole number that is not exact here');
  return number;
}

function numbers(text: string, toNumber: (text: string) => number): (number | null)[] {
  return read(text).map((each) => (each === null ? null : toNumber(each)));
}

function write(values: unknown): string {
  if (!Array.isArray(values)) return String(values);
  return `{${values.map((value) => (value === null ? 'NULL' : quoted(String(value)))).join(',')}}`;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/gu, String.raw`\$&`)}"`;
}

/** One dimension, as Postgres writes it. */
function read(text: string): (string | null)[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|([^{},"]+)/gsu)].map(([, inQuotes, bare]) => {
    if (inQuotes !== undefined) return inQuotes.replaceAll(/\\(.)/gsu, '$1');
    return bare === 'NULL' || bare === undefined ? null : bare;
  });
}

/**
 * Throws where the driver could not write a value of a statement. It would notice while the statement is on its way behind
 * others: then one of these fails in its place, and its connection answers nobody any more, for ever.
 */
export function refuseUnwritable([strings, ...values]: readonly unknown[]): void {
  if (!Array.isArray(strings)) return;
  for (const value of values) {
    if (value === undefined) throw new TypeError('a statement has a value that is undefined');
    if (value instanceof Date && Number.isNaN(value.getTime()))
      throw new TypeError('a statement has a date that is none');
  }
}
