import type { Crew } from './crew.ts';
import type { Draws } from './draws.ts';
import type { Db } from './memory/db.ts';
import { freeTask, redoReplaced, type TaskRow } from './memory/queue.ts';
import { EPOCH_MS, type Scheduler } from './scheduler.ts';

/** A process that finds no room, or no database, looks again after so long. */
const POLL_MS = 2000;
const FORGOTTEN_MS = 30_000;
const RECOVERY_MS = 8000;
const SWEEP_MS = 10_000;

/**
 * Has the tasks of the queue taken when they are due, as its engine does, and everything swept that nothing in it finds.
 * A sweep that would find nothing is left out, so that hours without anything to do take no time.
 * @returns what is to be asked after each step
 */
export function createDispatch({
  scheduler,
  draws,
  db,
  crew,
  reaches,
}: {
  readonly scheduler: Scheduler;
  readonly draws: Draws;
  readonly db: Db;
  readonly crew: Crew;
  readonly reaches: (owner: string) => boolean;
}): () => void {
  /** For when which tasks are being asked for. */
  const asked = new Map<number, number>();
  const forgotten = new Set<number>();
  let [redoing, sweepsAt] = [false, 0];

  return () => {
    for (const task of db.tasks.values()) {
      if (task.locked_by !== null) freeForgotten(task);
      else if (task.attempts < task.max_attempts) take(task);
      else if (task.key === null) redo();
    }
    if (sweepsAt > scheduler.now() || !needsSweep()) return;
    sweepsAt = scheduler.now() + SWEEP_MS;
    for (const each of crew.living())
      scheduler.after(
        each.id,
        SWEEP_MS * draws.of('sweep'),
        `${each.id} sweeps`,
        () => void each.sweep(crew.gone),
      );
  };

  function take({ id, run_at: runAt }: TaskRow): void {
    const now = scheduler.now();
    const due = runAt.getTime();
    const at = Math.max(now, due - EPOCH_MS);
    // What comes much later may have another time by then.
    if (asked.get(id) === due || (at > now && at > scheduler.next())) return;
    asked.set(id, due);
    scheduler.after(null, at - now + draws.of('taken after') ** 3 * 500, 'a task is due', () => {
      asked.delete(id);
      if (!isAnyDue()) return;
      const [first, ...others] = crew.living().filter((each) => each.hasRoom() && reaches(each.id));
      if (first !== undefined) return void draws.pick('taken by', [first, ...others]).work();
      asked.set(id, due);
      scheduler.after(null, POLL_MS, 'nobody is there for a task', () => void asked.delete(id));
    });
  }

  function isAnyDue(): boolean {
    for (const { locked_by: by, run_at: runAt } of db.tasks.values())
      if (by === null && runAt.getTime() <= db.now) return true;
    return false;
  }

  /** What a living process was given without hearing of it is free again after a while. */
  function freeForgotten({ id }: TaskRow): void {
    const isForgotten = (): boolean => {
      const holder = crew.living().find((each) => each.id === db.tasks.get(id)?.locked_by);
      return holder?.works(id) === false;
    };
    if (forgotten.has(id) || !isForgotten()) return;
    forgotten.add(id);
    scheduler.after(null, FORGOTTEN_MS, '', () => {
      forgotten.delete(id);
      const task = db.tasks.get(id);
      if (task !== undefined && isForgotten()) freeTask(db, task);
    });
  }

  /** What failed beside a newer task of its key is done once more. */
  function redo(): void {
    if (redoing) return;
    redoing = true;
    scheduler.after(null, RECOVERY_MS, 'what failed beside a newer task is asked for again', () => {
      redoing = false;
      redoReplaced(db);
    });
  }

  /** A call is in the hands of somebody who has gone, or has forgotten it. */
  function needsSweep(): boolean {
    for (const { id, gone_at: gone } of db.processes.values())
      if (gone === null && (crew.isCut(id) || !crew.living().some((each) => each.id === id))) return true;
    for (const { state, owner } of db.calls.values()) {
      if ((state !== 'reserved' && state !== 'on_wire') || owner === null) continue;
      const holder = crew.living().find((each) => each.id === owner);
      if (holder === undefined || crew.isCut(owner) || holder.busy() === 0) return true;
    }
    return false;
  }
}
