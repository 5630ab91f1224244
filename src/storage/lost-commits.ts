import type { Sql } from 'postgres';
import { beginIn, doubtChats } from './restored-backup.ts';
import type { Row } from './row.ts';

/**
 * Holds all sends, of every chat and in every process, since the database has lost commits; who asks is known to it again.
 * Until `finishLoss` is through, nothing lets them go.
 * @returns since when something may have left that the database does not know
 */
export async function holdForLoss(
  sql: Sql,
  {
    id,
    beats,
    server,
    began,
  }: { readonly id: string; readonly beats: number; readonly server: string; readonly began: Date },
): Promise<{ readonly from: Date }> {
  return await sql.begin(async (tx) => {
    const [row] = await tx<Row<'process', 'seen_at'>[]>`
      select seen_at from process where id = ${id} for update`;
    // All that was committed before what stands in the row is there; without it, all that this process knows is not.
    const kept = row?.seen_at ?? began;
    const { from } = await beginIn(tx, kept, kept);
    await tx`update deployment set lost_at = coalesce(lost_at, now()), lost_done_at = null`;
    await tx`
      insert into process (id, beats, server) values (${id}, ${beats}, ${server})
      on conflict (id) do update set beats = excluded.beats, server = excluded.server, seen_at = now(), gone_at = null`;
    return { from };
  });
}

/**
 * Has everything that may have left in the lost time looked for, as after a backup was brought back. Does nothing where
 * that is done; may be ended and begun again, and done by several at once.
 */
export async function finishLoss(sql: Sql, timeZone: string): Promise<void> {
  const [open] = await sql<{ from: Date }[]>`
    select coalesce(restored_from, lost_at) as "from"
    from deployment where lost_at is not null and lost_done_at is null`;
  if (open === undefined) return;
  await doubtChats(sql, open.from, timeZone);
  await sql`update deployment set lost_done_at = now() where lost_at is not null`;
}
