import { loadConfig } from '../src/process/config.ts';
import { createPurge } from '../src/storage/purge/purge.ts';
import type { Stage } from './stage.ts';

/** What is kept of something, in bytes of tables and indexes. */
export interface Kept {
  /** As soon as it has ended. */
  readonly atOnce: number;
  /** After a month, when what passes has gone. */
  readonly month: number;
  /** When all has gone but the audit, and what is counted for ever. */
  readonly year: number;
}

/** Where nothing else is set. */
export const { keep: KEEP } = loadConfig({});
const MONTH = 30;
const YEAR = Math.max(KEEP.sends, KEEP.inbox, KEEP.other) + 2;

/** What the work leaves in the database. What was there before has to be past its time already: see {@link age}. */
export async function keptOf(stage: Stage, work: () => Promise<unknown>): Promise<Kept> {
  const before = await bytes(stage);
  await work();
  const atOnce = (await bytes(stage)) - before;
  await age(stage, MONTH);
  const month = (await bytes(stage)) - before;
  await age(stage, YEAR - MONTH);
  return { atOnce, month, year: (await bytes(stage)) - before };
}

/** As if so many more days had passed, and the purge had run on each. What nobody may change is not made older: the audit. */
export async function age({ database }: Stage, days = YEAR): Promise<void> {
  const { sql } = database;
  for (const [table, column] of DATED)
    await sql`
      update ${sql(table)} set ${sql(column)} = ${sql(column)} - ${days} * interval '1 day' where ${sql(column)} is not null`;
  await createPurge(database, KEEP).run();
}

/** By these the purge goes: src/storage/purge. */
const DATED = [
  ['update', 'received_at'],
  ['button', 'expires_at'],
  ['form', 'updated_at'],
  ['draft', 'expires_at'],
  ['job', 'ended_at'],
  ['attempt', 'ended_at'],
  ['inbound', 'captured_at'],
  ['notice', 'created_at'],
] as const;

/** Without what Postgres has yet to give back. */
async function bytes({ database }: Stage): Promise<number> {
  await database.sql`vacuum full`;
  const [row] = await database.sql<{ bytes: number }[]>`
    select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'`;
  return row?.bytes ?? Number.NaN;
}
