import type { Sql } from 'postgres';

/** Every row of every table as text, those of the catalogue, the queue and the migrations too. */
export async function dumpInto(sql: Sql, found: (table: string, text: Buffer) => void): Promise<void> {
  const tables = await sql<{ schema: string; name: string }[]>`
    select n.nspname as schema, c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'm') and n.nspname not in ('information_schema', 'pg_toast')`;
  for (const { schema, name } of tables) {
    // Not by COPY: the driver's stream of it may leave its socket paused when the last of a large table is read.
    const rows = await sql<{ row: string }[]>`select t::text as row from ${sql(schema)}.${sql(name)} as t`;
    found(`${schema}.${name}`, Buffer.from(rows.map(({ row }) => row).join('\n')));
  }
}
