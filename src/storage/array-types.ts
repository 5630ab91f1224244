import type postgres from 'postgres';

/*
 * The driver can learn the array types of a database by asking for them on every new connection, and leaves the
 * failure of that question to nobody when the connection breaks meanwhile. These are all that Peyk uses.
 */

const TEXTS = [1009, 1015, 2951, 1016] as const;
const NUMBERS = [1005, 1007, 1021, 1022] as const;

/** Arrays of text, uuid and bigint, as text; and of smaller numbers, as numbers. */
export const ARRAY_TYPES = {
  texts: { to: 1009, from: [...TEXTS], serialize: write, parse: (text: string) => read(text) },
  numbers: {
    to: 1007,
    from: [...NUMBERS],
    serialize: write,
    parse: (text: string) => read(text).map((each) => (each === null ? null : Number(each))),
  },
} satisfies Record<string, postgres.PostgresType>;

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
