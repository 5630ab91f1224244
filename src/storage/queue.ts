import type { PendingQuery, Row } from 'postgres';
import type { Queryable } from './database.ts';

/*
 * What statements of storage read and take of the queue's own tables, whose layout is the library's: all of it stands
 * here. What they ask the queue for goes through `enqueue.ts`; what runs the queue is in src/jobs.
 */

type Fragment = PendingQuery<Row[]>;

/** Takes what waits under these keys out of the queue; what runs already goes on. */
export async function forgetJobs(sql: Queryable, ...keys: readonly string[]): Promise<void> {
  await sql`select graphile_worker.remove_job(key) from unnest(${keys}::text[]) as key`;
}

/** A condition: that something under this key waits or runs, with a try left. */
export function isAsked(sql: Queryable, key: Fragment): Fragment {
  return sql`exists (
    select 1 from graphile_worker._private_jobs q
    where q.key = ${key} and (q.attempts < q.max_attempts or q.locked_at is not null))`;
}

/** The keys of those among these that wait, were not tried yet and are due within so many seconds; held where they are. */
export function heldWaiting(sql: Queryable, keys: Fragment, seconds: number): Fragment {
  return sql`
    select q.key from graphile_worker._private_jobs q
    where q.key in (${keys}) and q.is_available and q.attempts = 0
      and q.run_at <= now() + ${seconds} * interval '1 second'
    for key share of q skip locked`;
}

/** How many jobs are due, and for how many seconds the oldest has been: `n`, `age`. */
export function dueJobs(sql: Queryable): Fragment {
  return sql`
    select count(*)::int as n, coalesce(max(extract(epoch from now() - run_at)), 0)::float8 as age
    from graphile_worker._private_jobs where is_available and run_at <= now()`;
}

/** How many jobs have used up their tries. */
export function failedJobs(sql: Queryable): Fragment {
  return sql`
    select count(*)::int from graphile_worker._private_jobs where attempts >= max_attempts and locked_at is null`;
}
