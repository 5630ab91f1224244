import type { MissReason } from '../domain/job.ts';
import { messageCount, withoutBlocked } from '../domain/outgoing.ts';
import { readRecurrence } from '../domain/recurrence.ts';
import type { WaitingSend } from '../ports/schedule.ts';
import type { Queryable } from './database.ts';
import { readOutgoing } from './kinds/details.ts';
import { readPace, type PaceRow } from './pace-in.ts';
import type { Row } from './row.ts';

type WaitingRow = Row<'job', 'id as job_id' | 'draft_id' | 'price_rial' | 'hold_until'> &
  Row<'draft', 'code' | 'recur' | 'kind' | 'details' | 'recipients' | 'blocked' | 'line' | 'text' | 'flash'> &
  PaceRow &
  Row<'person', 'name as author_name'> & {
    readonly state: WaitingSend['state'];
    readonly reason: MissReason | null;
    readonly change: string | null;
  };

/** Sends of a chat that wait for their time, or for somebody's word since it passed; one of them, or a page. */
export async function readWaiting(
  sql: Queryable,
  chatId: string,
  which: { readonly jobId: string } | { readonly skip: number; readonly limit: number },
): Promise<WaitingSend[]> {
  const rows = await sql<WaitingRow[]>`
    select j.id as job_id, j.draft_id, d.code, j.state, j.hold_until, d.recur,
      p.name as author_name, d.kind, d.details, d.recipients, d.blocked, d.line, d.text, d.flash, j.price_rial,
      d.pace_per_hour, d.pace_from, d.pace_to,
      case when j.state = 'missed' then j.stop_reason end as reason,
      (select c.code from draft c where c.chat_id = j.chat_id and c.details -> 'replaces' ->> 'jobId' = j.id::text
        and c.state in ('open', 'asked') and c.expires_at > now() limit 1) as change
    from job j join draft d on d.id = j.draft_id join person p on p.telegram_id = d.author_id
    where j.chat_id = ${chatId} and j.state in ('scheduled', 'missed')
    ${'jobId' in which ? sql`and j.id = ${which.jobId}` : sql`order by j.hold_until, j.id offset ${which.skip} limit ${which.limit}`}`;
  return rows.map((row) => ({
    jobId: row.job_id,
    draftId: row.draft_id,
    code: row.code,
    state: row.state,
    at: row.hold_until,
    recur: readRecurrence(row.recur),
    pace: readPace(row),
    authorName: row.author_name,
    messages: messageCount(withoutBlocked({ ...row, outgoing: readOutgoing(row) }, row.blocked ?? [])),
    priceRial: row.price_rial,
    reason: row.reason,
    change: row.change,
  }));
}
