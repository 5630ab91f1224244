import type { ISql, PendingQuery, Row } from 'postgres';

/*
 * All that is said to the queue's own tables and functions, whose layout is the library's: what statements of storage
 * read and take of them, and what the engine does. `queue-tables.test.ts` holds them to the release they were written for.
 */

type Fragment = PendingQuery<Row[]>;
type Queryable = ISql;

export const QUEUE_SCHEMA = 'graphile_worker';

/** Takes what waits under these keys out of the queue; what runs already goes on. */
export async function forgetJobs(sql: Queryable, ...keys: readonly string[]): Promise<void> {
  await sql`select graphile_worker.remove_job(key) from unnest(${keys}::text[]) as key`;
}

/** What a statement selects to take what waits under a key out of the queue. */
export function forgetJob(sql: Queryable, key: Fragment): Fragment {
  return sql`graphile_worker.remove_job(${key})`;
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

/**
 * What is freed goes on under a new number: the library writes the end of a run by the number of its job alone, and a run
 * whose holder was taken for dead may come to its end yet. It would take away what was asked for meanwhile.
 */
const FREED = 'id = default, locked_at = null, locked_by = null';

/** How the key of a job begins that is run once more after it had failed, or its process had died. */
export const AGAIN = 'again:';

/**
 * What the engine says over its own driver. Asking for a job gives every parameter as text: whether a driver encodes
 * json, dates or numbers by itself then does not matter, and what is null takes the queue's default.
 */
export const QUEUE_SQL = {
  add: `select id from graphile_worker.add_job(
    $1::text,
    payload => $2::text::json,
    job_key => $3::text,
    run_at => coalesce($4::text::timestamptz, now() + $5::text::float8 * interval '1 millisecond'),
    queue_name => $6::text,
    max_attempts => $7::text::int,
    job_key_mode => $8::text)`,
  /** Jobs that may run now, counted up to a limit: one look at an index, for all slots together. */
  countDue: `select count(*)::int as due from (
    select from graphile_worker._private_jobs where is_available and run_at <= now() limit $1) as jobs`,
  /** The engine has a function for this, but it passes over jobs that are running. */
  giveUp: 'update graphile_worker._private_jobs set attempts = max_attempts where id = $1',
  comeAgain: `select graphile_worker.add_job($1::text, payload => $2::json, job_key => $3::text,
      run_at => now() + $4::float8 * interval '1 millisecond', max_attempts => $5::int)
    where not exists (select from graphile_worker._private_jobs where key = $3::text and id <> $6::bigint)`,
  holders: `select locked_by as id from graphile_worker._private_jobs where starts_with(locked_by, $1)
    union select locked_by from graphile_worker._private_job_queues where starts_with(locked_by, $1)`,
  freeAll: `with held as (
      select id from graphile_worker._private_jobs where locked_by = any($1::text[]) for update
    ), freed as (
      update graphile_worker._private_jobs j set ${FREED} from held where j.id = held.id
      returning held.id as was, j.id, j.task_id, j.attempts >= j.max_attempts as last,
        j.attempts >= j.max_attempts and j.key is null and j.max_attempts > 1 as replaced
    ), queues as (
      update graphile_worker._private_job_queues set locked_at = null, locked_by = null where locked_by = any($1::text[])
    )
    select freed.*, t.identifier as task from freed join graphile_worker._private_tasks t on t.id = freed.task_id`,
  replaced: `select j.id, t.identifier as task
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where j.key is null and j.locked_at is null and j.attempts >= j.max_attempts and j.max_attempts > 1`,
  runOnceMore: `with again as (
      select j.id, graphile_worker.add_job(t.identifier, j.payload, job_key := '${AGAIN}' || j.id, max_attempts := $2::int)
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where j.id = any($1::bigint[]) and j.locked_by is null for update of j)
    select graphile_worker.complete_jobs(array(select id from again))`,
  heldLong: `select id, task_identifier as task from graphile_worker.jobs
    where locked_by = $1 and locked_at < now() - interval '5 seconds'`,
  /** Whether it has run nobody can tell by now: its try counts, so that the next looks first, but was not its last. */
  free: `with freed as (
      update graphile_worker._private_jobs set ${FREED}, attempts = least(attempts, max_attempts - 1)
      where id = any($1::bigint[]) and locked_by = $2 returning job_queue_id)
    update graphile_worker._private_job_queues set locked_at = null, locked_by = null
    where id in (select job_queue_id from freed) and locked_by = $2`,
  giveUpUnknown: `with lost as (
      select id, task_identifier as task from graphile_worker.jobs
      where task_identifier <> all($1::text[]) and locked_at is null and attempts < max_attempts
        and run_at < now() - interval '1 hour')
    select lost.id, lost.task from lost,
      lateral graphile_worker.permanently_fail_jobs(array[lost.id], 'no such task')`,
} as const;
