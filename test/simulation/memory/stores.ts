import type { JobStore } from '../../../src/ports/jobs.ts';
import type { LimitsStore } from '../../../src/ports/limits.ts';
import type { ReconcileStore } from '../../../src/ports/reconcile.ts';
import type { DraftStore } from '../../../src/ports/stores.ts';
import type { CallsInHand } from '../../../src/storage/restore/calls-in-hand.ts';
import type { LossStore } from '../../../src/storage/restore/losses.ts';
import { createCalls } from './calls.ts';
import type { Connection } from './db.ts';
import { createDrafts } from './drafts.ts';
import { createHaltSwitch } from './halt.ts';
import { createJobControl } from './jobs.ts';
import { createLosses } from './losses.ts';
import { createReconciles } from './reconciles.ts';
import { createReports } from './reports.ts';

export type { Connection };

export interface MemoryStores {
  readonly jobs: JobStore;
  readonly drafts: DraftStore;
  readonly reconciles: ReconcileStore;
  readonly limits: Pick<LimitsStore, 'halt' | 'go'>;
  readonly losses: LossStore;
}

/**
 * The stores of the send path in memory: what is not of one text to recipients, or not asked for by a send, throws. The
 * model of sends holds them to the ones on Postgres, step by step (src/storage/sending/send-model.test.ts).
 * @param options what the process knows of its own calls, and the time zone of chats that have none of their own
 */
export function createMemoryStores(
  connection: Connection,
  { hand, timeZone }: { readonly hand: CallsInHand; readonly timeZone: string },
): MemoryStores {
  return {
    jobs: {
      ...createJobControl(connection, timeZone),
      ...createCalls(connection, hand),
      ...createReports(connection),
    },
    drafts: createDrafts(connection),
    reconciles: createReconciles(connection),
    limits: createHaltSwitch(connection),
    losses: createLosses(connection, timeZone),
  };
}
