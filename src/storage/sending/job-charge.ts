import type { TransactionSql } from 'postgres';
import { UNANSWERED, type AttemptState } from '../../domain/attempt.ts';
import { kindOf } from '../../domain/kinds/index.ts';
import type { OutgoingRow } from '../../domain/kinds/kind.ts';
import type { Prices } from '../../domain/price.ts';
import { chargeOf, finalCharge, type Charge } from '../../domain/settlement.ts';
import type { Queryable } from '../database/database.ts';
import { gaugeIn } from '../accounts/gauge-in.ts';
import { heldUp } from './held-up.ts';
import { showCapUseIn } from './limits-in.ts';
import { readMessages, readOutgoing } from './kinds/details.ts';
import { listed } from '../move.ts';
import type { Maybe, Row } from '../row.ts';

/**
 * Calls whose recipients may have been paid for: all but those that surely never left. What is held at this moment may
 * still leave, and what a person has sent again may have left the first time too.
 */
export const SPENT = [
  'reserved',
  'on_wire',
  'accepted',
  'sent',
  'unknown',
  'asked',
  'closed',
] as const satisfies readonly AttemptState[];

/** A job with what its draft says of its messages. */
export type ChargedJob = Row<'job', 'id' | 'chat_id' | 'parts' | 'price_rial' | 'binding_id'> &
  Row<'draft', 'kind' | 'details' | 'text'>;

/**
 * Brings what an ended job counts down to what may have been spent of it: in the transaction that ends it, and again
 * when one of its calls turns out not to have left.
 */
export async function settleIn(tx: TransactionSql, jobId: string): Promise<void> {
  const [job] = await tx<ChargedJob[]>`
    select j.id, j.chat_id, j.parts, j.price_rial, j.binding_id, d.kind, d.details, d.text
    from job j join draft d on d.id = j.draft_id
    where j.id = ${jobId} and ${mayCountLess(tx)} for update of j`;
  if (job !== undefined) await settleJobIn(tx, job);
}

/** A condition: a job `j`, settled as it ended, may count something all the same that surely never left. */
export function isToSettle(sql: Queryable) {
  return sql`(${mayCountLess(sql)} and exists (
    select 1 from attempt a where a.job_id = j.id and a.size > 0 and a.state <> all(${[...SPENT]}::text[])))`;
}

/** A condition: a job `j` has ended, and the text that its messages are counted by is kept. */
function mayCountLess(sql: Queryable) {
  return sql`(j.ended_at is not null and j.parts > 0 and j.kept = 'all')`;
}

/** A condition: no call of a job `j` is to leave any more, or out. */
export function nothingLeft(sql: Queryable) {
  return sql`not exists (
    select 1 from attempt a where a.job_id = j.id and a.state in ${listed(sql, UNANSWERED)})`;
}

/** The same for a job that has ended and is held. */
export async function settleJobIn(tx: TransactionSql, job: ChargedJob): Promise<void> {
  const spent = await chargeIn(tx, job, SPENT);
  if (spent(null).parts >= job.parts) return;
  const reserved = { parts: job.parts, priceRial: job.price_rial };
  const { parts, priceRial } = finalCharge(reserved, spent(await pricesIn(tx, job)));
  await tx`update job set parts = ${parts}, price_rial = ${priceRial} where id = ${job.id}`;
  await showCapUseIn(tx, job.chat_id);
}

/**
 * Brings what a job counts up again: what it no longer counted has left after all, or may have.
 * @param late of a job that has not ended, the call that it went on without
 */
export async function raiseIn(tx: TransactionSql, jobId: string, late: string | null = null): Promise<void> {
  const [job] = await tx<(ChargedJob & { readonly ended: boolean })[]>`
    select j.id, j.chat_id, j.parts, j.price_rial, j.binding_id, d.kind, d.details, d.text, j.ended_at is not null as ended
    from job j join draft d on d.id = j.draft_id
    where j.id = ${jobId} and (j.ended_at is not null or ${late !== null}) for update of j`;
  if (job === undefined) return;
  // Of one that goes on all else is counted as it was.
  const before = job.ended ? { parts: 0, price_rial: 0 } : job;
  const charge = await chargeIn(tx, job, job.ended ? SPENT : [], tx`(not ${job.ended} and a.id = ${late})`);
  const added = charge(await pricesIn(tx, job));
  const parts = before.parts + added.parts;
  const price =
    added.priceRial === null || before.price_rial === null ? null : before.price_rial + added.priceRial;
  // What has no known price now has not been free.
  await tx`
    update job set parts = greatest(parts, ${parts}),
      price_rial = case when ${price !== null || parts <= job.parts} then greatest(price_rial, ${price}) end
    where id = ${jobId}`;
  await showCapUseIn(tx, job.chat_id);
}

/** What a job counts when all that has not left yet leaves too, by the prices of now; and the parts of that rest alone. */
export async function chargeWithRestIn(
  tx: TransactionSql,
  job: ChargedJob,
): Promise<{ readonly all: Charge; readonly rest: Charge }> {
  const prices = await pricesIn(tx, job);
  return {
    all: (await chargeIn(tx, job, [...SPENT, 'planned'], heldUp(tx)))(prices),
    rest: (await chargeIn(tx, job, ['planned'], heldUp(tx)))(prices),
  };
}

async function pricesIn(tx: TransactionSql, { binding_id: bindingId }: ChargedJob): Promise<Prices | null> {
  return (await gaugeIn(tx, bindingId))?.prices ?? null;
}

/** What the calls in some states come to at most, by prices. */
async function chargeIn(
  tx: TransactionSql,
  { id, kind, details, text }: ChargedJob,
  states: readonly AttemptState[],
  also = tx`false`,
): Promise<(prices: Prices | null) => Charge> {
  const stored = readOutgoing({ kind, details });
  // The rows of a file are too many to be measured while people wait for the end of a send.
  const calls = await tx<(Pick<Row<'attempt', 'size'>, 'size'> & Maybe<Row<'attempt', 'recipients'>>)[]>`
    select a.size, case when ${kind} <> 'bulk' then a.recipients end as recipients
    from attempt a where a.job_id = ${id} and (a.state = any(${[...states]}::text[]) or ${also})`;
  const messages = calls.reduce((sum, { size }) => sum + size, 0);
  const outgoing = stored.kind === 'multi' ? { ...stored, rows: await rowsIn(tx, id, states, also) } : stored;
  const lengths = kindOf(outgoing).lengths(
    outgoing,
    text,
    calls.flatMap(({ recipients }) => recipients ?? []),
  );
  return (prices) => chargeOf(lengths, messages, prices);
}

async function rowsIn(
  tx: TransactionSql,
  jobId: string,
  states: readonly AttemptState[],
  also: ReturnType<typeof heldUp>,
): Promise<OutgoingRow[]> {
  const calls = await tx<Row<'attempt', 'messages'>[]>`
    select a.messages from attempt a where a.job_id = ${jobId} and (a.state = any(${[...states]}::text[]) or ${also})`;
  return calls.flatMap(({ messages }) => readMessages(messages) ?? []);
}
