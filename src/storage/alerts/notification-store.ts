import { UNSAID } from '../../domain/alerts.ts';
import { isAsked } from '../../jobs/queue-tables.ts';
import type { InboundBrief, NextNotification, Notification, ShownNotifications } from '../../ports/alerts.ts';
import type { Database, Queryable } from '../database/database.ts';
import { enqueueBy, enqueueNotify, enqueueRenotice } from '../enqueue.ts';
import { listed } from '../move.ts';
import { nextIn, readNotifications, SAYING_SECONDS } from './notification-next.ts';
import type { Maybe, Row } from '../row.ts';

/** What is said in destinations: at least once, and by one process at a time in each. */
export function createNotificationStore({ sql }: Database, timeZone: string) {
  return {
    /** Marks what is next as being said, for a minute. One lane for each destination: nothing while something is being said there. */
    next: async (destinationId: string): Promise<NextNotification> =>
      await sql.begin(async (tx) => await nextIn(tx, destinationId, timeZone)),

    /** It is still being said: for another minute nobody else takes it. */
    async hold(ids: readonly number[]): Promise<void> {
      await sql`
        update notice set not_before = now() + ${SAYING_SECONDS} * interval '1 second'
        where id = any(${[...ids]}::bigint[]) and state = 'sending'`;
    },

    async said(
      ids: readonly number[],
      {
        messageId,
        threadId,
        folded,
      }: { readonly messageId: number | null; readonly threadId: number | null; readonly folded: boolean },
    ): Promise<void> {
      await sql`
        update notice set state = ${folded ? 'folded' : 'sent'}, sent_at = now(), message_id = ${messageId}, thread_id = ${threadId}
        where id = any(${[...ids]}::bigint[])`;
    },

    /** It is said again later; `doubtful`: Telegram may have it already. */
    async notSaid(
      ids: readonly number[],
      { afterMs, doubtful }: { readonly afterMs: number; readonly doubtful: boolean },
    ): Promise<void> {
      await sql`
        update notice set state = 'queued', not_before = now() + ${afterMs}::float8 * interval '1 millisecond',
          doubtful = doubtful + ${doubtful ? 1 : 0}
        where id = any(${[...ids]}::bigint[]) and state = 'sending'`;
    },

    /** There is nothing to say of it any more. */
    async drop(ids: readonly number[]): Promise<void> {
      await sql`update notice set state = 'dropped' where id = any(${[...ids]}::bigint[]) and state = 'sending'`;
    },

    /** Looks into a destination again after so long. */
    async wake(destinationId: string, afterMs: number): Promise<void> {
      await sql.begin(async (tx) => {
        // A look that was asked for meanwhile, and comes sooner, must not be put off.
        await enqueueBy(tx, 'notify', { sinkId: destinationId }, { key: `notify:${destinationId}`, afterMs });
      });
    },

    /** Has every destination looked into where something is due: what a lost task would have said. */
    async wakeAll(): Promise<number> {
      return await sql.begin(async (tx) => {
        const rows = await tx<Row<'notice', 'sink_id'>[]>`
          select distinct n.sink_id from notice n join sink s on s.id = n.sink_id
          where n.state in ${listed(tx, UNSAID)} and n.not_before < now() - interval '30 seconds'
            and not ${isAsked(tx, tx`'notify:' || n.sink_id`)}`;
        await enqueueNotify(
          tx,
          rows.map((row) => row.sink_id),
        );
        return rows.length;
      });
    },

    /** The messages that show an alarm or a received message, wherever they are. */
    shown: async (of: ShownNotifications): Promise<readonly Notification[]> =>
      await readNotifications(sql, sql`n.state = 'sent' and n.message_id is not null and ${isOf(sql, of)}`),

    /** Whether one more is being said at this moment, perhaps by what held when it was begun. */
    async isBeingSaid(of: ShownNotifications): Promise<boolean> {
      const rows = await sql`
        select 1 from notice n where n.state = 'sending' and ${isOf(sql, of)}
          and n.not_before > now() - ${SAYING_SECONDS} * interval '1 second' limit 1`;
      return rows.length > 0;
    },

    /** Has those messages brought up to what holds now, or then. */
    async refresh(of: ShownNotifications, afterMs?: number): Promise<void> {
      await sql.begin(async (tx) => await enqueueRenotice(tx, of, afterMs));
    },

    /**
     * The card of a received message was brought into the chat: it follows like those by which the message was told.
     * Not where the chat itself is no place of its alerts any more.
     */
    async brought(
      inboundId: number,
      {
        chatId,
        messageId,
        threadId,
      }: { readonly chatId: string; readonly messageId: number; readonly threadId: number | null },
    ): Promise<void> {
      await sql`
        insert into notice (sink_id, kind, inbound_id, draft_id, facts, state, message_id, thread_id)
        select s.id, 'inbound', ${inboundId}, told.draft_id, coalesce(told.facts, '{}'), 'sent', ${messageId}, ${threadId}
        from sink s left join lateral (
          select draft_id, facts from notice where inbound_id = ${inboundId} order by id limit 1) told on true
        where s.chat_id = ${chatId} and s.telegram_id is null order by s.created_at, s.id limit 1`;
    },

    /** What a message in a place shows: for replies to it. */
    async byMessage(telegramId: number, messageId: number): Promise<Notification | null> {
      const [found] = await readNotifications(
        sql,
        sql`n.message_id = ${messageId} and n.state = 'sent' and n.sink_id in (
          select s.id from sink s join chat c on c.id = s.chat_id
          where coalesce(s.telegram_id, c.telegram_id) = ${telegramId})`,
        1,
      );
      return found ?? null;
    },

    /** Whether a message in a chat tells of what another chat has. */
    async isOfAnother(
      { id, telegramId }: { readonly id: string; readonly telegramId: number },
      messageId: number,
    ): Promise<boolean> {
      const rows = await sql`
        select 1 from notice n where n.message_id = ${messageId}
          and n.sink_id in (select id from sink where telegram_id = ${telegramId} and chat_id <> ${id}) limit 1`;
      return rows.length > 0;
    },

    /** Received messages, in the order of their ids. */
    inbound: async (ids: readonly number[]): Promise<readonly InboundBrief[]> =>
      await briefs(sql, sql`i.id = any(${[...ids]}::bigint[])`),

    /** The received messages that a digest counts. */
    foldedIn: async (destinationId: string, messageId: number): Promise<readonly InboundBrief[]> =>
      await briefs(
        sql,
        sql`i.id in (
          select inbound_id from notice where sink_id = ${destinationId} and message_id = ${messageId} and state = 'folded')`,
      ),
  };
}

/** A condition on a notification `n`. */
function isOf(db: Queryable, of: ShownNotifications): ReturnType<Queryable> {
  return 'alarmId' in of
    ? db`n.alarm_id = ${of.alarmId}`
    : db`n.inbound_id = any(${[...of.inboundIds]}::bigint[])`;
}

async function briefs(db: Queryable, where: ReturnType<Queryable>): Promise<InboundBrief[]> {
  const rows = await db<
    (Row<'inbound', 'id' | 'line' | 'sender' | 'text'> & Maybe<Row<'contact', 'name'>> & { at_ms: number })[]
  >`
    select i.id, i.line, i.sender, i.text, nullif(k.name, '') as name,
      (extract(epoch from coalesce(i.sent_at, i.captured_at)) * 1000)::float8 as at_ms
    from inbound i join account a on a.id = i.account_id
    left join contact k on k.chat_id = a.chat_id and k.number = i.sender
    where ${where} order by i.id`;
  return rows.map(({ at_ms: at, ...row }) => ({ ...row, at: new Date(at) }));
}
