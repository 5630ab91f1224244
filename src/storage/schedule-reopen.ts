import type { TransactionSql } from 'postgres';
import { writeRecurrence, type Recurrence } from '../domain/recurrence.ts';
import type { Refused, WaitingPress } from '../ports/schedule.ts';
import { reviewCreditIn } from './account-in.ts';
import { writeAudit } from './audit.ts';
import { BULK_SECONDS } from './bulk-in.ts';
import { enqueueExpiry } from './draft-confirmation.ts';
import { rolesWith } from './draft-press.ts';
import { enqueue, enqueueGauge } from './enqueue.ts';
import { limitsIn } from './limits-in.ts';

/** What was taken back waits for its new confirmation as long as a new draft. */
const REOPENED_SECONDS = 900;

/** A job that waits, held for somebody who may change it. */
export interface HeldJob {
  readonly draft_id: string;
  readonly state: 'scheduled' | 'missed';
  readonly version: number;
  readonly code: string;
  readonly kind: string;
  readonly author_id: string;
  readonly author_name: string;
  /** The chat's account of now. */
  readonly live: string | null;
}

/** Holds the chat's limits, the draft and the job itself, in this order as everywhere. */
export async function holdWaiting(
  tx: TransactionSql,
  { jobId, chatId, personId }: WaitingPress,
): Promise<HeldJob | Refused> {
  await limitsIn(tx, chatId);
  await tx`select 1 from draft where id = (select draft_id from job where id = ${jobId}) for update`;
  const [job] = await tx<(HeldJob & { readonly may: boolean })[]>`
    select j.draft_id, j.state, d.version, d.code, d.kind, d.author_id, p.name as author_name,
      (select b.id from binding b where b.chat_id = j.chat_id and b.state = 'live') as live,
      d.author_id = ${personId} or exists (select 1 from member m where m.chat_id = j.chat_id
        and m.person_id = ${personId} and m.role = any(${rolesWith('send.approve')}::text[])) as may
    from job j join draft d on d.id = j.draft_id join person p on p.telegram_id = d.author_id
    where j.id = ${jobId} and j.chat_id = ${chatId} and j.state in ('scheduled', 'missed')
      and not exists (select 1 from attempt a where a.job_id = j.id and a.state <> 'planned')
    for update of j`;
  if (job === undefined) return { result: 'gone' };
  return job.may ? job : { result: 'not_yours' };
}

/** Makes a held job a draft again. Nothing of it was asked of the gateway, so nothing is lost with its calls. */
export async function reopenIn(
  tx: TransactionSql,
  { jobId, chatId, personId, updateId }: WaitingPress,
  { draft_id: draftId, code, kind, live }: HeldJob,
  { sendAt, recur }: { readonly sendAt?: Date | null; readonly recur?: Recurrence | null },
): Promise<void> {
  await tx`delete from attempt where job_id = ${jobId}`;
  await tx`delete from job where id = ${jobId}`;
  await forgetQueued(tx, jobId);
  const seconds = kind === 'bulk' ? BULK_SECONDS : REOPENED_SECONDS;
  await tx`
    update draft set state = 'open', version = version + 1,
      expires_at = now() + ${seconds} * interval '1 second', binding_id = coalesce(${live}::uuid, binding_id),
      send_at = ${sendAt === undefined ? tx`send_at` : (sendAt?.toISOString() ?? null)},
      recur = ${recur === undefined ? tx`recur` : recur === null ? null : writeRecurrence(recur)}
    where id = ${draftId}`;
  await enqueueExpiry(tx, draftId, seconds);
  if (live !== null) await enqueueGauge(tx, { bindingId: live, draftId });
  await writeAudit(tx, {
    chatId,
    personId,
    updateId,
    action: 'schedule_reopened',
    details: { code, jobId },
  });
  await enqueue(tx, 'card', { draftId }, { key: `card:${draftId}` });
  await reviewCreditIn(tx, chatId);
}

/** Nothing that waits in the queue for a job has a reason to come any more. */
export async function forgetQueued(tx: TransactionSql, jobId: string): Promise<void> {
  await tx`select graphile_worker.remove_job(${`send:${jobId}`}::text)`;
  await tx`select graphile_worker.remove_job(${`missed:${jobId}`}::text)`;
}
