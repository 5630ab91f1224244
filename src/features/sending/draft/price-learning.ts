import { isAppError } from '../../../domain/errors.ts';
import { measureMessage, type Encoding } from '../../../domain/message.ts';
import { learnRialPerPart } from '../../../domain/money.ts';
import {
  addMixes,
  operatorsIn,
  partsIn,
  pricesDiffer,
  pricesOf,
  stillHolds,
  tellingSeconds,
} from '../../../domain/operator-prices.ts';
import { operatorOf } from '../../../domain/operator.ts';
import { longestRuns, mixedSeconds, type Run, type SeenMessage } from '../../../domain/price-runs.ts';
import {
  isKnown,
  NOTHING_PAID,
  type OperatorPrices,
  type Paid,
  type Price,
  type Prices,
} from '../../../domain/price.ts';
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
 * one encoding left is its price. Within such a time, counts of seconds that differ in whom they went to tell what a part
 * to each mobile operator costs, where that differs. Throws what the counts throw.
 * @param known the prices that were learned before
 */
export async function learnPrices(
  counts: Pick<Counts, 'sent'>,
  outbox: Pick<Outbox, 'inRange'> | null,
  now: number,
  known: Prices = NOTHING_PAID,
): Promise<Learned> {
  const span = { from: now - WEEK_DAYS * DAY_SECONDS + 1, to: now };
  const week = await unlessRefused(counts.sent(span));
  const prices: Record<Encoding, Price> = { ...NOTHING_PAID };
  let cost = 0;
  let parts = 0;
  for (const day of splitDays(span).toReversed()) {
    const toRead = isKnown(prices.gsm7) && isKnown(prices.ucs2) ? null : outbox;
    // Where a whole week cannot be counted at once, the pace needs all its days.
    if (week !== null && (toRead === null || parts >= week.parts)) break;
    const sent = await counts.sent(day);
    cost += sent.cost;
    parts += sent.parts;
    if (toRead !== null) await learnEncodings(counts, toRead, { day, sent, prices, known });
  }
  return { prices, rialPerDay: learnRialPerPart({ cost: week?.cost ?? cost, parts: WEEK_DAYS }) };
}

async function learnEncodings(
  counts: Pick<Counts, 'sent'>,
  outbox: Pick<Outbox, 'inRange'>,
  { day, sent, prices, known }: { day: TimeSpan; sent: Sent; prices: Record<Encoding, Price>; known: Prices },
): Promise<void> {
  try {
    const listed = await newest(counts, day, sent);
    if (listed === null) return;
    const messages = await messagesOf(outbox, listed.span);
    for (const run of longestRuns(messages)) {
      if (isKnown(prices[run.encoding])) continue;
      const { from, to } = run;
      const counted = run.parts === listed.sent.parts ? listed.sent : await counts.sent({ from, to });
      // Otherwise something left in that time which the list does not show.
      if (counted.parts !== run.parts) continue;
      const paid = { cost: BigInt(counted.cost), parts: BigInt(counted.parts) };
      prices[run.encoding] = paid;
      const before = known[run.encoding].operators ?? {};
      const operators = await learnOperators(counts, { run, paid, messages, before });
      if (operators !== null) prices[run.encoding] = { ...paid, operators };
    }
  } catch (error) {
    // What was spent is known without it.
    if (!isAppError(error)) throw error;
  }
}

/** What a part to each operator costs, as far as that is known; null where nothing is, or all cost the same. */
async function learnOperators(
  counts: Pick<Counts, 'sent'>,
  {
    run,
    paid,
    messages,
    before,
  }: { run: Run; paid: Paid; messages: readonly SeenMessage[]; before: OperatorPrices },
): Promise<OperatorPrices | null> {
  const seconds = mixedSeconds(messages, run);
  if (seconds === null) return null;
  const all = addMixes(seconds.map(({ mix }) => mix));
  const kept = stillHolds(before, all, paid) ? before : {};
  const [only, ...others] = operatorsIn(all);
  if (only !== undefined && others.length === 0) return { ...kept, [only]: paid };
  const equations = [{ mix: all, cost: Number(paid.cost) }];
  const asked = tellingSeconds(seconds);
  for (const { at, mix } of asked ?? []) {
    const { cost, parts } = await counts.sent({ from: at, to: at });
    // Of a second that is not whole nothing can be said.
    if (parts === partsIn(mix)) equations.push({ mix, cost });
  }
  const found = asked === null || equations.length <= asked.length ? null : pricesOf(equations);
  if (found === null) return Object.keys(kept).length === 0 ? null : kept;
  return pricesDiffer(found) ? { ...kept, ...found } : null;
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
  for (const { date, text, recipient } of await outbox.inRange(day)) {
    // Without its time it could have left in any other's.
    if (date === undefined) return [];
    const { encoding, parts } = measureMessage(text);
    seen.push({
      at: date,
      encoding,
      parts,
      operator: recipient === undefined ? undefined : operatorOf(recipient),
    });
  }
  return seen;
}

async function unlessRefused(question: Promise<Sent>): Promise<Sent | null> {
  return await question.catch((error: unknown) => {
    if (isAppError(error, 'gateway_refused')) return null;
    throw error;
  });
}
