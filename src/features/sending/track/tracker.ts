import { REPORTS_SECONDS } from '../../../domain/job.ts';
import type { Gateways } from '../../../ports/gateways.ts';
import type { TaskContext } from '../../../ports/runtime.ts';
import type { ReportCursor, ReportPage } from '../../../ports/jobs.ts';
import type { Stores } from '../../../storage/stores.ts';

export interface TrackerDeps extends Pick<Stores, 'jobs'> {
  readonly gateways: Gateways;
  /** The shortest interval between two looks. */
  readonly pollSeconds: number;
}

const LONGEST_SECONDS = 1800;
/** Some seconds' worth; then others of the account have their turn. */
const PAGES_OF_A_RUN = 10;

/**
 * Asks the gateway for the reports that are still open, at growing intervals, until each has settled or
 * 72 hours have passed: an account that was unlinked may be linked again. One run asks for some pages of them and leaves the others to the next. While one page is asked
 * for, the one before is written down and the next one looked up.
 */
export function createTracker({ jobs, gateways, pollSeconds }: TrackerDeps) {
  return async (
    jobId: string,
    { log, signal, takePlace }: Pick<TaskContext, 'log' | 'signal' | 'takePlace'>,
    after?: ReportCursor,
  ): Promise<void> => {
    const open = await jobs.unsettled(jobId, after);
    if (open === null) return;
    if (open.ageSeconds > REPORTS_SECONDS) return await jobs.endPolling(jobId);
    if (open.ageSeconds < 0) return await jobs.schedule(jobId, 'track', -open.ageSeconds * 1000);
    if (!takePlace(open.account)) return;
    let written = Promise.resolve({ left: 0 });
    try {
      const gateway = await gateways.of(open.bindingId);
      if (!gateway.has('reports')) return await jobs.endPolling(jobId);
      const reports = gateway.use('reports');
      let page: ReportPage = open;
      let pages = 1;
      for (; ; pages += 1) {
        const { messageIds, calls, next } = page;
        const isLast = next === null || pages === PAGES_OF_A_RUN || signal.aborted;
        const [entries, following] = await Promise.all([
          reports.status(messageIds),
          isLast ? null : jobs.openReports(jobId, next),
          written,
        ]);
        written = jobs.recordReports(jobId, entries, calls);
        if (following !== null) page = following;
        else if (next === null) break;
        else {
          await written;
          return await jobs.trackOn(jobId, next);
        }
      }
      const { left } = await written;
      // Of one page from the first on, all that were open have been asked for.
      const isOver = after === undefined && pages === 1 ? left === 0 : (await jobs.unsettled(jobId)) === null;
      if (isOver) return;
    } catch (error) {
      log.info({ err: error }, 'reports could not be read; they are asked for again');
    } finally {
      await Promise.allSettled([written]);
    }
    await jobs.schedule(jobId, 'track', nextLookMs(open.ageSeconds, pollSeconds));
  };
}

/** A quarter of the age: the younger the message, the sooner its report changes. */
export function nextLookMs(ageSeconds: number, pollSeconds: number): number {
  return Math.max(pollSeconds, Math.min(ageSeconds / 4, LONGEST_SECONDS)) * 1000;
}
