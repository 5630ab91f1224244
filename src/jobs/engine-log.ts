import { Logger } from 'graphile-worker';
import type { Log } from '../ports/runtime.ts';

/**
 * The queue library's messages in our log, one level quieter than it thinks of itself. Its fields
 * are dropped, since they hold whole jobs with their payloads; so is what it says about the outcome
 * of a job, which is logged where the job runs.
 * @param notGot told when jobs could not be got
 */
export function createEngineLog(log: Log, notGot: () => void = () => undefined): Logger {
  return new Logger(() => (level: string, message, meta) => {
    if (message.startsWith('Error occurred fetching jobs')) {
      // It looks again; that the database is away is told by others.
      notGot();
      log.debug({}, message);
      return;
    }
    if (meta?.['failure'] === true || meta?.['success'] === true) return;
    // Jobs never use the library's own connections, so the pool is small on purpose.
    if (message.startsWith('WARNING: having maxPoolSize')) return;
    if (level === 'error') log.error({}, message);
    else if (level === 'warning') log.warn({}, message);
    else if (level === 'info') log.debug({}, message);
    else log.trace({}, message);
  });
}
