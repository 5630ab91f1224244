import { isAppError } from '../../../domain/errors.ts';
import type { Blacklist } from '../../../ports/gateway.ts';
import type { Clock, Log } from '../../../ports/runtime.ts';

/** What the gateway is asked about in one call. */
const PORTION = 200;
/** Calls at a time: the account's sends go on beside them. */
const AT_A_TIME = 4;
/** A gateway that is slower than this is asked right before each call instead. */
const PATIENCE_MS = 60_000;

/** Those of some recipients that a line must not send to; null where the gateway does not tell all of it in time. */
export async function lookUpBlocked(
  blacklist: Pick<Blacklist, 'blocked'>,
  {
    line,
    recipients,
    clock,
    signal,
    log,
  }: {
    readonly line: string;
    readonly recipients: readonly string[];
    readonly clock: Pick<Clock, 'sleep'>;
    readonly signal: AbortSignal;
    readonly log: Log;
  },
): Promise<ReadonlySet<string> | null> {
  const blocked = new Set<string>();
  const over = new AbortController();
  let next = 0;
  const ask = async (): Promise<void> => {
    while (next < recipients.length && !over.signal.aborted && !signal.aborted) {
      const portion = recipients.slice(next, next + PORTION);
      next += PORTION;
      for (const number of await blacklist.blocked(line, portion)) blocked.add(number);
    }
  };
  try {
    const all = Promise.all(Array.from({ length: AT_A_TIME }, ask)).then(() => true);
    all.catch(() => undefined);
    const patience = clock.sleep(PATIENCE_MS, AbortSignal.any([over.signal, signal])).then(() => false);
    patience.catch(() => undefined);
    const inTime = await Promise.race([all, patience]);
    if (inTime) return blocked;
    log.info({ recipients: recipients.length }, 'the blacklist could not be read in time');
  } catch (error) {
    if (!isAppError(error)) throw error;
    log.info({ err: error }, 'the blacklist could not be read');
  } finally {
    over.abort();
  }
  return null;
}
