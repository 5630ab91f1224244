import type { TransactionSql } from 'postgres';
import { GONE } from '../../domain/attempt.ts';
import { DAYS_BACK, type DeskHours } from '../../domain/working-time.ts';
import { showTalkIn } from './answers-in.ts';
import type { Database } from '../database/database.ts';
import { enqueueNotify } from '../enqueue.ts';
import { jsonText } from '../json.ts';
import { listed } from '../move.ts';
import type { Maybe, Row } from '../row.ts';
import { deskHoursOf, type DeskRow } from './rule-store.ts';
import { isSnoozed } from './talk-store.ts';

/** How many alarms of this kind a chat has at once: whoever has so many looks at the list, and the next come as these end. */
const MOST_STANDING = 10;

/** A chat that wants to be told of whom nobody has answered. */
export interface Watched {
  readonly chatId: string;
  readonly timeZone: string;
  /** Null: it has named no number. */
  readonly minutes: number | null;
  /** When somebody is at the desk; where nobody has said, when sends may leave. */
  readonly hours: DeskHours | null;
  /** By the clock of the database, which wrote down when messages came. */
  readonly now: Date;
}

/** Why somebody waits for an answer no longer. */
export type WaitEnd = 'answered' | 'done' | 'blocked' | 'snoozed';

/** Who waits for an answer, and for how long. */
export function createUnansweredStore({ sql }: Database, timeZone: string) {
  return {
    /** Tells anew of those who were put off until now. Returns how many those are. */
    snoozesOver: async (): Promise<number> => await sql.begin(snoozesOverIn),

    /** Chats with a place where this kind of alert is on. */
    async watched(): Promise<readonly Watched[]> {
      const rows = await sql<
        (Row<'chat', 'id'> &
          DeskRow &
          Row<'chat_limits', 'window_from' | 'window_to'> & {
            zone: string;
            minutes: number | null;
            now: Date;
          })[]
      >`
        select c.id, coalesce(c.time_zone, ${timeZone}) as zone, m.threshold::float8 as minutes, c.desk_from, c.desk_to, c.desk_days,
          l.window_from, l.window_to, now() as now
        from chat c left join alert_setting m on m.chat_id = c.id and m.kind = 'unanswered'
        left join chat_limits l on l.chat_id = c.id
        where c.id in (select chat_id from sink where 'unanswered' = any(kinds))`;
      return rows.map(({ id, zone, minutes, window_from: from, window_to: to, now, ...desk }) => ({
        chatId: id,
        timeZone: zone,
        minutes,
        hours: deskHoursOf(desk) ?? (from === null || to === null ? null : { from, to, days: null }),
        now,
      }));
    },

    /** Those who have waited since then or before, by the first message that nobody has answered; who is told of already is not among them. */
    async overdue(
      chatId: string,
      since: Date,
    ): Promise<
      readonly {
        readonly talkId: string;
        readonly accountId: string;
        readonly inboundId: number;
        readonly since: Date;
      }[]
    > {
      return await sql<
        (Row<'talk', 'id as talkId' | 'account_id as accountId'> &
          Row<'inbound', 'captured_at as since'> & { inboundId: number })[]
      >`
        select t.id as "talkId", t.account_id as "accountId", f.id::float8 as "inboundId", f.captured_at as since
        from talk t join account a on a.id = t.account_id join binding b on b.id = a.binding_id and b.state = 'live'
        cross join lateral (
          -- What was there before the account was linked was told as one: nobody is asked to answer that.
          select i.id, i.captured_at from inbound i
          where i.talk_id = t.id and i.captured_at > greatest(t.answered_at, t.done_at, '-infinity')
            and exists (select from notice n where n.inbound_id = i.id and n.kind = 'inbound' and not n.facts ? 'opt')
          order by i.id limit 1) f
        where a.chat_id = ${chatId} and (t.done_at is null or t.done_at < t.last_in_at)
          and (t.answered_at is null or t.answered_at < t.last_in_at)
          and t.last_in_at > now() - ${DAYS_BACK} * interval '1 day' and greatest(f.captured_at, t.snoozed_until) <= ${since.toISOString()}
          and not ${isBlocked()}
          and not exists (select from alarm s
            where s.chat_id = ${chatId} and s.kind = 'unanswered' and s.subject = t.id::text and s.ended_at is null)
        order by f.captured_at, f.id
        limit greatest(0, ${MOST_STANDING} - (select count(*) from alarm s
          where s.chat_id = ${chatId} and s.kind = 'unanswered' and s.ended_at is null))`;
    },

    /** Alarms that stand although their correspondent waits no longer: an answer ends the wait once it is known to have left. */
    async over(): Promise<
      readonly {
        readonly chatId: string;
        readonly accountId: string | null;
        readonly talkId: string;
        readonly how: WaitEnd;
      }[]
    > {
      return await sql<
        (Row<'alarm', 'chat_id as chatId' | 'account_id as accountId' | 'subject as talkId'> & {
          how: WaitEnd;
        })[]
      >`
        select * from (
          select s.chat_id as "chatId", s.account_id as "accountId", s.subject as "talkId", case
            when t.done_at >= i.captured_at then 'done'
            when ${isSnoozed(sql)} then 'snoozed'
            when ${isBlocked()} then 'blocked'
            when t.answered_at >= i.captured_at and exists (
              select from draft d join job j on j.draft_id = d.id join attempt x on x.job_id = j.id
              join inbound o on o.id = (d.details -> 'answers' ->> 'inboundId')::bigint
              where d.chat_id = s.chat_id and d.created_at >= i.captured_at and o.talk_id = t.id
                and not (d.details -> 'answers' ->> 'isAuto')::boolean and x.state in ${listed(sql, GONE)})
              then 'answered' end as how
          from alarm s join talk t on t.id = s.subject::uuid
          join inbound i on i.id = (s.facts ->> 'inboundId')::bigint
          where s.kind = 'unanswered' and s.ended_at is null) e
        where how is not null`;
    },
  };

  /** Whether a correspondent `t` was blocked, or wants no messages, since somebody last answered. */
  function isBlocked() {
    return sql`exists (
      select from inbound k join notice n on n.inbound_id = k.id
      where k.talk_id = t.id and k.captured_at > greatest(t.answered_at, t.done_at, '-infinity')
        and coalesce(n.facts -> 'undo' ->> 'outcome', '') not in ('done', 'already')
        and (n.facts -> 'block' ->> 'outcome' in ('done', 'already')
          or (n.facts -> 'opt' ->> 'what' = 'out' and n.facts -> 'opt' ->> 'outcome' in ('done', 'already'))))`;
  }
}

const AT_ONCE = 100;

/**
 * Tells once more of those whose time has come until which somebody had put them off, wherever their newest message was told.
 * Each is taken by one sweep alone.
 */
async function snoozesOverIn(tx: TransactionSql): Promise<number> {
  const due = await tx<(Row<'talk', 'id' | 'snoozed_by as by'> & Maybe<Row<'person', 'name'>>)[]>`
    update talk t set snoozed_by = null
    from (select id, snoozed_by from talk where snoozed_by is not null and snoozed_until <= now()
      order by snoozed_until for update skip locked limit ${AT_ONCE}) d
    left join person p on p.telegram_id = d.snoozed_by
    where t.id = d.id returning t.id, d.snoozed_by as by, p.name`;
  const told: string[] = [];
  for (const { id, by, name } of due) {
    const back = jsonText({ back: { id: by, name: name ?? '' } });
    const rows = await tx<Row<'notice', 'sink_id'>[]>`
      insert into notice (sink_id, kind, inbound_id, draft_id, facts)
      select distinct on (n.sink_id) n.sink_id, 'inbound', n.inbound_id, n.draft_id, n.facts || ${back}::text::jsonb
      from notice n where n.kind = 'inbound' and n.inbound_id = (select max(i.id) from inbound i where i.talk_id = ${id})
      order by n.sink_id, n.id returning sink_id`;
    told.push(...rows.map((row) => row.sink_id));
    await showTalkIn(tx, id);
  }
  await enqueueNotify(tx, [...new Set(told)]);
  return due.length;
}
