import type { Sql } from 'postgres';
import type { HeldCall } from './call-writes.ts';
import { jsonText } from './json.ts';
import { heldChatsIn, goIn, letGoIn } from './operator-halt.ts';
import { beginIn, chatIn, refuseWhileInUse } from './restored-backup.ts';
import type { Row } from './row.ts';
import { isWeakIn, startOf } from './server-start.ts';

/** Whoever has noticed a loss looks for what may have left; another one where that one has not come to its end. */
export const HEIR_SECONDS = 30;

/** A process, and how far it has counted up its row. */
export interface Beat {
  readonly id: string;
  readonly beats: number;
}

/** What a process sees when it looks for what it knows. */
export interface Look {
  /** Of the own row as it is now; null: it was not found as this process knows it. */
  readonly beats: number | null;
  /** The same as it was before. */
  readonly had: number | null;
  readonly server: string;
  readonly forgotten: readonly HeldCall[];
  readonly is_weak: boolean;
  readonly is_lost: boolean;
  readonly is_unfinished: boolean;
}

/** What in a chat was made unknown, or void. */
export interface Doubted {
  /** Calls that are looked for now. */
  readonly calls: number;
  /** Scheduled sends that people are asked about. */
  readonly asked: number;
  /** Drafts that nobody can confirm any more. */
  readonly drafts: number;
}

/** Between these times something may have left that the database does not know. */
export interface LostTime {
  readonly from: Date;
  readonly to: Date;
}

export interface ChatInZone {
  readonly chatId: string;
  readonly timeZone: string;
}

/**
 * What is asked of a database that may have lost commits, each in one transaction of its own. What makes a whole of them
 * stands in `continuity.ts`, `lost-commits.ts`, `restored-backup.ts` and `operator-halt.ts`.
 */
export interface LossStore {
  /** Makes the row that a process counts up. */
  enter(id: string): Promise<{ readonly server: string; readonly since: Date }>;
  /** Counts it up where all is found that the process knows: these calls have passed the fence. */
  look(of: Beat, proofs: readonly HeldCall[]): Promise<Look>;
  leave(id: string): Promise<void>;
  /**
   * Holds all sends, of every chat and in every process, since the database has lost commits; who asks is known to it
   * again. Until the loss is seen to its end, nothing lets them go.
   * @param of `began`: since when the process knows the database
   */
  hold(of: Beat & { readonly server: string; readonly began: Date }): Promise<LostTime>;
  /** Holds all sends, since a backup was brought back. @throws AppError `config` while a Peyk works on the database */
  restore(since: Date | null): Promise<LostTime>;
  /** Since when something may have left, where a loss is not seen to its end; null: there is none. */
  unfinished(): Promise<Date | null>;
  /** Chats in which something may have left, or could be set off. */
  chats(): Promise<readonly string[]>;
  /** Makes unknown what could have left of a chat, and void what somebody could still set off. */
  doubt(chatId: string, from: Date): Promise<Doubted>;
  /** The loss is seen to its end. */
  finished(): Promise<void>;
  /** Takes the operator's switch back. */
  letGo(): Promise<void>;
  /** Chats in which something waited for that. */
  heldChats(): Promise<readonly ChatInZone[]>;
  /** Lets go on in a chat what may. */
  goOn(of: ChatInZone): Promise<{ readonly resumed: number; readonly kept: number }>;
}

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
          or exists (select 1 from draft d where d.chat_id = c.id and d.state in ('open', 'asked'))`;
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
      d.lost_at < now() - ${HEIR_SECONDS} * interval '1 second' and d.lost_done_at is null as is_unfinished
    from deployment d`;
  if (look === undefined) throw new Error('a look without an answer');
  return look;
}
