import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase, type Database } from './database/database.ts';
import { enqueue, enqueueBy } from './enqueue.ts';
import { openTestStorage, type TestStorage } from './testing.ts';

/* What is asked of the queue while a worker takes the very job that waits there. */

let storage: TestStorage;
let taker: Database;

beforeAll(async () => {
  storage = await openTestStorage();
  taker = openDatabase({ target: storage.database.target, max: 1 });
});
beforeEach(() => storage.emptyQueue());
afterAll(async () => {
  await taker.close();
  await storage.close();
});

const JOB = { jobId: '11111111-1111-4111-8111-111111111111' };
const KEY = 'send:x';

const ask = async (how: typeof enqueue, afterMs = 0): Promise<void> => {
  await storage.sql.begin(async (tx) => await how(tx, 'send', JOB, { key: KEY, afterMs }));
};

/** A worker takes the waiting job; its commit comes when the one who asks already waits for it. */
async function takenBeside(asking: () => Promise<void>): Promise<void> {
  let asked: Promise<void> = Promise.resolve();
  await taker.sql.begin(async (tx) => {
    await tx`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'w', attempts = 1 where key = ${KEY}`;
    asked = asking();
    await expect
      .poll(async () => {
        const [row] = await storage.sql<{ n: number }[]>`
          select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return row?.n;
      })
      .toBeGreaterThan(0);
  });
  await asked;
}

describe('a job that is asked for while the waiting one is taken', () => {
  test.each([
    ['to replace it', enqueue],
    ['by a time', enqueueBy],
  ])('is there afterwards: %s', async (_, how) => {
    await ask(enqueue);
    await takenBeside(async () => await ask(how));
    const rows = await storage.sql<{ key: string | null; locked: boolean; spent: boolean }[]>`
      select key, locked_at is not null as locked, attempts >= max_attempts as spent
      from graphile_worker._private_jobs order by id`;
    expect(rows).toEqual([
      { key: null, locked: true, spent: true },
      { key: KEY, locked: false, spent: false },
    ]);
  });
});

test('of a nearer and a farther time the nearer is kept, whatever the order', async () => {
  for (const times of [
    [60_000, 5000],
    [5000, 60_000],
  ]) {
    await storage.emptyQueue();
    for (const ms of times) await ask(enqueueBy, ms);
    expect((await storage.queued()).get(KEY)?.in_ms).toBeLessThanOrEqual(5000);
  }
  await ask(enqueue, 90_000);
  expect((await storage.queued()).get(KEY)?.in_ms).toBeGreaterThan(60_000);
});
