import * as fc from 'fast-check';
import type { JSONValue } from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { QUEUE_SQL } from '../../../src/jobs/queue-tables.ts';
import { openTestStorage, type TestStorage } from '../../../src/storage/testing.ts';
import { createDb, transact, type Db } from './db.ts';
import {
  enqueue,
  recoverTasks,
  redoReplaced,
  takeTask,
  taskAgain,
  taskDone,
  taskFailed,
  type TaskRow,
} from './queue.ts';
import { ownClock } from './two-sides.ts';

let storage: TestStorage;
beforeAll(async () => {
  storage = await openTestStorage();
  await ownClock(storage);
});
afterAll(() => storage.close());

const WAYS = ['replace', 'keep', 'earliest', 'unsafe_dedupe'] as const;
/** For work that is done once more. */
const MORE = 3;

type Deed =
  | { readonly ask: string; readonly how: (typeof WAYS)[number]; readonly afterMs: number }
  | { readonly pass: number }
  | { readonly work: 'take' | 'end' | 'fail' | 'put off' | 'die' | 'sweep' };

const deeds: fc.Arbitrary<Deed[]> = fc.array(
  fc.oneof(
    fc.record({
      ask: fc.constantFrom('card:1', 'card:2'),
      how: fc.constantFrom(...WAYS),
      afterMs: fc.constantFrom(0, 3000),
    }),
    fc.record({ work: fc.constantFrom('take', 'end', 'fail', 'put off', 'die', 'sweep') }),
    fc.record({ pass: fc.constantFrom(10, 4000) }),
  ),
  { minLength: 15, maxLength: 30 },
);

/** The queue in memory: what a worker has taken, as it was then. */
function inMemory(db: Db, held: TaskRow[], deed: Deed): void {
  if ('pass' in deed) db.now += deed.pass;
  else if ('ask' in deed) {
    const { ask: key, how, afterMs } = deed;
    enqueue(db, { task: 'card', payload: { asked: afterMs }, key, afterMs }, how);
  } else if (deed.work === 'take')
    for (let task = takeTask(db, 'one'); task !== null; task = takeTask(db, 'one')) held.push(task);
  else if (deed.work === 'put off') for (const task of held) taskAgain(db, task, 700);
  else if (deed.work === 'sweep') redoReplaced(db);
  else {
    for (const { id } of held.splice(0))
      if (deed.work === 'end') taskDone(db, id, 'one');
      else if (deed.work === 'fail') taskFailed(db, id, 'one');
    if (deed.work === 'die') recoverTasks(db, 'one');
  }
}

interface Held {
  readonly id: string;
  readonly key: string;
  readonly payload: JSONValue;
  readonly most: number;
}

/** The same on Postgres, by what the engine says there; what only the library says is said as it says it. */
async function onPostgres({ sql }: TestStorage, now: number, held: Held[], deed: Deed): Promise<void> {
  if ('pass' in deed) await sql`update clock.time set at = ${new Date(now).toISOString()}::timestamptz`;
  else if ('ask' in deed) {
    const { ask: key, how, afterMs } = deed;
    const payload = JSON.stringify({ asked: afterMs });
    if (how === 'unsafe_dedupe')
      await sql.unsafe(QUEUE_SQL.add, ['card', payload, key, null, afterMs, null, null, how]);
    else
      await sql`
        select enqueue_job('card', ${payload}::text::json, ${key}, now() + ${afterMs}::float8 * interval '1 millisecond', ${how})`;
  } else if (deed.work === 'take')
    held.push(
      ...(await sql<Held[]>`
        update graphile_worker._private_jobs set attempts = attempts + 1, locked_by = 'one', locked_at = now()
        where is_available and run_at <= now() returning id::text, key, payload, max_attempts as most`),
    );
  else if (deed.work === 'put off')
    for (const { id, key, payload, most } of held)
      await sql.unsafe(QUEUE_SQL.comeAgain, ['card', sql.json(payload), key, 700, most, id]);
  else if (deed.work === 'sweep') await runOnceMore(storage);
  else {
    const ids = held.splice(0).map(({ id }) => id);
    if (deed.work === 'end')
      await sql`delete from graphile_worker._private_jobs where id = any(${ids}::bigint[])`;
    else if (deed.work === 'fail')
      await sql`
        update graphile_worker._private_jobs set locked_at = null, locked_by = null,
          run_at = greatest(now(), run_at) + exp(least(attempts, 10)) * interval '1 second'
        where id = any(${ids}::bigint[])`;
    else {
      await sql.unsafe(QUEUE_SQL.freeAll, [['one']]);
      await runOnceMore(storage);
    }
  }
}

async function runOnceMore({ sql }: TestStorage): Promise<void> {
  const replaced = await sql.unsafe<{ id: string }[]>(QUEUE_SQL.replaced);
  await sql.unsafe(QUEUE_SQL.runOnceMore, [replaced.map(({ id }) => id), MORE]);
}

/** Ids are each side's own, and the keys that are made of them. */
function print(
  rows: Iterable<Pick<TaskRow, 'key' | 'payload' | 'run_at' | 'attempts' | 'max_attempts' | 'locked_by'>>,
) {
  return [...rows]
    .map(({ key, payload, run_at: due, attempts, max_attempts: most, locked_by: by }) =>
      JSON.stringify([key?.replace(/again:\d+/u, 'again') ?? null, payload, due, attempts, most, by]),
    )
    .toSorted();
}

it('keeps, replaces, fails and takes up tasks as the queue does', async () => {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(deeds, async (all) => {
      await storage.emptyQueue();
      const db = createDb();
      const mine: TaskRow[] = [];
      const held: Held[] = [];
      for (const deed of [{ pass: 0 }, ...all]) {
        inMemory(db, mine, deed);
        await onPostgres(storage, db.now, held, deed);
        const rows = await storage.sql<TaskRow[]>`
          select key, payload, run_at, attempts, max_attempts, locked_by from graphile_worker._private_jobs`;
        expect(print(db.tasks.values())).toEqual(print(rows));
        taken += mine.length;
      }
    }),
    { numRuns: 30 },
  );
  expect(taken).toBeGreaterThan(100);
});

it('leaves everything as it was where a transaction throws', () => {
  const db = createDb();
  const card = { task: 'card', payload: { draftId: '1' }, key: 'card:1' };
  enqueue(db, card);
  const before = structuredClone(db);
  expect(() =>
    transact(() => {
      takeTask(db, 'one');
      enqueue(db, { ...card, afterMs: 1000 });
      taskDone(db, 1, 'one');
      throw new Error('lost');
    }),
  ).toThrow('lost');
  // The number of the next one is a sequence's, which nothing takes back.
  expect({ ...db, lastTask: 1 }).toEqual(before);
});
