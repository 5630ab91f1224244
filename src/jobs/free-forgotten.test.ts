import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { createMemoryLog, type MemoryLog } from '../../test/support/memory-log.ts';
import { until } from '../../test/support/until.ts';
import { defineTask, type Liveness } from '../ports/runtime.ts';
import { pgPoolConfig } from '../storage/database/database.ts';
import { createLiveness } from '../storage/database/liveness.ts';
import { createJobs, type JobEngine } from './engine.ts';
import { createPool } from './pool.ts';
import { freeForgotten } from './recovery.ts';

/* Jobs that a living engine holds and does not know of. */

const schema = z.object({ n: z.number() });
const KIND = { name: 'test.work', schema };
let database: TestDatabase;
let liveness: Liveness;
let log: MemoryLog;

beforeAll(async () => {
  database = await createTestDatabase();
  liveness = await createLiveness({ target: database.target, log: createMemoryLog() });
  // Only for the queue's tables.
  const jobs = await createJobs({
    connection: pgPoolConfig(database.target),
    tasks: [],
    liveness,
    log: createMemoryLog(),
  });
  await jobs.stop();
});
beforeEach(() => {
  log = createMemoryLog();
});
afterEach(async () => {
  await database.sql`delete from graphile_worker._private_jobs`;
});
afterAll(async () => {
  await liveness.close();
  await database.close();
});

/** Puts a job into the queue and has somebody hold it for so many seconds; the number that it has then. */
async function held(
  by: string,
  { seconds = 10, attempts = 1, queue = null as string | null } = {},
): Promise<string> {
  return await database.sql.begin(async (tx) => {
    const [job] = await tx<{ id: string }[]>`
      select id::text from graphile_worker.add_job('test.work', '{"n":2}'::json, queue_name := ${queue}::text)`;
    await tx`
      update graphile_worker._private_jobs set key = 'held ' || id, locked_by = ${by}, attempts = ${attempts},
        locked_at = now() - ${seconds}::int * interval '1 second' where id = ${job?.id ?? ''}`;
    await tx`
      update graphile_worker._private_job_queues set locked_by = ${by}, locked_at = now() where queue_name = ${queue}`;
    return job?.id ?? '';
  });
}

async function look(id: string) {
  const [row] = await database.sql<{ locked_by: string | null; attempts: number }[]>`
    select locked_by, attempts from graphile_worker._private_jobs where key = 'held ' || ${id}`;
  return row;
}

describe('a job that an engine holds', () => {
  async function free(id: string, known: readonly string[] = []): Promise<void> {
    const pool = createPool(pgPoolConfig(database.target), log);
    await freeForgotten({ pool, id, knows: (job) => known.includes(job), log });
    await pool.end();
  }

  test('and does not know of is free again, also at its last attempt; it may have run, so it counts', async () => {
    const first = await held('peyk-me');
    const third = await held('peyk-me', { attempts: 25 });
    await free('peyk-me');
    expect(await look(first)).toEqual({ locked_by: null, attempts: 1 });
    expect(await look(third)).toEqual({ locked_by: null, attempts: 24 });
    expect(log.lines.map(({ fields, message }) => [fields['job'], fields['task'], message])).toEqual(
      [first, third].map((id) => [id, 'test.work', 'job that was lost on its way is free again']),
    );
  });

  test('and knows of stays with it, as one that it was given a moment ago, and those of others', async () => {
    const running = await held('peyk-me');
    const young = await held('peyk-me', { seconds: 1 });
    const other = await held('peyk-other');
    await free('peyk-me', [running]);
    for (const [id, by] of [
      [running, 'peyk-me'],
      [young, 'peyk-me'],
      [other, 'peyk-other'],
    ] as const)
      expect(await look(id)).toEqual({ locked_by: by, attempts: 1 });
    expect(log.lines).toEqual([]);
  });

  test('gives its named queue back with it, and no queue of a job that runs', async () => {
    const lost = await held('peyk-me', { queue: 'lost' });
    const running = await held('peyk-me', { queue: 'running' });
    await free('peyk-me', [running]);
    const queues = await database.sql`
      select queue_name, locked_by from graphile_worker._private_job_queues where queue_name in ('lost', 'running') order by 1`;
    expect(queues).toEqual([
      { queue_name: 'lost', locked_by: null },
      { queue_name: 'running', locked_by: 'peyk-me' },
    ]);
    expect(await look(lost)).toMatchObject({ locked_by: null });
  });
});

describe('an engine', () => {
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  let jobs: JobEngine;
  let runs: number[];
  let release: PromiseWithResolvers<void>;

  beforeEach(async () => {
    const { socketDir, port, user, database: name } = database.target;
    proxy = await startProxy(`${socketDir}/.s.PGSQL.${port}`);
    runs = [];
    release = Promise.withResolvers();
    jobs = await createJobs({
      connection: {
        ...pgPoolConfig(database.target),
        connectionString: `postgres://${user}@127.0.0.1:${proxy.port}/${name}`,
      },
      tasks: [
        defineTask({
          ...KIND,
          run: async ({ n }) => {
            runs.push(n);
            if (n === 1) await release.promise;
          },
        }),
      ],
      liveness,
      log,
      recoverySeconds: 0.1,
      pollMs: 50,
    });
    await jobs.start();
  });
  afterEach(async () => {
    release.resolve();
    proxy.heal();
    await jobs.stop();
    await proxy.close();
  });

  const enqueue = async (n: number): Promise<void> => await jobs.enqueue(database.sql, KIND, { n });
  /** As if the engine had held all that it holds for long. */
  const age = async (): Promise<void> => {
    await database.sql`
      update graphile_worker._private_jobs set locked_at = now() - interval '1 minute' where locked_at is not null`;
  };

  test('runs a job whose way to it broke, once it is connected again', async () => {
    const taken = async (): Promise<number> => {
      const rows =
        await database.sql`select 1 from graphile_worker._private_jobs where locked_by is not null`;
      return rows.length;
    };
    await enqueue(5);
    await until(() => expect(runs).toEqual([5]));
    await until(async () => expect(await taken()).toBe(0));
    proxy.loseAnswerWith('{"n":7}');
    await enqueue(7);
    await until(async () => expect(await taken()).toBe(1));
    expect(runs).toEqual([5]);
    await age();
    proxy.heal();
    await until(() => expect(runs).toEqual([5, 7]));
    expect(log.lines.map(({ message }) => message)).toContain('job that was lost on its way is free again');
  });

  test('leaves a job alone that runs for long', async () => {
    await enqueue(1);
    await until(() => expect(runs).toEqual([1]));
    await age();
    // Another one that is freed tells that the sweep has passed this one.
    const [own] = await database.sql<{ by: string }[]>`
      select locked_by as by from graphile_worker._private_jobs where locked_by is not null`;
    await held(own?.by ?? '');
    await log.line(({ message }) => message === 'job that was lost on its way is free again');
    await until(() => expect(runs).toHaveLength(2));
    const freed = log.lines.filter(({ message }) => message.includes('is free again'));
    expect(freed).toHaveLength(1);
    release.resolve();
  });
});

/** The way to a server on which an answer that holds a word gets lost, and whatever would come after it. */
async function startProxy(path: string) {
  let word: string | null = null;
  const deaf = new Set<Socket>();
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(path);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (bytes) => upstream.write(bytes));
    upstream.on('data', (bytes) => {
      if (word !== null && bytes.includes(word)) deaf.add(client);
      if (!deaf.has(client)) client.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    loseAnswerWith(lost: string) {
      word = lost;
    },
    /** Breaks the connections that lost an answer; others lose none from now on. */
    heal() {
      word = null;
      for (const client of deaf) client.destroy();
      deaf.clear();
    },
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
