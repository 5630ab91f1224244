import type { Fragment, Sql } from 'postgres';
import type { JobState } from '../../domain/job.ts';
import { OPERATOR_DIGITS, operatorOf } from '../../domain/operator.ts';
import type { Queryable } from '../database/database.ts';
import { reportRows, reportWords } from './reported.ts';
import type { LeftTally, OperatorTally, RecipientTally, Refusals } from '../../ports/reports.ts';

/** Recipients of whom the same is known: of the same minute, too, and by the same refusal. */
export interface TallyRow extends RecipientTally {
  readonly job: JobState;
  /** The minute of the call, in epoch seconds; null before it was made. */
  readonly at: number | null;
  /** RefusalName, '' where Peyk itself refused; null unless it was refused. */
  readonly outcome: string | null;
}

/** Counts the recipients of some jobs by what is known of them; of a line, those whose message went by it. */
export async function talliesIn(
  sql: Sql,
  jobIds: readonly string[],
  line: string | null,
): Promise<readonly TallyRow[]> {
  if (jobIds.length === 0) return [];
  // Where a call is counted whole, what was said of its recipients is counted already.
  return await sql<TallyRow[]>`
    with call as (
      ${presentCalls(sql, ofJobs(sql, jobIds))}
    ), whole as (
      select * from call where ${line}::text is null or (messages is null and line = ${line})
    ), word as (
      select * from ${reportWords(sql, sql`select * from whole`)} w
    ), said as (
      select attempt_id, kind, raw, text, n from word
      union all
      select a.id, null, '', '', a.size - coalesce((select sum(w.n) from word w where w.attempt_id = a.id), 0) from whole a
      union all
      select r.attempt_id, r.kind, r.raw, r.text, 1
      from ${reportRows(sql, sql`select * from call where messages is not null and ${line}::text is not null`)} r
      join call a on a.id = r.attempt_id
      where coalesce(a.messages -> (r.place - 1)::int ->> 'line', a.line) = ${line}
    )
    select j.state as job, a.state as call, s.kind as delivery, s.text as word, s.raw as "rawState",
      floor(extract(epoch from a.on_wire_at) / 60)::float8 * 60 as at,
      case when a.state = 'rejected' then coalesce(a.outcome, '') end as outcome, sum(s.n)::int as recipients
    from said s join call a on a.id = s.attempt_id join job j on j.id = a.job_id
    where s.n > 0 group by 1, 2, 3, 4, 5, 6, 7`;
}

/** Counts the recipients of the jobs of some drafts by operator; of a line, those whose message went by it. */
export async function operatorsIn(
  sql: Queryable,
  draftIds: readonly string[],
  line: string | null,
): Promise<readonly OperatorTally[]> {
  const rows = await sql<(Omit<OperatorTally, 'operator'> & { readonly prefix: string })[]>`
    with call as (
      ${presentCalls(sql, sql`select id from job where draft_id = any(${[...draftIds]}::uuid[])`)}
    )
    select j.draft_id as "draftId", left(r.number, ${OPERATOR_DIGITS}) as prefix, j.state as job, a.state as call, r.kind as delivery,
      count(*)::int as recipients
    from call a join job j on j.id = a.job_id join ${reportRows(sql, sql`select * from call`)} r on r.attempt_id = a.id
    where r.number is not null
      and (${line}::text is null or coalesce(a.messages -> (r.place - 1)::int ->> 'line', a.line) = ${line})
    group by 1, 2, 3, 4, 5`;
  return rows.map(({ prefix, ...tally }) => ({ ...tally, operator: operatorOf(prefix) }));
}

/** Of one job nothing is said that could be many: a plan that is made once serves for each of them. */
function ofJobs(sql: Sql, jobIds: readonly string[]): Fragment {
  const [one] = jobIds;
  return jobIds.length === 1 && one !== undefined
    ? sql`select ${one}::uuid`
    : sql`select unnest(${[...jobIds]}::uuid[])`;
}

/** The same without minutes, by minutes alone, and the refusals apart. */
export function addUp(rows: readonly TallyRow[]): {
  tallies: (RecipientTally & { job: JobState })[];
  left: (LeftTally & { job: JobState })[];
  refusals: Refusals[];
} {
  const rejected = new Map<string, number>();
  for (const { outcome, recipients } of rows)
    if (outcome !== null) rejected.set(outcome, (rejected.get(outcome) ?? 0) + recipients);
  return {
    tallies: merged(
      rows.map(({ job, call, delivery, word, rawState, recipients }) => ({
        job,
        call,
        delivery,
        word,
        rawState,
        recipients,
      })),
    ),
    left: merged(
      rows.flatMap(({ job, call, delivery, at, recipients }) =>
        at === null ? [] : [{ job, call, delivery, at, recipients }],
      ),
    ).toSorted((one, other) => one.at - other.at),
    refusals: [...rejected]
      .map(([name, recipients]) => ({ name, recipients }))
      .toSorted((one, other) => other.recipients - one.recipients),
  };
}

/** Of the calls of a chunk the latest: one that was made again stands for its recipients no longer. */
export function presentCalls(sql: Queryable, jobIds: Fragment): Fragment {
  return sql`
    select distinct on (job_id, chunk) * from attempt where job_id in (${jobIds}) order by job_id, chunk, n desc`;
}

function merged<T extends { readonly recipients: number }>(rows: readonly T[]): T[] {
  const sums = new Map<string, T>();
  for (const row of rows) {
    const key = JSON.stringify({ ...row, recipients: 0 });
    const known = sums.get(key);
    sums.set(key, known === undefined ? row : { ...known, recipients: known.recipients + row.recipients });
  }
  return [...sums.values()];
}
