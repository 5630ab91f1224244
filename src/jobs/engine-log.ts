import { Logger } from 'graphile-worker';
import type { Log } from '../ports/runtime.ts';

/**
 * The queue library's messages in our log, one level quieter than it thinks of itself. Its fields
 * are dropped, since they hold whole jobs with their payloads; so is what it says about the outcome
 * of a job, which is logged where the job runs.
 */
export function createEngineLog(log: Log): Logger {
  return new Logger(() => (level: string, message, meta) => {
    if (meta?.['failure'] === true || meta?.['success'] === true) return;
    // Jobs never use the library's own connections, so the pool is small on purpose.
    if (message.startsWith('WARNING: having maxPoolSize')) return;
    if (level === 'error') log.error({}, message);
    else if (level === 'warning') log.warn({}, message);
    else if (level === 'info') log.debug({}, message);
    else log.trace({}, message);
  });
}
