import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { createMemoryLog } from '../../test/support/memory-log.ts';
import { defineTask, type Liveness } from '../ports/runtime.ts';
import { pgPoolConfig } from '../storage/database/database.ts';
import { createLiveness } from '../storage/database/liveness.ts';
import { createJobs, type JobEngine } from './engine.ts';

const schema = z.object({ n: z.number() });
const log = createMemoryLog();
let database: TestDatabase;
let liveness: Liveness;
let jobs: JobEngine;
let replacedRuns: (n: number, attempt: number) => void = () => undefined;
const resumed = Promise.withResolvers<{ n: number; attempt: number }>();

beforeAll(async () => {
  database = await createTestDatabase();
  liveness = await createLiveness({ target: database.target, log, confirmMs: 50 });
  const hang = defineTask({
    name: 'test.hang',
    schema,
    run: async ({ n }, { attempt }) => resumed.resolve({ n, attempt }),
  });
  const replaced = defineTask({
    name: 'test.replaced',
    schema,
    run: async ({ n }, { attempt }) => replacedRuns(n, attempt),
  });
  jobs = await createJobs({
    connection: pgPoolConfig(database.target),
    tasks: [hang, replaced],
    liveness,
    log,
    recoverySeconds: 0.2,
    pollMs: 50,
  });
});

afterAll(async () => {
  await jobs.stop();
  await liveness.close();
  await database.close();
});

describe('recovery', () => {
  test('a job of a killed process is run by another, also when its queue was held', async () => {
    const victim = spawn(
      process.execPath,
      [join(import.meta.dirname, '../../test/support/jobs-victim.ts'), ...victimTarget()],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const said = createInterface({ input: victim.stdout })[Symbol.asyncIterator]();
    const hears = async (): Promise<unknown> => (await said.next()).value;
    try {
      expect(await hears()).toBe('started');
      await jobs.enqueue(database.sql, { name: 'test.hang', schema }, { n: 5 }, { queue: 'serial' });
      expect(await hears()).toBe('taken');
      await jobs.start();
      // A living process keeps its job: the first sweep frees nothing.
      const [held] = await database.sql`select locked_by from graphile_worker.jobs`;
      expect(await liveness.gone([String(held?.['locked_by'])])).toEqual([]);
    } finally {
      victim.kill('SIGKILL');
      if (victim.exitCode === null && victim.signalCode === null) await once(victim, 'exit');
    }

    expect(await resumed.promise).toEqual({ n: 5, attempt: 2 });
    expect(log.lines).toContainEqual(
      expect.objectContaining({ level: 'info', message: 'job of a dead process is free again' }),
    );
  });

  test('a job of a dead process that had its last attempt stays, and the log tells', async () => {
    await jobs.enqueue(
      database.sql,
      { name: 'test.other', schema },
      { n: 1 },
      { maxAttempts: 1, key: 'last' },
    );
    await database.sql`
      update graphile_worker._private_jobs set locked_by = 'peyk-dead', locked_at = now(), attempts = 1 where key = 'last'`;
    const line = await log.line(({ message }) => message === 'job of a dead process had its last attempt');
    expect(line).toMatchObject({ level: 'error', fields: { task: 'test.other' } });
  });

  test('a job that was given up for a newer one is run once more when its process died, and no more than some times', async () => {
    const again = Promise.withResolvers<{ n: number; attempt: number }>();
    replacedRuns = (n, attempt) => again.resolve({ n, attempt });
    const task = { name: 'test.replaced', schema };
    await jobs.enqueue(database.sql, task, { n: 1 }, { key: 'replaced', afterMs: 3_600_000 });
    await database.sql`
      update graphile_worker._private_jobs set locked_by = 'peyk-dead-three', locked_at = now() where key = 'replaced'`;
    await jobs.enqueue(database.sql, task, { n: 2 }, { key: 'replaced', afterMs: 3_600_000 });
    // It knows that an earlier run may have done some of it.
    expect(await again.promise).toEqual({ n: 1, attempt: 2 });
    await expect
      .poll(async () =>
        (
          await database.sql`select key from graphile_worker.jobs where task_identifier = 'test.replaced'`
        ).map(({ key }) => key),
      )
      .toEqual(['replaced']);

    const [poison] = await database.sql<{ id: string }[]>`
      select id::text from graphile_worker.add_job('test.other', '{"n":3}', job_key := 'again:7', max_attempts := 3)`;
    await database.sql`
      update graphile_worker._private_jobs set locked_by = 'peyk-dead-four', locked_at = now(), attempts = 3
      where id = ${poison?.id ?? ''}`;
    const line = await log.line(({ fields }) => fields['job'] === poison?.id);
    expect(line.message).toBe('job of a dead process had its last attempt');
  });

  test('a job that was given up for a newer one is run once more when it failed, and leaves nothing behind', async () => {
    const again = Promise.withResolvers<number>();
    let runs = 0;
    const task = { name: 'test.replaced', schema };
    replacedRuns = (n) => {
      runs += 1;
      if (runs === 1) throw new Error('the connection was lost');
      again.resolve(n);
    };
    await jobs.enqueue(database.sql, task, { n: 4 }, { key: 'failing', afterMs: 3_600_000 });
    // As the queue leaves it when it fails while a newer one of its key is there.
    await database.sql`
      update graphile_worker._private_jobs set key = null, attempts = max_attempts, last_error = 'lost' where key = 'failing'`;
    expect(await again.promise).toBe(4);
    await expect
      .poll(
        async () =>
          await database.sql`select 1 from graphile_worker._private_jobs where payload ->> 'n' = '4'`,
      )
      .toEqual([]);
    expect(runs).toBe(2);
  });

  test('what holds a job without being an engine of ours is left alone', async () => {
    await jobs.enqueue(database.sql, { name: 'test.other', schema }, { n: 1 }, { key: 'foreign' });
    await jobs.enqueue(database.sql, { name: 'test.other', schema }, { n: 1 }, { key: 'ours' });
    await database.sql`
      update graphile_worker._private_jobs set locked_at = now(),
        locked_by = case key when 'ours' then 'peyk-dead-too' else 'pool-by-hand' end where key in ('foreign', 'ours')`;
    const ours = await database.sql<
      { id: string }[]
    >`select id::text from graphile_worker.jobs where key = 'ours'`;
    await log.line(({ fields }) => fields['job'] === ours[0]?.id);
    const [row] = await database.sql`select locked_by from graphile_worker.jobs where key = 'foreign'`;
    expect(row).toEqual({ locked_by: 'pool-by-hand' });
  });

  test('a job of a task that nobody knows is given up an hour after it was due', async () => {
    const unknown = { name: 'test.unknown', schema };
    await jobs.enqueue(database.sql, unknown, { n: 1 }, { key: 'young' });
    await jobs.enqueue(
      database.sql,
      unknown,
      { n: 1 },
      { key: 'old', runAt: new Date(Date.now() - 3_700_000) },
    );
    const line = await log.line(({ message }) => message === 'job of an unknown task is given up');
    expect(line).toMatchObject({ level: 'error', fields: { task: 'test.unknown' } });
    const rows = await database.sql`
      select key, attempts, last_error from graphile_worker.jobs where key in ('young', 'old') order by key`;
    expect(rows).toEqual([
      { key: 'old', attempts: 25, last_error: 'no such task' },
      { key: 'young', attempts: 0, last_error: null },
    ]);
  });
});

function victimTarget(): string[] {
  const { socketDir, port, user, database: name } = database.target;
  return [socketDir, String(port), user, name];
}
