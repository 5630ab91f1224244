import type { JobStore } from '../ports/jobs.ts';
import { currentSpan } from '../ports/tracer.ts';

/**
 * The store of jobs, which also notes in the span that is under way what the fence of a call has come to. The call itself, and
 * what is asked of the store, stay as they are.
 */
export function traceJobs(jobs: JobStore): JobStore {
  return {
    ...jobs,
    async reserve(...asked) {
      const reserved = await jobs.reserve(...asked);
      currentSpan()?.event('reserved', { 'peyk.calls': reserved.ok ? reserved.attempts.length : 0 });
      return reserved;
    },
    async goOnWire(attempt, epoch) {
      currentSpan()?.set({ 'peyk.attempt': attempt, 'peyk.epoch': epoch });
      currentSpan()?.event('connected');
      const mayLeave = await jobs.goOnWire(attempt, epoch);
      currentSpan()?.event(mayLeave ? 'fenced' : 'fence shut');
      return mayLeave;
    },
    async release(attempt, epoch) {
      await jobs.release(attempt, epoch);
      currentSpan()?.event('given back', { 'peyk.attempt': attempt });
    },
    async record(attempt, epoch, result) {
      await jobs.record(attempt, epoch, result);
      currentSpan()?.event('recorded', { 'peyk.attempt': attempt, 'peyk.outcome': result.outcome });
    },
  };
}
