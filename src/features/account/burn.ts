import { isAppError } from '../../domain/errors.ts';
import { timeBuckets } from '../../domain/time-buckets.ts';
import { DAY_SECONDS, type TimeSpan } from '../../domain/time-range.ts';
import type { Counts, Rial } from '../../ports/gateway.ts';
import type { Clock } from '../../ports/runtime.ts';

/** What was paid on one calendar day; the last one is not over. */
export interface DayCost {
  /** Epoch seconds. */
  readonly from: number;
  readonly cost: Rial;
}

const DAYS = 14;
/** With fewer days on which something was paid a picture shows nothing that a sentence does not. */
const TELLING_DAYS = 2;
const AT_ONCE = 3;
/** The credit has been told: this only adorns it. */
const PATIENCE_MS = 5000;
/** The gateway is done counting a day so long after it. */
const SETTLED_SECONDS = 3600;
const KEPT = 5000;

/**
 * What accounts paid day by day. A day that is over is asked for once; so an account costs 14 counts at first and one
 * or two later.
 */
export function createBurns(clock: Clock) {
  const known = new Map<string, Rial>();

  const costOf = async (counts: Pick<Counts, 'sent'>, bindingId: string, day: TimeSpan): Promise<Rial> => {
    const key = `${bindingId} ${day.from} ${day.to}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const { cost } = await counts.sent(day);
    if (day.to < clock.now().getTime() / 1000 - SETTLED_SECONDS) known.set(key, cost);
    for (const oldest of known.keys()) {
      if (known.size <= KEPT) break;
      known.delete(oldest);
    }
    return cost;
  };

  /** Null as soon as one day cannot be had: half a picture would be a wrong one. */
  const read = async (
    counts: Pick<Counts, 'sent'>,
    bindingId: string,
    days: readonly TimeSpan[],
    given: AbortSignal,
  ): Promise<DayCost[] | null> => {
    const costs: DayCost[] = [];
    for (let at = 0; at < days.length && !given.aborted; at += AT_ONCE) {
      const asked = days.slice(at, at + AT_ONCE);
      const found = await Promise.all(asked.map((day) => costOf(counts, bindingId, day).catch(noAnswer)));
      for (const [index, cost] of found.entries()) {
        if (cost === null) return null;
        costs.push({ from: asked[index]?.from ?? 0, cost });
      }
    }
    return costs.length === days.length ? costs : null;
  };

  return {
    /** The last 14 calendar days of a zone, oldest first; null where too little was paid, or it cannot be had soon. */
    async of(
      counts: Pick<Counts, 'sent'>,
      { bindingId, timeZone }: { readonly bindingId: string; readonly timeZone: string },
    ): Promise<readonly DayCost[] | null> {
      const days = lastDays(clock.now(), timeZone);
      const given = new AbortController();
      const late = clock.sleep(PATIENCE_MS, given.signal).then(nothing, nothing);
      const costs = await Promise.race([read(counts, bindingId, days, given.signal), late]);
      given.abort();
      if (costs === null || costs.filter(({ cost }) => cost > 0).length < TELLING_DAYS) return null;
      return costs;
    },
  };
}

function lastDays(now: Date, timeZone: string): TimeSpan[] {
  const to = Math.floor(now.getTime() / 1000);
  const { starts } = timeBuckets({ from: to - (DAYS - 1) * DAY_SECONDS, to }, timeZone);
  return starts.slice(-DAYS).map((from, index, all) => ({ from, to: (all[index + 1] ?? to + 1) - 1 }));
}

function noAnswer(error: unknown): null {
  if (isAppError(error)) return null;
  throw error;
}

function nothing(): null {
  return null;
}
