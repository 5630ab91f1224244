import { isAppError } from '../../domain/errors.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { Log } from '../../ports/runtime.ts';
import type { JobStore } from '../../ports/stores.ts';

export interface TrackerDeps {
  readonly jobs: JobStore;
  readonly gateways: Gateways;
  /** The shortest interval between two looks. */
  readonly pollSeconds: number;
}

const THREE_DAYS_SECONDS = 72 * 3600;
const LONGEST_SECONDS = 1800;

/**
 * Asks the gateway for the reports that are still open, at growing intervals, until each has settled or
 * 72 hours have passed.
 */
export function createTracker({ jobs, gateways, pollSeconds }: TrackerDeps) {
  return async (jobId: string, { log }: { readonly log: Log }): Promise<void> => {
    const unsettled = await jobs.unsettled(jobId);
    if (unsettled === null) return;
    if (unsettled.ageSeconds > THREE_DAYS_SECONDS) return await jobs.endPolling(jobId);
    if (unsettled.ageSeconds < 0) return await jobs.schedule(jobId, 'track', -unsettled.ageSeconds * 1000);
    const again = () => jobs.schedule(jobId, 'track', nextLookMs(unsettled.ageSeconds, pollSeconds));
    try {
      const gateway = await gateways.of(unsettled.bindingId);
      if (!gateway.has('reports')) return await jobs.endPolling(jobId);
      const entries = await gateway.use('reports').status(unsettled.messageIds);
      const { open } = await jobs.recordStates(
        jobId,
        entries.map((entry) => ({
          messageId: entry.id,
          recipient: entry.recipient ?? null,
          state: entry.state,
        })),
      );
      if (open > 0) await again();
    } catch (error) {
      if (isAppError(error, 'not_connected')) return await jobs.endPolling(jobId);
      log.info({ err: error }, 'reports could not be read; they are asked for again');
      await again();
    }
  };
}

/** A quarter of the age: the younger the message, the sooner its report changes. */
export function nextLookMs(ageSeconds: number, pollSeconds: number): number {
  return Math.max(pollSeconds, Math.min(ageSeconds / 4, LONGEST_SECONDS)) * 1000;
}
