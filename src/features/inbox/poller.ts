import type { AccountWork } from '../../ports/inbound.ts';
import type { Liveness } from '../../ports/runtime.ts';
import type { Stores } from '../../storage/stores.ts';
import { pollAccount, type PollDeps } from './poll-account.ts';
import type { MayGoOn } from './read-inbox.ts';

export interface PollerDeps extends Omit<PollDeps, 'accounts' | 'random'>, Pick<Stores, 'accounts'> {
  /** This process: what it holds carries its id. */
  readonly owner: Liveness['id'];
  readonly random?: () => number;
  /** Accounts that are asked at once by this process. */
  readonly atOnce?: number;
}

export interface Poller {
  /** Asks for no further account, waits a little for those that are being asked, and lets all of them go. */
  stop(): Promise<void>;
}

/** Another process takes over what this one held so long after it died. */
const LEASE_SECONDS = 25;
/** A lease so young outlasts the longest read, which is given up after 15 s. */
const FRESH_MS = 5000;
const AT_ONCE = 16;
/** How soon an account that is due is seen at the latest. */
const IDLE_MS = 1000;
/** What is on the wire may end. */
const STOP_MS = 5000;

/** Polls the accounts of this deployment, together with the pollers of other processes: each account by one at a time. */
export function startPoller({ random = Math.random, atOnce = AT_ONCE, ...deps }: PollerDeps): Poller {
  const { accounts, owner, clock, log } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const held = new Map<string, Promise<void>>();
  let wake = (): void => undefined;

  /** Renews the lease where it has become old; before the first page it is as good as new. */
  const holding = (accountId: string): MayGoOn => {
    let since = clock.monotonic();
    return async (seconds = LEASE_SECONDS) => {
      if (signal.aborted) return false;
      const now = clock.monotonic();
      if (seconds <= LEASE_SECONDS && now - since < FRESH_MS) return true;
      since = now;
      return await accounts.renew(accountId, owner, seconds);
    };
  };

  const poll = async (work: AccountWork): Promise<void> => {
    const { accountId } = work;
    try {
      await pollAccount({ ...deps, random }, work, owner, holding(accountId));
    } catch (error) {
      // It is taken up again when the lease is over.
      if (!signal.aborted) log.error({ err: error, accountId }, 'an account could not be polled');
    }
  };

  /** Whether more may be due: as many were found as there were hands. */
  const claim = async (): Promise<boolean> => {
    const most = atOnce - held.size;
    const claimed = await accounts.claim(owner, most, LEASE_SECONDS);
    for (const work of claimed) {
      // One that is being asked for longer than its lease comes again: that holds it anew.
      if (held.has(work.accountId)) continue;
      const ended = poll(work).finally(() => {
        held.delete(work.accountId);
        if (held.size <= atOnce / 2) wake();
      });
      held.set(work.accountId, ended);
    }
    return claimed.length >= most;
  };

  const idleMs = Math.min(IDLE_MS, deps.inboxSeconds * 1000);
  const loop = async (): Promise<void> => {
    await accounts
      .adopt()
      .catch((error: unknown) => log.error({ err: error }, 'accounts were not taken over'));
    while (!signal.aborted) {
      let isMore = held.size >= atOnce;
      try {
        if (!isMore) isMore = await claim();
      } catch (error) {
        log.warn({ err: error }, 'no account could be claimed');
      }
      // Hands may have become free while it was asked. It is looked again as soon as half of them are.
      if (isMore && held.size <= atOnce / 2) continue;
      const rested = new AbortController();
      wake = isMore ? () => rested.abort() : () => undefined;
      await clock.sleep(idleMs, AbortSignal.any([signal, rested.signal])).catch(() => undefined);
    }
  };
  const ended = loop();

  return {
    async stop() {
      stopping.abort();
      await ended;
      const done = new AbortController();
      const late = clock.sleep(STOP_MS, done.signal).catch(() => undefined);
      await Promise.race([Promise.allSettled(held.values()), late]);
      done.abort();
      await accounts.release(owner);
    },
  };
}
