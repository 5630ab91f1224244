import { z } from 'zod';
import type { JobView } from '../ports/stores.ts';
import type { Queryable } from './database.ts';
import { readCounts, readDoubt } from './job-counts.ts';
import { failuresOf, resendsOf } from './resent-in.ts';
import type { Maybe, Row } from './row.ts';

type JobRow = Row<
  'job',
  'id' | 'state' | 'kept' | 'parts' | 'price_rial' | 'hold_until' | 'started_at' | 'ended_at'
> &
  Row<'person', 'name as confirmed_by_name'> &
  Maybe<Row<'person', 'name as approved_by_name' | 'name as stopped_by_name'>> & {
    readonly first_call_at: Date | null;
    readonly stop_reason: JobView['stopReason'];
    readonly miss_reason: JobView['missReason'];
    readonly polling: boolean;
  };

/** What is known of the job that a draft has become; null while it is none. */
export async function readJob(sql: Queryable, draftId: string): Promise<JobView | null> {
  const [row] = await sql<JobRow[]>`
    select j.id, j.state, j.kept, j.hold_until,
      p.name as confirmed_by_name, a.name as approved_by_name, s.name as stopped_by_name,
      j.started_at, j.ended_at, j.poll_after_seconds >= 0 as polling,
      case when j.ended_at is not null then (select min(c.on_wire_at) from attempt c
        where c.job_id = j.id) end as first_call_at, j.parts, j.price_rial,
      case when j.state = 'missed' then null else j.stop_reason end as stop_reason,
      case when j.state = 'missed' then j.stop_reason end as miss_reason
    from job j join person p on p.telegram_id = j.confirmed_by left join person a on a.telegram_id = j.approved_by
      left join person s on s.telegram_id = j.stopped_by
    where j.draft_id = ${draftId}`;
  if (row === undefined) return null;
  const { open, failures, blocked: _, ...counted } = await readCounts(sql, row.id);
  const isOver = row.ended_at !== null;
  return {
    id: row.id,
    state: row.state,
    isEmptied: row.kept !== 'all',
    holdUntil: row.hold_until,
    confirmedByName: row.confirmed_by_name,
    approvedByName: row.approved_by_name,
    stoppedByName: row.stopped_by_name,
    startedAt: row.started_at,
    leftSinceStart: row.state === 'running' ? await leftSinceStart(sql, row.id) : 0,
    endedAt: row.ended_at,
    tookMs:
      row.ended_at === null || row.first_call_at === null
        ? null
        : row.ended_at.getTime() - row.first_call_at.getTime(),
    parts: row.parts,
    priceRial: row.price_rial,
    stopReason: row.stop_reason,
    missReason: row.miss_reason,
    ...counted,
    refusals: await withWords(sql, row.id, counted.refusals),
    doubt: counted.asked === 0 ? null : await readDoubt(sql, row.id),
    resend:
      isOver && failures > 0 && row.kept === 'all'
        ? await readResend(sql, draftId, failures)
        : NOTHING_TO_RESEND,
    settled: isOver && (open === 0 || !row.polling),
  };
}

/** The same with what the gateway said: of an answer that is kept whole, its message. */
async function withWords(
  sql: Queryable,
  jobId: string,
  refusals: JobView['refusals'],
): Promise<JobView['refusals']> {
  if (refusals.length === 0) return refusals;
  const rows = await sql<Row<'attempt', 'outcome' | 'raw'>[]>`
    select distinct on (outcome) outcome, raw from attempt
    where job_id = ${jobId} and state = 'rejected' and outcome = any(${refusals.map(({ name }) => name)}::text[])
    order by outcome, chunk`;
  const said = new Map(rows.map(({ outcome, raw }) => [outcome, messageIn(raw ?? '')]));
  return refusals.map((each) => {
    const words = said.get(each.name) ?? '';
    return words === '' ? each : { ...each, said: words };
  });
}

const envelope = z.object({ return: z.object({ message: z.string() }) }).transform((of) => of.return.message);
const message = envelope.or(z.object({ message: z.string() }).transform((of) => of.message));

/** The message of an answer in the envelope of any version; '' where there is none. */
function messageIn(raw: string): string {
  try {
    return message.catch('').parse(JSON.parse(raw));
  } catch {
    return '';
  }
}

const NOTHING_TO_RESEND: JobView['resend'] = { failures: 0, by: [] };

/** Of a job that has gone on after a pause, what left before it says nothing of its pace now. */
async function leftSinceStart(sql: Queryable, jobId: string): Promise<number> {
  const [row] = await sql<{ recipients: number }[]>`
    select coalesce(sum(a.size), 0)::int as recipients from attempt a join job j on j.id = a.job_id
    where a.job_id = ${jobId} and a.on_wire_at >= j.started_at and a.state not in ('planned', 'reserved', 'on_wire')`;
  return row?.recipients ?? 0;
}

/** Who failed and is in no other send since, and the cards by which others were sent again. */
async function readResend(sql: Queryable, draftId: string, failures: number): Promise<JobView['resend']> {
  const by = await sql<Row<'draft', 'code'>[]>`
    select d.code from ${resendsOf(sql, draftId)} as d join job j on j.draft_id = d.id and j.state <> 'undone' order by j.confirmed_at`;
  if (by.length === 0) return { failures, by: [] };
  const [left] = await sql<{ failures: number }[]>`
    select count(*)::int as failures from ${failuresOf(sql, draftId)} as f`;
  return { failures: left?.failures ?? 0, by: by.map(({ code }) => code) };
}
