import { randomUUID } from 'node:crypto';
import type { Fragment, TransactionSql } from 'postgres';
import { WAITING } from '../../domain/job.ts';
import { writeRecurrence, type Recurrence } from '../../domain/recurrence.ts';
import type { Refused, WaitingPress } from '../../ports/schedule.ts';
import { reviewCreditIn } from '../accounts/account-in.ts';
import { writeAudit } from '../audit.ts';
import type { Queryable } from '../database/database.ts';
import { copyDraft } from './draft-copies.ts';
import { enqueueExpiry, openUntil, secondsLeft } from './draft-expiry.ts';
import { rolesWith } from './draft-press.ts';
import { enqueue, enqueueGauge } from '../enqueue.ts';
import { jsonText } from '../json.ts';
import { holdLimits } from './limits-in.ts';
import { canBeDecided, listed, move } from '../move.ts';
import { endChangesIn, forgetQueued, giveBackIn, nothingAsked, standsFor } from './schedule-change.ts';
import type { Row } from '../row.ts';

/** A job that waits, held for somebody who may change it. */
export type HeldJob = Row<'job', 'draft_id' | 'hold_until'> &
  Row<'draft', 'version' | 'code' | 'author_id' | 'details'> &
  Row<'person', 'name as author_name'> & {
    readonly state: 'scheduled' | 'missed';
    /** The chat's account of now. */
    readonly live: string | null;
  };

/** Holds the chat's limits and the job itself, in this order as everywhere. */
export async function holdWaiting(
  tx: TransactionSql,
  { jobId, chatId, personId }: WaitingPress,
): Promise<HeldJob | Refused> {
  await holdLimits(tx, chatId);
  const [job] = await tx<(HeldJob & { readonly may: boolean })[]>`
    select j.draft_id, j.state, d.version, d.code, d.author_id, p.name as author_name, j.hold_until, d.details,
      (select b.id from binding b where b.chat_id = j.chat_id and b.state = 'live') as live,
      d.author_id = ${personId} or exists (select 1 from member m where m.chat_id = j.chat_id
        and m.person_id = ${personId} and m.role = any(${rolesWith('send.approve')}::text[])) as may
    from job j join draft d on d.id = j.draft_id join person p on p.telegram_id = d.author_id
    where j.id = ${jobId} and j.chat_id = ${chatId} and j.state in ${listed(tx, WAITING)}
      and ${nothingAsked(tx)}
    for update of j`;
  if (job === undefined) return { result: 'gone' };
  return job.may ? job : { result: 'not_yours' };
}

/**
 * Makes a draft that stands for a held job once it is confirmed, or gives the one that is open already a change more. The
 * job stays as it is. Of an account that was linked anew, the draft is the new one's.
 */
export async function changeIn(
  tx: TransactionSql,
  { jobId, chatId, personId, updateId }: WaitingPress,
  { draft_id: draftId, code, live, hold_until: holdUntil }: HeldJob,
  when: { readonly sendAt: Date | null; readonly recur: Recurrence | null } | undefined,
): Promise<{ readonly draftId: string; readonly code: string }> {
  const edit = move(tx, 'draft', 'edit', 'd');
  const change = async (where: Fragment) => {
    const [changed] = await tx<(Row<'draft', 'id as draftId' | 'code'> & { readonly seconds: number })[]>`
      update draft d set state = ${edit.to}, version = version + 1, expires_at = ${openUntil(tx)},
        binding_id = coalesce(${live}::uuid, d.binding_id),
        send_at = ${when === undefined ? tx`send_at` : (when.sendAt?.toISOString() ?? null)},
        recur = ${when === undefined ? tx`recur` : when.recur === null ? null : writeRecurrence(when.recur)}
      from job j where j.id = ${jobId} and ${where} and ${edit.may} returning d.id as "draftId", code, ${secondsLeft(tx)} as seconds`;
    return changed;
  };
  let changed = await change(tx`${standsFor(tx)} and ${canBeDecided(tx, 'd')}`);
  if (changed === undefined) {
    const id = randomUUID();
    await copyDraft(tx, draftId, { id, but: ['replacedBy', 'undoOf', 'againOf', 'saidBy', 'textBy'] });
    await tx`
      update draft set details = details || ${jsonText({ replaces: { jobId, code } })}::text::jsonb || ${slotOf(tx, holdUntil)}
      where id = ${id}`;
    await writeAudit(tx, {
      chatId,
      personId,
      updateId,
      action: 'schedule_reopened',
      details: { code, jobId },
    });
    changed = await change(tx`d.id = ${id}`);
    if (changed === undefined) throw new Error('a draft that was just made cannot be changed');
  }
  await enqueueExpiry(tx, changed.draftId, changed.seconds);
  if (live !== null) await enqueueGauge(tx, { bindingId: live, draftId: changed.draftId });
  return changed;
}

/**
 * Makes a missed job a draft again that leaves at once. Nothing of it was asked of the gateway; what it once stood for is off
 * the schedule since it was confirmed.
 */
export async function reopenIn(
  tx: TransactionSql,
  { jobId, chatId, personId, updateId }: WaitingPress,
  { draft_id: draftId, code, live, hold_until: holdUntil }: HeldJob,
): Promise<void> {
  await endChangesIn(tx, jobId);
  await tx`delete from attempt where job_id = ${jobId}`;
  await tx`delete from job where id = ${jobId}`;
  await forgetQueued(tx, jobId);
  await giveBackIn(tx, draftId);
  const { to, may } = move(tx, 'draft', 'reopen');
  const [reopened] = await tx<{ readonly seconds: number }[]>`
    update draft set state = ${to}, version = version + 1, expires_at = ${openUntil(tx)},
      binding_id = coalesce(${live}::uuid, binding_id), send_at = null, details = details - 'replaces' || ${slotOf(tx, holdUntil)}
    where id = ${draftId} and ${may} returning ${secondsLeft(tx)} as seconds`;
  await enqueueExpiry(tx, draftId, reopened?.seconds ?? 0);
  if (live !== null) await enqueueGauge(tx, { bindingId: live, draftId });
  await writeAudit(tx, { chatId, personId, updateId, action: 'schedule_reopened', details: { code, jobId } });
  await enqueue(tx, 'card', { draftId }, { key: `card:${draftId}` });
  await reviewCreditIn(tx, chatId);
}

/**
 * Of a send of a series, which of the rule's times it is, whenever it leaves: what follows it comes behind that one. By
 * another rule it is none of them.
 */
function slotOf(sql: Queryable, holdUntil: Date) {
  return sql`case when recur is null or details -> 'slot' ->> 'rule' = recur then '{}'
    else jsonb_build_object('slot', jsonb_build_object('rule', recur, 'at', ${holdUntil.toISOString()}::timestamptz)) end`;
}
