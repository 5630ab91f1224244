import type { Fragment } from 'postgres';
import type { JobView, RecipientCounts } from '../../ports/stores.ts';
import type { Queryable } from '../database/database.ts';
import { heldUp } from './held-up.ts';
import { reportWords } from '../reports/reported.ts';

export interface CountRow {
  state: string;
  kind: string | null;
  outcome: string | null;
  recipients: number;
}

/** Where the recipients of a job stand. */
type Counts = Pick<JobView, 'counts' | 'refusals' | 'asked' | 'resent' | 'said'> & {
  /** Those whose report can still change. */
  readonly open: number;
  /** Of the rejected and the failed, those to whom a second try could get through. */
  readonly failures: number;
  /** The others of them: blocked, as a list or a report says. */
  readonly blocked: number;
};

/** Reads where the recipients of a job stand. */
export async function readCounts(sql: Queryable, jobId: string): Promise<Counts> {
  return countUp(await sql<CountRow[]>`select * from ${countRows(sql, sql`${jobId}::uuid`)} n`);
}

/** Of a job, the rows that `countUp` adds up. */
export function countRows(sql: Queryable, jobId: Fragment) {
  // A call counts as a whole, and so do those of its recipients of whom the same was said.
  return sql`(
    with calls as (
      select case when ${heldUp(sql)} then 'held_up' else a.state end as state, a.outcome, sum(a.size)::int as recipients
      from attempt a where a.job_id = ${jobId} group by 1, 2
    ), reports as (
      select a.state, a.outcome, w.kind, sum(w.n)::int as recipients
      from attempt a join ${reportWords(sql, sql`select id from attempt where job_id = ${jobId}`)} w on w.attempt_id = a.id
      where a.job_id = ${jobId} group by 1, 2, 3
    )
    select state, kind, outcome, recipients from reports
    union all
    select 'blocked', null, null, coalesce(sum(cardinality(blocked)), 0)::int from attempt where job_id = ${jobId} and blocked <> '{}'
    union all
    select c.state, null, c.outcome, c.recipients - coalesce(
      (select sum(r.recipients) from reports r where r.state = c.state and r.outcome is not distinct from c.outcome), 0)::int
    from calls c)`;
}

/** Adds up where the recipients of a job stand. */
export function countUp(rows: readonly CountRow[]): Counts {
  const counts = {
    planned: 0,
    onWire: 0,
    accepted: 0,
    rejected: 0,
    unknown: 0,
    delivered: 0,
    failed: 0,
    barred: 0,
    blocked: 0,
  };
  const refusals: { name: string; recipients: number }[] = [];
  let [open, asked, resent, said, failures, blocked] = [0, 0, 0, 0, 0, 0];
  for (const row of rows) {
    if (row.recipients === 0) continue;
    if (row.state === 'closed') {
      resent += row.recipients;
      continue;
    }
    // What the lists show has an id, by which reports are asked for; a person's word has none.
    if (row.state === 'sent' && row.kind === null) {
      said += row.recipients;
      continue;
    }
    if (row.state === 'asked') asked += row.recipients;
    const place = placeOf(row);
    counts[place] += row.recipients;
    if (place === 'accepted') open += row.recipients;
    if (place === 'failed' || place === 'barred' || place === 'rejected') {
      if (row.kind === 'blocked' || (row.state === 'not_sent' && row.outcome === 'blocked'))
        blocked += row.recipients;
      else failures += row.recipients;
    }
    if (row.state === 'rejected' || row.state === 'held_up') {
      refusals.push({ name: row.outcome ?? '', recipients: row.recipients });
    }
  }
  return { counts, refusals, open, asked, resent, said, failures, blocked };
}

/** What is known of the calls that a person is asked about. */
export async function readDoubt(sql: Queryable, jobId: string): Promise<JobView['doubt']> {
  const [row] = await sql<
    { chunks: number[]; found: number; whole: boolean; looks: number; looked_at: number | null }[]
  >`
    select coalesce(array_agg(chunk order by chunk) filter (where state = 'asked'), '{}') as chunks,
      coalesce(sum(size) filter (where state = 'sent' and outcome = 'found'), 0)::int as found,
      coalesce(bool_and(outcome = 'absent') filter (where state = 'asked'), false) as whole,
      coalesce(max(checks) filter (where state = 'asked'), 0)::int as looks,
      max((last_look ->> 'at')::float8) filter (where state = 'asked') as looked_at
    from attempt where job_id = ${jobId}`;
  if (row === undefined) return null;
  const { chunks, found, whole, looks, looked_at: lookedAt } = row;
  return {
    calls: chunks.length,
    seen: spansOf(chunks),
    found,
    listsAreWhole: whole,
    looks,
    lookedAt: lookedAt === null ? null : new Date(lookedAt * 1000),
  };
}

/** Neighbours stand together: a send may have thousands of calls, and each button of its card carries them. */
export function spansOf(chunks: readonly number[]): [number, number][] {
  const spans: [number, number][] = [];
  for (const chunk of chunks) {
    const last = spans.at(-1);
    if (last !== undefined && last[1] === chunk - 1) last[1] = chunk;
    else spans.push([chunk, chunk]);
  }
  return spans;
}

function placeOf({ state, kind }: CountRow): keyof RecipientCounts {
  switch (state) {
    case 'blocked':
      return 'blocked';
    case 'planned':
    case 'reserved':
    case 'held_up':
      return 'planned';
    case 'on_wire':
      return 'onWire';
    case 'rejected':
    case 'not_sent':
      return 'rejected';
    case 'accepted':
    case 'sent':
      if (kind === 'delivered') return 'delivered';
      if (kind === 'blocked') return 'barred';
      return kind === 'failed' ? 'failed' : 'accepted';
    default:
      // Whatever is not proved is not known.
      return 'unknown';
  }
}
