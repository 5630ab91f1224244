import type { Sql } from 'postgres';
import type { RecordedRecipient, ReportedJob, ReportStore } from '../ports/reports.ts';
import type { Database } from './database.ts';

interface CardRow {
  draft_id: string;
  code: string;
  text: string;
  one_text: boolean;
  line: string;
  job_id: string | null;
  state: ReportedJob['state'];
  confirmed_by: string;
  approved_by: string | null;
  confirmed_ms: number;
  started_ms: number | null;
  ended_ms: number | null;
  stop_reason: ReportedJob['stopReason'];
  parts: number;
  polling: boolean;
}

interface TallyRow {
  call: ReportedJob['tallies'][number]['call'];
  delivery: ReportedJob['tallies'][number]['delivery'];
  word: string;
  outcome: string | null;
  recipients: number;
}

/** Deliveries whose report can still change. */
const OPEN: ReadonlySet<TallyRow['delivery']> = new Set([null, 'waiting', 'sent', 'unknown']);

/** Reads what is kept of a chat's jobs. */
export function createReportStore({ sql }: Database): ReportStore {
  return {
    async card(chatId, code) {
      const [row] = await sql<CardRow[]>`
        select d.id as draft_id, d.code, d.text, d.kind not in ('multi', 'pattern') as one_text, d.line, j.id as job_id, j.state,
          confirmer.name as confirmed_by, approver.name as approved_by,
          (extract(epoch from j.confirmed_at) * 1000)::float8 as confirmed_ms,
          (extract(epoch from j.started_at) * 1000)::float8 as started_ms,
          (extract(epoch from j.ended_at) * 1000)::float8 as ended_ms,
          j.stop_reason, j.parts, j.poll_after_seconds >= 0 as polling
        from draft d
        left join job j on j.draft_id = d.id
        left join person confirmer on confirmer.telegram_id = j.confirmed_by
        left join person approver on approver.telegram_id = j.approved_by
        where d.chat_id = ${chatId} and d.code = ${code.toUpperCase()}`;
      if (row === undefined) return null;
      const card = { draftId: row.draft_id, code: row.code, text: row.text, isOneText: row.one_text };
      if (row.job_id === null) return { ...card, lines: [row.line], job: null };
      const [lines, job] = await Promise.all([linesOf(row.job_id), readJob(row, row.job_id)]);
      return { ...card, lines: lines.length === 0 ? [row.line] : lines, job };
    },

    async recipients(draftId, limit) {
      const rows = await sql<RecipientRow[]>`
        select r.number as recipient, a.state as call, d.kind as delivery, coalesce(d.raw_text, '') as word,
          coalesce(d.raw_state, '') as raw_state, coalesce(d.message_id, nullif(a.message_ids[r.place], '')) as message_id,
          (extract(epoch from d.checked_at) * 1000)::float8 as checked_ms
        from (${present(sql, sql`(select id from job where draft_id = ${draftId})`)}) a
        cross join lateral unnest(a.recipients) with ordinality as r(number, place)
        left join delivery d on d.attempt_id = a.id and d.recipient = r.number
        order by a.chunk, r.place limit ${limit}`;
      return rows.map(toRecipient);
    },

    async refusals(chatId, { from, to }) {
      return await sql<{ name: string; recipients: number }[]>`
        select coalesce(a.outcome, '') as name, sum(cardinality(a.recipients))::int as recipients
        from attempt a join job j on j.id = a.job_id
        where j.chat_id = ${chatId} and a.state = 'rejected'
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
    const found = await sql<TallyRow[]>`
      select a.state as call, d.kind as delivery, coalesce(d.raw_text, '') as word,
        case when a.state = 'rejected' then coalesce(a.outcome, '') end as outcome, count(*)::int as recipients
      from (${present(sql, sql`${jobId}`)}) a
      cross join lateral unnest(a.recipients) as r(number)
      left join delivery d on d.attempt_id = a.id and d.recipient = r.number
      group by 1, 2, 3, 4`;
    const rejected = new Map<string, number>();
    for (const { outcome, recipients } of found) {
      if (outcome !== null) rejected.set(outcome, (rejected.get(outcome) ?? 0) + recipients);
    }
    const open = found.some(
      ({ call, delivery }) => (call === 'accepted' || call === 'sent') && OPEN.has(delivery),
    );
    return {
      state: row.state,
      confirmedBy: row.confirmed_by,
      approvedBy: row.approved_by,
      confirmedAt: new Date(row.confirmed_ms),
      startedAt: row.started_ms === null ? null : new Date(row.started_ms),
      endedAt: row.ended_ms === null ? null : new Date(row.ended_ms),
      stopReason: row.stop_reason,
      parts: row.parts,
      settled: row.ended_ms !== null && (!open || !row.polling),
      tallies: found.map(({ call, delivery, word, recipients }) => ({ call, delivery, word, recipients })),
      refusals: [...rejected]
        .map(([name, recipients]) => ({ name, recipients }))
        .toSorted((left, right) => right.recipients - left.recipients),
    };
  }
}

interface RecipientRow {
  recipient: string;
  call: RecordedRecipient['call'];
  delivery: RecordedRecipient['delivery'];
  word: string;
  raw_state: string;
  message_id: string | null;
  checked_ms: number | null;
}

/** Of the calls of a chunk the latest: one that was made again stands for its recipients no longer. */
function present(sql: Sql, jobId: ReturnType<Sql>) {
  return sql`select distinct on (chunk) * from attempt where job_id = ${jobId} order by chunk, n desc`;
}

function toRecipient(row: RecipientRow): RecordedRecipient {
  return {
    recipient: row.recipient,
    call: row.call,
    delivery: row.delivery,
    word: row.word,
    rawState: row.raw_state,
    messageId: row.message_id,
    checkedAt: row.checked_ms === null ? null : new Date(row.checked_ms),
  };
}
