import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { createMemoryLog, type MemoryLog } from '../../test/support/memory-log.ts';
import { until } from '../../test/support/until.ts';
import { AppError } from '../domain/errors.ts';
import { defineTask, type Liveness, type Task, type TaskContext } from '../ports/runtime.ts';
import { pgPoolConfig } from '../storage/database/database.ts';
import { createLiveness } from '../storage/database/liveness.ts';
import { createJobs, type JobEngine, type JobsOptions } from './engine.ts';

let database: TestDatabase;
let log: MemoryLog;
const open: { jobs: JobEngine; liveness: Liveness }[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  log = createMemoryLog();
  await create([]);
  await stopAll();
});

beforeEach(() => {
  log = createMemoryLog();
});

afterAll(() => database.close());

afterEach(async () => {
  await stopAll();
  const locked = await database.sql`select id from graphile_worker._private_jobs where locked_by is not null`;
  await noSessionsLeft();
  await database.sql`delete from graphile_worker._private_jobs`;
  if (locked.length > 0) throw new Error(`${locked.length} jobs were left locked`);
});

async function stopAll(): Promise<void> {
  for (const { jobs, liveness } of open.splice(0)) {
    await jobs.stop();
    await liveness.close();
  }
}

/** The server ends a session a moment after its client has. One that stays makes the test time out. */
async function noSessionsLeft(): Promise<void> {
  for (let left = 1; left > 0;) {
    const sessions = await database.sql`
      select from pg_stat_activity where datname = current_database()
        and application_name in ('peyk-queue', 'peyk-liveness')`;
    left = sessions.length;
  }
}

async function create(tasks: readonly Task[], more: Partial<JobsOptions> = {}): Promise<JobEngine> {
  const liveness = await createLiveness({ target: database.target, log, confirmMs: 10 });
  try {
    const connection = pgPoolConfig(database.target);
    const jobs = await createJobs({ connection, tasks, liveness, log, pollMs: 50, ...more });
    open.push({ jobs, liveness });
    return jobs;
  } catch (error) {
    await liveness.close();
    throw error;
  }
}

async function start(tasks: readonly Task[], more: Partial<JobsOptions> = {}): Promise<JobEngine> {
  const jobs = await create(tasks, more);
  await jobs.start();
  return jobs;
}

/** A task that notes its runs; `run` decides how a run ends. */
function record(run: (n: number, context: TaskContext) => Promise<void> = () => Promise.resolve()) {
  const runs: number[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const task = defineTask({
    name: 'test.record',
    schema: z.object({ n: z.number() }),
    async run({ n }, context) {
      runs.push(n);
      for (const each of waiting) if (runs.length >= each.count) each.resolve();
      await run(n, context);
    },
  });
  const reached = (count: number): Promise<void> =>
    new Promise((resolve) => {
      if (runs.length >= count) resolve();
      else waiting.push({ count, resolve });
    });
  return { task, runs, reached };
}

async function rows(): Promise<readonly Record<string, unknown>[]> {
  return database.sql`
    select task_identifier as task, attempts, max_attempts, locked_by, last_error, key, run_at
    from graphile_worker.jobs order by id`;
}

const gate = () => Promise.withResolvers<void>();

const done = (line: { message: string }): boolean => line.message === 'job done';

describe('enqueue', () => {
  test('a job of a transaction that is rolled back never exists', async () => {
    const { task } = record();
    const jobs = await create([task]);
    const rollBack = new Error('roll back');
    await expect(
      database.sql.begin(async (tx) => {
        await jobs.enqueue(tx, task, { n: 1 });
        throw rollBack;
      }),
    ).rejects.toBe(rollBack);
    expect(await rows()).toEqual([]);
  });

  test('a job of a transaction that commits runs once', async () => {
    const { task, runs } = record();
    const jobs = await start([task]);
    await database.sql.begin(async (tx) => jobs.enqueue(tx, task, { n: 7 }));
    await log.line(done);
    await jobs.stop();
    expect(runs).toEqual([7]);
    expect(await rows()).toEqual([]);
  });

  test('a job with the key of a waiting one replaces it', async () => {
    const { task, runs } = record();
    const jobs = await create([task]);
    await jobs.enqueue(database.sql, task, { n: 1 }, { key: 'card', afterMs: 3_600_000 });
    await jobs.enqueue(database.sql, task, { n: 2 }, { key: 'card' });
    expect(await rows()).toMatchObject([{ key: 'card' }]);
    await jobs.start();
    await log.line(done);
    expect(runs).toEqual([2]);
  });

  test('keeping the time of a waiting job and adding nothing beside it are the other two ways of a key', async () => {
    const { task } = record();
    const jobs = await create([task]);
    const runAt = new Date('2040-01-02T03:04:05.000Z');
    await jobs.enqueue(database.sql, task, { n: 1 }, { key: 'k', runAt });
    await jobs.enqueue(database.sql, task, { n: 2 }, { key: 'k', keyMode: 'preserve_run_at' });
    await jobs.enqueue(database.sql, task, { n: 3 }, { key: 'k', keyMode: 'unsafe_dedupe' });
    const [job] = await database.sql`
      select payload->>'n' as n, extract(epoch from run_at)::bigint::text as at from graphile_worker._private_jobs`;
    expect(job).toEqual({ n: '2', at: String(runAt.getTime() / 1000) });
  });

  test('attempts, queue and time arrive as they were asked for', async () => {
    const { task } = record();
    const jobs = await create([task]);
    await jobs.enqueue(database.sql, task, { n: 1 }, { queue: 'one', maxAttempts: 3, afterMs: 60_000 });
    const [job] = await database.sql`
      select queue_name, max_attempts, round(extract(epoch from run_at - created_at))::int as wait from graphile_worker.jobs`;
    expect(job).toEqual({ queue_name: 'one', max_attempts: 3, wait: 60 });
  });

  test('a text with quotes, braces and NULs of JSON arrives as it was', async () => {
    const texts: string[] = [];
    const task = defineTask({
      name: 'test.text',
      schema: z.object({ text: z.string() }),
      run: async ({ text }) => void texts.push(text),
    });
    const jobs = await start([task]);
    const text = `it's "so" {1} \\ سلام 👋 $1 ::text`;
    await jobs.enqueue(database.sql, task, { text });
    await log.line(done);
    expect(texts).toEqual([text]);
  });
});

describe('running', () => {
  test('engines share the work, each job runs once', async () => {
    const { task, runs, reached } = record();
    const engines = [await start([task]), await start([task]), await start([task])];
    const total = 300;
    await database.sql.begin(async (tx) => {
      for (let n = 0; n < total; n++) await engines[0]?.enqueue(tx, task, { n });
    });
    await reached(total);
    await Promise.all(engines.map((engine) => engine.stop()));
    expect(runs.length).toBe(total);
    expect(new Set(runs).size).toBe(total);
    expect(await rows()).toEqual([]);
  });

  test('a long queue is worked off without a poll', async () => {
    const { task, runs, reached } = record(async (n) => await setTimeout(n % 5));
    const jobs = await create([task], { pollMs: 600_000 });
    await database.sql.begin(async (tx) => {
      for (let n = 0; n < 1000; n += 1) await jobs.enqueue(tx, task, { n });
    });
    await jobs.start();
    await reached(1000);
    expect(new Set(runs).size).toBe(1000);
  });

  test('several engines may be the first on an empty database at once', async () => {
    const empty = await createTestDatabase();
    const liveness = await createLiveness({ target: empty.target, log });
    const connection = pgPoolConfig(empty.target);
    const made = await Promise.allSettled(
      [1, 2, 3, 4].map(() => createJobs({ connection, tasks: [], liveness, log })),
    );
    expect(made.map((each) => each.status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled']);
    for (const each of made) if (each.status === 'fulfilled') await each.value.stop();
    await liveness.close();
    await empty.close();
  });

  test('a task that throws is tried again, and told which attempt it is', async () => {
    const attempts: { attempt: number; last: boolean }[] = [];
    const again = Promise.withResolvers<void>();
    const { task } = record(async (_n, { attempt, last }) => {
      attempts.push({ attempt, last });
      if (attempt === 1) throw new AppError('gateway_no_answer', 'timed out');
      again.resolve();
    });
    const jobs = await start([task]);
    await jobs.enqueue(database.sql, task, { n: 1 }, { maxAttempts: 2 });
    await log.line((line) => line.message === 'job failed, it will be tried again');
    await hurry();
    await again.promise;
    await jobs.stop();
    expect(attempts).toEqual([
      { attempt: 1, last: false },
      { attempt: 2, last: true },
    ]);
    expect(await rows()).toEqual([]);
  });

  test('jobs for which their account has no place come again, and are done when it has one', async () => {
    const held: (() => void)[] = [];
    const done: number[] = [];
    const { task, reached } = record(async (n, { takePlace }) => {
      if (!takePlace('an account')) return;
      if (n <= 2) await new Promise<void>((resolve) => held.push(resolve));
      done.push(n);
    });
    const jobs = await start([task]);
    try {
      for (const n of [1, 2]) await jobs.enqueue(database.sql, task, { n }, { key: `held ${n}` });
      await reached(2);
      for (const n of [3, 4])
        await jobs.enqueue(database.sql, task, { n }, { key: `put off ${n}`, maxAttempts: 3 });
      await reached(4);
      await expect
        .poll(rows)
        .toMatchObject([
          { key: 'held 1' },
          { key: 'held 2' },
          { key: 'put off 3', attempts: 0, max_attempts: 3, locked_by: null },
          { key: 'put off 4', attempts: 0, max_attempts: 3, locked_by: null },
        ]);
      expect(done).toEqual([]);
    } finally {
      for (const letGo of held) letGo();
    }
    await expect.poll(() => done.toSorted((left, right) => left - right)).toEqual([1, 2, 3, 4]);
  });

  test('a job that is put off gives way to a newer one of its key', async () => {
    const newer = Promise.withResolvers<void>();
    const { task, runs, reached } = record(async (n, { takePlace }) => {
      if (n > 2) return;
      takePlace('an account');
      takePlace('an account');
      if (takePlace('an account')) throw new Error('there was a place');
      await newer.promise;
    });
    const jobs = await start([task]);
    await jobs.enqueue(database.sql, task, { n: 1 }, { key: 'one' });
    await reached(1);
    await jobs.enqueue(database.sql, task, { n: 3 }, { key: 'one', afterMs: 600_000 });
    newer.resolve();
    await expect.poll(rows).toMatchObject([{ key: 'one', locked_by: null }]);
    await database.sql`update graphile_worker._private_jobs set run_at = now()`;
    await reached(2);
    expect(runs).toEqual([1, 3]);
  });

  test('a task that throws each time fails for good, and the log says so', async () => {
    const { task, runs } = record(() => Promise.reject(new TypeError('x is not a function')));
    const jobs = await start([task]);
    await jobs.enqueue(database.sql, task, { n: 1 }, { maxAttempts: 1 });
    const line = await log.line(({ message }) => message === 'job failed for good');
    await jobs.stop();
    expect(line).toMatchObject({ level: 'error', fields: { task: 'test.record', attempt: 1, last: true } });
    expect(line.fields['job']).toMatch(/^\d+$/);
    expect(runs).toEqual([1]);
    expect(await rows()).toMatchObject([
      { attempts: 1, max_attempts: 1, last_error: 'TypeError x is not a function' },
    ]);
  });

  test('a payload that does not fit is given up at the first attempt, unread and unlogged', async () => {
    const { task, runs } = record();
    const jobs = await start([task]);
    const loose = { name: task.name, schema: z.object({ n: z.string() }) };
    // Without a key a sweep would have it done once more.
    await jobs.enqueue(database.sql, loose, { n: 'canary-09123456789' }, { key: 'loose' });
    const line = await log.line(
      ({ message }) => message === 'payload does not fit the task, the job is given up',
    );
    await jobs.stop();
    expect(line).toMatchObject({
      level: 'error',
      fields: { task: 'test.record', where: ['n: invalid_type'] },
    });
    expect(runs).toEqual([]);
    const [row] = await rows();
    expect(row).toMatchObject({ attempts: 25, max_attempts: 25, locked_by: null });
    expect(JSON.stringify([log.lines, row])).not.toContain('canary');
  });

  test('neither the log nor the row of a job tells what it was about', async () => {
    const { task } = record(() =>
      Promise.reject(new Error('could not send canary-1', { cause: new Error('canary-2') })),
    );
    const jobs = await start([task]);
    const secret = { ...task, schema: z.object({ n: z.number(), text: z.string() }) };
    await jobs.enqueue(database.sql, secret, { n: 1, text: 'canary-3' });
    await log.line((line) => line.message === 'job failed, it will be tried again');
    await jobs.stop();
    const [row] = await rows();
    expect(row).toMatchObject({ last_error: 'Error < Error' });
    expect(JSON.stringify([log.lines, row])).not.toContain('canary');
  });

  test('jobs of one queue run one after the other', async () => {
    let at = 0;
    let most = 0;
    const { task, runs, reached } = record(async () => {
      most = Math.max(most, ++at);
      await new Promise(setImmediate);
      at--;
    });
    const jobs = await start([task]);
    await database.sql.begin(async (tx) => {
      for (let n = 0; n < 10; n++) await jobs.enqueue(tx, task, { n }, { queue: 'chat' });
    });
    await reached(10);
    expect(most).toBe(1);
    // Slots that look at the same moment pass over what another one is about to take, so the order may differ.
    expect(runs.toSorted((left, right) => left - right)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('a job that hangs holds up no other', async () => {
    const release = Promise.withResolvers<void>();
    const { task, runs, reached } = record((n) => (n === 0 ? release.promise : Promise.resolve()));
    const jobs = await start([task], { concurrency: 2 });
    await jobs.enqueue(database.sql, task, { n: 0 });
    await reached(1);
    for (let n = 1; n <= 5; n++) await jobs.enqueue(database.sql, task, { n });
    await reached(6);
    expect(runs.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5]);
    release.resolve();
  });

  test('a running job carries an id whose lock this process holds', async () => {
    const release = Promise.withResolvers<void>();
    const { task, reached } = record(() => release.promise);
    const jobs = await start([task]);
    await jobs.enqueue(database.sql, task, { n: 1 });
    await reached(1);
    const [row] = await rows();
    const holder = String(row?.['locked_by']);
    const watcher = await createLiveness({ target: database.target, log, confirmMs: 0 });

    expect(holder).toMatch(/^peyk-[0-9a-f-]{36}$/);
    expect(await watcher.gone([holder])).toEqual([]);

    release.resolve();
    await jobs.stop();
    expect(await watcher.gone([holder])).toEqual([holder]);
    await watcher.close();
  });

  test('an engine whose connections are all cut goes on with new ones', async () => {
    const release = Promise.withResolvers<void>();
    const { task, runs, reached } = record((n) => (n === 1 ? release.promise : Promise.resolve()));
    const jobs = await start([task], { recoverySeconds: 0.1 });
    await jobs.enqueue(database.sql, task, { n: 1 });
    await reached(1);
    await database.sql`
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    release.resolve();
    await jobs.enqueue(database.sql, task, { n: 2 });
    await reached(2);
    await log.line((line) => line.message === 'liveness locks are held again');
    expect(runs).toContain(2);
  });
});

describe('outliving trouble', () => {
  test('a job whose outcome could not be written is run again by a new worker of the same process', async () => {
    const release = Promise.withResolvers<void>();
    const attempts: number[] = [];
    const again = Promise.withResolvers<void>();
    const { task, reached } = record(async (_n, { attempt }) => {
      attempts.push(attempt);
      if (attempt === 1) await release.promise;
      else again.resolve();
    });
    const jobs = await start([task], { recoverySeconds: 0.1 });
    await jobs.enqueue(database.sql, task, { n: 1 });
    await reached(1);
    const allow = await refuseOutcomes();
    release.resolve();
    await log.line(({ message }) => message === 'the queue ended by itself, starting it again');
    await allow();
    await again.promise;
    await jobs.stop();
    expect(attempts).toEqual([1, 2]);
    expect(await rows()).toEqual([]);
  });

  test('what is asked for by the key of a job whose holder was taken for dead outlives the end of that run', async () => {
    const end = gate();
    const { task, reached } = record(() => end.promise);
    const jobs = await start([task], { recoverySeconds: 0.05 });
    await jobs.enqueue(database.sql, task, { n: 1 }, { key: 'late' });
    await reached(1);
    // Not to be run before it is asked for anew.
    await database.sql`
      update graphile_worker._private_jobs set locked_by = 'peyk-dead', run_at = now() + interval '1 hour' where key = 'late'`;
    await log.line(({ message }) => message === 'job of a dead process is free again');
    await jobs.enqueue(database.sql, task, { n: 2 }, { key: 'late', afterMs: 3_600_000 });
    end.resolve();
    await jobs.stop();
    const left = await database.sql`select payload from graphile_worker._private_jobs where key = 'late'`;
    expect(left).toEqual([{ payload: { n: 2 } }]);
  });

  test('a queue that is stopped while it waits to start again stops', async () => {
    const { task } = record();
    const jobs = await start([task]);
    const allow = await refuseOutcomes();
    await jobs.enqueue(database.sql, task, { n: 1 });
    await log.line(({ message }) => message === 'the queue ended by itself, starting it again');
    await jobs.stop();
    await allow();
    const freed = await database.sql`
      update graphile_worker._private_jobs set locked_by = null, locked_at = null returning locked_by`;
    expect(freed.length).toBe(1);
  });
});

describe('recurring work', () => {
  test('a sweep runs at the start and again, without waiting for its time at the stop', async () => {
    const jobs = await create([]);
    const first = Promise.withResolvers<void>();
    const twice = Promise.withResolvers<void>();
    let runs = 0;
    jobs.every(3600, 'rare', async () => first.resolve());
    jobs.every(0.001, 'often', async () => {
      if (++runs === 2) twice.resolve();
    });
    await jobs.start();
    await first.promise;
    await twice.promise;
    await jobs.stop();
    const after = runs;
    await database.sql`select 1`;
    expect(runs).toBe(after);
  });

  test('a sweep that is added to a running engine begins at once', async () => {
    const jobs = await start([]);
    const ran = Promise.withResolvers<string>();
    jobs.every(3600, 'late', async () => ran.resolve('ran'));
    expect(await ran.promise).toBe('ran');
  });

  test('cron entries are known to the database once the engine runs', async () => {
    const { task } = record();
    await start([task], { cron: [{ task: task.name, match: '0 3 * * *', payload: { n: 1 } }] });
    let known: readonly unknown[] = [];
    while (known.length === 0) {
      known = await database.sql`select identifier from graphile_worker._private_known_crontabs`;
    }
    expect(known).toEqual([{ identifier: 'test.record' }]);
  });

  test('cron without its task, cron without sense and two tasks of one name are refused', async () => {
    const { task } = record();
    await expect(create([], { cron: [{ task: 'nobody', match: '0 3 * * *' }] })).rejects.toThrow('nobody');
    await expect(create([task], { cron: [{ task: task.name, match: 'often' }] })).rejects.toThrow(
      /often|pattern/i,
    );
    await expect(create([task, task])).rejects.toThrow('test.record');
  });
});

describe('stopping', () => {
  test('stop waits for what runs, takes nothing new, and leaves nothing locked', async () => {
    const release = Promise.withResolvers<void>();
    const { task, runs, reached } = record(() => release.promise);
    const jobs = await start([task], { concurrency: 1 });
    await jobs.enqueue(database.sql, task, { n: 1 });
    await reached(1);
    for (const n of [2, 3]) await jobs.enqueue(database.sql, task, { n });

    let stopped = false;
    const stopping = jobs.stop().then(() => (stopped = true));
    await database.sql`select 1`;
    expect(stopped).toBe(false);

    release.resolve();
    await stopping;
    expect(runs).toEqual([1]);
    expect(await rows()).toMatchObject([
      { attempts: 0, locked_by: null },
      { attempts: 0, locked_by: null },
    ]);
  });

  test('stop takes nothing new while a sweep still runs', async () => {
    const [release, sweep, swept] = [gate(), gate(), gate()];
    const { task, runs, reached } = record(async () => await release.promise);
    const jobs = await create([task], { concurrency: 1 });
    jobs.every(3600, 'slow', async () => {
      swept.resolve();
      await sweep.promise;
    });
    await jobs.start();
    await swept.promise;
    for (const n of [1, 2]) await jobs.enqueue(database.sql, task, { n });
    await reached(1);
    const stopping = jobs.stop();
    release.resolve();
    await log.line(done);
    // It would have taken the other one before that was written down.
    await until(async () => expect((await rows()).every((row) => row['attempts'] === 0)).toBe(true));
    sweep.resolve();
    await stopping;
    expect(runs).toEqual([1]);
  });

  test('what still runs is told by its signal', async () => {
    const { task, reached } = record(
      (_n, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    );
    const jobs = await start([task], { abortAfterMs: 1 });
    await jobs.enqueue(database.sql, task, { n: 1 });
    await reached(1);
    await jobs.stop();
    expect(await rows()).toEqual([]);
  });

  test('an engine that was made and never started stops too, and may be stopped twice', async () => {
    const jobs = await create([]);
    await jobs.stop();
    await jobs.stop();
    expect(log.lines.filter((line) => line.level === 'error')).toEqual([]);
  });

  test('a session that may lose its commits is refused when the engine is made', async () => {
    await setCommits('off');
    await create([]);
    await setCommits('on');
    const liveness = open[0]?.liveness;
    if (liveness === undefined) throw new Error('no liveness');
    const connection = { ...pgPoolConfig(database.target), options: '-c synchronous_commit=off' };
    await expect(createJobs({ connection, tasks: [], liveness, log })).rejects.toThrow(/synchronous_commit/);
  });

  test('a database that is not there is an error when the engine is made', async () => {
    await create([]);
    const liveness = open[0]?.liveness;
    if (liveness === undefined) throw new Error('no liveness');
    const connection = {
      ...pgPoolConfig(database.target),
      connectionString: 'postgres://x@localhost/x?host=/nowhere',
    };
    await expect(createJobs({ connection, tasks: [], liveness, log })).rejects.toThrow(/ENOENT/);
  });
});

/** What the database gives to sessions that ask for nothing. */
async function setCommits(to: 'on' | 'off'): Promise<void> {
  await database.sql.unsafe(`alter database ${database.target.database} set synchronous_commit = ${to}`);
}

/** Has the database refuse to note that a job is done, until the returned function is called. */
async function refuseOutcomes(): Promise<() => Promise<void>> {
  await database.sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$`;
  await database.sql`
    create trigger refuse before delete on graphile_worker._private_jobs for each row execute function refuse()`;
  return async () => {
    await database.sql`drop function refuse cascade`;
  };
}

/** Makes the retry of a job that failed due now. */
async function hurry(): Promise<void> {
  for (let moved = 0; moved === 0;) {
    const updated = await database.sql`
      update graphile_worker._private_jobs set run_at = now() where attempts > 0 and locked_at is null returning id`;
    moved = updated.length;
  }
}
