import { z } from 'zod';
import { UNANSWERED } from '../../domain/attempt.ts';
import type { JobView } from '../../ports/stores.ts';
import { isLinked } from '../accounts/gateway-user.ts';
import type { Queryable } from '../database/database.ts';
import { isToSettle, nothingLeft } from './job-charge.ts';
import { countRows, countUp, readDoubt, type CountRow } from './job-counts.ts';
import { listed } from '../move.ts';
import { earlierIn, failuresOf, hasForgotten, resendsOf, restOf } from './resent-in.ts';
import type { Maybe, Row } from '../row.ts';

/** The columns of a job in a statement about its draft. */
export type JobRow = Row<
  'job',
  | 'id as job_id'
  | 'state as job_state'
  | 'kept'
  | 'parts'
  | 'price_rial'
  | 'hold_until'
  | 'started_at'
  | 'ended_at'
  | 'pace_until'
> &
  Row<'person', 'name as confirmed_by_name'> &
  Maybe<Row<'person', 'name as approved_by_name' | 'name as stopped_by_name'>> & {
    readonly first_call_at: Date | null;
    readonly stop_reason: JobView['stopReason'];
    readonly miss_reason: JobView['missReason'];
    readonly polling: boolean;
    readonly to_settle: boolean;
    readonly is_linked: boolean;
    readonly is_again: boolean;
    readonly left_since_start: number;
    readonly counts: readonly CountRow[];
  };

/** What is known of the job `j` that a draft has become, with `jobJoins`; all of it null while it is none. */
export function jobColumns(sql: Queryable) {
  // Of a job that has gone on after a pause, what left before it says nothing of its pace now.
  return sql`d.details ?| array['resends', 'resendOf'] as is_again,
    j.id as job_id, j.state as job_state, j.kept, j.parts, j.price_rial, j.hold_until, j.started_at, j.ended_at, j.pace_until,
    jc.name as confirmed_by_name, ja.name as approved_by_name, js.name as stopped_by_name,
    case when j.state <> 'missed' then j.stop_reason end as stop_reason,
    case when j.state = 'missed' then j.stop_reason end as miss_reason,
    j.poll_after_seconds >= 0 as polling,
    case when j.ended_at is not null then (select min(a.on_wire_at) from attempt a where a.job_id = j.id) end as first_call_at,
    (j.state = 'paused' and ${nothingLeft(sql)}) or ${isToSettle(sql)} as to_settle,
    case j.state when 'scheduled' then ${isLinked(sql)}
      else exists (select 1 from binding l where l.id = j.binding_id and l.state = 'live') end as is_linked,
    case j.state when 'running' then (
      select coalesce(sum(a.size), 0)::int from attempt a
      where a.job_id = j.id and a.on_wire_at >= j.started_at and a.state not in ${listed(sql, UNANSWERED)}) else 0 end as left_since_start,
    case when j.id is not null then (select json_agg(n) from ${countRows(sql, sql`j.id`)} n) end as counts`;
}

/** The tables of `jobColumns`, of a draft `d`. */
export function jobJoins(sql: Queryable) {
  return sql`left join job j on j.draft_id = d.id left join person jc on jc.telegram_id = j.confirmed_by
    left join person ja on ja.telegram_id = j.approved_by left join person js on js.telegram_id = j.stopped_by`;
}

/** Whether a draft has become a job. */
export function hasJob<T extends Maybe<JobRow>>(row: T): row is T & JobRow {
  return row.job_id !== null;
}

/** What is known of the job that a draft has become. */
export async function readJob(sql: Queryable, draftId: string, row: JobRow): Promise<JobView> {
  const { job_id: id, job_state: state, ended_at: endedAt, first_call_at: firstCallAt } = row;
  const { open, failures, blocked: _, ...counted } = countUp(row.counts);
  const isOver = endedAt !== null;
  const isHeldUp = state === 'paused' || state === 'stopped';
  const hasEarlier = row.is_again && isHeldUp && counted.counts.planned > 0 && row.kept === 'all';
  return {
    id,
    state,
    isEmptied: row.kept !== 'all',
    holdUntil: row.hold_until,
    confirmedByName: row.confirmed_by_name,
    approvedByName: row.approved_by_name,
    stoppedByName: row.stopped_by_name,
    startedAt: row.started_at,
    leftSinceStart: row.left_since_start,
    ...(row.pace_until === null ? {} : { waitsUntil: row.pace_until }),
    endedAt,
    tookMs: endedAt === null || firstCallAt === null ? null : endedAt.getTime() - firstCallAt.getTime(),
    parts: row.parts,
    priceRial: row.price_rial,
    stopReason: row.stop_reason,
    isLinked: row.is_linked,
    missReason: row.miss_reason,
    ...counted,
    refusals: await withWords(sql, id, counted.refusals),
    doubt: counted.asked === 0 ? null : await readDoubt(sql, id),
    resend:
      isOver && failures > 0 && row.kept === 'all'
        ? await readResend(sql, draftId, failures)
        : NOTHING_TO_RESEND,
    ...(hasEarlier ? { earlier: await earlierIn(sql, draftId, restOf(sql, draftId)) } : {}),
    settled: isOver && (open === 0 || !row.polling),
    toSettle: row.to_settle,
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
export function messageIn(raw: string): string {
  try {
    return message.catch('').parse(JSON.parse(raw));
  } catch {
    return '';
  }
}

export const NOTHING_TO_RESEND: JobView['resend'] = { failures: 0, by: [] };

/** Who failed and is in no other send since, and the cards by which others were sent again. */
async function readResend(sql: Queryable, draftId: string, failures: number): Promise<JobView['resend']> {
  const by = await sql<Row<'draft', 'code'>[]>`
    select d.code from ${resendsOf(sql, draftId)} as d join job j on j.draft_id = d.id and j.state <> 'undone' order by j.confirmed_at`;
  // Nearly always it is all of them, and they need not be looked through.
  if (by.length === 0 && !(await hasForgotten(sql, draftId))) return { failures, by: [] };
  const [left] = await sql<{ failures: number }[]>`
    select count(*)::int as failures from ${failuresOf(sql, draftId)} as f`;
  return { failures: left?.failures ?? 0, by: by.map(({ code }) => code) };
}
