import { GONE, IN_DOUBT } from '../../domain/attempt.ts';
import type { DeskFacts, DigestFacts, WaitingSend } from '../../ports/alerts.ts';
import type { Database } from '../database/database.ts';
import { liveBindingsOfUser } from '../accounts/gateway-user.ts';
import { listed } from '../move.ts';
import { reportWords } from '../reports/reported.ts';
import type { Row } from '../row.ts';

/** What alerts and digests are made from. */
export function createAlertReads({ sql }: Database) {
  return {
    /** Scheduled sends that the credit of a binding is for, the next one first. */
    async waiting(bindingId: string): Promise<readonly WaitingSend[]> {
      return await sql<
        (Row<'job', 'id as jobId' | 'hold_until as at'> &
          Row<'draft', 'code'> & { rial: number | null; isElsewhere: boolean })[]
      >`
        select j.id as "jobId", d.code, j.hold_until as at, j.price_rial::float8 as rial,
          j.binding_id <> ${bindingId} as "isElsewhere"
        from job j join draft d on d.id = j.draft_id
        where j.binding_id in ${liveBindingsOfUser(sql, bindingId)} and j.state = 'scheduled' order by j.hold_until, d.code limit 200`;
    },

    /** Those of these jobs that still wait for their time. */
    async stillWaiting(jobIds: readonly string[]): Promise<ReadonlySet<string>> {
      if (jobIds.length === 0) return new Set();
      const rows = await sql<Row<'job', 'id'>[]>`
        select id from job where id = any(${[...jobIds]}::uuid[]) and state = 'scheduled'`;
      return new Set(rows.map(({ id }) => id));
    },

    async digest(
      chatId: string,
      { from, to }: { readonly from: Date; readonly to: Date },
    ): Promise<DigestFacts> {
      // By the account, as the indexes of what has ended and of what is open are.
      const accounts = sql`select id from binding where chat_id = ${chatId}`;
      const [row] = await sql<DigestFacts[]>`
        with attempts as (
          select a.id, a.state, a.size from attempt a
          where a.binding_id in (${accounts}) and a.ended_at >= ${from.toISOString()} and a.ended_at < ${to.toISOString()}
        ), reports as (
          select w.kind, sum(w.n) as n from ${reportWords(sql, sql`select id from attempts`)} w group by w.kind
        )
        select
          coalesce((select sum(size) from attempts where state in ${listed(sql, GONE)}), 0)::int as sent,
          coalesce((select sum(size) from attempts where state in ${listed(sql, IN_DOUBT)}), 0)::int as unknown,
          coalesce((select sum(a.size) from attempt a
            where a.binding_id in (${accounts}) and a.state = 'on_wire' and a.on_wire_at < ${to.toISOString()}), 0)::int as "onWire",
          coalesce((select sum(n) from reports where kind = 'delivered'), 0)::int as delivered,
          coalesce((select sum(n) from reports where kind = 'failed'), 0)::int as failed,
          coalesce((select sum(n) from reports where kind = 'blocked'), 0)::int as blocked,
          (select count(*) from inbound i join account a on a.id = i.account_id
            where a.chat_id = ${chatId} and i.captured_at >= ${from.toISOString()} and i.captured_at < ${to.toISOString()})::int as received,
          (select g.credit_rial::float8 from binding b join account_gauge g on g.binding_id = b.id
            where b.chat_id = ${chatId} and b.state = 'live') as "creditRial",
          coalesce((select sum(a.size) from attempt a
            where a.binding_id in (${accounts}) and a.state = 'asked'), 0)::int as questions,
          (select count(*) from job where chat_id = ${chatId} and state = 'scheduled')::int as scheduled`;
      if (row === undefined) throw new Error('a count has no row');
      return row;
    },

    /** How what was received then was answered by people. */
    async desk(chatId: string, { from, to }: { readonly from: Date; readonly to: Date }): Promise<DeskFacts> {
      const [row] = await sql<DeskFacts[]>`
        with answers as (
          select i.talk_id, j.confirmed_at as at, j.confirmed_by as by
          from job j join draft d on d.id = j.draft_id
          join inbound i on i.id = (d.details -> 'answers' ->> 'inboundId')::bigint
          where j.chat_id = ${chatId} and j.confirmed_at >= ${from.toISOString()} and j.confirmed_at < ${to.toISOString()}
            and not (d.details -> 'answers' ->> 'isAuto')::boolean
            and exists (select from attempt x where x.job_id = j.id and x.state in ${listed(sql, GONE)})
        ), answered as (
          select i.talk_id, i.captured_at, f.at, f.by
          from inbound i join account a on a.id = i.account_id
          cross join lateral (
            select n.at, n.by from answers n where n.talk_id = i.talk_id and n.at >= i.captured_at order by n.at limit 1) f
          where a.chat_id = ${chatId} and i.captured_at >= ${from.toISOString()} and i.captured_at < ${to.toISOString()}
        ), turns as (
          select distinct on (talk_id, at) extract(epoch from at - captured_at) as waited, by
          from answered order by talk_id, at, captured_at
        ), people as (
          select coalesce(p.name, '') as name, count(*)::int as count
          from turns u left join person p on p.telegram_id = u.by group by u.by, p.name
        )
        select (select count(*) from answered)::int as answered,
          (select percentile_cont(0.5) within group (order by waited) from turns)::float8 as "medianSeconds",
          (select percentile_cont(0.9) within group (order by waited) from turns)::float8 as "p90Seconds",
          (select coalesce(json_agg(json_build_object('name', name, 'count', count) order by count desc, name), '[]') from people) as by`;
      if (row === undefined) throw new Error('a count has no row');
      return row;
    },

    async accountName(accountId: string): Promise<string> {
      const [row] = await sql<{ name: string }[]>`
        select coalesce(nullif(b.account_name, ''), c.title) as name
        from account a join binding b on b.id = a.binding_id join chat c on c.id = a.chat_id where a.id = ${accountId}`;
      return row?.name ?? '';
    },

    /** The name of the account that is linked to a chat now; '' where none is. */
    async accountOf(chatId: string): Promise<string> {
      const [row] = await sql<Row<'binding', 'account_name as name'>[]>`
        select account_name as name from binding where chat_id = ${chatId} and state = 'live'`;
      return row?.name ?? '';
    },
  };
}
