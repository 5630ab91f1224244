import { learnRialPerPart } from '../../domain/money.ts';
import type { Paid } from '../../domain/price.ts';
import { DAY_SECONDS } from '../../domain/time-range.ts';
import type { Counts, Rial, SmsGateway } from '../../ports/gateway.ts';
import type { Clock } from '../../ports/runtime.ts';

/** How fast credit goes, and how many whole days it lasts; null where there is none left. */
export interface Pace {
  readonly rialPerDay: Rial;
  readonly daysLeft: number | null;
}

const LOOK_BACK_DAYS = 7;
/** The credit waits no longer for what only adorns it. */
const PATIENCE_MS = 2000;

/**
 * The credit, and what was paid in the last 7 days where the account can count, with its pace. Both are asked for at the same time; a
 * count that fails or takes too long is left out.
 */
export async function readCredit(
  gateway: SmsGateway,
  clock: Clock,
): Promise<{ readonly credit: Rial; readonly pace: Pace | null; readonly paid: Paid | null }> {
  const asked = gateway.has('counts') ? readPaid(gateway.use('counts'), clock.now()) : Promise.resolve(null);
  const credit = await gateway.use('credit').credit();
  const done = new AbortController();
  const late = clock.sleep(PATIENCE_MS, done.signal).then(
    () => null,
    () => null,
  );
  const sent = await Promise.race([asked, late]);
  done.abort();
  if (sent === null) return { credit, pace: null, paid: null };
  return {
    credit,
    pace: paceOf({ credit, cost: sent.cost, days: LOOK_BACK_DAYS }),
    paid: { cost: BigInt(sent.cost), parts: BigInt(sent.parts) },
  };
}

/** Cost by day, rounded up so that it never sounds cheaper than it was; null where nothing was spent. */
export function paceOf({ credit, cost, days }: { credit: Rial; cost: Rial; days: number }): Pace | null {
  const rialPerDay = learnRialPerPart({ cost, parts: days });
  if (rialPerDay === null) return null;
  return { rialPerDay, daysLeft: credit <= 0 ? null : Math.floor(credit / rialPerDay) };
}

async function readPaid(
  counts: Counts,
  now: Date,
): Promise<{ readonly cost: Rial; readonly parts: number } | null> {
  const to = Math.floor(now.getTime() / 1000);
  try {
    return await counts.sent({ from: to - LOOK_BACK_DAYS * DAY_SECONDS, to });
  } catch {
    return null;
  }
}
