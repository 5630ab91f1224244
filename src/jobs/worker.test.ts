import { Client, Pool, type PoolConfig } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { createMemoryLog, type MemoryLog } from '../../test/support/memory-log.ts';
import { until } from '../../test/support/until.ts';
import { defineTask } from '../ports/runtime.ts';
import { pgPoolConfig } from '../storage/database/database.ts';
import { createLiveness } from '../storage/database/liveness.ts';
import { createJobs, type JobEngine } from './engine.ts';

/* The database lacks something for a moment, in which the queue's library gives up without a word. */

let database: TestDatabase;
let log: MemoryLog;
let stop: () => Promise<void>;
/** Who runs now, and how each lets go. */
let held: Map<number, () => void>;

const task = defineTask({
  name: 'test.held',
  schema: z.object({ n: z.number(), waits: z.boolean().optional() }),
  async run({ n, waits }) {
    if (waits === true)
      await new Promise<void>((resolve) => {
        held.set(n, resolve);
      });
    else log.info({ n }, 'ran');
  },
});

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await stop();
  await database.sql`delete from graphile_worker._private_jobs`;
});
afterAll(async () => {
  await database.close();
});

async function made(more: PoolConfig = {}): Promise<JobEngine> {
  log = createMemoryLog();
  held = new Map();
  const liveness = await createLiveness({ target: database.target, log, confirmMs: 10 });
  const connection = { ...pgPoolConfig(database.target), ...more };
  const jobs = await createJobs({
    connection,
    tasks: [task],
    liveness,
    log,
    pollMs: 20,
    recoverySeconds: 0.2,
  });
  stop = async () => {
    await jobs.stop();
    await liveness.close();
  };
  return jobs;
}

async function isLogged(message: string, times = 1): Promise<void> {
  let seen = 0;
  await log.line((line) => line.message.startsWith(message) && (seen += 1) >= times);
}

test('a worker that began while the database could not tell it its tasks is replaced', async () => {
  const jobs = await made();
  await database.sql`alter table graphile_worker._private_tasks rename to _private_tasks_away`;
  await jobs.start();
  await isLogged('the queue could not begin');
  await database.sql`alter table graphile_worker._private_tasks_away rename to _private_tasks`;
  await jobs.enqueue(database.sql, task, { n: 1 });
  await isLogged('ran');
  expect(log.lines.filter(({ message }) => message === 'ran')).toHaveLength(1);
});

test('a worker of which several writes failed one after the other is replaced, and its jobs run again', async () => {
  const jobs = await made();
  await jobs.start();
  for (const n of [1, 2, 3, 4]) await jobs.enqueue(database.sql, task, { n, waits: true });
  await until(() => expect(held.size).toBe(4));
  await database.sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`;
  await database.sql`
    create trigger refuse before delete on graphile_worker._private_jobs for each row execute function refuse()`;
  for (const n of [1, 2, 3]) {
    held.get(n)?.();
    await isLogged('Failed to complete jobs', n);
  }
  await database.sql`drop function refuse cascade`;
  held.get(4)?.();
  held.clear();
  await isLogged('the queue ended by itself');
  await jobs.enqueue(database.sql, task, { n: 5 });
  await isLogged('ran');
  // What was done but could not be written down is done again: at least once is what the queue promises.
  await until(() => expect(held.size).toBe(3));
  for (const letGo of held.values()) letGo();
});

test('what is done is written down again after a deadlock, and its worker goes on', async () => {
  const jobs = await made();
  await jobs.start();
  for (const n of [1, 2]) await jobs.enqueue(database.sql, task, { n, waits: true });
  await until(() => expect(held.size).toBe(2));
  // Which of two sessions finds out is a matter of time: here it is the library, twice.
  await database.sql`create sequence deadlocks`;
  await database.sql`
    create function deadlock() returns trigger language plpgsql as $$ begin
      if nextval('deadlocks') <= 2 then raise 'deadlock detected' using errcode = 'deadlock_detected'; end if;
      return old;
    end $$`;
  await database.sql`
    create trigger deadlock before delete on graphile_worker._private_jobs for each row execute function deadlock()`;
  for (const letGo of held.values()) letGo();
  await until(async () => {
    expect(await database.sql`select 1 from graphile_worker._private_jobs`).toHaveLength(0);
  });
  const [times] = await database.sql<{ n: number }[]>`select last_value::int as n from deadlocks`;
  expect(times?.n).toBeGreaterThan(2);
  await database.sql`drop function deadlock cascade`;
  await database.sql`drop sequence deadlocks`;
  expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
});

const LISTEN = 'LISTEN "jobs:insert"; LISTEN "worker:migrate";';

test('a worker that ends while the connection on which it listens breaks ends quietly', async () => {
  const listening = Promise.withResolvers<void>();
  const broken = Promise.withResolvers<void>();
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', note);
  /** Its LISTEN has no answer before its pool has ended, and then fails. */
  class BreaksWhileListening extends Client {
    constructor(config?: PoolConfig) {
      super(config);
      this.query = new Proxy(this.query.bind(this), {
        async apply(query, self, given: [unknown]) {
          const [text] = given;
          if (text === LISTEN) {
            listening.resolve();
            await broken.promise;
            throw new Error('Connection terminated unexpectedly');
          }
          return Reflect.apply(query, self, given);
        },
      });
    }
  }
  const asked = Promise.withResolvers<void>();
  const connect = Pool.prototype.connect;
  vi.spyOn(Pool.prototype, 'connect').mockImplementation(function (this: Pool, ...given: []) {
    try {
      return Reflect.apply(connect, this, given);
    } catch (error) {
      note(error);
    } finally {
      if (this.ending) asked.resolve();
    }
  });
  const end = Pool.prototype.end;
  vi.spyOn(Pool.prototype, 'end').mockImplementation(function (this: Pool) {
    setImmediate(broken.resolve);
    return Reflect.apply(end, this, []);
  });
  const jobs = await made({ Client: BreaksWhileListening });
  await jobs.start();
  await listening.promise;
  await jobs.stop();
  await broken.promise;
  // It has not noticed its end, and asks for another connection a moment later: nobody listens then.
  await asked.promise;
  vi.restoreAllMocks();
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});
