import type { Sql } from 'postgres';
import { eachReport, openReports, startReports, type Said } from '../../src/domain/call-reports.ts';
import { jsonText } from '../../src/storage/json.ts';
import { reportRows } from '../../src/storage/reports/reported.ts';
import type { Row } from '../../src/storage/row.ts';

export interface Reported {
  readonly recipient: string;
  readonly message_id: string | null;
  readonly kind: string | null;
  readonly raw: string;
  readonly text: string;
}

/** Reads what is reported of the recipients of a job who have an id, in the order of its calls. */
export async function readReported(sql: Sql, jobId: string): Promise<Reported[]> {
  return await sql<Reported[]>`
    select r.number as recipient, r.message_id, r.kind, r.raw, r.text
    from attempt a join ${reportRows(sql, sql`select * from attempt where job_id = ${jobId}`)} r on r.attempt_id = a.id
    where r.kind is not null order by a.chunk, r.place`;
}

/** Rewrites what is reported of the recipients of some jobs, as if the gateway had said it. */
export async function rewriteReports(
  sql: Sql,
  jobIds: readonly string[],
  to: (said: Said, number: string, id: string) => Partial<Said>,
): Promise<void> {
  const rows = await sql<
    (Row<'call_report', 'attempt_id' | 'ids' | 'marks' | 'words'> & Row<'attempt', 'recipients'>)[]
  >`
    select c.attempt_id, c.ids, c.marks, c.words, a.recipients from call_report c join attempt a on a.id = c.attempt_id
    where c.job_id = any(${[...jobIds]}::uuid[])`;
  for (const { attempt_id: attemptId, recipients, ...before } of rows) {
    const each = eachReport(before).map(({ id, said }, place) => ({
      id,
      said: said && { ...said, ...to(said, recipients[place] ?? '', id) },
    }));
    const { marks, words } = startReports(
      each.map(({ id }) => id),
      each.map(({ said }) => said),
    );
    await sql`
      update call_report set marks = ${marks}, words = ${jsonText(words)}::text::jsonb,
        open = ${openReports({ ids: '', marks, words })} where attempt_id = ${attemptId}`;
  }
}

/** The jobs that somebody has confirmed. */
export async function jobsOf(sql: Sql, personId: number): Promise<string[]> {
  const rows = await sql<Row<'job', 'id'>[]>`select id from job where confirmed_by = ${personId}`;
  return rows.map(({ id }) => id);
}
