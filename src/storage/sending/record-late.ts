import type { TransactionSql } from 'postgres';
import { heardLate, type AttemptState } from '../../domain/attempt.ts';
import type { LateAnswer } from '../../ports/jobs.ts';
import { writeAudit } from '../audit.ts';
import type { Queryable } from '../database/database.ts';
import { toRow, type CallRecord, type HeldCall } from './call-writes.ts';
import { enqueue, enqueueReconcile } from '../enqueue.ts';
import { knownBefore } from './held-up.ts';
import { raiseIn } from './job-charge.ts';
import { holdLimits } from './limits-in.ts';
import { keepIn } from './limits-store.ts';
import { voidResendsIn } from './resent-in.ts';
import { missIn } from './series.ts';
import { pauseIn } from './take-back.ts';
import type { Maybe, Row } from '../row.ts';

type LateRow = Row<'attempt', 'state' | 'settled_by' | 'recipients' | 'job_id'> &
  Maybe<Row<'person', 'name as settled_by_name'>> &
  Row<'job', 'draft_id' | 'chat_id'> &
  Row<'draft', 'code'> & { readonly was_before: boolean };

type Again = Pick<LateRow, 'chat_id' | 'draft_id'>;

/** What people were told, or have said, that turns out not to be so. */
export const UNTRUE: Partial<Record<AttemptState, LateAnswer['untrue']>> = {
  sent: 'said_sent',
  not_sent: 'said_not_sent',
  closed: 'sent_again',
};

/**
 * Writes down what came of a call that others have gone on without, by the rule of domain/attempt.ts. Where a person has
 * decided otherwise, that is recorded and told; a draft that would send to the same people again is void.
 */
export async function recordLateIn(tx: TransactionSql, given: CallRecord): Promise<void> {
  const [row] = await tx<LateRow[]>`
    select a.state, a.settled_by, p.name as settled_by_name, a.recipients, a.job_id, j.draft_id, j.chat_id, d.code,
      ${knownBefore(tx)} as was_before
    from attempt a join job j on j.id = a.job_id join draft d on d.id = j.draft_id
      left join person p on p.telegram_id = a.settled_by
    where a.id = ${given.id} and a.epoch = ${given.epoch} for update of a`;
  if (row === undefined) return;
  const { outcome } = given.result;
  const state = heardLate(row.state, outcome, row.settled_by !== null);
  if (state === undefined) return;
  const written = toRow(given);
  const ids = outcome === 'accepted' ? idsOf(row.recipients, given.result) : null;
  await tx`
    update attempt set state = ${state}, outcome = ${written.outcome}, tries = tries + 1, gateway_code = ${written.code},
      raw = ${written.raw}, message_ids = ${ids}, ended_at = now()
    where id = ${given.id}`;
  const { job_id: jobId, draft_id: draftId } = row;
  await enqueue(tx, 'card', { draftId }, { key: `card:${draftId}` });
  if (state === 'accepted') await enqueue(tx, 'track', { jobId }, { key: `track:${jobId}` });
  if (state === 'unknown') await enqueueReconcile(tx, given.id);
  const untrue = UNTRUE[row.state];
  // That it was sent is what the person has said.
  if (untrue === undefined || (untrue === 'said_sent' && state === 'accepted')) return;
  if (untrue === 'said_not_sent') {
    await raiseIn(tx, jobId, row.was_before ? given.id : null);
    await voidResendsIn(tx, draftId);
  }
  if (state === 'accepted') {
    const sent = await tx<
      Row<'draft', 'id'>[]
    >`select d.id from draft d where ${sendsAgain(tx, row, given.id)}`;
    for (const { id: draftId } of sent) {
      await voidResendsIn(tx, draftId);
      await enqueue(tx, 'card', { draftId }, { key: `card:${draftId}` });
    }
    await holdAgainIn(tx, row, given.id);
  }
  await tellIn(tx, row, { attemptId: given.id, untrue, outcome: state });
}

/**
 * Holds what would send a call again that people take for not sent, until whoever has it in hand has ended: as all who
 * decide about sends, before the call itself is held. Nothing else is confirmed until the answer is written down.
 */
export async function holdResendsIn(tx: TransactionSql, { id, epoch }: HeldCall): Promise<void> {
  const [of] = await tx<Again[]>`
    select j.draft_id, j.chat_id from attempt a join job j on j.id = a.job_id where a.id = ${id} and a.epoch = ${epoch}`;
  if (of === undefined) return;
  await holdLimits(tx, of.chat_id);
  const [row] = await tx<Row<'attempt', 'state'>[]>`select state from attempt where id = ${id}`;
  if (row === undefined || UNTRUE[row.state] === undefined) return;
  await tx`
    select 1 from draft d join job j on j.draft_id = d.id
    where ${sendsAgain(tx, of, id)} and j.ended_at is null order by d.id for no key update of d, j`;
}

/** What would send again to people who have it asks first, and so does the rest of what has begun to. It is held. */
async function holdAgainIn(tx: TransactionSql, of: LateRow, attemptId: string): Promise<void> {
  const jobs = await tx<(Row<'job', 'id' | 'draft_id' | 'state'> & { readonly is_told: boolean })[]>`
    select j.id, j.draft_id, j.state, d.details ? 'resendOf' and j.stop_reason = 'restored' as is_told from draft d join job j on j.draft_id = d.id
    where ${sendsAgain(tx, of, attemptId)} and j.ended_at is null`;
  for (const { id, draft_id: draftId, state, is_told: isTold } of jobs) {
    await tx`update draft set details = jsonb_set(details, '{resendOf,answered}', 'true') where id = ${draftId}`;
    if (state === 'running') await pauseIn(tx, id, null);
    // What a backup leaves open stays so, and its card says both.
    else if (isTold) continue;
    else if (state === 'paused' || state === 'missed') await keepIn(tx, id, 'answered');
    else await missIn(tx, id, 'answered');
  }
}

/** Whether a confirmed draft `d` sends a call again, or failures of its job; or does the same for one that does so. */
function sendsAgain(sql: Queryable, { chat_id: chatId, draft_id: draftId }: Again, attemptId: string) {
  return sql`(d.chat_id = ${chatId} and d.state = 'confirmed' and d.id in (
    with recursive again as (
      select o.id from draft o where o.chat_id = ${chatId}
        and (o.details -> 'resends' ? ${attemptId} or o.details -> 'resendOf' ->> 'draftId' = ${draftId})
      union select o.id from again g cross join lateral (
          select array_agg(c.id::text) as calls from job k join attempt c on c.job_id = k.id where k.draft_id = g.id) m
        join draft o on o.chat_id = ${chatId} and (o.details -> 'resendOf' ->> 'draftId' = g.id::text or o.details -> 'resends' ?| m.calls)
    ) select id from again))`;
}

/** The ids in the order of those that the attempt has now. */
export function idsOf(
  now: readonly string[],
  { messageIds, recipients = now }: Extract<CallRecord['result'], { outcome: 'accepted' }>,
): string[] {
  const given = new Map(recipients.map((recipient, place) => [recipient, messageIds[place] ?? '']));
  return now.map((recipient) => given.get(recipient) ?? '');
}

async function tellIn(
  tx: TransactionSql,
  of: LateRow,
  {
    attemptId,
    untrue,
    outcome,
  }: { readonly attemptId: string; readonly untrue: LateAnswer['untrue']; readonly outcome: string },
): Promise<void> {
  const { chat_id: chatId, job_id: jobId, code, recipients, settled_by_name: by } = of;
  const details = { code, recipients: recipients.length, sent: outcome === 'accepted' };
  await writeAudit(tx, { chatId, personId: null, updateId: null, action: 'send_heard_late', details });
  const [again] = await tx<Row<'draft', 'code'>[]>`
    select d.code from draft d where ${sendsAgain(tx, of, attemptId)} order by d.created_at desc limit 1`;
  const told = { jobId, untrue, recipients: recipients.length, by: by ?? '', again: again?.code ?? null };
  await enqueue(tx, 'late-answer', told, { key: `late-answer:${attemptId}` });
}
