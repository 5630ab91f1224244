import type { Pool } from 'pg';
import type { Liveness, Log } from '../ports/runtime.ts';
import { QUEUE_SQL } from './queue-tables.ts';

/** What our engines write into a job they take; anything else is not ours to judge. */
export const WORKER_PREFIX = 'peyk-';

/**
 * Frees the jobs and queues that dead engines hold, so that they are run again. The engine itself
 * would do so after four hours. Returns how many jobs were freed.
 *
 * An engine's id is new for every start and never used twice, so an id that is gone stays gone, and
 * nothing has to be locked between asking and freeing.
 */
export async function freeOrphans(deps: { pool: Pool; liveness: Liveness; log: Log }): Promise<number> {
  const { pool, liveness, log } = deps;
  const { rows: holders } = await pool.query<{ id: string }>(QUEUE_SQL.holders, [WORKER_PREFIX]);
  const dead = await liveness.gone(holders.map((holder) => holder.id));
  if (dead.length === 0) return 0;
  const { rows: orphans } = await pool.query<{
    was: string;
    id: string;
    task: string;
    last: boolean;
    replaced: boolean;
  }>(QUEUE_SQL.freeAll, [dead]);
  const replaced = orphans.filter((orphan) => orphan.replaced).map(({ id }) => id);
  if (replaced.length > 0) await runOnceMore(pool, replaced);
  for (const orphan of orphans) {
    const { was: job, id: now, task } = orphan;
    if (orphan.last && !orphan.replaced)
      log.error({ job, now, task }, 'job of a dead process had its last attempt');
    else log.info({ job, now, task }, 'job of a dead process is free again');
  }
  return orphans.length;
}

/**
 * Has jobs done once more that failed after a newer one of their key was asked for: the queue has given them up for it, and
 * it may have ended before their last deed, as with a kill. All work of ours has a key, but for such jobs.
 */
export async function redoReplaced({ pool, log }: { pool: Pool; log: Log }): Promise<void> {
  const { rows } = await pool.query<{ id: string; task: string }>(QUEUE_SQL.replaced);
  if (rows.length === 0) return;
  await runOnceMore(
    pool,
    rows.map(({ id }) => id),
  );
  for (const { id: job, task } of rows)
    log.info({ job, task }, 'job that failed beside a newer one is done once more');
}

/** For work of which a kill, or a failure beside a newer job, must not be the end. */
const MORE_ATTEMPTS = 3;

/**
 * Whoever asks for a job by the key of one that runs has the queue give that one up: a newer one is there for it. That
 * one may have ended long before the older one did its last deed and was killed, so the older one's work is asked for
 * anew, under a key that no other sweep takes twice.
 */
async function runOnceMore(pool: Pool, ids: readonly string[]): Promise<void> {
  await pool.query(QUEUE_SQL.runOnceMore, [ids, MORE_ATTEMPTS]);
}

/**
 * Frees the jobs that a living engine holds without knowing of them: the connection broke after the database had given
 * it a job, or before it had taken the end of one. Nobody else would touch them for four hours.
 */
export async function freeForgotten(deps: {
  pool: Pool;
  id: string;
  knows: (jobId: string) => boolean;
  log: Log;
}): Promise<void> {
  const { pool, id, knows, log } = deps;
  const { rows } = await pool.query<{ id: string; task: string }>(QUEUE_SQL.heldLong, [id]);
  // Asked only now: what the database has told in the meantime is known by now.
  const forgotten = rows.filter((row) => !knows(row.id));
  if (forgotten.length === 0) return;
  await pool.query(QUEUE_SQL.free, [forgotten.map((job) => job.id), id]);
  for (const { id: job, task } of forgotten)
    log.info({ job, task }, 'job that was lost on its way is free again');
}

/**
 * Gives up jobs of tasks that do not exist, an hour after they were due: until then a newer version
 * that knows the task may be running beside this one. Returns how many.
 */
export async function giveUpUnknown(deps: {
  pool: Pool;
  tasks: readonly string[];
  log: Log;
}): Promise<number> {
  const { rows } = await deps.pool.query<{ id: string; task: string }>(QUEUE_SQL.giveUpUnknown, [deps.tasks]);
  for (const { id, task } of rows) deps.log.error({ job: id, task }, 'job of an unknown task is given up');
  return rows.length;
}
