import type { TransactionSql } from 'postgres';
import { z } from 'zod';
import { reviewCreditIn } from '../accounts/account-in.ts';
import { forgetAnswerIn } from '../inbox/answers-in.ts';
import { writeAudit } from '../audit.ts';
import type { Queryable } from '../database/database.ts';
import { enqueue } from '../enqueue.ts';
import { jsonText } from '../json.ts';
import { move } from '../move.ts';
import { forgetJobs } from '../../jobs/queue-tables.ts';
import { showResentIn } from './resent-in.ts';
import type { Row } from '../row.ts';

/*
 * A change of a scheduled send is a draft of its own. What it stands for stays as it is until the change is confirmed, and
 * ends in the same transaction in which the change becomes a job. All of this happens while the chat's limits are held.
 */

const changeSchema = z.object({
  replaces: z.object({ jobId: z.uuid(), code: z.string() }).optional(),
  replacedBy: z.string().optional(),
});

/** What a draft stands for once it is confirmed, and what stands for it since; from its details. */
export function readChange(details: unknown): z.infer<typeof changeSchema> {
  return changeSchema.safeParse(details).data ?? {};
}

/**
 * Ends the scheduled send that a draft stands for, in the name of whoever confirmed it; true also where it stands for
 * none. False: that one waits no longer.
 */
export async function replaceIn(
  tx: TransactionSql,
  draft: { readonly id: string; readonly code: string; readonly chat_id: string; readonly details: unknown },
  { personId, updateId }: { readonly personId: number; readonly updateId: number | null },
): Promise<boolean> {
  const { replaces } = readChange(draft.details);
  if (replaces === undefined) return true;
  const off = move(tx, 'job', 'cancel', 'j');
  const [before] = await tx<Row<'job', 'draft_id'>[]>`
    update job j set state = ${off.to}, ended_at = now(), stop_reason = null, stopped_by = ${personId}
    where j.id = ${replaces.jobId} and ${off.may}
      and ${nothingAsked(tx)}
    returning j.draft_id`;
  if (before === undefined) return false;
  await forgetQueued(tx, replaces.jobId);
  await giveBackIn(tx, before.draft_id);
  await tx`
    update draft set details = details || ${jsonText({ replacedBy: draft.code })}::text::jsonb where id = ${before.draft_id}`;
  await writeAudit(tx, {
    chatId: draft.chat_id,
    personId,
    updateId,
    action: 'schedule_cancelled',
    details: { code: replaces.code, jobId: replaces.jobId },
  });
  await enqueue(tx, 'card', { draftId: before.draft_id }, { key: `card:${before.draft_id}` });
  await reviewCreditIn(tx, draft.chat_id);
  return true;
}

/** The condition that nothing of a job `j` was asked of the gateway. Who was left out of it before has a call that never was. */
export function nothingAsked(sql: Queryable) {
  return sql`not exists (
    select 1 from attempt a where a.job_id = j.id and a.state <> 'planned' and a.outcome is distinct from 'blocked')`;
}

/** The condition that a draft `d` stands for a job `j` once it is confirmed. It is of the same chat, by which the index goes. */
export function standsFor(sql: Queryable) {
  return sql`d.chat_id = j.chat_id and d.details -> 'replaces' ->> 'jobId' = j.id::text`;
}

/** Ends what was to stand for a job that waits no longer, and has it told in the chat. */
export async function endChangesIn(tx: TransactionSql, jobId: string): Promise<void> {
  const { to, may } = move(tx, 'draft', 'cancel', 'd');
  const ended = await tx<Row<'draft', 'id'>[]>`
    update draft d set state = ${to}, version = version + 1 from job j
    where j.id = ${jobId} and ${standsFor(tx)} and ${may} and d.expires_at > now() returning d.id`;
  for (const { id: draftId } of ended)
    await enqueue(tx, 'card', { draftId, lapses: true }, { key: `expiry:${draftId}` });
}

/** Nothing that waits in the queue for a job has a reason to come any more. */
export async function forgetQueued(tx: TransactionSql, jobId: string): Promise<void> {
  await forgetJobs(tx, `send:${jobId}`, `missed:${jobId}`);
}

/**
 * Nothing of a confirmed draft has left, and it waits no longer: what it spoke for stands as if it had not been confirmed.
 * Calls that it was to send again are in doubt, a received message has no answer by it, and the card of the send whose
 * failures it holds counts these.
 */
export async function giveBackIn(tx: TransactionSql, draftId: string): Promise<void> {
  const { to, may } = move(tx, 'attempt', 'ask_again');
  await tx`
    update attempt set state = ${to}, settled_by = null
    where ${may} and id in (
      select resent::uuid from draft d, jsonb_array_elements_text(coalesce(d.details -> 'resends', '[]')) as resent
      where d.id = ${draftId})`;
  await forgetAnswerIn(tx, draftId);
  await showResentIn(tx, draftId);
}
