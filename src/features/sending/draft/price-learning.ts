import { isAppError } from '../../../domain/errors.ts';
import { measureMessage, type Encoding } from '../../../domain/message.ts';
import { learnRialPerPart } from '../../../domain/money.ts';
import { longestRuns, type SeenMessage } from '../../../domain/price-runs.ts';
import { isKnown, NOTHING_PAID, type Paid, type Prices } from '../../../domain/price.ts';
import { DAY_SECONDS, splitDays, type TimeSpan } from '../../../domain/time-range.ts';
import type { Counts, Outbox, Rial } from '../../../ports/gateway.ts';

type Sent = Awaited<ReturnType<Counts['sent']>>;

export interface Learned {
  readonly prices: Prices;
  /** What was spent a day in the last week, rounded up; null where nothing was. */
  readonly rialPerDay: Rial | null;
}

const WEEK_DAYS = 7;
/** A list of more messages is not read: the newest time of the day with fewer tells the price as well. */
const MAX_ROWS = 2000;

/**
 * Learns what an account pays for a part of each encoding from what it has paid: the newest days of the last week,
 * until both are known. A count tells no encodings; the list of the same time does, and a count of a time in which only
 * one encoding left is its price. Throws what the counts throw.
 */
export async function learnPrices(
  counts: Pick<Counts, 'sent'>,
  outbox: Pick<Outbox, 'inRange'> | null,
  now: number,
): Promise<Learned> {
  const span = { from: now - WEEK_DAYS * DAY_SECONDS + 1, to: now };
  const week = await unlessRefused(counts.sent(span));
  const prices: Record<Encoding, Paid> = { ...NOTHING_PAID };
  let cost = 0;
  let parts = 0;
  for (const day of splitDays(span).toReversed()) {
    const isLearned = outbox === null || (isKnown(prices.gsm7) && isKnown(prices.ucs2));
    // Where a whole week cannot be counted at once, the pace needs all its days.
    if (week !== null && (isLearned || parts >= week.parts)) break;
    const sent = await counts.sent(day);
    cost += sent.cost;
    parts += sent.parts;
    if (outbox !== null && !isLearned) await learnEncodings(counts, outbox, { day, sent, prices });
  }
  return { prices, rialPerDay: learnRialPerPart({ cost: week?.cost ?? cost, parts: WEEK_DAYS }) };
}

async function learnEncodings(
  counts: Pick<Counts, 'sent'>,
  outbox: Pick<Outbox, 'inRange'>,
  { day, sent, prices }: { day: TimeSpan; sent: Sent; prices: Record<Encoding, Paid> },
): Promise<void> {
  try {
    const listed = await newest(counts, day, sent);
    if (listed === null) return;
    for (const run of longestRuns(await messagesOf(outbox, listed.span))) {
      if (isKnown(prices[run.encoding])) continue;
      const { from, to } = run;
      const paid = run.parts === listed.sent.parts ? listed.sent : await counts.sent({ from, to });
      // Otherwise something left in that time which the list does not show.
      if (paid.parts === run.parts)
        prices[run.encoding] = { cost: BigInt(paid.cost), parts: BigInt(paid.parts) };
    }
  } catch (error) {
    // What was spent is known without it.
    if (!isAppError(error)) throw error;
  }
}

/** The newest time of a day whose messages are few enough to be listed; null where there is none. */
async function newest(
  counts: Pick<Counts, 'sent'>,
  day: TimeSpan,
  all: Sent,
): Promise<{ readonly span: TimeSpan; readonly sent: Sent } | null> {
  let [span, sent] = [day, all];
  while (sent.messages > MAX_ROWS) {
    if (span.from === span.to) return null;
    const middle = Math.ceil((span.from + span.to) / 2);
    const later = { from: middle, to: span.to };
    const inLater = await counts.sent(later);
    [span, sent] = inLater.messages > 0 ? [later, inLater] : [{ from: span.from, to: middle - 1 }, sent];
  }
  return sent.parts === 0 ? null : { span, sent };
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

async function unlessRefused(question: Promise<Sent>): Promise<Sent | null> {
  return await question.catch((error: unknown) => {
    if (isAppError(error, 'gateway_refused')) return null;
    throw error;
  });
}
