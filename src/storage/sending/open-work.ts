import { IN_DOUBT, UNPROVEN } from '../../domain/attempt.ts';
import type { OpenWork } from '../../ports/metrics.ts';
import type { Database } from '../database/database.ts';
import { LEADER_SESSION, LIVENESS_SESSION } from '../database/lock-session.ts';
import { dueJobs, failedJobs } from '../../jobs/queue-tables.ts';
import { listed } from '../move.ts';

/** What stands at this moment. Reads indexes of what is open, never a whole table. */
export async function readOpenWork({ sql }: Database): Promise<OpenWork> {
  const [row] = await sql<[OpenWork]>`
    with open as (
      select state, count(*)::int as n, max(extract(epoch from now() - ended_at)) as age,
        max(extract(epoch from now() - on_wire_at)) as out_for
      from attempt where state in ${listed(sql, UNPROVEN)} group by state
    ), due as (
      ${dueJobs(sql)}
    ), polled as (
      select count(*)::int as n,
        count(*) filter (where exists (
          select 1 from chat_limits l where l.chat_id = account.chat_id and l.halted_at is not null))::int as halted,
        count(*) filter (where failing_since is not null or exists (
          select 1 from alarm a where a.account_id = account.id and a.kind in ('account', 'gateway') and a.ended_at is null))::int as failing,
        coalesce(max(extract(epoch from now() - due_at))
        filter (where due_at < now() and (lease_until is null or lease_until < now())), 0)::float8 as lag
      from account where due_at is not null
    )
    select
      json_build_object('reserved', 0, 'on_wire', 0, 'unknown', 0, 'asked', 0)::jsonb
        || coalesce((select jsonb_object_agg(state, n) from open), '{}') as attempts,
      coalesce((select max(out_for) from open where state = 'on_wire'), 0)::float8 as "oldestOnWireSeconds",
      coalesce((select max(age) from open where state in ${listed(sql, IN_DOUBT)}), 0)::float8 as "oldestUnknownSeconds",
      due.n as "jobsDue", due.age as "oldestJobSeconds",
      (${failedJobs(sql)}) as "jobsFailed",
      (select count(*)::int from update where done_at is null) as "updatesOpen",
      (select extract(epoch from now() - held_at)::float8 from deployment) as "heldSeconds",
      polled.n as accounts, polled.halted as "accountsHalted", polled.failing as "accountsFailing", polled.lag as "pollLagSeconds",
      coalesce((select json_object_agg(kind, n) from (
        select kind, count(*)::int as n from alarm where ended_at is null group by kind) as alarms), '{}') as alarms,
      (select count(*)::int from pg_stat_activity
        where datname = current_database() and application_name = ${LIVENESS_SESSION}) as processes,
      (select count(distinct s.pid)::int from pg_stat_activity s join pg_locks l on l.pid = s.pid
        where s.datname = current_database() and s.application_name = ${LEADER_SESSION}
          and l.locktype = 'advisory' and l.granted) as leaders,
      pg_database_size(current_database())::float8 as "databaseBytes",
      (select count(*)::int from pg_stat_activity where datname = current_database()) as "databaseConnections"
    from due, polled`;
  return row;
}
