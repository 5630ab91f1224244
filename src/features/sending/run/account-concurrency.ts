import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../../../ports/runtime.ts';
import { FIRST_PACE, MAX_CALLS, paceAfter, type CallPace } from './call-pace.ts';

/*
 * A gateway that hangs keeps its callers for a minute. Without limits the sends of one account would take all of the
 * process's slots for work and all of its calls, and every other chat would wait for it.
 */

/** Of the 30 slots of the queue 6 may read from gateways, and some always stay for cards and whatever comes later. */
const JOBS_IN_ALL = 18;
/** An account's first job finds room where those of others leave none for its second. */
const JOBS_BESIDE_FIRST = 10;
const JOBS_PER_ACCOUNT = 4;
/** The first call of an account goes out beside these. */
const CALLS_IN_ALL = 128;
/** After so long nobody knows any more what the gateway bears. */
const PACE_LASTS_MS = 600_000;

export interface AccountConcurrency {
  /** Takes a place for one job of the account; false when there is none. */
  enter(account: string): boolean;
  leave(account: string): void;
  /** Remembers a job that found no place, for `next`. Only a hint: the queue has the job too. */
  wait(account: string, jobId: string): void;
  /** The job of this account that has waited longest, for whoever is about to leave. */
  next(account: string): WaitingJob | undefined;
  /** How many calls of the account may be out at once, by what its gateway has borne so far. */
  limit(account: string): number;
  /** Takes a place for one call; false when there is none now. Then `wake` is called when there may be one, once. */
  begin(account: string, wake: () => void): boolean;
  /** The call has ended. A `local` end says nothing about the gateway. */
  end(account: string, how: 'good' | 'bad' | 'local'): void;
  /** No job of the account makes a call for so long: its gateway has asked for quiet. */
  rest(account: string, ms: number): void;
  /** How long the account still rests; 0 when it does not. */
  restMs(account: string): number;
}

export interface WaitingJob {
  readonly jobId: string;
  /** Does its work as what it came of, and not as what whoever takes it along came of. */
  readonly asItself: <T>(work: () => T) => T;
}

interface Account {
  jobs: number;
  calls: number;
  pace: CallPace;
  usedAt: number;
  restsUntil: number;
  readonly waiting: Map<string, WaitingJob>;
}

/** Keeps count of the jobs and calls of each account in this process. */
export function createAccountConcurrency(
  { monotonic }: Pick<Clock, 'monotonic'>,
  mostCalls: number = MAX_CALLS,
): AccountConcurrency {
  const accounts = new Map<string, Account>();
  /** Who waits for a call of which account, in the order in which they began to. */
  const sleepers = new Map<() => void, string>();
  let [jobs, calls] = [0, 0];

  const of = (id: string): Account => {
    let account = accounts.get(id);
    if (account === undefined) {
      const pace = { ...FIRST_PACE, limit: Math.min(FIRST_PACE.limit, mostCalls) };
      account = { jobs: 0, calls: 0, pace, usedAt: monotonic(), restsUntil: 0, waiting: new Map() };
      accounts.set(id, account);
    }
    return account;
  };

  const hasRoom = ({ calls: own, pace }: Account): boolean =>
    own < pace.limit && (own === 0 || calls < CALLS_IN_ALL);

  return {
    enter(id) {
      const idle = accounts.get(id);
      if (idle?.jobs === 0 && monotonic() - Math.max(idle.usedAt, idle.restsUntil) > PACE_LASTS_MS)
        accounts.delete(id);
      const account = of(id);
      const concurrency = account.jobs === 0 ? jobs < JOBS_IN_ALL : jobs < JOBS_BESIDE_FIRST;
      if (!concurrency || account.jobs >= JOBS_PER_ACCOUNT) return false;
      account.jobs += 1;
      jobs += 1;
      return true;
    },
    leave(id) {
      const account = of(id);
      account.jobs -= 1;
      account.usedAt = monotonic();
      if (account.jobs === 0) account.waiting.clear();
      jobs -= 1;
    },
    wait(id, jobId) {
      const { waiting } = of(id);
      waiting.set(jobId, { jobId, asItself: AsyncLocalStorage.snapshot() });
    },
    next(id) {
      const { waiting } = of(id);
      const [first] = waiting.values();
      if (first !== undefined) waiting.delete(first.jobId);
      return first;
    },
    limit: (id) => of(id).pace.limit,
    begin(id, wake) {
      const account = of(id);
      sleepers.delete(wake);
      if (!hasRoom(account)) {
        sleepers.set(wake, id);
        return false;
      }
      account.calls += 1;
      calls += 1;
      return true;
    },
    end(id, how) {
      const account = of(id);
      account.calls -= 1;
      calls -= 1;
      if (how !== 'local') account.pace = paceAfter(account.pace, how, mostCalls);
      // Who takes a place and wants another one waits behind those who wait already.
      for (const [wake, whose] of sleepers) {
        if (!hasRoom(of(whose))) continue;
        sleepers.delete(wake);
        wake();
      }
    },
    rest(id, ms) {
      const account = of(id);
      account.restsUntil = Math.max(account.restsUntil, monotonic() + ms);
    },
    restMs: (id) => Math.max(0, of(id).restsUntil - monotonic()),
  };
}
