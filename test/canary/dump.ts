import type { Sql } from 'postgres';

/** Every table as COPY writes it into a plain dump, those of the queue and of the migrations too, and what is not a table. */
export async function dumpInto(sql: Sql, found: (table: string, text: Buffer) => void): Promise<void> {
  const tables = await sql<{ schema: string; name: string }[]>`
    select n.nspname as schema, c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'm') and n.nspname not in ('information_schema', 'pg_toast')`;
  for (const { schema, name } of tables) {
    const pieces: Buffer[] = [];
    const copy = await sql`copy (select * from ${sql(schema)}.${sql(name)}) to stdout`.readable();
    for await (const piece of copy) pieces.push(Buffer.from(piece as Buffer));
    found(`${schema}.${name}`, Buffer.concat(pieces));
  }
}
