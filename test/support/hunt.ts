import type { Sql } from 'postgres';

/** Finds a secret in a text, however it may have been written down on the way; gives the names of the spellings. */
export function spellingsIn(text: string, secret: string): string[] {
  return Object.entries(spellingsOf(secret))
    .filter(([, spelling]) => text.includes(spelling))
    .map(([name]) => name);
}

/** The spellings by name: written apart from the product's own list, so that a gap there is found. */
export function spellingsOf(secret: string): Record<string, string> {
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const percent = encodeURIComponent(secret);
  const html = secret
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  const base64 = [0, 1, 2].map((offset) => {
    // What does not depend on the bytes before and after: the characters made of the secret's bits alone.
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return whole.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  return {
    raw: secret,
    json,
    'json twice': JSON.stringify(json).slice(1, -1),
    html,
    percent,
    'percent in lower case': percent.replaceAll(/%../g, (code) => code.toLowerCase()),
    form: new URLSearchParams({ x: secret }).toString().slice(2),
    hex: bytes.toString('hex'),
    'hex in upper case': bytes.toString('hex').toUpperCase(),
    reversed: Array.from(secret).toReversed().join(''),
    'upper case': secret.toUpperCase(),
    ...Object.fromEntries(base64.map((core, offset) => [`base64 at ${offset}`, core])),
    ...Object.fromEntries(
      base64.map((core, offset) => [
        `base64url at ${offset}`,
        core.replaceAll('+', '-').replaceAll('/', '_'),
      ]),
    ),
    bytes: [...bytes].join(','),
  };
}

/** Every row of every table of the database as text, the queue's and the migrations' tables too. */
export async function dumpOf(sql: Sql): Promise<{ tables: string[]; text: string }> {
  const tables = await sql<{ schema: string; name: string }[]>`
    select n.nspname as schema, c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'm', 'p') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`;
  const texts: string[] = [];
  for (const { schema, name } of tables) {
    const rows = await sql<{ row: string }[]>`select t::text as row from only ${sql(schema)}.${sql(name)} t`;
    texts.push(...rows.map(({ row }) => `${schema}.${name} ${row}`));
  }
  return { tables: tables.map(({ schema, name }) => `${schema}.${name}`), text: texts.join('\n') };
}
