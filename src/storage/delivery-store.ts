import type { DeliveryStore, ReportCursor } from '../ports/jobs.ts';
import type { Database } from './database.ts';
import { enqueue } from './enqueue.ts';
import { watchFailuresIn } from './job-notifications.ts';
import { jsonText } from './json.ts';
import type { Row } from './row.ts';

/** Calls whose ids become rows in one transaction. */
const FILED_AT_ONCE = 50;
/** Reports that are asked for together, whether they share an id or not: of a million no more are in memory. */
const OPEN_AT_ONCE = 2000;
/** The places of calls begin with 0, and are integers of Postgres. */
const LAST_CALL = 2_147_483_647;
const BEFORE_ALL: ReportCursor = { call: -1, messageId: '' };

/** What the gateway reports of accepted messages. */
export function createDeliveryStore({ sql }: Database): DeliveryStore {
  return {
    async unsettled(jobId, after) {
      while (await file(jobId));
      const [job] = await sql<
        (Row<'job', 'binding_id'> & Row<'binding', 'gateway_user as account'> & { age: number })[]
      >`
        select j.binding_id, b.gateway_user as account, extract(epoch from now() - greatest(
          (select max(ended_at) from attempt where job_id = j.id and state in ('accepted', 'sent')), j.leaves_at))::float8 as age
        from job j join binding b on b.id = j.binding_id
        where j.id = ${jobId} and j.poll_after_seconds >= 0`;
      if (job === undefined) return null;
      const common = { bindingId: job.binding_id, account: job.account, ageSeconds: job.age };
      const { call, messageId } = after ?? BEFORE_ALL;
      const rows = await sql<(Row<'attempt', 'chunk as call'> & Row<'delivery', 'message_id'>)[]>`
        select a.chunk as call, d.message_id
        from attempt a join delivery d on d.attempt_id = a.id
        where a.job_id = ${jobId} and d.kind in ('waiting', 'sent', 'unknown')
          and a.chunk >= ${call} and (a.chunk, d.message_id) > (${call}, ${messageId})
        order by a.chunk, d.message_id limit ${OPEN_AT_ONCE}`;
      const [first, last] = [rows[0], rows.at(-1)];
      if (first === undefined || last === undefined) {
        if (after === undefined) return null;
        // The rest has settled in the meantime: what is before that place is looked at in its turn.
        return { ...common, messageIds: [], calls: { from: call, to: call }, next: null };
      }
      return {
        ...common,
        messageIds: [...new Set(rows.map((row) => row.message_id))],
        calls: { from: first.call, to: last.call },
        next: rows.length < OPEN_AT_ONCE ? null : { call: last.call, messageId: last.message_id },
      };
    },

    async recordStates(jobId, states, calls) {
      return await sql.begin(async (tx) => {
        const given = states.map(({ messageId, recipient, state }) => ({
          message_id: messageId,
          recipient,
          kind: state.kind,
          raw_state: storable(String(state.raw)),
          raw_text: storable(state.text),
        }));
        // One state for a whole call (version 1) names no recipient. Delivered is said of all; a failure is that of
        // some, nobody knows whose, so it is kept as the gateway's word and settles no one's report. Of several words
        // for one report the first that settles it holds, else the last.
        const changed = await tx`
          with given as (
            select g.*, row_number() over () as place from json_to_recordset(${jsonText(given)}::text::json)
              as g(message_id text, recipient text, kind text, raw_state text, raw_text text)
          ), said as (
            select d.attempt_id, d.recipient, g.raw_state, g.raw_text, g.place,
              case when g.recipient is null and g.kind in ('failed', 'blocked') and exists (
                  select 1 from delivery o
                  where o.attempt_id = d.attempt_id and o.message_id = d.message_id and o.recipient <> d.recipient)
                then 'unknown' else g.kind end as kind
            from attempt a join delivery d on d.attempt_id = a.id
            join given g on g.message_id = d.message_id and (g.recipient is null or g.recipient = d.recipient)
            where a.job_id = ${jobId} and a.chunk between ${calls?.from ?? 0} and ${calls?.to ?? LAST_CALL}
              and d.kind not in ('delivered', 'failed', 'blocked')
          ), heard as (
            select distinct on (attempt_id, recipient) * from said
            order by attempt_id, recipient, kind in ('delivered', 'failed', 'blocked') desc,
              case when kind in ('delivered', 'failed', 'blocked') then place else -place end
          )
          update delivery d set kind = h.kind, raw_state = h.raw_state, raw_text = h.raw_text, checked_at = now()
          from heard h
          where d.attempt_id = h.attempt_id and d.recipient = h.recipient
            and d.kind not in ('delivered', 'failed', 'blocked') and (d.kind, d.raw_state) is distinct from (h.kind, h.raw_state)`;
        if (changed.count === 0) return { changed: false };
        const [job] = await tx<Row<'job', 'draft_id'>[]>`select draft_id from job where id = ${jobId}`;
        if (job !== undefined)
          await enqueue(tx, 'card', { draftId: job.draft_id }, { key: `card:${job.draft_id}` });
        if (states.some(({ state }) => state.kind === 'failed' || state.kind === 'blocked'))
          await watchFailuresIn(tx, jobId);
        return { changed: true };
      });
    },

    async trackOn(jobId, after) {
      await sql.begin(async (tx) => {
        await enqueue(tx, 'track', { jobId, after }, { key: `track:${jobId}` });
      });
    },

    async endPolling(jobId) {
      await sql.begin(async (tx) => {
        const [row] = await tx<Row<'job', 'draft_id'>[]>`
          update job set poll_after_seconds = -1 where id = ${jobId} returning draft_id`;
        if (row !== undefined)
          await enqueue(tx, 'card', { draftId: row.draft_id }, { key: `card:${row.draft_id}` });
      });
    },
  };

  /** Turns the ids of some calls into rows; true while there may be more. */
  async function file(jobId: string): Promise<boolean> {
    const [row] = await sql<{ calls: number }[]>`
      with taken as (
        select id from attempt where job_id = ${jobId} and message_ids is not null
        order by chunk limit ${FILED_AT_ONCE} for update
      ), filed as (
        insert into delivery (attempt_id, recipient, message_id, kind)
        select a.id, m.recipient, m.message_id, 'waiting'
        from attempt a join taken using (id)
        cross join lateral unnest(a.recipients, a.message_ids) as m(recipient, message_id)
        where m.message_id <> ''
        on conflict do nothing
      ), emptied as (
        update attempt a set message_ids = null from taken where a.id = taken.id returning 1
      )
      select count(*)::int as calls from emptied`;
    return (row?.calls ?? 0) === FILED_AT_ONCE;
  }
}

/** As Postgres keeps a text: whole characters, no NUL. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '�');
}
