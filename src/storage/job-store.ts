import type { TransactionSql } from 'postgres';
import type { AttemptResult, AttemptView, JobState, JobStore, Reservation } from '../ports/stores.ts';
import { writeAudit } from './audit.ts';
import type { Database } from './database.ts';
import { enqueue, enqueueReconcile } from './enqueue.ts';
import { readMessages, readOutgoing } from './outgoing-details.ts';

/**
 * A reservation whose commit was not heard of belongs to nobody who knows of it. It lasts longer than any
 * call takes to reach its fence, and the new epoch keeps out whoever may still come.
 */
const FORGOTTEN_SECONDS = 300;

/**
 * Jobs and their attempts. The states and the moves between them are those of domain/attempt.ts; each
 * move here is one compare-and-set on (state, epoch), so that of several processes exactly one wins.
 */
export function createJobStore({ sql }: Database): JobStore {
  return {
    async draftOf(jobId) {
      const [row] = await sql<{ draft_id: string }[]>`select draft_id from job where id = ${jobId}`;
      return row?.draft_id ?? null;
    },

    async start(jobId) {
      await sql`
        update job set state = 'running', started_at = now()
        where id = ${jobId} and state = 'holding' and hold_until <= now()`;
      const [row] = await sql<{ state: JobState; binding_id: string; wait_ms: number }[]>`
        select state, binding_id, greatest(0, extract(epoch from hold_until - now()) * 1000)::float8 as wait_ms
        from job where id = ${jobId}`;
      return row === undefined ? null : { state: row.state, waitMs: row.wait_ms, bindingId: row.binding_id };
    },

    async undo(jobId, personId, updateId) {
      return await sql.begin(async (tx) => {
        const [row] = await tx<{ draft_id: string; chat_id: string; code: string }[]>`
          update job j set state = 'undone', ended_at = now(), stopped_by = ${personId} from draft d
          where j.id = ${jobId} and j.state = 'holding' and d.id = j.draft_id returning j.draft_id, j.chat_id, d.code`;
        if (row === undefined) return false;
        await writeAudit(tx, {
          chatId: row.chat_id,
          personId: personId,
          updateId: updateId,
          action: 'send_undone',
          details: { code: row.code, jobId },
        });
        await enqueue(tx, 'card', { draftId: row.draft_id }, { key: `card:${row.draft_id}` });
        return true;
      });
    },

    async stop(jobId, reason, personId, updateId) {
      return await sql.begin(async (tx) => {
        const [row] = await tx<{ draft_id: string; chat_id: string; code: string }[]>`
          update job j set state = 'stopped', ended_at = now(), stop_reason = ${reason}, stopped_by = ${personId} from draft d
          where j.id = ${jobId} and j.state in ('holding', 'running') and d.id = j.draft_id
          returning j.draft_id, j.chat_id, d.code`;
        if (row === undefined) return false;
        await writeAudit(tx, {
          chatId: row.chat_id,
          personId: personId,
          updateId: updateId,
          action: 'send_stopped',
          details: { code: row.code, jobId, reason },
        });
        await enqueue(tx, 'card', { draftId: row.draft_id }, { key: `card:${row.draft_id}` });
        await enqueue(tx, 'track', { jobId }, { key: `track:${jobId}` });
        return true;
      });
    },

    async reserve(jobId, owner) {
      return await sql.begin(async (tx) => await reserveIn(tx, jobId, owner));
    },

    async goOnWire(attemptId, epoch) {
      // An answer that comes soon brings the card along; one that does not must not leave it saying "waiting to leave".
      const rows = await sql`
        with fenced as (
          update attempt a set state = 'on_wire', on_wire_at = now()
          where a.id = ${attemptId} and a.state = 'reserved' and a.epoch = ${epoch}
            and exists (select 1 from job j where j.id = a.job_id and j.state = 'running')
            and exists (select 1 from binding b where b.id = a.binding_id and b.state = 'live')
          returning a.job_id
        )
        select graphile_worker.add_job('card', json_build_object('draftId', j.draft_id),
          job_key := 'card:' || j.draft_id, job_key_mode := 'preserve_run_at', run_at := now() + interval '1 second')
        from fenced join job j on j.id = fenced.job_id`;
      return rows.length === 1;
    },

    async release(attemptId, epoch) {
      await sql`
        update attempt set state = 'planned', owner = null, on_wire_at = null
        where id = ${attemptId} and epoch = ${epoch} and state in ('reserved', 'on_wire')`;
    },

    async record(attemptId, epoch, result) {
      await sql.begin(async (tx) => {
        await recordIn(tx, attemptId, epoch, result);
      });
    },

    async finish(jobId) {
      return await sql.begin(async (tx) => {
        const [row] = await tx<{ draft_id: string }[]>`
          update job j set state = 'done', ended_at = now()
          where j.id = ${jobId} and j.state = 'running'
            and not exists (select 1 from attempt a where a.job_id = j.id and a.state in ('planned', 'reserved', 'on_wire'))
          returning draft_id`;
        if (row === undefined) return false;
        await enqueue(tx, 'card', { draftId: row.draft_id }, { key: `card:${row.draft_id}` });
        await enqueue(tx, 'track', { jobId }, { key: `track:${jobId}` });
        return true;
      });
    },

    async owners() {
      const rows = await sql<{ owner: string }[]>`
        select distinct owner from attempt where state in ('reserved', 'on_wire') and owner is not null`;
      return rows.map((row) => row.owner);
    },

    async abandon(owners) {
      return await sql.begin(async (tx) => {
        // `on_wire` was committed before the first byte, so it may have been sent: never back to planned.
        const rows = await tx<{ id: string; job_id: string; draft_id: string; state: string }[]>`
          update attempt a set
            state = case a.state when 'on_wire' then 'unknown' else 'planned' end,
            outcome = case a.state when 'on_wire' then 'owner_gone' else a.outcome end,
            ended_at = case a.state when 'on_wire' then now() else null end,
            epoch = case a.state when 'on_wire' then a.epoch else a.epoch + 1 end,
            owner = case a.state when 'on_wire' then a.owner else null end
          from job j
          where j.id = a.job_id and a.state in ('reserved', 'on_wire') and a.owner = any(${[...owners]}::text[])
          returning a.id, a.job_id, j.draft_id, a.state`;
        for (const { id, job_id: jobId, draft_id: draftId, state } of rows) {
          if (state === 'unknown') await enqueueReconcile(tx, id);
          await enqueue(tx, 'card', { draftId }, { key: `card:${draftId}` });
          await enqueue(tx, 'send', { jobId }, { key: `send:${jobId}` });
        }
        return [...new Set(rows.map((row) => row.job_id))];
      });
    },

    async unsettled(jobId) {
      const rows = await sql<{ binding_id: string; message_id: string; age: number }[]>`
        select a.binding_id, d.message_id, extract(epoch from now() - greatest(min(a.ended_at),
          min(case dr.kind when 'future' then to_timestamp((dr.details ->> 'at')::float8) end)))::float8 as age
        from delivery d join attempt a on a.id = d.attempt_id join job j on j.id = a.job_id join draft dr on dr.id = j.draft_id
        where a.job_id = ${jobId} and d.kind in ('waiting', 'sent', 'unknown') and j.poll_after_seconds >= 0
        group by a.binding_id, d.message_id`;
      const [first] = rows;
      if (first === undefined) return null;
      return {
        bindingId: first.binding_id,
        messageIds: rows.map((row) => row.message_id),
        ageSeconds: Math.max(...rows.map((row) => row.age)),
      };
    },

    async recordStates(jobId, states) {
      return await sql.begin(async (tx) => {
        let changed = 0;
        for (const { messageId, recipient, state } of states) {
          // One state for a whole call (version 1) names no recipient. Delivered is said of all; a failure is that of
          // some, nobody knows whose, so it is kept as the gateway's word and settles no one's report.
          const rows = await tx`
            update delivery d set kind = v.kind, raw_state = v.raw_state, raw_text = ${state.text}, checked_at = now()
            from attempt a
            cross join lateral (
              select ${String(state.raw)}::text as raw_state,
                case when ${recipient}::text is null and ${state.kind} in ('failed', 'blocked') and (
                    select count(*) > 1 from delivery o where o.attempt_id = a.id and o.message_id = ${messageId})
                  then 'unknown' else ${state.kind} end as kind
            ) v
            where a.id = d.attempt_id and a.job_id = ${jobId} and d.message_id = ${messageId}
              and (${recipient}::text is null or d.recipient = ${recipient})
              and d.kind not in ('delivered', 'failed', 'blocked')
              and (d.kind, d.raw_state) is distinct from (v.kind, v.raw_state)
            returning 1`;
          changed += rows.length;
        }
        const [left] = await tx<{ open: number; draft_id: string }[]>`
          select count(d.*)::int as open, j.draft_id
          from job j
          left join attempt a on a.job_id = j.id
          left join delivery d on d.attempt_id = a.id and d.kind in ('waiting', 'sent', 'unknown')
          where j.id = ${jobId} group by j.draft_id`;
        if (changed > 0 && left !== undefined) {
          await enqueue(tx, 'card', { draftId: left.draft_id }, { key: `card:${left.draft_id}` });
        }
        return { changed: changed > 0, open: left?.open ?? 0 };
      });
    },

    async endPolling(jobId) {
      await sql.begin(async (tx) => {
        const [row] = await tx<{ draft_id: string }[]>`
          update job set poll_after_seconds = -1 where id = ${jobId} returning draft_id`;
        if (row !== undefined)
          await enqueue(tx, 'card', { draftId: row.draft_id }, { key: `card:${row.draft_id}` });
      });
    },

    async schedule(jobId, task, afterMs) {
      await sql.begin(async (tx) => {
        await enqueue(tx, task, { jobId }, { key: `${task}:${jobId}`, afterMs });
      });
    },
  };

  async function recordIn(
    tx: TransactionSql,
    attemptId: string,
    epoch: number,
    result: AttemptResult,
  ): Promise<void> {
    const state = result.outcome === 'not_sent' ? 'planned' : result.outcome;
    const outcome =
      result.outcome === 'rejected'
        ? result.name
        : result.outcome === 'accepted'
          ? 'accepted'
          : result.reason;
    // A sweep may have called it unknown while this process was cut off from the database: the answer still counts.
    const [row] = await tx<{ draft_id: string; job_id: string; job_state: JobState }[]>`
      update attempt a set state = ${state}, outcome = ${outcome},
        ended_at = ${result.outcome === 'not_sent' ? null : tx`now()`},
        on_wire_at = ${result.outcome === 'not_sent' ? null : tx`a.on_wire_at`},
        owner = ${result.outcome === 'not_sent' ? null : tx`a.owner`},
        tries = a.tries + 1,
        gateway_code = ${result.outcome === 'rejected' ? result.code : null},
        raw = ${'raw' in result ? result.raw : null}
      from job j
      where j.id = a.job_id and a.id = ${attemptId} and a.epoch = ${epoch}
        and a.state in ('reserved', 'on_wire', 'unknown')
      returning j.draft_id, a.job_id, j.state as job_state`;
    if (row === undefined) return;
    if (result.outcome === 'accepted') {
      await tx`
        insert into delivery (attempt_id, recipient, message_id, kind)
        select ${attemptId}::uuid, m.recipient, m.message_id, 'waiting'
        from unnest(
          ${result.messages.map(({ recipient }) => recipient)}::text[],
          ${result.messages.map(({ messageId }) => messageId)}::text[]
        ) as m(recipient, message_id)
        on conflict do nothing`;
      // The job ended while this call was out: whoever looked for open reports then found none of it.
      if (row.job_state !== 'running')
        await enqueue(tx, 'track', { jobId: row.job_id }, { key: `track:${row.job_id}` });
    }
    if (result.outcome === 'unknown') await enqueueReconcile(tx, attemptId);
    await enqueue(tx, 'card', { draftId: row.draft_id }, { key: `card:${row.draft_id}` });
  }
}

async function reserveIn(tx: TransactionSql, jobId: string, owner: string): Promise<Reservation> {
  const [job] = await tx<{ state: JobState }[]>`select state from job where id = ${jobId} for share`;
  if (job?.state !== 'running') return { ok: false, reason: 'not_running' };
  const [next] = await tx<{ id: string; message_keys: string[]; chat_id: string; prints: string[] }[]>`
    select a.id, a.message_keys, b.chat_id, b.prints from attempt a join binding b on b.id = a.binding_id
    where a.job_id = ${jobId} and (a.state = 'planned'
      or (a.state = 'reserved' and a.reserved_at < now() - ${FORGOTTEN_SECONDS} * interval '1 second'))
    order by a.chunk limit 1 for update of a skip locked`;
  if (next === undefined) return { ok: false, reason: 'none_left' };

  // Two equal messages to the same number must never be in doubt together: nobody could tell which one arrived. The
  // account may have been linked anew in between, or be linked in another chat by the same key.
  await tx`
    select pg_advisory_xact_lock(lock) from (
      select distinct hashtextextended('reserve ' || name, 0) as lock
      from unnest(${[next.chat_id, ...next.prints]}::text[]) as name order by 1
    ) as locks`;
  const [other] = await tx<{ state: string }[]>`
    select a.state from attempt a join binding b on b.id = a.binding_id
    where a.state in ('reserved', 'on_wire', 'unknown', 'asked') and a.id <> ${next.id}
      and (b.chat_id = ${next.chat_id} or b.prints && ${next.prints}::text[])
      and exists (select unnest(a.message_keys) intersect select unnest(${next.message_keys}::text[]))
    order by a.state in ('reserved', 'on_wire') limit 1`;
  if (other !== undefined) {
    const inDoubt = other.state === 'unknown' || other.state === 'asked';
    return { ok: false, reason: inDoubt ? 'earlier_unknown' : 'earlier_in_flight' };
  }
  const [row] = await tx<
    {
      id: string;
      epoch: number;
      line: string;
      recipients: string[];
      text: string;
      flash: boolean;
      kind: string;
      details: unknown;
      messages: unknown;
      binding_id: string;
      tries: number;
    }[]
  >`
    update attempt a set state = 'reserved', epoch = a.epoch + 1, owner = ${owner}, reserved_at = now()
    from job j join draft d on d.id = j.draft_id
    where a.id = ${next.id} and j.id = a.job_id
    returning a.id, a.epoch, a.line, a.recipients, d.text, d.flash, d.kind, d.details, a.messages, a.binding_id,
      a.tries`;
  if (row === undefined) return { ok: false, reason: 'none_left' };
  const attempt: AttemptView = {
    id: row.id,
    jobId,
    bindingId: row.binding_id,
    state: 'reserved',
    epoch: row.epoch,
    line: row.line,
    recipients: row.recipients,
    text: row.text,
    flash: row.flash,
    outgoing: readOutgoing(row),
    messages: readMessages(row.messages),
    tries: row.tries,
  };
  return { ok: true, attempt };
}
