import { isAppError } from '../../domain/errors.ts';
import { measureMessage, type Encoding } from '../../domain/message.ts';
import { learnRialPerPart } from '../../domain/money.ts';
import { longestRuns, type Run, type SeenMessage } from '../../domain/price-runs.ts';
import { addPaid, isTelling, NOTHING_PAID, type Paid, type Prices } from '../../domain/price.ts';
import { DAY_SECONDS, splitDays, type TimeSpan } from '../../domain/time-range.ts';
import type { Counts, Outbox, Rial } from '../../ports/gateway.ts';

type Sent = Awaited<ReturnType<Counts['sent']>>;

export interface Learned {
  readonly prices: Prices;
  /** What was spent a day in the last week, rounded up; null where nothing was. */
  readonly rialPerDay: Rial | null;
}

const WEEK_DAYS = 7;
const MONTH_SECONDS = 30 * DAY_SECONDS;
/** A price needs no more than so many parts: the newest ones, since prices change. */
const ENOUGH_PARTS = 200n;
/** A day with more messages is not read row by row. */
const MOST_ROWS = 2000;

/**
 * Learns what an account pays for a part from what it has paid: the newest days of the last week, until enough was
 * seen. A count tells no encodings; the list of a day does, and a count of a time in which only one encoding left is
 * its price. Throws what the counts throw.
 */
export async function learnPrices(
  counts: Pick<Counts, 'sent'>,
  outbox: Pick<Outbox, 'inRange'> | null,
  now: number,
): Promise<Learned> {
  const span = { from: now - WEEK_DAYS * DAY_SECONDS + 1, to: now };
  const week = await unlessRefused(counts.sent(span));
  if (week?.parts === 0) {
    const month = await unlessRefused(counts.sent({ from: now - MONTH_SECONDS + 1, to: now }));
    return { prices: { ...NOTHING_PAID, all: paidOf(month) }, rialPerDay: null };
  }
  const prices: Record<Encoding | 'all', Paid> = { ...NOTHING_PAID };
  for (const day of splitDays(span).toReversed()) {
    const sent = await counts.sent(day);
    prices.all = addPaid(prices.all, paidOf(sent));
    if (outbox !== null) await learnEncodings(counts, outbox, { day, sent, prices });
    // Where a whole week cannot be counted at once, the pace needs all its days.
    if (week !== null && prices.all.parts >= smaller(BigInt(week.parts), ENOUGH_PARTS)) break;
  }
  const cost = week === null ? Number(prices.all.cost) : week.cost;
  return { prices, rialPerDay: learnRialPerPart({ cost, parts: WEEK_DAYS }) };
}

async function learnEncodings(
  counts: Pick<Counts, 'sent'>,
  outbox: Pick<Outbox, 'inRange'>,
  {
    day,
    sent,
    prices,
  }: { readonly day: TimeSpan; readonly sent: Sent; readonly prices: Record<Encoding, Paid> },
): Promise<void> {
  if (sent.parts === 0 || sent.messages > MOST_ROWS) return;
  if (isTelling(prices.gsm7) && isTelling(prices.ucs2)) return;
  try {
    for (const run of longestRuns(await messagesOf(outbox, day))) {
      if (isTelling(prices[run.encoding])) continue;
      const paid = run.parts === sent.parts ? sent : await counts.sent(spanOf(run));
      // Otherwise something left in that time which the list does not show.
      if (paid.parts === run.parts) prices[run.encoding] = addPaid(prices[run.encoding], paidOf(paid));
    }
  } catch (error) {
    // The price of all is known without it.
    if (!isAppError(error)) throw error;
  }
}

async function messagesOf(outbox: Pick<Outbox, 'inRange'>, day: TimeSpan): Promise<SeenMessage[]> {
  const seen: SeenMessage[] = [];
  for (const { date, text } of await outbox.inRange(day)) {
    // Without its time it could have left in any other's.
    if (date === undefined) return [];
    const { encoding, parts } = measureMessage(text);
    seen.push({ at: date, encoding, parts });
  }
  return seen;
}

function spanOf({ from, to }: Run): TimeSpan {
  return { from, to };
}

function paidOf(sent: Pick<Sent, 'cost' | 'parts'> | null): Paid {
  return sent === null ? NOTHING_PAID.all : { cost: BigInt(sent.cost), parts: BigInt(sent.parts) };
}

async function unlessRefused(question: Promise<Sent>): Promise<Sent | null> {
  return await question.catch((error: unknown) => {
    if (isAppError(error, 'gateway_refused')) return null;
    throw error;
  });
}

function smaller(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
