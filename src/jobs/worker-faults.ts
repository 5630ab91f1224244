import type { WorkerEvents } from 'graphile-worker';
import type { Log } from '../ports/runtime.ts';

/** What the slots of a worker still had to write is written by then, or never will be. */
const LAST_WRITES_MS = 3000;

export interface WorkerFaults {
  /** Resolves when a worker that is ending has nothing left that is worth waiting for. */
  readonly over: Promise<void>;
  /** The worker will never get a job; a new one will. */
  isStillborn(): boolean;
}

/**
 * Two faults of the queue library (0.17 and 0.18), by either of which a worker does nothing any more, and says nothing,
 * after the database was away for a moment:
 *
 * It asks once for the numbers of its tasks, and keeps a failure for good. Such a worker is to be stopped at once.
 *
 * It counts the writes that it waits for at its end; of several that failed it counts too many off, and waits for ever.
 * By then all slots have ended, so its end is taken as done a little later.
 */
export function watchFaults(events: WorkerEvents, stop: () => void, log: Log): WorkerFaults {
  const over = Promise.withResolvers<void>();
  for (const event of ['pool:gracefulShutdown:complete', 'pool:gracefulShutdown:error'] as const)
    events.once(event, () => {
      stop();
      setTimeout(over.resolve, LAST_WRITES_MS).unref();
    });

  let beginning: 'open' | 'good' | 'bad' = 'open';
  for (const event of ['worker:getJob:empty', 'job:start'] as const)
    events.once(event, () => {
      if (beginning === 'open') beginning = 'good';
    });
  events.on('worker:getJob:error', () => {
    if (beginning !== 'open') return;
    beginning = 'bad';
    log.warn({}, 'the queue could not begin');
    stop();
  });
  return { over: over.promise, isStillborn: () => beginning === 'bad' };
}
