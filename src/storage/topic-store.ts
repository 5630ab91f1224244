import type { TopicStore } from '../ports/two-way.ts';
import type { Database } from './database.ts';

/** Which topic of a forum belongs to whom. */
export function createTopicStore({ sql }: Database): TopicStore {
  return {
    async of(sinkId, talkId) {
      const [row] = await sql<{ thread_id: number }[]>`
        select thread_id from talk_topic where sink_id = ${sinkId} and talk_id = ${talkId}`;
      return row?.thread_id ?? null;
    },

    async keep(sinkId, talkId, threadId, before) {
      const [row] = await sql<{ thread_id: number }[]>`
        insert into talk_topic as t (sink_id, talk_id, thread_id) values (${sinkId}, ${talkId}, ${threadId})
        on conflict (sink_id, talk_id) do update set
          thread_id = case when t.thread_id is not distinct from ${before}::int then excluded.thread_id else t.thread_id end
        returning thread_id`;
      return row?.thread_id ?? threadId;
    },

    async talkIn(sinkId, threadId) {
      const [row] = await sql<{ talk_id: string }[]>`
        select talk_id from talk_topic where sink_id = ${sinkId} and thread_id = ${threadId}`;
      return row?.talk_id ?? null;
    },

    async giveUp(sinkId) {
      const rows = await sql`update sink set topics = false where id = ${sinkId} and topics returning id`;
      return rows.length > 0;
    },
  };
}
