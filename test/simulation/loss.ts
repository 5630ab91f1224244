import { createCallsInHand, type CallsInHand } from '../../src/storage/restore/calls-in-hand.ts';
import { releaseSends } from '../../src/storage/sending/operator-halt.ts';
import { markRestored } from '../../src/storage/restore/restored-backup.ts';
import type { Crew } from './crew.ts';
import { immediate, type Connection, type Db } from './memory/db.ts';
import { createMemoryStores } from './memory/stores.ts';
import { forget, nothingForgotten, type Forgotten } from './oracle.ts';
import { TIME_ZONE, type Process } from './product.ts';
import type { Scheduler } from './scheduler.ts';
import type { Loss } from './script.ts';

const OPERATOR = 'operator';
/** So long before the processes begin to look as they always do; after so long nothing is lost any more. */
const EARLIER_MS = 5000;
const LATEST_MS = 40_000;
/** The operator comes back so often, and once all is over the processes look so often, for so long. */
const AGAIN_MS = 30_000;
const SELDOM_MS = 15_000;
const ENOUGH_MS = 240_000;

/** What people, the gateway and the fence have made of the rows; a call that was only taken is nothing of that. */
function weightOf({ drafts, jobs, calls, limits, reports, tasks }: Db): string {
  const states = [...calls.values()].map(({ id, state, tries, settled_by: by, message_ids: ids }) => {
    return [id, state === 'reserved' ? 'planned' : state, tries, by, ids];
  });
  return JSON.stringify([
    [...drafts.values(), ...jobs.values(), ...limits.values(), ...reports.values()],
    states,
    // What somebody has asked for again, nobody else would.
    [...tasks.values()].map(({ id, key }) => [id, key]),
  ]);
}

/** A database that goes back to a copy of itself, once in a play or never, and an operator who minds it. */
export function createLoss({
  scheduler,
  db,
  crew,
  act,
  connection,
  forgets,
}: {
  readonly scheduler: Scheduler;
  readonly db: Db;
  readonly crew: () => Crew;
  readonly act: Loss | undefined;
  /** Of the operator. */
  readonly connection: () => Connection;
  /** All others hear that the database has forgotten what came after a time. */
  readonly forgets: (since: number) => void;
}) {
  const beginsAt = act?.at ?? 0;
  let copiedAt = 0;
  let forgotten = nothingForgotten();
  let [lostAt, isAhead, isOver] = [-Infinity, act !== undefined, act === undefined];
  if (act !== undefined)
    scheduler.after(null, beginsAt + LATEST_MS, '', () => void (isAhead = isAhead && copiedAt > 0));

  return {
    /** A statement is about to be carried out. */
    before(name: string): void {
      if (act === undefined || !isAhead || copiedAt > 0 || name !== act.from || scheduler.now() < act.at)
        return;
      if (name === 'take' && !isSendDue()) return;
      copiedAt = scheduler.now();
      const copy = structuredClone(db);
      scheduler.after(null, act.ms, 'the database goes back', () => goBack(act, copy));
    },

    /** What has left since then is heard as ever. */
    lostAt: () => lostAt,
    forgotten: (): Forgotten => forgotten,

    /** The rows may have changed: once the loss is seen to its end, nothing stands there that is not so. */
    changed(): void {
      if (isOver || db.deployment.lost_done_at === null) return;
      isOver = true;
      forgotten.calls.clear();
    },

    /** After so long a process has to look; null: it would find nothing new for ever. */
    looksAfter({ server }: CallsInHand): number | null {
      if (isAhead) return beginsAt - EARLIER_MS - scheduler.now();
      if (scheduler.now() > lostAt + ENOUGH_MS) return null;
      return isOver && server === db.server ? SELDOM_MS : 0;
    },

    /** Nothing befalls the last who knows of a loss before it has said so. */
    isNeeded: (process: Process): boolean => isUnnoticed() && !knows(db, process),
  };

  function isUnnoticed(): boolean {
    return lostAt > -Infinity && !isOver && db.deployment.lost_at === null;
  }

  /** Whether somebody who can say so, but for one, knows something that these rows do not. */
  function knows(rows: Db, except?: Process): boolean {
    const isAwake = ({ id }: Process): boolean =>
      !crew().isCut(id) && scheduler.frozenUntil(id) <= scheduler.now();
    return crew()
      .living()
      .some((each) => {
        if (each === except || !isAwake(each)) return false;
        const beats = rows.processes.get(each.id)?.beats ?? 0;
        return (
          beats < each.beats() ||
          each.left.values().some(({ id, epoch }) => (rows.calls.get(id)?.fenced ?? -1) < epoch)
        );
      });
  }

  function isSendDue(): boolean {
    return db.tasks
      .values()
      .some(
        ({ name, locked_by: by, run_at: at }) => name === 'send' && by === null && at.getTime() <= db.now,
      );
  }

  function goBack({ by, heldMs }: Loss, before: Db): void {
    const { now, lastTask } = db;
    isAhead = false;
    isOver = by === 'failover' && !knows(before);
    // What nobody knows of nobody notices: then it must be of no weight.
    if (isOver && weightOf(before) !== weightOf(db)) return;
    lostAt = scheduler.now();
    forgotten = forget(db, () =>
      Object.assign(db, before, { now, lastTask, server: `of ${scheduler.now()}` }),
    );
    forgets(copiedAt - 1);
    crew().loseLocks();
    if (by === 'operator') {
      crew().end();
      scheduler.after(OPERATOR, 0, 'peyk halt restored', () => {
        const { losses } = createMemoryStores(immediate(db), {
          hand: createCallsInHand(),
          timeZone: TIME_ZONE,
        });
        void markRestored(losses, null);
        isOver = true;
        forgotten.calls.clear();
      });
    }
    letGoAfter(heldMs);
  }

  function letGoAfter(ms: number): void {
    scheduler.after(OPERATOR, ms, 'the operator looks', () => {
      if (scheduler.now() < lostAt + ENOUGH_MS) letGoAfter(AGAIN_MS);
      if (db.deployment.held_at === null) return;
      const { losses } = createMemoryStores(connection(), { hand: createCallsInHand(), timeZone: TIME_ZONE });
      releaseSends(losses).catch(() => undefined);
    });
  }
}
