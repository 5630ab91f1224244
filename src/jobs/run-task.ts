import type { JobHelpers, TaskList } from 'graphile-worker';
import { asAsked } from '../ports/origin.ts';
import type { Log, Task } from '../ports/runtime.ts';
import { describeFailure, summarize } from './failure.ts';
import type { Failure } from './failure.ts';

/**
 * The engine's task list: each run parses the payload first and logs its own outcome. Nothing of a
 * payload reaches the log or the job's row; what is thrown onwards is a summary without it.
 */
export function toTaskList(tasks: readonly Task[], log: Log): TaskList {
  return Object.fromEntries(
    tasks.map((task) => [
      task.name,
      (payload: unknown, helpers: JobHelpers): Promise<void> =>
        asAsked(payload, () => runTask(task, payload, helpers, log)),
    ]),
  );
}

async function runTask(task: Task, raw: unknown, helpers: JobHelpers, parent: Log): Promise<void> {
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
  const context = { log, signal: helpers.abortSignal, jobId: job.id, attempt: job.attempts, last };
  const failure = await attempt(() => task.run(payload.data, context));
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

/**
 * Makes the run that is about to throw the last one. The engine has a function for this, but it
 * passes over jobs that are running.
 */
async function giveUp(helpers: JobHelpers): Promise<void> {
  await helpers.query('update graphile_worker._private_jobs set attempts = max_attempts where id = $1', [
    helpers.job.id,
  ]);
}
