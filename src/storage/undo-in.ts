import type { TransactionSql } from 'postgres';
import { forgetAnswerIn } from './answers-in.ts';
import { writeAudit } from './audit.ts';
import { bringBackIn } from './draft-back.ts';
import { settleIn } from './job-charge.ts';
import { holdLimits } from './limits-in.ts';
import { move } from './move.ts';
import { showResentIn } from './resent-in.ts';
import type { Row } from './row.ts';
import { doubtResentIn } from './schedule-change.ts';
import { followUpIn } from './series.ts';

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
  await holdLimits(tx, found.chat_id);
  const { to, may } = move(tx, 'job', 'undo', 'j');
  const [row] = await tx<(Row<'job', 'draft_id' | 'chat_id'> & Row<'draft', 'code'>)[]>`
    update job j set state = ${to}, ended_at = now(), stopped_by = ${personId} from draft d
    where j.id = ${jobId} and ${may} and d.id = j.draft_id
    returning j.draft_id, j.chat_id, d.code`;
  if (row === undefined) return false;
  const { draft_id: draftId, chat_id: chatId, code } = row;
  await settleIn(tx, jobId);
  await writeAudit(tx, { chatId, personId, updateId, action: 'send_undone', details: { code, jobId } });
  await doubtResentIn(tx, draftId);
  await forgetAnswerIn(tx, draftId);
  await followUpIn(tx, draftId, timeZone);
  const id = await bringBackIn(tx, draftId);
  // What it was of a series is made anew by the series itself.
  await tx`
    update draft set recur = null,
      details = details || jsonb_build_object('undoOf', jsonb_build_object('code', ${code}::text,
        'by', (select name from person where telegram_id = ${personId}),
        'rowsGone', kind = 'bulk' and not exists (select 1 from bulk_source where draft_id = ${id})))
    where id = ${id}`;
  await showResentIn(tx, draftId);
  return true;
}
