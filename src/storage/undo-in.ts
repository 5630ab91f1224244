import { randomUUID } from 'node:crypto';
import type { TransactionSql } from 'postgres';
import { z } from 'zod';
import { forgetAnswerIn } from './answers-in.ts';
import { writeAudit } from './audit.ts';
import { BULK_SECONDS } from './bulk-in.ts';
import { enqueueExpiry } from './draft-confirmation.ts';
import { copyDraft } from './draft-copies.ts';
import { enqueue, enqueueGauge } from './enqueue.ts';
import { settleIn } from './job-charge.ts';
import { limitsIn } from './limits-in.ts';
import { move } from './move.ts';
import { showResentIn } from './resent-in.ts';
import type { Row } from './row.ts';
import { doubtResentIn } from './schedule-change.ts';
import { followUpIn } from './series.ts';

/** A draft that came back waits as long as a new one. */
const BACK_SECONDS = 900;
/** By then whoever has undone it has been shown the draft, unless the process ended. */
const SHOWN_MS = 3000;

const undoneSchema = z.object({
  undoOf: z.object({ code: z.string(), by: z.string(), rowsGone: z.boolean() }).exactOptional(),
  backAs: z.string().exactOptional(),
});

/** Which send a draft was and who has undone it, or the draft that an undone send has become; from its details. */
export function readUndone(details: unknown): z.infer<typeof undoneSchema> {
  return undoneSchema.safeParse(details).data ?? {};
}

/** Ends a send within its hold, and makes what it was made of a draft again; false when its hold is over. */
export async function undoIn(
  tx: TransactionSql,
  jobId: string,
  {
    personId,
    updateId,
    timeZone,
  }: { readonly personId: number; readonly updateId: number; readonly timeZone: string },
): Promise<boolean> {
  // As for a start, which holds draft and job: before both.
  const [found] = await tx<Row<'job', 'chat_id'>[]>`select chat_id from job where id = ${jobId}`;
  if (found === undefined) return false;
  await limitsIn(tx, found.chat_id);
  const { to, may } = move(tx, 'job', 'undo', 'j');
  const [row] = await tx<
    (Row<'job', 'draft_id' | 'chat_id' | 'binding_id'> & Row<'draft', 'code' | 'kind'>)[]
  >`
    update job j set state = ${to}, ended_at = now(), stopped_by = ${personId} from draft d
    where j.id = ${jobId} and ${may} and d.id = j.draft_id
    returning j.draft_id, j.chat_id, j.binding_id, d.code, d.kind`;
  if (row === undefined) return false;
  const { draft_id: draftId, chat_id: chatId, binding_id: bindingId, code, kind } = row;
  await settleIn(tx, jobId);
  await writeAudit(tx, { chatId, personId, updateId, action: 'send_undone', details: { code, jobId } });
  await doubtResentIn(tx, draftId);
  await forgetAnswerIn(tx, draftId);
  await followUpIn(tx, draftId, timeZone);
  const id = randomUUID();
  await copyDraft(tx, draftId, { id, but: ['replaces', 'replacedBy', 'backAs'] });
  const seconds = kind === 'bulk' ? BULK_SECONDS : BACK_SECONDS;
  // What it was of a series is made anew by the series itself, and its time is over.
  await tx`
    update draft set send_at = null, recur = null, expires_at = now() + ${seconds} * interval '1 second',
      details = details || jsonb_build_object('undoOf', jsonb_build_object('code', ${code}::text,
        'by', (select name from person where telegram_id = ${personId}),
        'rowsGone', kind = 'bulk' and not exists (select 1 from bulk_source where draft_id = ${id})))
    where id = ${id}`;
  await tx`
    update draft set details = details || jsonb_build_object('backAs', (select code from draft where id = ${id}))
    where id = ${draftId}`;
  await enqueueExpiry(tx, id, seconds);
  await enqueueGauge(tx, { bindingId, draftId: id });
  await enqueue(tx, 'card', { draftId }, { key: `card:${draftId}` });
  await enqueue(tx, 'card', { draftId: id }, { key: `card:${id}`, afterMs: SHOWN_MS });
  await showResentIn(tx, draftId);
  return true;
}
