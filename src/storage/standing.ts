import type { Standing } from '../ports/metrics.ts';
import type { Database } from './database.ts';

/** What stands at this moment. Reads indexes of what is open, never a whole table. */
export async function readStanding({ sql }: Database): Promise<Standing> {
  const [row] = await sql<[Standing]>`
    with open as (
      select state, count(*)::int as n, max(extract(epoch from now() - ended_at)) as age
      from attempt where state in ('reserved', 'on_wire', 'unknown', 'asked') group by state
    ), due as (
      select count(*)::int as n, coalesce(max(extract(epoch from now() - run_at)), 0)::float8 as age
      from graphile_worker._private_jobs where is_available and run_at <= now()
    ), polled as (
      select count(*)::int as n, coalesce(max(extract(epoch from now() - due_at))
        filter (where due_at < now() and (lease_until is null or lease_until < now())), 0)::float8 as lag
      from account where due_at is not null
    )
    select
      json_build_object('reserved', 0, 'on_wire', 0, 'unknown', 0, 'asked', 0)::jsonb
        || coalesce((select jsonb_object_agg(state, n) from open), '{}') as attempts,
      coalesce((select max(age) from open where state in ('unknown', 'asked')), 0)::float8 as "oldestUnknownSeconds",
      due.n as "jobsDue", due.age as "oldestJobSeconds",
      (select count(*)::int from graphile_worker._private_jobs where attempts >= max_attempts and locked_at is null) as "jobsFailed",
      (select count(*)::int from update where done_at is null) as "updatesOpen",
      polled.n as accounts, polled.lag as "pollLagSeconds",
      coalesce((select json_object_agg(kind, n) from (
        select kind, count(*)::int as n from alarm where ended_at is null group by kind) as alarms), '{}') as alarms
    from due, polled`;
  return row;
}
