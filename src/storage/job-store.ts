import type { JobStore } from '../ports/jobs.ts';
import { createCallStore } from './call-store.ts';
import type { CallsInHand } from './calls-in-hand.ts';
import type { Database } from './database.ts';
import { createDecide } from './decide.ts';
import { createDeliveryStore } from './delivery-store.ts';
import { createJobControl } from './job-control.ts';

/**
 * Everything about confirmed sends.
 * @param timeZone of chats that have none of their own.
 * @param hand what this process knows of its own calls
 */
export function createJobStore(database: Database, timeZone: string, hand?: CallsInHand): JobStore {
  return {
    ...createJobControl(database, timeZone, createDecide(database, hand)),
    ...createCallStore(database, hand),
    ...createDeliveryStore(database),
  };
}
