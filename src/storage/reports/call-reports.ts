import type { TransactionSql } from 'postgres';
import {
  eachReport,
  openReports,
  startReports,
  type CallReports,
  type Said,
} from '../../domain/call-reports.ts';
import { enqueue } from '../enqueue.ts';
import { jsonText } from '../json.ts';
import type { Row } from '../row.ts';
import { findable } from './sent-numbers.ts';

/** Calls whose reports are begun in one transaction. */
export const FILED_AT_ONCE = 50;
/** Rows of an earlier release that are looked at in one transaction. */
const MOVED_AT_ONCE = 10_000;

/** The reports of a call with its place in the job. */
interface FiledCall extends CallReports {
  readonly attemptId: string;
}

/** Reads one row with its lists as they are kept. */
export type ReportRow = Row<'call_report', 'attempt_id' | 'ids' | 'marks' | 'words'>;

/** Begins the reports of calls that were accepted; true while there may be more. */
export async function fileIn(tx: TransactionSql, jobId: string): Promise<boolean> {
  const rows = await tx<(Row<'attempt', 'id'> & { given: string })[]>`
    select id, array_to_string(message_ids, ',') as given from attempt
    where job_id = ${jobId} and message_ids is not null order by chunk limit ${FILED_AT_ONCE} for update`;
  await nameCallsIn(
    tx,
    rows.map(({ id, given }) => ({ attemptId: id, ids: given.split(',') })),
  );
  await tx`update attempt set message_ids = null where id = any(${rows.map(({ id }) => id)}::uuid[])`;
  return rows.length === FILED_AT_ONCE;
}

/** Gives the recipients of calls the ids that became known, in their order; '' where one did not. Who has an id keeps it. */
export async function nameCallsIn(
  tx: TransactionSql,
  calls: readonly { readonly attemptId: string; readonly ids: readonly string[] }[],
): Promise<void> {
  await addIn(
    tx,
    calls.map(({ attemptId, ids }) => ({ attemptId, each: ids.map((id) => ({ id, said: null })) })),
  );
}

interface Adding {
  readonly attemptId: string;
  /** In the order of the call's recipients. */
  readonly each: readonly { readonly id: string; readonly said: Said | null }[];
}

/** What a call has already goes before what is added. */
async function addIn(tx: TransactionSql, calls: readonly Adding[]): Promise<void> {
  if (calls.length === 0) return;
  const rows = await tx<ReportRow[]>`
    select attempt_id, ids, marks, words from call_report
    where attempt_id = any(${calls.map(({ attemptId }) => attemptId)}::uuid[]) order by attempt_id for update`;
  const known = new Map(rows.map((row) => [row.attempt_id, row]));
  await writeIn(
    tx,
    calls.map(({ attemptId, each }) => ({ attemptId, ...joinReports(known.get(attemptId), each) })),
  );
}

/** Adds to the reports of a call what became known; who has an id keeps it, and who has a report of their own. */
export function joinReports(known: CallReports | undefined, each: Adding['each']): CallReports {
  const before = known === undefined ? [] : eachReport(known);
  const both = each.map(({ id, said }, place) => {
    const had = before[place];
    return {
      id: had === undefined || had.id === '' ? id : had.id,
      said: had?.said?.at === undefined || had.said.at === null ? said : had.said,
    };
  });
  return startReports(
    both.map(({ id }) => id),
    both.map(({ said }) => said),
  );
}

/** Writes the reports of calls down, whether they had any or not, and makes the numbers of new ones findable. */
async function writeIn(tx: TransactionSql, calls: readonly FiledCall[]): Promise<void> {
  if (calls.length === 0) return;
  const rows = calls.map(({ attemptId, ...reports }) => ({
    attempt_id: attemptId,
    ...reports,
    open: openReports(reports),
  }));
  await tx`
    with given as (
      select * from json_to_recordset(${jsonText(rows)}::text::json)
        as g(attempt_id uuid, ids text, marks text, words jsonb, open int)
    ), filed as (
      insert into call_report (attempt_id, job_id, chunk, ids, marks, words, open)
      select a.id, a.job_id, a.chunk, g.ids, g.marks, g.words, g.open from given g join attempt a on a.id = g.attempt_id
      order by a.job_id, a.chunk
      on conflict (attempt_id) do update set ids = excluded.ids, marks = excluded.marks, words = excluded.words, open = excluded.open
      returning attempt_id, xmax = 0 as is_new
    )
    insert into sent_number (attempt_id, tails)
    ${findable(tx, tx`select a.* from filed f join attempt a on a.id = f.attempt_id where f.is_new`)}
    on conflict do nothing`;
}

/**
 * Moves reports that an earlier release has kept row by row, of a job or wherever there are some; true while there may be
 * more. What was moved is gone where it was, so that a run that was cut off is taken up where it stands.
 */
export async function moveReportsIn(tx: TransactionSql, jobId: string | null = null): Promise<boolean> {
  const calls = await tx<(Row<'attempt', 'id'> & { numbers: string })[]>`
    with held as (
      select d.attempt_id from delivery d
      where ${jobId}::uuid is null or d.attempt_id in (select id from attempt where job_id = ${jobId})
      order by d.attempt_id limit ${MOVED_AT_ONCE}
    )
    select a.id, array_to_string(a.recipients, ',') as numbers
    from attempt a where a.id in (select attempt_id from held) order by a.id for update`;
  if (calls.length === 0) {
    if (jobId === null) await showReportsIn(tx);
    return false;
  }
  const rows = await tx<
    (Row<
      'delivery',
      'attempt_id' | 'recipient' | 'message_id' | 'kind' | 'raw_state as raw' | 'raw_text as text'
    > & {
      at: number | null;
    })[]
  >`
    delete from delivery where attempt_id = any(${calls.map(({ id }) => id)}::uuid[])
    returning attempt_id, recipient, message_id, kind, raw_state as raw, raw_text as text,
      floor(extract(epoch from checked_at))::float8 as at`;
  const byCall = Map.groupBy(rows, (row) => row.attempt_id);
  await addIn(
    tx,
    calls.map(({ id: attemptId, numbers }) => {
      const said = new Map((byCall.get(attemptId) ?? []).map((row) => [row.recipient, row]));
      return {
        attemptId,
        each: numbers.split(',').map((number) => {
          const row = said.get(number);
          if (row === undefined) return { id: '', said: null };
          const { kind, raw, text, at } = row;
          return { id: row.message_id, said: { kind, raw, text, at } };
        }),
      };
    }),
  );
  return true;
}

/** Once, when the last program that cannot read these reports is gone: cards show what it made of them. */
async function showReportsIn(tx: TransactionSql): Promise<void> {
  const shown = await tx`
    update deployment set reports_shown_at = now()
    where reports_shown_at is null and not exists (select 1 from process where gone_at is null and not reads_reports)`;
  if (shown.count === 0) return;
  const drafts = await tx<Row<'job', 'draft_id'>[]>`
    select j.draft_id from job j
    where coalesce(j.ended_at, now()) > now() - interval '4 days' and exists (select 1 from call_report c where c.job_id = j.id)`;
  for (const { draft_id: draftId } of drafts)
    await enqueue(tx, 'card', { draftId }, { key: `card:${draftId}` });
}
