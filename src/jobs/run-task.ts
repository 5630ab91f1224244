import type { JobHelpers, TaskList } from 'graphile-worker';
import { resumeCorrelation } from '../ports/correlation.ts';
import type { Log, Task } from '../ports/runtime.ts';
import { traceIn, type Tracer } from '../ports/tracer.ts';
import { createJobConcurrency, type JobConcurrency } from './account-concurrency.ts';
import { describeFailure, summarize } from './failure.ts';
import type { Failure } from './failure.ts';
import { AGAIN, QUEUE_SQL } from './queue-tables.ts';

/**
 * The engine's task list: each run parses the payload first and logs its own outcome. Nothing of a
 * payload reaches the log or the job's row; what is thrown onwards is a summary without it.
 */
export function toTaskList(
  tasks: readonly Task[],
  log: Log,
  stopping: AbortSignal,
  tracer?: Tracer,
): TaskList {
  const deps = { log, concurrency: createJobConcurrency(), stopping };
  const run = tracer === undefined ? runTask : traced(tracer);
  return Object.fromEntries(
    tasks.map((task) => [
      task.name,
      (payload: unknown, helpers: JobHelpers): Promise<void> =>
        resumeCorrelation(payload, () => run(task, payload, helpers, deps)),
    ]),
  );
}

function traced(tracer: Tracer): typeof runTask {
  return async (task, payload, helpers, deps) => {
    const { id, attempts, run_at: due } = helpers.job;
    const by = { stamp: traceIn(payload), apart: task.apart === true };
    const waited = Math.max(0, Date.now() - due.getTime());
    const attributes = { 'peyk.job': id, 'peyk.job.attempt': attempts, 'peyk.job.waited_ms': waited };
    await tracer.job(`job ${task.name}`, by, attributes, () => runTask(task, payload, helpers, deps));
  };
}

async function runTask(
  task: Task,
  raw: unknown,
  helpers: JobHelpers,
  {
    log: parent,
    concurrency,
    stopping,
  }: { readonly log: Log; readonly concurrency: JobConcurrency; readonly stopping: AbortSignal },
): Promise<void> {
  const { job } = helpers;
  const log = parent.child({ task: task.name, job: job.id, attempt: job.attempts });
  const payload = task.schema.safeParse(raw);
  if (!payload.success) {
    const where = payload.error.issues.map((issue) => `${issue.path.map(String).join('.')}: ${issue.code}`);
    log.error({ where }, 'payload does not fit the task, the job is given up');
    await giveUp(helpers);
    throw new Error('payload does not fit the task');
  }
  const last = job.attempts >= job.max_attempts;
  const taken: string[] = [];
  let waitMs: number | undefined;
  const takePlace = (account: string): boolean => {
    const isFree = concurrency.take(account);
    if (isFree) taken.push(account);
    else waitMs = concurrency.waitMs(account);
    return isFree;
  };
  const context = {
    log,
    signal: helpers.abortSignal,
    // The library aborts what runs also when it has lost the database, and is started again.
    mustGo: () => stopping.aborted && helpers.abortSignal.aborted,
    // One that is run once more counts from one again.
    attempt: job.key?.startsWith(AGAIN) === true ? job.attempts + 1 : job.attempts,
    last,
    takePlace,
  };
  const failure = await attempt(async () => {
    await task.run(payload.data, context);
    if (waitMs !== undefined) await comeAgain(helpers, raw, waitMs);
  });
  for (const account of taken) concurrency.leave(account);
  if (failure === undefined) {
    log.debug({}, 'job done');
    return;
  }
  log.error({ failure, last }, last ? 'job failed for good' : 'job failed, it will be tried again');
  // Not the error itself: the library keeps its message in the job's row.
  throw new Error(summarize(failure));
}

async function attempt(run: () => Promise<void>): Promise<Failure | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return describeFailure(error);
  }
}

/** Makes the run that is about to throw the last one. */
async function giveUp(helpers: JobHelpers): Promise<void> {
  await helpers.query(QUEUE_SQL.giveUp, [helpers.job.id]);
}

/** Asks for the same work once more, unless somebody has done so by the same key meanwhile, and perhaps knows better. */
async function comeAgain({ query, job }: JobHelpers, payload: unknown, waitMs: number): Promise<void> {
  await query(QUEUE_SQL.comeAgain, [
    job.task_identifier,
    JSON.stringify(payload),
    job.key,
    waitMs,
    job.max_attempts,
    job.id,
  ]);
}
