import type { Update } from '@grammyjs/types';
import { BotError } from 'grammy';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseTrouble, type DatabaseTrouble } from './trouble.ts';

export interface DatabaseRetryDeps {
  readonly handle: (update: Update) => Promise<void>;
  /** Whether this process handles updates still. */
  readonly leads: () => boolean;
  /** Told each time that an update has to wait. */
  readonly held: (update: Update, trouble: DatabaseTrouble) => void;
  readonly pauseMs?: number;
}

export interface DatabaseRetry {
  handle(update: Update): Promise<void>;
  /** What the oldest of those that wait is waiting for; null: nothing waits. */
  stuck(): DatabaseTrouble | null;
}

const PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Handles an update again for as long as the database has no room for it, takes no writes or is locked: however long
 * that lasts, it is not given up, and what comes after it in its chat waits behind it. A handler that runs again finds
 * what it has done already.
 */
export function createDatabaseRetry({
  handle,
  leads,
  held,
  pauseMs = PAUSE_MS,
}: DatabaseRetryDeps): DatabaseRetry {
  const waiting = new Map<number, DatabaseTrouble>();
  return {
    stuck: () => waiting.values().next().value ?? null,
    async handle(update) {
      try {
        for (let pause = pauseMs; !(await isHandled(update)); pause = Math.min(pause * 2, LONGEST_PAUSE_MS))
          await sleep(pause, undefined, { ref: false });
      } finally {
        waiting.delete(update.update_id);
      }
    },
  };

  async function isHandled(update: Update): Promise<boolean> {
    try {
      await handle(update);
      return true;
    } catch (error) {
      const trouble = databaseTrouble(error instanceof BotError ? error.error : error);
      // One that is away takes the lead away too: whoever has it then finds what is open.
      if (trouble === null || trouble === 'away' || !leads()) throw error;
      waiting.set(update.update_id, trouble);
      held(update, trouble);
      return false;
    }
  }
}
