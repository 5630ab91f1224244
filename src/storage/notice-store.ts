import type { InboundBrief, NoticeStore } from '../ports/alerts.ts';
import type { Database, Queryable } from './database.ts';
import { enqueueBy, enqueueNotify, enqueueRenotice } from './enqueue.ts';
import { nextIn, SAYING_SECONDS } from './notice-next.ts';
import { readNotices } from './notice-rows.ts';
import { isAsked } from './queue.ts';

/** A change of an alarm bears the time at which its transaction began, and is seen when that has ended. */
const LONGEST_CHANGE_SECONDS = 60;

/** What is said in sinks, at least once. */
export function createNoticeStore({ sql }: Database, timeZone: string): NoticeStore {
  return {
    next: async (sinkId) => await sql.begin(async (tx) => await nextIn(tx, sinkId, timeZone)),

    async hold(ids) {
      await sql`
        update notice set not_before = now() + ${SAYING_SECONDS} * interval '1 second'
        where id = any(${[...ids]}::bigint[]) and state = 'sending'`;
    },

    async said(ids, { messageId, threadId, folded }) {
      await sql.begin(async (tx) => {
        // Whoever changes the alarm at this moment is waited for, or waits, and then finds the message to edit.
        await tx`
          select from alarm where id in (select alarm_id from notice where id = any(${[...ids]}::bigint[])) for share`;
        const rows = await tx<{ alarm_id: string | null; inbound_id: number | null; stale: boolean }[]>`
          with begun as (select id, sent_at from notice where id = any(${[...ids]}::bigint[]) for update)
          update notice n set state = ${folded ? 'folded' : 'sent'}, sent_at = now(), message_id = ${messageId}, thread_id = ${threadId}
          from begun b where n.id = b.id
          returning n.alarm_id, n.inbound_id::float8 as inbound_id,
            exists (select 1 from alarm a where a.id = n.alarm_id and greatest(a.ended_at, a.acked_at) >= b.sent_at - ${LONGEST_CHANGE_SECONDS} * interval '1 second')
            or exists (select 1 from inbound i join talk t on t.id = i.talk_id where i.id = n.inbound_id
              and greatest(t.taken_at, t.answered_at, t.done_at) >= b.sent_at) as stale`;
        if (folded) return;
        // It changed between being rendered and being said, when there was no message to edit yet.
        for (const { alarm_id: alarmId, inbound_id: inboundId, stale } of rows) {
          if (!stale) continue;
          if (alarmId !== null) await enqueueRenotice(tx, { alarmId });
          if (inboundId !== null) await enqueueRenotice(tx, { inboundIds: [inboundId] });
        }
      });
    },

    async notSaid(ids, { afterMs, doubtful }) {
      await sql`
        update notice set state = 'queued', not_before = now() + ${afterMs}::float8 * interval '1 millisecond',
          doubtful = doubtful + ${doubtful ? 1 : 0}
        where id = any(${[...ids]}::bigint[]) and state = 'sending'`;
    },

    async drop(ids) {
      await sql`update notice set state = 'dropped' where id = any(${[...ids]}::bigint[]) and state = 'sending'`;
    },

    async wake(sinkId, afterMs) {
      await sql.begin(async (tx) => {
        // A look that was asked for meanwhile, and comes sooner, must not be put off.
        await enqueueBy(tx, 'notify', { sinkId }, { key: `notify:${sinkId}`, afterMs });
      });
    },

    async wakeAll() {
      return await sql.begin(async (tx) => {
        const rows = await tx<{ sink_id: string }[]>`
          select distinct n.sink_id from notice n join sink s on s.id = n.sink_id
          where n.state in ('queued', 'sending') and n.not_before < now() - interval '30 seconds'
            and not ${isAsked(tx, tx`'notify:' || n.sink_id`)}`;
        await enqueueNotify(
          tx,
          rows.map((row) => row.sink_id),
        );
        return rows.length;
      });
    },

    shown: async (of) =>
      await readNotices(
        sql,
        sql`n.state = 'sent' and n.message_id is not null and ${
          'alarmId' in of
            ? sql`n.alarm_id = ${of.alarmId}`
            : sql`n.inbound_id = any(${[...of.inboundIds]}::bigint[])`
        }`,
      ),

    async refresh(of) {
      await sql.begin(async (tx) => await enqueueRenotice(tx, of));
    },

    async byMessage(telegramId, messageId) {
      const [found] = await readNotices(
        sql,
        sql`n.message_id = ${messageId} and n.state = 'sent' and n.sink_id in (
          select s.id from sink s join chat c on c.id = s.chat_id
          where coalesce(s.telegram_id, c.telegram_id) = ${telegramId})`,
        1,
      );
      return found ?? null;
    },

    inbound: async (ids) => await briefs(sql, sql`i.id = any(${[...ids]}::bigint[])`),

    foldedIn: async (sinkId, messageId) =>
      await briefs(
        sql,
        sql`i.id in (
          select inbound_id from notice where sink_id = ${sinkId} and message_id = ${messageId} and state = 'folded')`,
      ),
  };
}

async function briefs(db: Queryable, where: ReturnType<Queryable>): Promise<InboundBrief[]> {
  const rows = await db<(Omit<InboundBrief, 'at'> & { at_ms: number })[]>`
    select i.id::float8 as id, i.line, i.sender, i.text, k.name,
      (extract(epoch from coalesce(i.sent_at, i.captured_at)) * 1000)::float8 as at_ms
    from inbound i join account a on a.id = i.account_id
    left join contact k on k.chat_id = a.chat_id and k.number = i.sender
    where ${where} order by i.id`;
  return rows.map(({ at_ms: at, ...row }) => ({ ...row, at: new Date(at) }));
}
