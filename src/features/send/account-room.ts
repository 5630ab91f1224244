import type { Clock } from '../../ports/runtime.ts';

/*
 * A gateway that hangs keeps its callers for a minute. Without a limit the sends of one account would take
 * all of the process's slots for work, and every other chat would wait for it.
 */

/** Of the 24 slots of the queue some always stay for cards, reports and whatever comes later. */
const CALLS_IN_ALL = 16;
const CALLS_PER_ACCOUNT = 4;

export interface AccountRoom {
  /** Takes a place for one job of the account; false when there is none. */
  enter(account: string): boolean;
  leave(account: string): void;
  /** Remembers a job that found no place, for `next`. Only a hint: the queue has the job too. */
  wait(account: string, jobId: string): void;
  /** The job of this account that has waited longest, for whoever is about to leave. */
  next(account: string): string | undefined;
  /** No job of the account makes a call for so long: its gateway has asked for quiet. */
  rest(account: string, ms: number): void;
  /** How long the account still rests; 0 when it does not. */
  restMs(account: string): number;
}

/** Keeps count of the jobs of each account whose calls are being made in this process. */
export function createAccountRoom({ monotonic }: Pick<Clock, 'monotonic'>): AccountRoom {
  const busy = new Map<string, number>();
  const waiting = new Map<string, Set<string>>();
  const restsUntil = new Map<string, number>();
  let all = 0;
  return {
    enter(account) {
      const mine = busy.get(account) ?? 0;
      if (all >= CALLS_IN_ALL || mine >= CALLS_PER_ACCOUNT) return false;
      busy.set(account, mine + 1);
      all += 1;
      return true;
    },
    leave(account) {
      const left = (busy.get(account) ?? 0) - 1;
      if (left > 0) {
        busy.set(account, left);
      } else {
        busy.delete(account);
        waiting.delete(account);
      }
      all -= 1;
    },
    wait(account, jobId) {
      const jobs = waiting.get(account) ?? new Set();
      waiting.set(account, jobs.add(jobId));
    },
    next(account) {
      const jobs = waiting.get(account);
      const [first] = jobs ?? [];
      if (first !== undefined) jobs?.delete(first);
      return first;
    },
    rest(account, ms) {
      restsUntil.set(account, Math.max(restsUntil.get(account) ?? 0, monotonic() + ms));
    },
    restMs(account) {
      const left = (restsUntil.get(account) ?? 0) - monotonic();
      if (left > 0) return left;
      restsUntil.delete(account);
      return 0;
    },
  };
}
