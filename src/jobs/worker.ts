import {
  type ParsedCronItem,
  run,
  type Runner,
  type TaskList,
  type WorkerEvents,
  type WorkerPool,
} from 'graphile-worker';
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Liveness, Log } from '../ports/runtime.ts';
import { createEngineLog } from './engine-log.ts';
import { describeFailure } from './failure.ts';
import { QUEUE_SCHEMA } from './queue-tables.ts';
import { freeForgotten, WORKER_PREFIX } from './recovery.ts';

export interface WorkerOptions {
  readonly pool: Pool;
  readonly taskList: TaskList;
  readonly cron: ParsedCronItem[];
  readonly concurrency: number;
  readonly abortAfterMs: number;
  readonly liveness: Liveness;
  readonly log: Log;
}

export interface Worker {
  /** Gives back jobs that this worker holds and does not know of: the answer that brought them was lost. */
  freeForgotten(): Promise<void>;
  /** Has so many idle slots look for a job now. */
  nudge(slots: number): void;
  /** Takes no further job, waits for those that run, and gives the lock of its id back. */
  stop(): Promise<void>;
}

/** The library ends a worker when it cannot write an outcome down; a new one is started after this. */
const RESTART_MS = 1000;

/** Each slot polls by itself when it hears nothing. A net below the one poll of the engine. */
const SLOT_POLL_MS = 5000;

/** Enough for the end of a job to be written (about 2 ms); when it was not, the next poll finds the job. */
const QUEUE_PAUSE_MS = 10;

/** A job whose end is not written after this has lost it with the connection, and runs again. */
const END_IS_WRITTEN_MS = 10_000;

/**
 * Keeps one worker of the queue running until it is stopped. Each has a new id, held as a lock
 * before it can take a job; when it ends by itself its id is let go, so that what it could not
 * finish is freed like the jobs of a dead process.
 */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { liveness, log } = options;
  const stopping = new AbortController();
  let current = await launch(options);

  const supervise = async (): Promise<void> => {
    for (;;) {
      await current.ended;
      await liveness.release([current.id]).catch((error: unknown) => {
        // The connection is gone, and the lock with it.
        log.debug({ failure: describeFailure(error) }, 'the id of a worker was not released');
      });
      if (stopping.signal.aborted) return;
      log.warn({}, 'the queue ended by itself, starting it again');
      const next = await relaunch(options, stopping.signal);
      if (next === undefined) return;
      current = next;
      if (stopping.signal.aborted) await current.stop();
    }
  };
  const ended = supervise();

  return {
    nudge: (slots) => current.nudge(slots),
    async freeForgotten() {
      const { id, knows } = current;
      await freeForgotten({ pool: options.pool, id, knows, log });
    },
    async stop() {
      stopping.abort();
      await current.stop();
      await ended;
    },
  };
}

interface Running {
  readonly id: string;
  /** Whether it runs a job, or has until a moment ago: the end may not be written yet. */
  knows(jobId: string): boolean;
  /** Resolves when no job of it runs any more, whatever the reason. */
  readonly ended: Promise<void>;
  nudge(slots: number): void;
  stop(): Promise<void>;
}

async function relaunch(options: WorkerOptions, signal: AbortSignal): Promise<Running | undefined> {
  for (;;) {
    await sleep(RESTART_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return undefined;
    try {
      return await launch(options);
    } catch (error) {
      options.log.warn({ failure: describeFailure(error) }, 'the queue does not start yet');
    }
  }
}

async function launch(options: WorkerOptions): Promise<Running> {
  const id = `${WORKER_PREFIX}${randomUUID()}`;
  const events: WorkerEvents = new EventEmitter();
  let slots: WorkerPool | undefined;
  // The library makes up an id and writes it into `locked_by`. This event comes before anything
  // has read it, and is the one place to put an id that we already hold.
  events.once('pool:create', ({ workerPool }) => {
    workerPool.id = id;
    slots = workerPool;
  });
  events.once('pool:gracefulShutdown', () => {
    // A slot that was told to end takes a nudge for a mistake and throws.
    slots = undefined;
  });
  const running = new Set<string>();
  events.on('job:start', ({ job }) => void running.add(job.id));
  let runner: Runner | undefined;
  // It rejects when it has ended by itself already.
  const stop = (): void => void runner?.stop().catch(() => undefined);
  const faults = watchFaults(events, stop, options.log);
  events.on('job:complete', ({ job }) => {
    setTimeout(() => running.delete(job.id), END_IS_WRITTEN_MS).unref();
    // Its slot looks for the next job before the end of this one is written, and finds the queue
    // still taken. A moment later somebody should look again.
    if (job.job_queue_id !== null) setTimeout(() => slots?.nudge(1), QUEUE_PAUSE_MS).unref();
  });
  await options.liveness.hold([id]);
  try {
    runner = await run({
      pgPool: options.pool,
      schema: QUEUE_SCHEMA,
      events,
      logger: createEngineLog(options.log),
      noHandleSignals: true,
      taskList: options.taskList,
      parsedCronItems: options.cron,
      concurrency: options.concurrency,
      pollInterval: SLOT_POLL_MS,
      gracefulShutdownAbortTimeout: options.abortAfterMs,
      // The library's local queue is left off: it takes jobs of one named queue together, and they
      // would run at once instead of one after the other.
      preset: {
        worker: {
          // Without a batch the library does not wait for its own writes, at its end neither.
          completeJobBatchDelay: 0,
          failJobBatchDelay: 0,
        },
      },
    });
  } catch (error) {
    await options.liveness.release([id]).catch(() => undefined);
    throw error;
  }
  const ended = runner.promise.catch((error: unknown) => {
    options.log.error({ failure: describeFailure(error) }, 'the queue ended with an error');
  });
  if (faults.isStillborn()) stop();
  return {
    id,
    knows: (jobId) => running.has(jobId),
    ended: Promise.race([ended, faults.over]),
    nudge(count) {
      slots?.nudge(count);
    },
    async stop() {
      stop();
      await Promise.race([ended, faults.over]);
    },
  };
}

/** What the slots of a worker still had to write is written by then, or never will be. */
const LAST_WRITES_MS = 3000;

interface WorkerFaults {
  /** Resolves when a worker that is ending has nothing left that is worth waiting for. */
  readonly over: Promise<void>;
  /** The worker will never get a job; a new one will. */
  isStillborn(): boolean;
}

/**
 * Two faults of the queue library (0.17 and 0.18), by either of which a worker does nothing any more, and says nothing,
 * after the database was away for a moment:
 *
 * It asks once for the numbers of its tasks, and keeps a failure for good. Such a worker is to be stopped at once.
 *
 * It counts the writes that it waits for at its end; of several that failed it counts too many off, and waits for ever.
 * By then all slots have ended, so its end is taken as done a little later.
 */
function watchFaults(events: WorkerEvents, stop: () => void, log: Log): WorkerFaults {
  const over = Promise.withResolvers<void>();
  for (const event of ['pool:gracefulShutdown:complete', 'pool:gracefulShutdown:error'] as const)
    events.once(event, () => {
      stop();
      setTimeout(over.resolve, LAST_WRITES_MS).unref();
    });

  let beginning: 'open' | 'good' | 'bad' = 'open';
  for (const event of ['worker:getJob:empty', 'job:start'] as const)
    events.once(event, () => {
      if (beginning === 'open') beginning = 'good';
    });
  events.on('worker:getJob:error', () => {
    if (beginning !== 'open') return;
    beginning = 'bad';
    log.warn({}, 'the queue could not begin');
    stop();
  });
  return { over: over.promise, isStillborn: () => beginning === 'bad' };
}
