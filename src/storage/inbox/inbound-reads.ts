import { GONE } from '../../domain/attempt.ts';
import { numberInQuery } from '../../domain/search.ts';
import type { TimeSpan } from '../../domain/time-range.ts';
import type { ReportWord } from '../../domain/call-reports.ts';
import type { InboundView, LastSent, SentTo } from '../../ports/inbound.ts';
import type { Database } from '../database/database.ts';
import { listed } from '../move.ts';
import type { Maybe, Row } from '../row.ts';
import { reportRows } from '../reports/reported.ts';
import { callsTo } from '../reports/sent-numbers.ts';
import { isSnoozed, type TalkDeeds, talkDeeds, talkPeople, talkView } from './talk-store.ts';

type InboundRow = Row<
  'inbound',
  'id' | 'account_id' | 'talk_id' | 'line' | 'sender' | 'text' | 'sent_at' | 'captured_at'
> &
  Row<'account', 'chat_id' | 'binding_id'> &
  Maybe<Row<'contact', 'name'>> &
  TalkDeeds;

/** Looking at what is stored of received messages. */
export function createInboundReads({ sql }: Database) {
  return {
    /** How many are stored with a gateway time in the span, both ends included. */
    async counted(
      accountId: string,
      { from, to }: { readonly from: Date; readonly to: Date },
    ): Promise<number> {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::int as count from inbound
        where account_id = ${accountId} and sent_at >= ${from.toISOString()} and sent_at <= ${to.toISOString()}`;
      return row?.count ?? 0;
    },

    async total(accountId: string): Promise<number> {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::int as count from inbound where account_id = ${accountId}`;
      return row?.count ?? 0;
    },

    async of(inboundId: number): Promise<InboundView | null> {
      const [row] = await sql<InboundRow[]>`${viewed()} where i.id = ${inboundId}`;
      return row === undefined ? null : toView(row);
    },

    /** The code of another send that answers a message with the text of this draft and was not taken back; null: none does. */
    async answeredBefore(inboundId: number, draftId: string): Promise<string | null> {
      const [row] = await sql<Row<'draft', 'code'>[]>`
        select d.code from draft n join draft d on d.chat_id = n.chat_id and d.text = n.text and d.id <> n.id
        join job j on j.draft_id = d.id
        where n.id = ${draftId} and (d.details -> 'answers' ->> 'inboundId')::bigint = ${inboundId}
          and j.state <> 'undone' and d.created_at < n.created_at
        order by d.created_at desc limit 1`;
      return row?.code ?? null;
    },

    async lastSent(inboundId: number): Promise<LastSent | null> {
      const [row] = await sql<(Row<'draft', 'code'> & Pick<ReportWord, 'kind'> & { at: Date })[]>`
        select s.code, s.at, r.kind
        from (
          select d.code, ${leftAt()} as at, t.id, i.sender
          from inbound i join account a on a.id = i.account_id
          join attempt t on t.recipients @> array[i.sender] and t.id in (
            select attempt_id from ${callsTo(sql, sql`i.sender`)} c
            union all select attempt_id from delivery where recipient = i.sender)
          join job j on j.id = t.job_id join draft d on d.id = j.draft_id
          where i.id = ${inboundId} and d.chat_id = a.chat_id
          order by 2 desc limit 1) s
        cross join lateral ${reportRows(sql, sql`select * from attempt where id = s.id`)} r
        where r.number = s.sender and r.kind is not null limit 1`;
      return row ?? null;
    },

    /** The newest message of each correspondent who is not done with, newest first: of those whom a person has taken, or else of all who wait for an answer. */
    async open(
      chatId: string,
      {
        takenBy,
        line,
        skip,
        most,
      }: {
        readonly takenBy: number | null;
        readonly line: string | null;
        readonly skip: number;
        readonly most: number;
      },
    ): Promise<{ readonly found: readonly InboundView[]; readonly total: number }> {
      const isWanted =
        takenBy === null
          ? sql`(t.answered_at is null or t.answered_at < t.last_in_at)`
          : sql`t.taken_by = ${takenBy} and (t.done_at is null or t.taken_at >= t.done_at)`;
      const rows = await sql<(InboundRow & { total: number })[]>`
        with wanted as materialized (
          select t.id, t.last_in_at as at, count(*) over ()::int as total,
            (select max(i.id) from inbound i where i.talk_id = t.id) as newest
          from talk t join account a on a.id = t.account_id
          where a.chat_id = ${chatId} and (${line}::text is null or t.line = ${line})
            and (t.done_at is null or t.done_at < t.last_in_at) and ${isWanted} and not ${isSnoozed(sql)}
          order by t.last_in_at desc, t.id offset ${skip} limit ${most}
        )
        select v.*, w.total
        from (${viewed()} where i.id = any(array(select newest from wanted))) v join wanted w on w.newest = v.id
        order by w.at desc, w.id`;
      return { found: rows.map(toView), total: rows[0]?.total ?? 0 };
    },

    /**
     * Newest first. Each word of the folded query must stand in the text or, of digits, in the number; of a time, in epoch
     * seconds, it may have none.
     * @param to a mobile number: what the gateway took for it is among what was received
     */
    async find(
      chatId: string,
      {
        folded,
        to,
        time,
        skip,
        most,
      }: {
        readonly folded: string;
        readonly to: string | null;
        readonly time?: TimeSpan | undefined;
        readonly skip: number;
        readonly most: number;
      },
    ): Promise<{ readonly found: readonly (InboundView | SentTo)[]; readonly total: number }> {
      const words = folded.split(' ').filter((word) => word !== '');
      const hasAll = words.reduce(
        (before, word) => {
          const number = numberInQuery(word);
          return number === null
            ? sql`${before} and strpos(i.folded, ${word}) > 0`
            : sql`${before} and (strpos(i.folded, ${word}) > 0 or strpos(i.sender, ${number}) > 0)`;
        },
        sql`${words.length > 0 || time !== undefined}`,
      );
      const digits = numberInQuery(folded);
      const isThen =
        time === undefined
          ? sql`true`
          : sql`coalesce(i.sent_at, i.captured_at) between to_timestamp(${time.from}) and to_timestamp(${time.to})`;
      const hits = await sql<{ id: number | null; call: string | null; total: number }[]>`
        select id, call, count(*) over ()::int as total from (
          -- The gateway tells whole seconds: an answer comes after what it answers.
          select i.id::float8 as id, null::uuid as call, least(i.sent_at + interval '999 milliseconds', i.captured_at) as at
          from inbound i join account a on a.id = i.account_id
          where a.chat_id = ${chatId} and ${isThen} and (
            (${hasAll})
            or (${digits !== null} and strpos(i.sender, ${digits ?? ''}) > 0))
          union all
          select null, t.id, ${leftAt()} from attempt t join job j on j.id = t.job_id
          where j.chat_id = ${chatId} and t.state in ${listed(sql, GONE)} and t.recipients @> array[${to}::text]
            and t.id in (
              select attempt_id from ${callsTo(sql, sql`${to}::text`)} c
              union all select attempt_id from delivery where recipient = ${to}::text
              -- A call of just now is filed in a moment.
              union all select id from attempt where message_ids is not null)) h
        order by at desc, id desc, call offset ${skip} limit ${most}`;
      const [received, sent] = await Promise.all([
        sql<InboundRow[]>`${viewed()} where i.id = any(${hits.flatMap(({ id }) => id ?? [])}::bigint[])`,
        sentTo(
          to,
          hits.flatMap(({ call }) => call ?? []),
        ),
      ]);
      const found = hits.map(({ id, call }) => {
        const row = received.find((each) => each.id === id);
        return row === undefined ? sent.find((each) => each.call === call) : toView(row);
      });
      return { found: found.filter((each) => each !== undefined), total: hits[0]?.total ?? 0 };
    },
  };

  /** What calls `t` of jobs `j` left at. */
  function leftAt() {
    return sql`coalesce(t.ended_at, t.on_wire_at, j.leaves_at)`;
  }

  /** What some calls had for a number: of each the first message. */
  async function sentTo(to: string | null, calls: readonly string[]): Promise<(SentTo & { call: string })[]> {
    if (to === null || calls.length === 0) return [];
    return await sql<(SentTo & { call: string })[]>`
      select distinct on (t.id) t.id as call, d.code, ${leftAt()} as at, coalesce(r.kind, 'waiting') as kind,
        coalesce(t.messages -> (r.place - 1)::int ->> 'line', t.line, d.line) as line,
        nullif(coalesce(t.messages -> (r.place - 1)::int ->> 'text', d.text), '') as text
      from attempt t join job j on j.id = t.job_id join draft d on d.id = j.draft_id
      cross join lateral ${reportRows(sql, sql`select * from attempt where id = t.id`)} r
      where t.id = any(${[...calls]}::uuid[]) and r.number = ${to} order by t.id, r.place`;
  }

  function viewed() {
    return sql`
      select i.id, i.account_id, a.chat_id, a.binding_id, i.talk_id, i.line, i.sender, i.text,
        i.sent_at, i.captured_at, nullif(o.name, '') as name, ${talkDeeds(sql)}
      from inbound i join account a on a.id = i.account_id join talk t on t.id = i.talk_id
      left join contact o on o.chat_id = a.chat_id and o.number = i.sender
      ${talkPeople(sql)}`;
  }
}

function toView(row: InboundRow): InboundView {
  return {
    id: row.id,
    accountId: row.account_id,
    chatId: row.chat_id,
    bindingId: row.binding_id,
    talkId: row.talk_id,
    line: row.line,
    sender: row.sender,
    text: row.text,
    sentAt: row.sent_at,
    capturedAt: row.captured_at,
    name: row.name,
    talk: talkView({ id: row.talk_id, line: row.line, number: row.sender }, row),
  };
}
