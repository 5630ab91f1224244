import { GONE } from '../../domain/attempt.ts';
import { kindsWith } from '../../domain/kinds/index.ts';
import type { TimeSpan } from '../../domain/time-range.ts';
import type {
  Estimates,
  OperatorTally,
  RecordedRecipient,
  Refusals,
  ReportedCard,
  ReportedJob,
  ReportedTally,
  TaggedReport,
} from '../../ports/reports.ts';
import type { Database } from '../database/database.ts';
import { addUp, operatorsIn, presentCalls, talliesIn, type TallyRow } from './report-tallies.ts';
import { reportRows, reportWords } from './reported.ts';
import type { Maybe, Row } from '../row.ts';

type CardRow = Row<'draft', 'id as draft_id' | 'code' | 'text' | 'line' | 'tag'> &
  Maybe<Row<'job', 'id as job_id'>> &
  Row<
    'job',
    | 'binding_id'
    | 'state'
    | 'kept'
    | 'stop_reason'
    | 'parts'
    | 'price_rial'
    | 'confirmed_at'
    | 'started_at'
    | 'ended_at'
  > &
  Row<'person', 'name as confirmed_by'> &
  Maybe<Row<'person', 'name as approved_by'>> & {
    readonly one_text: boolean;
    readonly polling: boolean;
    readonly blacklisted: number;
  };

const TAKEN: ReadonlySet<TallyRow['call']> = new Set(GONE);
/** Deliveries whose report can still change. */
const OPEN: ReadonlySet<TallyRow['delivery']> = new Set([null, 'waiting', 'sent', 'unknown']);

/** What Peyk itself knows of what a chat has sent; nothing here asks the gateway. */
export function createReportStore({ sql }: Database) {
  return {
    /** Null where the chat has no such card. */
    async card(chatId: string, code: string): Promise<ReportedCard | null> {
      const [row] = await sql<CardRow[]>`
        select d.id as draft_id, d.code, d.text, d.kind = any(${kindsWith('hasText')}) as one_text, d.line, d.tag, j.id as job_id, j.binding_id, j.state, j.kept,
          confirmer.name as confirmed_by, approver.name as approved_by,
          j.confirmed_at, j.started_at, j.ended_at,
          j.stop_reason, j.parts, j.price_rial, j.poll_after_seconds >= 0 as polling,
          (select coalesce(sum(cardinality(a.blocked)), 0)::int from attempt a where a.job_id = j.id) as blacklisted
        from draft d
        left join job j on j.draft_id = d.id
        left join person confirmer on confirmer.telegram_id = j.confirmed_by
        left join person approver on approver.telegram_id = j.approved_by
        where d.chat_id = ${chatId} and d.code = ${code.toUpperCase()}`;
      if (row === undefined) return null;
      const { draft_id: draftId, text, one_text: isOneText, tag } = row;
      const card = { draftId, code: row.code, text, isOneText, tag };
      if (row.job_id === null) return { ...card, lines: [row.line], job: null };
      const [lines, job] = await Promise.all([linesOf(row.job_id), readJob(row, row.job_id)]);
      return { ...card, lines: lines.length === 0 ? [row.line] : lines, job };
    },

    /** The recipients of a card's job in the order of the calls, at most `limit`; of a line those whose message went by it. */
    async recipients(
      draftId: string,
      limit: number,
      line: string | null = null,
    ): Promise<readonly RecordedRecipient[]> {
      return await sql<RecordedRecipient[]>`
        with call as (
          ${presentCalls(sql, sql`select id from job where draft_id = ${draftId} and kept = 'all'`)}
        )
        select r.number as recipient, a.state as call, r.kind as delivery, r.text as word, r.raw as "rawState",
          r.message_id as "messageId", to_timestamp(r.at) as "checkedAt"
        from call a join ${reportRows(sql, sql`select * from call`)} r on r.attempt_id = a.id
        where ${line}::text is null or coalesce(a.messages -> (r.place - 1)::int ->> 'line', a.line) = ${line}
        order by a.chunk, r.place limit ${limit}`;
    },

    /** The recipients of the sends of some drafts by operator; of a line those whose message went by it. */
    operators: async (draftIds: readonly string[], line: string | null): Promise<readonly OperatorTally[]> =>
      await operatorsIn(sql, draftIds, line),

    /** The recipients of a job whose report is final, by the minute in which it came in; oldest first. */
    async reported(jobId: string): Promise<readonly ReportedTally[]> {
      return await sql<ReportedTally[]>`
        select floor(w.at / 60)::float8 * 60 as at, w.kind as delivery, sum(w.n)::int as recipients
        from ${reportWords(sql, presentCalls(sql, sql`select ${jobId}::uuid`))} w
        where w.kind in ('delivered', 'failed', 'blocked') and w.at is not null
        group by 1, 2 order by 1, 2`;
    },

    /** The sends of a tag that left, or were to leave, in a time; of a line only what went by it. */
    async tagged(
      chatId: string,
      { tag, line }: { readonly tag: string; readonly line: string | null },
      { from, to }: TimeSpan,
    ): Promise<TaggedReport> {
      const jobs = await sql<EstimatedJob[]>`
        select j.id, j.state, j.kept, j.binding_id, d.id as draft_id, d.code, d.text, d.kind = any(${kindsWith('hasText')}) as one_text,
          j.parts, j.price_rial from job j join draft d on d.id = j.draft_id
        where d.chat_id = ${chatId} and d.tag = ${tag} and j.state <> 'undone'
          and j.leaves_at >= to_timestamp(${from}) and j.leaves_at < to_timestamp(${to} + 1)
          and (${line}::text is null or exists (
            select 1 from attempt a left join lateral jsonb_array_elements(a.messages) as m on true
            where a.job_id = j.id and coalesce(m ->> 'line', a.line) = ${line}))
        order by j.leaves_at, d.code`;
      const rows = await talliesIn(
        sql,
        jobs.map(({ id }) => id),
        line,
      );
      return {
        cards: jobs.map(
          ({ draft_id: draftId, binding_id: bindingId, code, state, kept, text, one_text: isOneText }) => ({
            draftId,
            code,
            state,
            isEmptied: kept !== 'all',
            bindingId,
            text: isOneText && kept === 'all' ? text : null,
          }),
        ),
        parts: jobs.reduce((sum, { parts }) => sum + parts, 0),
        estimates: estimatesOf(jobs),
        ...addUp(rows),
      };
    },

    /** Of the sends of a chat that left in a time by an account. */
    async estimates(chatId: string, bindingId: string, { from, to }: TimeSpan): Promise<Estimates> {
      const jobs = await sql<Pick<EstimatedJob, 'price_rial'>[]>`
        select price_rial from job
        where chat_id = ${chatId} and binding_id = ${bindingId} and started_at is not null and state <> 'undone'
          and leaves_at >= to_timestamp(${from}) and leaves_at < to_timestamp(${to} + 1)`;
      return estimatesOf(jobs);
    },

    /** Why calls of a chat were refused in a time, most frequent first. One of which nobody was left was never made. */
    async refusals(chatId: string, { from, to }: TimeSpan): Promise<readonly Refusals[]> {
      return await sql<{ name: string; recipients: number }[]>`
        select coalesce(a.outcome, '') as name, sum(a.size)::int as recipients from attempt a
        where a.binding_id in (select id from binding where chat_id = ${chatId}) and a.state = 'rejected' and a.size > 0
          and a.ended_at >= to_timestamp(${from}) and a.ended_at < to_timestamp(${to} + 1)
        group by 1 order by 2 desc, 1`;
    },
  };

  async function linesOf(jobId: string): Promise<string[]> {
    const rows = await sql<{ line: string }[]>`
      select distinct coalesce(m ->> 'line', a.line) as line
      from attempt a left join lateral jsonb_array_elements(a.messages) as m on true
      where a.job_id = ${jobId}`;
    return rows.map(({ line }) => line);
  }

  async function readJob(row: CardRow, jobId: string): Promise<ReportedJob> {
    const [found, [called]] = await Promise.all([
      talliesIn(sql, [jobId], null),
      sql<{ from: number | null; to: number | null }[]>`
        select floor(extract(epoch from min(on_wire_at)))::float8 as from,
          ceil(extract(epoch from max(ended_at)))::float8 as to
        from attempt where job_id = ${jobId} and on_wire_at is not null and ended_at is not null`,
    ]);
    const open = found.some(({ call, delivery }) => TAKEN.has(call) && OPEN.has(delivery));
    const { from = null, to = null } = called ?? {};
    return {
      id: jobId,
      bindingId: row.binding_id,
      state: row.state,
      isEmptied: row.kept !== 'all',
      confirmedBy: row.confirmed_by,
      approvedBy: row.approved_by,
      confirmedAt: row.confirmed_at,
      startedAt: row.started_at,
      endedAt: row.ended_at,
      stopReason: row.stop_reason,
      parts: row.parts,
      blacklisted: row.blacklisted,
      priceRial: row.price_rial,
      called: from === null || to === null ? null : { from, to },
      settled: row.ended_at !== null && (!open || !row.polling),
      ...addUp(found),
    };
  }
}

type EstimatedJob = Row<'job', 'id' | 'state' | 'kept' | 'binding_id' | 'parts' | 'price_rial'> &
  Row<'draft', 'id as draft_id' | 'code' | 'text'> & { readonly one_text: boolean };

/** A send of which nothing has left costs nothing, and is no send that anybody paid for. */
function estimatesOf(jobs: readonly Pick<EstimatedJob, 'price_rial'>[]): Estimates {
  const paid = jobs.filter(({ price_rial }) => price_rial === null || price_rial > 0);
  return {
    sends: paid.length,
    rial: paid.reduce((sum, { price_rial }) => sum + (price_rial ?? 0), 0),
    unpriced: paid.filter(({ price_rial }) => price_rial === null).length,
  };
}
