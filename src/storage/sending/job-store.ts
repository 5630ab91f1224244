import type { JobStore } from '../../ports/jobs.ts';
import { createCallStore } from './call-store.ts';
import type { CallsInHand } from '../restore/calls-in-hand.ts';
import type { Database } from '../database/database.ts';
import { createDecide } from './decide.ts';
import { createDeliveryStore } from './delivery-store.ts';
import { createJobControl } from './job-control.ts';
import type { PaceClocks } from './pace-in.ts';

/**
 * Everything about confirmed sends.
 * @param timeZone of chats that have none of their own.
 * @param hand what this process knows of its own calls
 * @param clocks and of the clocks of sends with a pace
 */
export function createJobStore(
  database: Database,
  timeZone: string,
  hand?: CallsInHand,
  clocks?: PaceClocks,
): JobStore {
  return {
    ...createJobControl(database, timeZone, createDecide(database, hand)),
    ...createCallStore(database, timeZone, hand, clocks),
    ...createDeliveryStore(database),
  };
}
