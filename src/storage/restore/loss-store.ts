import type { Sql } from 'postgres';
import { UNDECIDED } from '../../domain/draft.ts';
import type { HeldCall } from '../sending/call-writes.ts';
import { jsonText } from '../json.ts';
import { HEIR_SECONDS, type Beat, type Look, type LossStore } from './losses.ts';
import { listed } from '../move.ts';
import { heldChatsIn, goIn, letGoIn } from '../sending/operator-halt.ts';
import { beginIn, chatIn, refuseWhileInUse } from './restored-backup.ts';
import type { Row } from '../row.ts';
import { isWeakIn, startOf } from '../database/server-start.ts';

/** @param timeZone of chats that have none of their own */
export function createLossStore(sql: Sql, timeZone: string): LossStore {
  return {
    async enter(id) {
      const [row] = await sql<Row<'process', 'server' | 'seen_at as since'>[]>`
        insert into process (id, beats, server, reads_reports) values (${id}, 1, ${startOf(sql)}, true)
        returning server, seen_at as since`;
      if (row === undefined) throw new Error('the process has no row');
      return row;
    },

    look: async (of, proofs) => await lookAt(sql, of, proofs),
    leave: async (id) => void (await sql`delete from process where id = ${id}`),

    hold: async ({ id, beats, server, began }) =>
      await sql.begin(async (tx) => {
        const [row] = await tx<Row<'process', 'seen_at'>[]>`
          select seen_at from process where id = ${id} for update`;
        // All that was committed before what stands in the row is there; without it, all that this process knows is not.
        const kept = row?.seen_at ?? began;
        const time = await beginIn(tx, kept, kept);
        await tx`update deployment set lost_at = coalesce(lost_at, now()), lost_done_at = null`;
        await tx`
          insert into process (id, beats, server) values (${id}, ${beats}, ${server})
          on conflict (id) do update set beats = excluded.beats, server = excluded.server, seen_at = now(), gone_at = null`;
        return time;
      }),

    async restore(since) {
      await refuseWhileInUse(sql);
      return await sql.begin(async (tx) => {
        const begun = await beginIn(tx, since);
        // Telegram does not bring these again, and what they ask for was done, or is lost like all that came after.
        await tx`update "update" set payload = null, done_at = now() where done_at is null`;
        return begun;
      });
    },

    async unfinished() {
      const [open] = await sql<{ from: Date }[]>`
        select coalesce(restored_from, lost_at) as "from"
        from deployment where lost_at is not null and lost_done_at is null`;
      return open?.from ?? null;
    },

    async chats() {
      const chats = await sql<Row<'chat', 'id'>[]>`
        select id from chat c where exists (select 1 from job j where j.chat_id = c.id)
          or exists (select 1 from draft d where d.chat_id = c.id and d.state in ${listed(sql, UNDECIDED)})
          or exists (select 1 from date_send o where o.chat_id = c.id and o.state = 'on')`;
      return chats.map(({ id }) => id);
    },

    doubt: async (chatId, from) =>
      await sql.begin(async (tx) => await chatIn(tx, chatId, { from, timeZone })),
    finished: async () =>
      void (await sql`update deployment set lost_done_at = now() where lost_at is not null`),

    letGo: async () => await letGoIn(sql),
    heldChats: async () => await heldChatsIn(sql, timeZone),
    goOn: async (of) => await sql.begin(async (tx) => await goIn(tx, of)),
  };
}

async function lookAt(sql: Sql, { id, beats }: Beat, proofs: readonly HeldCall[]): Promise<Look> {
  const [look] = await sql<Look[]>`
    with forgotten as (
      select p.id, p.epoch from json_to_recordset(${jsonText(proofs)}::text::json) as p(id uuid, epoch int)
      left join attempt a using (id)
      where a.id is null or a.fenced < p.epoch
    ), beaten as (
      update process set beats = beats + 1, seen_at = now(), gone_at = null, server = ${startOf(sql)}
      where id = ${id} and beats >= ${beats} and not exists (select 1 from forgotten) returning beats
    )
    select (select beats::float8 from beaten) as beats, (select beats::float8 from process where id = ${id}) as had,
      ${startOf(sql)} as server, ${isWeakIn(sql)} as is_weak,
      coalesce((select json_agg(f) from forgotten f), '[]') as forgotten,
      d.lost_at is not null as is_lost,
      d.lost_at is not null and d.lost_done_at is null
        and d.lost_at < now() - ${HEIR_SECONDS} * interval '1 second' as is_unfinished
    from deployment d`;
  if (look === undefined) throw new Error('a look without an answer');
  return look;
}
