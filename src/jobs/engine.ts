import { parseCronItems, type ParsedCronItem, runMigrations } from 'graphile-worker';
import type { Pool, PoolConfig } from 'pg';
import { AppError } from '../domain/errors.ts';
import type { Jobs, Liveness, Log, Task } from '../ports/runtime.ts';
import type { Tracer } from '../ports/tracer.ts';
import { createEngineLog } from './engine-log.ts';
import { type Interval, type IntervalOptions, startInterval } from './interval.ts';
import { createPool } from './pool.ts';
import { QUEUE_SCHEMA, QUEUE_SQL } from './queue-tables.ts';
import { freeOrphans, giveUpUnknown, redoReplaced } from './recovery.ts';
import { toTaskList } from './run-task.ts';
import { startWorker, type Worker } from './worker.ts';

export interface CronEntry {
  /** Name of a task whose payload schema takes an object; it is given `payload`. */
  readonly task: string;
  /** Five cron fields, in UTC. */
  readonly match: string;
  readonly payload?: Record<string, unknown>;
}

export interface JobsOptions {
  /** How to connect; the engine makes its own few connections. */
  readonly connection: PoolConfig;
  readonly tasks: readonly Task[];
  readonly cron?: readonly CronEntry[];
  /** How many jobs run at once in this process. They wait for networks, so it exceeds the cores. Default 30. */
  readonly concurrency?: number;
  readonly liveness: Liveness;
  readonly log: Log;
  /** Absent: no traces are made. */
  readonly tracer?: Tracer | undefined;
  /** How soon a job whose time comes is seen, in milliseconds; a job for now is announced. Default 500. */
  readonly pollMs?: number;
  /** How often jobs of dead processes are looked for, in seconds. Default 8. */
  readonly recoverySeconds?: number;
  /** When jobs that still run are told to hurry, in milliseconds after `stop`. Default 5000. */
  readonly abortAfterMs?: number;
}

export interface JobEngine extends Jobs {
  /** Begins to run jobs and sweeps. */
  start(): Promise<void>;
  /** Begins no further job or sweep, waits for what runs, and ends the connections. May be called twice. */
  stop(): Promise<void>;
  /** Runs something at the start and then every so many seconds, once per process, never overlapping. */
  every(seconds: number, name: string, run: IntervalOptions['run']): void;
}

/** Any number, as long as every version of Peyk locks the same one. */
const MIGRATION_LOCK = '5082361174209933';

/**
 * The queue: jobs and recurring work in the database. Made, it has prepared the queue's own tables
 * (under a lock, several processes may come at once) and can be asked for work; it runs jobs from
 * `start` on. Delivers at least once: a task must bear being run again after a crash.
 *
 * Throws `internal` for two tasks of one name or a cron entry without a task, an error for cron
 * fields that make no sense, and what the driver throws when the database cannot be reached.
 */
export async function createJobs(options: JobsOptions): Promise<JobEngine> {
  const { tasks, liveness, concurrency = 30, pollMs = 500 } = options;
  const log = options.log.child({ part: 'jobs' });
  const names = taskNames(tasks);
  const cron = parseCron(options.cron ?? [], names);
  const pool = createPool(options.connection, log);
  const sweeps: Omit<IntervalOptions, 'log'>[] = [];
  const intervals: Interval[] = [];
  const stopping = new AbortController();
  let worker: Worker | undefined;
  let state: 'made' | 'started' | 'stopped' = 'made';

  const every: JobEngine['every'] = (seconds, name, run) => {
    const sweep = { seconds, name, run };
    if (state === 'made') sweeps.push(sweep);
    else if (state === 'started') intervals.push(startInterval({ ...sweep, log }));
  };

  // A job for now is announced as it commits. This finds the others: later ones, retries, freed ones.
  every(pollMs / 1000, 'due', async () => {
    const due = await countDue(pool, concurrency);
    if (due > 0) worker?.nudge(due);
  });
  every(options.recoverySeconds ?? 8, 'recovery', async () => {
    await freeOrphans({ pool, liveness, log });
    await worker?.freeForgotten();
    await redoReplaced({ pool, log });
    await giveUpUnknown({ pool, tasks: names, log });
  });

  try {
    await migrate(pool, log);
  } catch (error) {
    await pool.end();
    throw error;
  }

  return {
    enqueue,
    every,
    async start() {
      worker = await startWorker({
        pool,
        taskList: toTaskList(tasks, log, stopping.signal, options.tracer),
        cron,
        concurrency,
        abortAfterMs: options.abortAfterMs ?? 5000,
        liveness,
        log,
      });
      state = 'started';
      for (const sweep of sweeps) intervals.push(startInterval({ ...sweep, log }));
    },
    async stop() {
      if (state === 'stopped') return;
      state = 'stopped';
      stopping.abort();
      await Promise.all([worker?.stop(), ...intervals.map((interval) => interval.stop())]);
      await pool.end();
    },
  };
}

/** Prepares the queue's own tables for a process that asks for work and runs none. */
export async function prepareQueue(connection: PoolConfig, log: Log): Promise<void> {
  const pool = createPool(connection, log);
  try {
    await migrate(pool, log);
  } finally {
    await pool.end();
  }
}

function taskNames(tasks: readonly Task[]): string[] {
  const names = tasks.map((task) => task.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new AppError('internal', `two tasks are called ${twice}`);
  return names;
}

function parseCron(entries: readonly CronEntry[], names: readonly string[]): ParsedCronItem[] {
  const lost = entries.find((entry) => !names.includes(entry.task));
  if (lost !== undefined)
    throw new AppError('internal', `cron names the task ${lost.task}, which does not exist`);
  return parseCronItems(entries.map((entry) => ({ ...entry })));
}

async function countDue(pool: Pool, limit: number): Promise<number> {
  const { rows } = await pool.query<{ due: number }>(QUEUE_SQL.countDue, [limit]);
  return rows[0]?.due ?? 0;
}

async function migrate(pool: Pool, log: Log): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1::bigint)', [MIGRATION_LOCK]);
    await runMigrations({ pgPool: pool, schema: QUEUE_SCHEMA, logger: createEngineLog(log) });
  } finally {
    // Ends the session, and the lock with it.
    client.release(true);
  }
}

/** Needs nothing but the caller's transaction: the job is there if and only if that commits. */
const enqueue: Jobs['enqueue'] = async (tx, task, payload, options = {}) => {
  const { key, runAt, afterMs, queue, maxAttempts, keyMode } = options;
  const parameters = [
    task.name,
    JSON.stringify(payload),
    key ?? null,
    runAt?.toISOString() ?? null,
    afterMs?.toString() ?? null,
    queue ?? null,
    maxAttempts?.toString() ?? null,
    keyMode ?? 'replace',
  ];
  // Nothing is made when the waiting job of the same key is taken meanwhile; asked again, it is seen to be taken.
  while (!isMade(await tx.unsafe(QUEUE_SQL.add, parameters)));
};

function isMade(rows: unknown): boolean {
  const [row]: unknown[] = Array.isArray(rows) ? rows : [];
  return typeof row === 'object' && row !== null && 'id' in row && row.id !== null;
}
