import type { Gateways } from '../../../ports/gateways.ts';
import type { Clock, Log } from '../../../ports/runtime.ts';
import type { Stores } from '../../../storage/stores.ts';
import { createAccountConcurrency } from './account-concurrency.ts';
import { runJob, type JobAccount } from './job-run.ts';

export interface SenderDeps extends Pick<Stores, 'jobs'> {
  readonly gateways: Gateways;
  readonly clock: Clock;
  /** Who holds the attempts of this process. */
  readonly owner: string;
  /** The most calls of one account that are out at once; by default what the pace allows. */
  readonly mostCalls?: number | undefined;
}

const EARLIER_IN_FLIGHT_MS = 2000;
/** For a job that nobody takes along before. */
const NO_ROOM_MS = 2000;
const LOOK_AGAIN_MS = 60_000;

interface SendContext {
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Absent: when the run is to end. */
  readonly mustGo?: () => boolean;
}

/**
 * Makes the calls of a job, several at a time, each at most once. Running it again, also beside itself and in several
 * processes, makes no call twice: the store's compare-and-set decides who may write.
 */
export function createSender({ jobs, gateways, clock, owner, mostCalls }: SenderDeps) {
  const concurrency = createAccountConcurrency(clock, mostCalls);
  const missed = new Map<string, number>();

  return async (jobId: string, context: SendContext): Promise<void> => {
    const first = await begin(jobId);
    if (first === null) return;
    const { account } = first;
    if (!concurrency.enter(account)) {
      concurrency.wait(account, jobId);
      return await jobs.schedule(jobId, 'send', NO_ROOM_MS);
    }
    try {
      await makeCalls(jobId, first, context);
      for (let next = concurrency.next(account); next !== undefined; next = concurrency.next(account)) {
        if (context.signal.aborted) return;
        const { jobId: taken, asItself } = next;
        await asItself(async () => {
          const begun = await begin(taken);
          if (begun !== null) await makeCalls(taken, { ...begun, account }, context);
        });
      }
    } finally {
      concurrency.leave(account);
    }
  };

  /** By what the calls are to be made now; null when there is nothing to do yet, or any more. */
  async function begin(jobId: string): Promise<JobAccount | null> {
    const started = await jobs.start(jobId);
    if (started?.state === 'holding' || started?.state === 'scheduled')
      await jobs.schedule(jobId, 'send', started.waitMs + 20);
    return started?.state === 'running' ? started : null;
  }

  async function makeCalls(
    jobId: string,
    by: JobAccount,
    { log, signal, mustGo = () => signal.aborted }: SendContext,
  ): Promise<void> {
    const persist = (write: () => Promise<void>) => untilWritten(write, log, mustGo);
    const deps = { jobs, gateways, concurrency, clock, persist, log, owner, signal, missed };
    const later = (afterMs: number) => jobs.schedule(jobId, 'send', afterMs);
    for (;;) {
      const end = await runJob(jobId, by, deps);
      switch (end.kind) {
        case 'failed':
          throw end.error;
        case 'stopped':
        case 'not_running':
          return;
        case 'later':
          return await later(end.afterMs);
        case 'rest':
          // What has no call left to make is done all the same.
          if (!(await jobs.finish(jobId))) await later(concurrency.restMs(by.account));
          return;
        case 'exhausted':
          // What still stands was given back, or equals another call: it is looked at once more.
          if (await jobs.finish(jobId)) return;
          break;
        case 'none_left':
          // What still stands is held by a run beside this one, or by one that has failed: somebody looks again.
          if (!(await jobs.finish(jobId))) await later(LOOK_AGAIN_MS);
          return;
        case 'earlier_in_flight':
          return await later(EARLIER_IN_FLIGHT_MS);
        case 'earlier_unknown':
          return void (await jobs.stop(jobId, 'earlier_unknown', null, null));
      }
    }
  }

  /** The outcome must not be lost while the database is away: it is tried until the process has to go. */
  async function untilWritten(write: () => Promise<void>, log: Log, mustGo: () => boolean): Promise<void> {
    for (let wait = 100; ; wait = Math.min(wait * 2, 5000)) {
      try {
        return await write();
      } catch (error) {
        if (mustGo()) throw error;
        log.warn({ err: error }, 'an outcome could not be written; it is tried again');
        await clock.sleep(wait);
      }
    }
  }
}
