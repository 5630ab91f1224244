import type { TransactionSql } from 'postgres';
import { TAKEN_UP_SECONDS } from '../../domain/draft.ts';
import type { Row } from '../row.ts';
import type { Step } from './step.ts';

/** Calls whose job has ended so long ago are looked at by nobody. */
const KEPT_DAYS = 7;

type DraftId = Row<'draft', 'id'>;

/** Rows of files whose drafts were confirmed, cancelled or have expired, and calls that nothing needs any more: a draft at a time. */
export function fileSteps(): readonly Step[] {
  return [
    {
      name: 'rows of files',
      batch: async (tx) => {
        // What waits for its time can be taken back, and those that follow it in its series have the same rows.
        const [draft] = await tx<DraftId[]>`
          select d.id from draft d where d.id in (select draft_id from bulk_source) and (${isOver(tx)}
            or (d.state = 'confirmed' and not exists (
              select from job j where j.draft_id = d.id and j.state in ('scheduled', 'missed', 'holding'))))
          limit 1 for update of d skip locked`;
        if (draft === undefined) return { removed: 0, more: false };
        const gone = await tx`delete from bulk_source where draft_id = ${draft.id} returning 1`;
        await tx`update draft set details = details || '{"head": []}' where id = ${draft.id}`;
        return { removed: gone.length, more: true };
      },
    },
    {
      name: 'calls of files',
      batch: async (tx) => {
        const [draft] = await tx<DraftId[]>`
          select d.id from draft d left join job j on j.draft_id = d.id
          where d.id in (select draft_id from bulk_call union select draft_id from bulk_skipped) and (${isOver(tx)}
            or (j.ended_at < now() - ${KEPT_DAYS} * interval '1 day' and not exists (
              select from attempt a where a.job_id = j.id and a.state = 'planned' and a.message_keys = '{}')))
          limit 1 for update of d skip locked`;
        if (draft === undefined) return { removed: 0, more: false };
        const calls = await tx`delete from bulk_call where draft_id = ${draft.id} returning 1`;
        const skipped = await tx`delete from bulk_skipped where draft_id = ${draft.id} returning 1`;
        return { removed: calls.length + skipped.length, more: true };
      },
    },
  ];
}

/** Whether a draft `d` is one that nobody will confirm. */
function isOver(tx: TransactionSql) {
  return tx`(
    (d.state = 'cancelled' and d.expires_at <= now())
    or (d.state in ('open', 'asked') and d.expires_at < now() - ${TAKEN_UP_SECONDS} * interval '1 second'))`;
}
