import { learnRialPerPart } from '../../domain/money.ts';
import { wholeDaysLeft } from '../../domain/price.ts';
import { DAY_SECONDS } from '../../domain/time-range.ts';
import type { Counts, Rial, SmsGateway } from '../../ports/gateway.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Stores } from '../../storage/stores.ts';

/** How fast credit goes, and how many whole days it lasts, see `wholeDaysLeft`. */
export interface Pace {
  readonly rialPerDay: Rial;
  readonly daysLeft: number | null;
}

const LOOK_BACK_DAYS = 7;
/** The credit waits no longer for what only adorns it. */
const PATIENCE_MS = 2000;

/**
 * The credit, and the pace of the last 7 days where the account can count. Both are asked for at the same time; a
 * count that fails or takes too long is left out.
 */
export async function readCredit(
  { gauges, clock }: { readonly gauges: Pick<Stores['gauges'], 'readCredit'>; readonly clock: Clock },
  bindingId: string,
  gateway: SmsGateway,
): Promise<{ readonly credit: Rial; readonly pace: Pace | null }> {
  const asked = gateway.has('counts') ? readSpent(gateway.use('counts'), clock.now()) : Promise.resolve(null);
  const credit = await gauges.readCredit(bindingId, () => gateway.use('credit').credit());
  const done = new AbortController();
  const late = clock.sleep(PATIENCE_MS, done.signal).then(
    () => null,
    () => null,
  );
  const spent = await Promise.race([asked, late]);
  done.abort();
  return { credit, pace: spent === null ? null : paceOf({ credit, cost: spent, days: LOOK_BACK_DAYS }) };
}

/** Cost by day, rounded up so that it never sounds cheaper than it was; null where nothing was spent. */
export function paceOf({ credit, cost, days }: { credit: Rial; cost: Rial; days: number }): Pace | null {
  const rialPerDay = learnRialPerPart({ cost, parts: days });
  if (rialPerDay === null) return null;
  return { rialPerDay, daysLeft: wholeDaysLeft(credit, rialPerDay) };
}

async function readSpent(counts: Counts, now: Date): Promise<Rial | null> {
  const to = Math.floor(now.getTime() / 1000);
  try {
    return (await counts.sent({ from: to - LOOK_BACK_DAYS * DAY_SECONDS, to })).cost;
  } catch {
    return null;
  }
}
