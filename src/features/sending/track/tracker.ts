import { isAppError } from '../../../domain/errors.ts';
import type { Gateways } from '../../../ports/gateways.ts';
import type { TaskContext } from '../../../ports/runtime.ts';
import type { ReportCursor } from '../../../ports/jobs.ts';
import type { Stores } from '../../../storage/stores.ts';

export interface TrackerDeps extends Pick<Stores, 'jobs'> {
  readonly gateways: Gateways;
  /** The shortest interval between two looks. */
  readonly pollSeconds: number;
}

const THREE_DAYS_SECONDS = 72 * 3600;
const LONGEST_SECONDS = 1800;

/**
 * Asks the gateway for the reports that are still open, at growing intervals, until each has settled or
 * 72 hours have passed. One run asks for some of them and leaves the others to the next.
 */
export function createTracker({ jobs, gateways, pollSeconds }: TrackerDeps) {
  return async (
    jobId: string,
    { log, takePlace }: Pick<TaskContext, 'log' | 'takePlace'>,
    after?: ReportCursor,
  ): Promise<void> => {
    const open = await jobs.unsettled(jobId, after);
    if (open === null) return;
    if (open.ageSeconds > THREE_DAYS_SECONDS) return await jobs.endPolling(jobId);
    if (open.ageSeconds < 0) return await jobs.schedule(jobId, 'track', -open.ageSeconds * 1000);
    if (!takePlace(open.account)) return;
    try {
      const gateway = await gateways.of(open.bindingId);
      if (!gateway.has('reports')) return await jobs.endPolling(jobId);
      const entries = await gateway.use('reports').status(open.messageIds);
      const { left } = await jobs.recordStates(
        jobId,
        entries.map((entry) => ({
          messageId: entry.id,
          recipient: entry.recipient ?? null,
          state: entry.state,
        })),
        open.calls,
      );
      if (open.next !== null) return await jobs.trackOn(jobId, open.next);
      // Who began at the first has asked for all that were open.
      if (after === undefined ? left === 0 : (await jobs.unsettled(jobId)) === null) return;
    } catch (error) {
      if (isAppError(error, 'not_connected')) return await jobs.endPolling(jobId);
      log.info({ err: error }, 'reports could not be read; they are asked for again');
    }
    await jobs.schedule(jobId, 'track', nextLookMs(open.ageSeconds, pollSeconds));
  };
}

/** A quarter of the age: the younger the message, the sooner its report changes. */
export function nextLookMs(ageSeconds: number, pollSeconds: number): number {
  return Math.max(pollSeconds, Math.min(ageSeconds / 4, LONGEST_SECONDS)) * 1000;
}
