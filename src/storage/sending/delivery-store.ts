import { GONE } from '../../domain/attempt.ts';
import {
  eachReport,
  hearReports,
  isFinal,
  openReports,
  type CallReports,
  type HeardReport,
} from '../../domain/call-reports.ts';
import { stampCorrelation } from '../../ports/correlation.ts';
import type { StatusEntry } from '../../ports/gateway.ts';
import type { DeliveryStore, ReportCursor, ReportPage } from '../../ports/jobs.ts';
import { fileIn, moveReportsIn, type ReportRow } from '../reports/call-reports.ts';
import type { Database } from '../database/database.ts';
import { enqueue } from '../enqueue.ts';
import { watchFailuresIn } from './job-notifications.ts';
import { jsonText } from '../json.ts';
import { listed } from '../move.ts';
import type { Row } from '../row.ts';

/** Reports that are asked for together, whether they share an id or not: of a million no more are in memory. */
export const OPEN_AT_ONCE = 5000;
/** The places of calls begin with 0, and are integers of Postgres. */
const LAST_CALL = 2_147_483_647;
export const CARD_AFTER_MS = 4000;

/** What the gateway reports of accepted messages. */
export function createDeliveryStore({ sql }: Database): DeliveryStore {
  return {
    async unsettled(jobId, after) {
      const [job] = await sql<
        (Row<'job', 'binding_id'> &
          Row<'binding', 'gateway_user as account'> & { age: number; to_file: boolean; to_move: boolean })[]
      >`
        select j.binding_id, b.gateway_user as account, extract(epoch from now() - greatest(
          (select max(ended_at) from attempt where job_id = j.id and state in ${listed(sql, GONE)}), j.leaves_at))::float8 as age,
          exists (select 1 from attempt a where a.job_id = j.id and a.message_ids is not null) as to_file,
          exists (select 1 from delivery) and exists (
            select 1 from attempt a join delivery d on d.attempt_id = a.id where a.job_id = j.id) as to_move
        from job j join binding b on b.id = j.binding_id
        where j.id = ${jobId} and j.poll_after_seconds >= 0`;
      if (job === undefined) return null;
      let { to_file: toFile, to_move: toMove } = job;
      while (toFile) toFile = await sql.begin(async (tx) => await fileIn(tx, jobId));
      while (toMove) toMove = await sql.begin(async (tx) => await moveReportsIn(tx, jobId));
      const page = await pageFrom(jobId, after);
      // The rest has settled in the meantime: what is before that place is looked at in its turn.
      if (page.messageIds.length === 0 && after === undefined) return null;
      return { ...page, bindingId: job.binding_id, account: job.account, ageSeconds: job.age };
    },

    openReports: pageFrom,

    async recordReports(jobId, entries, calls) {
      const heard = toHeard(entries);
      return await sql.begin(async (tx) => {
        const rows = await tx<(ReportRow & Row<'call_report', 'open'> & { numbers: string; now: number })[]>`
          select c.attempt_id, c.open, c.ids, c.marks, c.words, array_to_string(a.recipients, ',') as numbers,
            floor(extract(epoch from now()))::float8 as now
          from call_report c join attempt a on a.id = c.attempt_id
          where c.job_id = ${jobId} and c.open > 0 and c.chunk between ${calls?.from ?? 0} and ${calls?.to ?? LAST_CALL}
          order by c.attempt_id for update of c`;
        let left = 0;
        const changed = rows.flatMap(({ attempt_id: id, open: openBefore, numbers, now, ...before }) => {
          const after = hearReports(before, numbers.split(','), heard, now);
          const open = after === null ? openBefore : openReports(after);
          left += open;
          return after === null ? [] : [{ id, ...after, open }];
        });
        if (changed.length === 0) return { changed: false, left };
        // A card follows its reports as they come in, but not each of them.
        await tx`
          with heard as (
            update call_report c set marks = g.marks, words = g.words, open = g.open
            from json_to_recordset(${jsonText(changed)}::text::json) as g(id uuid, marks text, words jsonb, open int)
            where c.attempt_id = g.id
          )
          select enqueue_job('card', (jsonb_build_object('draftId', draft_id) || ${jsonText(stampCorrelation({}))}::text::jsonb)::json,
            'card:' || draft_id, now() + ${CARD_AFTER_MS}::float8 * interval '1 millisecond', 'earliest') from job where id = ${jobId}`;
        if (entries.some(({ state: { kind } }) => kind === 'failed' || kind === 'blocked'))
          await watchFailuresIn(tx, jobId);
        return { changed: true, left };
      });
    },

    async trackOn(jobId, after) {
      await enqueue(sql, 'track', { jobId, after }, { key: `track:${jobId}` });
    },

    async endPolling(jobId) {
      await sql.begin(async (tx) => {
        const [row] = await tx<Row<'job', 'draft_id'>[]>`
          with ended as (update call_report set open = 0 where job_id = ${jobId} and open > 0)
          update job set poll_after_seconds = -1 where id = ${jobId} returning draft_id`;
        if (row !== undefined)
          await enqueue(tx, 'card', { draftId: row.draft_id }, { key: `card:${row.draft_id}` });
      });
    },

    async moveReports() {
      return await sql.begin(async (tx) => await moveReportsIn(tx));
    },
  };

  async function pageFrom(jobId: string, after?: ReportCursor): Promise<ReportPage> {
    const found = takeOpen(await openFrom(jobId, after?.call ?? 0), after);
    return {
      messageIds: [...new Set(found.map(({ messageId }) => messageId))],
      calls: { from: found[0]?.call ?? 0, to: found.at(-1)?.call ?? 0 },
      next: found.length < OPEN_AT_ONCE ? null : (found.at(-1) ?? null),
    };
  }

  /** The next calls with open reports, of as many recipients as are asked for together, if there are so many. */
  async function openFrom(jobId: string, call: number) {
    // They stand together in an index of their own, whatever else the job has. Of the call at that place some were asked for.
    return await sql<(Omit<ReportRow, 'attempt_id'> & Row<'call_report', 'chunk as call'>)[]>`
      with next as (
        select attempt_id, sum(counted) over (order by chunk) - counted as before from (
          select attempt_id, chunk, case chunk when ${call} then 0 else open end as counted from call_report
          where job_id = ${jobId} and open > 0 and chunk >= ${call} order by chunk limit ${OPEN_AT_ONCE}) as first
      )
      select c.ids, c.marks, c.words, c.chunk as call from next n join call_report c on c.attempt_id = n.attempt_id
      where n.before < ${OPEN_AT_ONCE} order by c.chunk`;
  }
}

/** The open ids of calls behind a place, in their order. */
export function takeOpen(
  rows: readonly (CallReports & { readonly call: number })[],
  after: ReportCursor | undefined,
): ReportCursor[] {
  const found: ReportCursor[] = [];
  for (const { call, ...reports } of rows) {
    const each = eachReport(reports);
    const from = call === after?.call ? each.findLastIndex(({ id }) => id === after.messageId) + 1 : 0;
    for (const { id: messageId, said } of each.slice(from)) {
      if (found.length === OPEN_AT_ONCE) return found;
      if (said !== null && !isFinal(said.kind)) found.push({ call, messageId });
    }
  }
  return found;
}

/** What was reported, by message id. */
export function toHeard(entries: readonly StatusEntry[]): ReadonlyMap<string, readonly HeardReport[]> {
  const reports = entries.map(({ id, recipient = null, state: { kind, raw, text } }) => {
    return { id, recipient, kind, raw: storable(String(raw)), text: storable(text) };
  });
  return Map.groupBy(reports, ({ id }) => id);
}

/** As Postgres keeps a text: whole characters, no NUL. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}
