import type { Database } from '../database/database.ts';
import type { Row } from '../row.ts';

/** The topics of correspondents in forums. */
export function createTopicStore({ sql }: Database) {
  return {
    async of(destinationId: string, talkId: string): Promise<number | null> {
      const [row] = await sql<Row<'talk_topic', 'thread_id'>[]>`
        select thread_id from talk_topic where sink_id = ${destinationId} and talk_id = ${talkId}`;
      return row?.thread_id ?? null;
    },

    /** Keeps a new one in place of what was there (null: nothing); returns the one that counts, somebody may have been first. */
    async keep(
      destinationId: string,
      talkId: string,
      threadId: number,
      before: number | null,
    ): Promise<number> {
      const [row] = await sql<Row<'talk_topic', 'thread_id'>[]>`
        insert into talk_topic as t (sink_id, talk_id, thread_id) values (${destinationId}, ${talkId}, ${threadId})
        on conflict (sink_id, talk_id) do update set
          thread_id = case when t.thread_id is not distinct from ${before}::int then excluded.thread_id else t.thread_id end
        returning thread_id`;
      return row?.thread_id ?? threadId;
    },

    /** Whose topic it is. */
    async talkIn(destinationId: string, threadId: number): Promise<string | null> {
      const [row] = await sql<Row<'talk_topic', 'talk_id'>[]>`
        select talk_id from talk_topic where sink_id = ${destinationId} and thread_id = ${threadId}`;
      return row?.talk_id ?? null;
    },

    /** No topics are made there any more. False where that was so already. */
    async giveUp(destinationId: string): Promise<boolean> {
      const rows =
        await sql`update sink set topics = false where id = ${destinationId} and topics returning id`;
      return rows.length > 0;
    },
  };
}
