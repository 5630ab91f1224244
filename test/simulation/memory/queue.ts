import { AGAIN } from '../../../src/jobs/queue-tables.ts';
import { at, change, drop, put, type Db } from './db.ts';

/*
 * The queue's rows as graphile-worker keeps them. One that runs loses its key as soon as a newer one is asked for under
 * it, and is not tried again.
 */

export interface TaskRow {
  readonly id: number;
  name: string;
  payload: object;
  key: string | null;
  run_at: Date;
  attempts: number;
  max_attempts: number;
  locked_by: string | null;
}

const MAX_ATTEMPTS = 25;
/** For work of which a kill, or a failure beside a newer job, must not be the end. */
const MORE_ATTEMPTS = 3;
/** What waits for its card is left where it is for so long. */
const CARD_WAIT_MS = 6000;

export interface Asked {
  readonly task: string;
  readonly payload: object;
  readonly key: string;
  readonly afterMs?: number;
  /** Goes before `afterMs`. */
  readonly runAt?: Date;
  readonly maxAttempts?: number;
}

/**
 * Asks for a task as `enqueue_job` does: a waiting one of the same key is replaced, keeps its time, or takes the earlier
 * of both; with `unsafe_dedupe` it is left as it is, also while it runs.
 */
export function enqueue(
  db: Db,
  { task, payload, key, afterMs = 0, runAt = at(db, afterMs), maxAttempts = MAX_ATTEMPTS }: Asked,
  how: 'replace' | 'keep' | 'earliest' | 'unsafe_dedupe' = 'replace',
): void {
  const known = db.taskOf.get(key);
  if (known !== undefined && how === 'unsafe_dedupe') return;
  if (known === undefined || !isAvailable(known)) {
    if (known !== undefined) giveUp(db, known);
    db.lastTask += 1;
    const row: TaskRow = {
      id: db.lastTask,
      name: task,
      payload,
      key,
      run_at: runAt,
      attempts: 0,
      max_attempts: maxAttempts,
      locked_by: null,
    };
    put(db.tasks, row.id, row);
    put(db.taskOf, key, row);
    return;
  }
  const keeps = how !== 'replace' && known.attempts === 0 && (how === 'keep' || known.run_at <= runAt);
  change(known, {
    name: task,
    payload,
    run_at: keeps ? known.run_at : runAt,
    attempts: 0,
    max_attempts: maxAttempts,
  });
}

export function enqueueAll(db: Db, ...tasks: readonly Asked[]): void {
  for (const each of tasks) enqueue(db, each);
}

/** Has the card of a draft drawn: that of a running job in a second, unless it is going to be. */
export function enqueueCard(db: Db, draftId: string, isRunning: boolean): void {
  const card = { task: 'card', payload: { draftId }, key: `card:${draftId}` };
  if (!isRunning) return enqueue(db, card);
  const waiting = db.taskOf.get(card.key);
  const isWaiting = waiting !== undefined && isAvailable(waiting) && waiting.attempts === 0;
  if (!isWaiting || waiting.run_at > at(db, CARD_WAIT_MS)) enqueue(db, { ...card, afterMs: 1000 }, 'keep');
}

/** Takes what waits under these keys out of the queue; what runs already goes on. */
export function forgetTasks(db: Db, ...keys: readonly string[]): void {
  for (const key of keys) {
    const row = db.taskOf.get(key);
    if (row === undefined) continue;
    if (row.locked_by === null) remove(db, row);
    else giveUp(db, row);
  }
}

/** Takes what is due first, and gives it as it is then; null: nothing is. */
export function takeTask(db: Db, worker: string): TaskRow | null {
  let first: TaskRow | null = null;
  for (const row of db.tasks.values())
    if (isAvailable(row) && row.run_at.getTime() <= db.now && (first === null || row.run_at < first.run_at))
      first = row;
  if (first === null) return null;
  change(first, { attempts: first.attempts + 1, locked_by: worker });
  return { ...first };
}

export function taskDone(db: Db, id: number, worker: string): void {
  const row = db.tasks.get(id);
  if (row?.locked_by === worker) remove(db, row);
}

/** It comes again after a pause that grows, unless this was its last attempt. */
export function taskFailed(db: Db, id: number, worker: string): void {
  const row = db.tasks.get(id);
  if (row?.locked_by !== worker) return;
  const pauseMs = Math.exp(Math.min(row.attempts, 10)) * 1000;
  change(row, {
    locked_by: null,
    run_at: new Date(Math.max(db.now, row.run_at.getTime()) + pauseMs),
  });
}

/** Asks for the same work once more in a while, unless somebody has asked for it since it was taken. */
export function taskAgain(
  db: Db,
  { id, name: task, payload, key, max_attempts: maxAttempts }: TaskRow,
  afterMs: number,
): void {
  if (key !== null && (db.taskOf.get(key)?.id ?? id) === id)
    enqueue(db, { task, payload, key, afterMs, maxAttempts });
}

/** Frees what a dead worker holds; what was given up for a newer one is done once more. */
export function recoverTasks(db: Db, worker: string): void {
  const held = [...db.tasks.values()].filter((row) => row.locked_by === worker);
  for (const row of held) freeTask(db, row);
  redoReplaced(db);
}

/** What is freed goes on under a new number: whoever held it may come to its end yet, and writes that by the old one. */
export function freeTask(db: Db, row: TaskRow): void {
  drop(db.tasks, row.id);
  db.lastTask += 1;
  const free = { ...row, id: db.lastTask, locked_by: null };
  put(db.tasks, free.id, free);
  if (row.key !== null) put(db.taskOf, row.key, free);
}

/** Has done once more what failed beside a newer one of its key. */
export function redoReplaced(db: Db): void {
  for (const row of db.tasks.values()) {
    if (row.key !== null || row.locked_by !== null || row.attempts < row.max_attempts) continue;
    if (row.max_attempts <= 1) continue;
    remove(db, row);
    const { id, name: task, payload } = row;
    enqueue(db, { task, payload, key: `${AGAIN}${id}`, maxAttempts: MORE_ATTEMPTS });
  }
}

function isAvailable({ locked_by: lockedBy, attempts, max_attempts: most }: TaskRow): boolean {
  return lockedBy === null && attempts < most;
}

function giveUp(db: Db, row: TaskRow): void {
  if (row.key !== null) drop(db.taskOf, row.key);
  change(row, { key: null, attempts: row.max_attempts });
}

function remove(db: Db, row: TaskRow): void {
  if (row.key !== null) drop(db.taskOf, row.key);
  drop(db.tasks, row.id);
}
