import type { TransactionSql } from 'postgres';
import { UNWRITTEN } from '../../domain/attempt.ts';
import { cardJob, enqueueAll, trackJob } from '../enqueue.ts';
import { showCapUseIn } from './limits-in.ts';
import { listed, move } from '../move.ts';
import type { Row } from '../row.ts';

/**
 * Takes the calls of interrupted jobs back from whoever holds them and has not passed the fence, which then refuses: what
 * has not left by now does not leave, and counts as such at once. One that is at the fence in this very moment is left
 * to it.
 */
export async function takeBackIn(tx: TransactionSql, jobIds: readonly string[]): Promise<void> {
  const { to, may } = move(tx, 'attempt', 'take_back');
  await tx`
    update attempt set state = ${to}, owner = null, epoch = epoch + 1 where id in (
      select id from attempt where job_id = any(${[...jobIds]}::uuid[]) and ${may} for update skip locked)`;
}

/**
 * Holds up a job that runs and has something left; what is on the wire goes on to its answer. Null: there was none.
 * @param personId who has pressed; null: nobody, as what it sends again turns out to have been `answered`.
 */
export async function pauseIn(
  tx: TransactionSql,
  jobId: string,
  personId: number | null,
): Promise<(Row<'job', 'chat_id'> & Row<'draft', 'code'>) | null> {
  const { to, may } = move(tx, 'job', 'pause', 'j');
  const [row] = await tx<(Row<'job', 'draft_id' | 'chat_id'> & Row<'draft', 'code'>)[]>`
    update job j set state = ${to}, stop_reason = ${personId === null ? 'answered' : 'person'}, stopped_by = ${personId}
    from draft d
    where j.id = ${jobId} and ${may} and d.id = j.draft_id and exists (
      select 1 from attempt a where a.job_id = j.id and a.state in ${listed(tx, UNWRITTEN)})
    returning j.draft_id, j.chat_id, d.code`;
  if (row === undefined) return null;
  await takeBackIn(tx, [jobId]);
  await enqueueAll(tx, cardJob(row.draft_id), trackJob(jobId));
  // The rest of one with a pace counts no more until it goes on.
  await showCapUseIn(tx, row.chat_id);
  return row;
}
