/** So many jobs of one account may ask its gateway at once. */
const PER_ACCOUNT = 2;
const IN_ALL = 6;
/** An account's first finds room where those of others leave none for its second. */
const BESIDE_FIRST = 4;

const FIRST_WAIT_MS = 1000;
/** The more have been put off already, the later the next one looks again: not all of them at once. */
const WAIT_FOR_EACH_MS = 100;
const LONGEST_WAIT_MS = 60_000;

export interface JobConcurrency {
  /** Takes a place for a job of the account; false when there is none, and the job is to come again. */
  take(account: string): boolean;
  leave(account: string): void;
  /** When a job of the account that found no place is to come again, in milliseconds. */
  waitMs(account: string): number;
}

interface Account {
  taken: number;
  putOff: number;
}

/**
 * Keeps count of the jobs of this process that ask an account's gateway. One that hangs keeps its callers for a quarter
 * of a minute each: without a limit the jobs of one account would hold every slot of the queue, and every other chat
 * would wait for it. Sends have their own limit, and do not count here.
 */
export function createJobConcurrency(): JobConcurrency {
  const accounts = new Map<string, Account>();
  let inAll = 0;
  return {
    take(id) {
      const account = accounts.get(id);
      const own = account?.taken ?? 0;
      if (own >= PER_ACCOUNT || inAll >= (own === 0 ? IN_ALL : BESIDE_FIRST)) return false;
      accounts.set(id, { taken: own + 1, putOff: account?.putOff ?? 0 });
      inAll += 1;
      return true;
    },
    leave(id) {
      const account = accounts.get(id);
      if (account === undefined) return;
      inAll -= 1;
      account.taken -= 1;
      account.putOff = 0;
      if (account.taken === 0) accounts.delete(id);
    },
    waitMs(id) {
      const account = accounts.get(id);
      const before = account === undefined ? 0 : account.putOff++;
      return Math.min(FIRST_WAIT_MS + before * WAIT_FOR_EACH_MS, LONGEST_WAIT_MS);
    },
  };
}
