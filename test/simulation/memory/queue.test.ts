import { expect, it } from 'vitest';
import { createDb, transact, type Db } from './db.ts';
import { enqueue, recoverTasks, redoReplaced, takeTask, taskAgain, taskDone, taskFailed } from './queue.ts';

const card = { task: 'card', payload: { draftId: '1' }, key: 'card:1' };
const waiting = (db: Db) =>
  [...db.tasks.values()].map(({ key, attempts, run_at: due, locked_by: by }) => {
    return { key, attempts, inMs: due.getTime() - db.now, by };
  });

it('runs a task that was asked for anew while it ran, and tries one that failed again later and later', () => {
  const db = createDb();
  enqueue(db, card);
  expect(takeTask(db, 'one')).toMatchObject({ name: 'card', key: 'card:1', attempts: 1 });
  expect(takeTask(db, 'two')).toBeNull();
  enqueue(db, { ...card, afterMs: 5 }, 'keep');
  expect(waiting(db)).toEqual([
    { key: null, attempts: 25, inMs: 0, by: 'one' },
    { key: 'card:1', attempts: 0, inMs: 5, by: null },
  ]);
  taskDone(db, 1, 'two');
  taskDone(db, 1, 'one');
  db.now += 5;
  for (const pauseMs of [2718, 7389]) {
    taskFailed(db, takeTask(db, 'one')?.id ?? 0, 'one');
    expect(waiting(db)[0]?.inMs).toBe(pauseMs);
    db.now += pauseMs;
  }
});

it('has done once more what a dead worker was working on, whether that was asked for anew or not', () => {
  const db = createDb();
  enqueue(db, card);
  takeTask(db, 'one');
  enqueue(db, { ...card, afterMs: 1000 });
  recoverTasks(db, 'one');
  expect(waiting(db).map(({ key }) => key)).toEqual(['card:1', 'again:1']);
  const again = takeTask(db, 'two');
  if (again === null) throw new Error('nothing is due');
  taskAgain(db, again, 70);
  expect(waiting(db).find(({ key }) => key === 'again:1')).toEqual({
    key: 'again:1',
    attempts: 0,
    inMs: 70,
    by: null,
  });
  taskFailed(db, again.id, 'two');
  redoReplaced(db);
  expect(waiting(db).map(({ key }) => key)).toEqual(['card:1', 'again:1', `again:${again.id}`]);
});

it('leaves everything as it was where a transaction throws', () => {
  const db = createDb();
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
