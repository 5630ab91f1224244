import type { TransactionSql } from 'postgres';
import { GONE } from '../../domain/attempt.ts';
import { NOT_ENDED } from '../../domain/job.ts';
import type { JobControl, LetGo } from '../../ports/jobs.ts';
import { doneBefore, writeAudit } from '../audit.ts';
import type { Database, Queryable } from '../database/database.ts';
import { createDecide } from './decide.ts';
import { bringBackIn } from './draft-back.ts';
import { cardJob, enqueueAll, enqueueBy, gaugeJob, trackJob } from '../enqueue.ts';
import { type ChargedJob, isToSettle, nothingLeft, settleIn, settleJobIn } from './job-charge.ts';
import { freshly, tellJobIn, type ToldJob } from './job-notifications.ts';
import { resumeIn } from './job-resume.ts';
import { holdLimits } from './limits-in.ts';
import { canBeDecided, listed, move } from '../move.ts';
import type { Row } from '../row.ts';
import { giveBackIn } from './schedule-change.ts';
import { LATE_SECONDS, startDueIn } from './schedule-start.ts';
import { followUpIn } from './series.ts';
import { pauseIn, takeBackIn } from './take-back.ts';

type StartRow = Row<'job', 'id' | 'draft_id' | 'chat_id' | 'state' | 'binding_id'> &
  Row<'binding', 'gateway_user as account'> & { readonly is_due: boolean; readonly wait_ms: number };

/** A job that has just ended; `first_ms`: how long ago its first call was accepted. */
type Ended = ChargedJob & ToldJob & { readonly first_ms: number | null };

/** Before that the gateway can tell nothing of a message that it has accepted. */
export const REPORTS_AFTER_MS = 1000;

/** What people and the clock do to whole jobs; each change is one compare-and-set on the state. */
export function createJobControl(
  database: Database,
  timeZone: string,
  decide = createDecide(database),
): JobControl {
  const { sql } = database;
  return {
    async draftOf(jobId) {
      const [row] = await sql<Row<'job', 'draft_id'>[]>`select draft_id from job where id = ${jobId}`;
      return row?.draft_id ?? null;
    },

    async start(jobId) {
      const found = await readStart(jobId);
      if (found === null) return null;
      const isStarted =
        found.is_due && (await sql.begin(async (tx) => await startDueIn(tx, found, timeZone)));
      const row = found.is_due && !isStarted ? await readStart(jobId) : found;
      if (row === null) return null;
      const state = isStarted ? 'running' : row.state;
      const waits = state === 'scheduled' || state === 'holding';
      return { state, waitMs: waits ? row.wait_ms : 0, bindingId: row.binding_id, account: row.account };
    },

    undo: async (jobId, personId, updateId) =>
      await decide(async (tx) => await undoIn(tx, jobId, { personId, updateId, timeZone })),

    async lastLetGo(chatId, personId, updateId) {
      const before = await doneBefore(sql, { chatId, updateId }, 'send_undone', 'draft_cancelled');
      if (before !== null) return await undoneBy(before.details);
      const canUndo = sql`${move(sql, 'job', 'undo', 'j').may} and j.hold_until > j.confirmed_at`;
      const isOwn = sql`coalesce(${personId} in (d.author_id, j.confirmed_by, j.approved_by), false)`;
      // What Telegram has brought has a number above zero; answers of rules and sends for dates have one below.
      const [row] = await sql<
        (Row<'job', 'id' | 'draft_id'> & { readonly can_undo: boolean; readonly is_own: boolean })[]
      >`
        select j.id, j.draft_id, ${canUndo} as can_undo, ${isOwn} as is_own
        from job j join draft d on d.id = j.draft_id
        where j.chat_id = ${chatId} and j.leaves_at > now() - interval '1 week' and j.state in ${listed(sql, NOT_ENDED)}
          and (${canUndo} or (${isOwn} and d.source_update > 0)) and not exists (
            select from draft o
            where o.chat_id = ${chatId} and o.author_id = ${personId} and ${canBeDecided(sql, 'o')}
              and o.created_at > j.confirmed_at)
        order by ${isOwn} and ${canUndo} desc, j.confirmed_at desc limit 1`;
      if (row === undefined) return null;
      return { jobId: row.id, draftId: row.draft_id, canUndo: row.can_undo, isOwn: row.is_own };
    },

    async stop(jobId, reason, personId, updateId) {
      return await decide(async (tx) => {
        if (!(await holdLimitsOfJob(tx, jobId))) return false;
        const { to, may } = move(tx, 'job', 'stop', 'j');
        const [row] = await tx<(Ended & Row<'draft', 'code'>)[]>`
          update job j set state = ${to}, ended_at = now(), stop_reason = ${reason}, stopped_by = ${personId} from draft d
          where j.id = ${jobId} and ${may} and d.id = j.draft_id
          returning ${endedColumns(tx)}, d.code`;
        if (row === undefined) return await isDone(tx, { jobId, updateId }, 'send_stopped');
        await writeAudit(tx, {
          chatId: row.chat_id,
          personId,
          updateId,
          action: 'send_stopped',
          details: { code: row.code, jobId, reason },
        });
        await takeBackIn(tx, [jobId]);
        await settleJobIn(tx, row);
        // What follows one that has begun is there; one that has not may never begin.
        await followUpIn(tx, row.draft_id, timeZone);
        await endIn(tx, row);
        await tellJobIn(tx, row, { event: 'stopped', reason, byPerson: personId !== null });
        return true;
      });
    },

    async pause({ jobId, personId, updateId }) {
      return await decide(async (tx) => {
        const row = await pauseIn(tx, jobId, personId);
        if (row === null) return await isDone(tx, { jobId, updateId }, 'send_paused');
        await writeAudit(tx, {
          chatId: row.chat_id,
          personId,
          updateId,
          action: 'send_paused',
          details: { code: row.code, jobId },
        });
        return true;
      });
    },

    async resume(press) {
      const { jobId, personId, updateId } = press;
      return await decide(async (tx) => {
        const done = await resumeIn(tx, press);
        if (done.result !== 'resumed') return done;
        const [row] = await tx<(Row<'job', 'chat_id'> & Row<'draft', 'code'>)[]>`
          select j.chat_id, d.code from job j join draft d on d.id = j.draft_id where j.id = ${jobId}`;
        const { recipients, approved } = done;
        await writeAudit(tx, {
          chatId: row?.chat_id ?? null,
          personId,
          updateId,
          action: 'send_resumed',
          details: { code: row?.code ?? '', jobId, recipients, approved },
        });
        return done;
      });
    },

    finish: async (jobId) =>
      await sql.begin(async (tx) => await finishIn(tx, jobId, move(tx, 'job', 'finish', 'j'))),

    async settle(draftId) {
      const [job] = await sql<Row<'job', 'id' | 'state'>[]>`
        select j.id, j.state from job j where j.draft_id = ${draftId} and (j.state = 'paused' or ${isToSettle(sql)})`;
      if (job === undefined) return;
      await sql.begin(async (tx) => {
        if (job.state === 'paused') await finishIn(tx, job.id, move(tx, 'job', 'run_out', 'j'));
        else await settleIn(tx, job.id);
      });
    },

    async schedule(jobId, task, afterMs) {
      await enqueueBy(sql, task, { jobId }, { key: `${task}:${jobId}`, afterMs });
    },
  };

  /** The send that an update has undone before; null: it ended a draft then, which is all that it means. */
  async function undoneBy({ jobId }: Readonly<Record<string, unknown>>): Promise<LetGo | null> {
    if (typeof jobId !== 'string') return null;
    const [job] = await sql<Row<'job', 'draft_id'>[]>`select draft_id from job where id = ${jobId}`;
    return job === undefined ? null : { jobId, draftId: job.draft_id, canUndo: true, isOwn: true };
  }

  /** One that is due and has not started waits for the switch, until it is late. */
  async function readStart(jobId: string): Promise<StartRow | null> {
    const [row] = await sql<StartRow[]>`
      select j.id, j.draft_id, j.chat_id, j.state, j.binding_id, b.gateway_user as account,
        ${move(sql, 'job', 'start', 'j').may} and j.hold_until <= now() as is_due,
        (extract(epoch from case when j.hold_until > now() then j.hold_until - now()
          else greatest(interval '1 second', j.hold_until + ${LATE_SECONDS} * interval '1 second' - now()) end) * 1000)::float8 as wait_ms
      from job j join binding b on b.id = j.binding_id where j.id = ${jobId}`;
    return row ?? null;
  }
}

async function finishIn(
  tx: TransactionSql,
  jobId: string,
  { to, may }: ReturnType<typeof move>,
): Promise<boolean> {
  const [row] = await tx<(Ended & { is_fresh: boolean })[]>`
    update job j set state = ${to}, ended_at = now(), stop_reason = null, stopped_by = null from draft d
    where j.id = ${jobId} and ${may} and d.id = j.draft_id
      and ${nothingLeft(tx)}
    returning ${endedColumns(tx)}, ${freshly(tx)} as is_fresh`;
  if (row === undefined) return false;
  await settleJobIn(tx, row);
  await endIn(tx, row);
  await tellJobIn(tx, row, { event: 'ended', isFresh: row.is_fresh });
  return true;
}

/** Whether an update that is handled once more has done it then. */
async function isDone(
  tx: TransactionSql,
  { jobId, updateId }: { readonly jobId: string; readonly updateId: number | null },
  action: string,
): Promise<boolean> {
  const [job] = await tx<Row<'job', 'chat_id'>[]>`select chat_id from job where id = ${jobId}`;
  return job !== undefined && (await doneBefore(tx, { chatId: job.chat_id, updateId }, action)) !== null;
}

/** Of a job `j` and its draft `d`. */
function endedColumns(sql: Queryable) {
  return sql`j.id, j.draft_id, j.chat_id, j.binding_id, j.parts, j.price_rial, d.kind, d.details, d.text,
    (select extract(epoch from now() - min(a.ended_at)) * 1000 from attempt a
      where a.job_id = j.id and a.state in ${listed(sql, GONE)})::float8 as first_ms`;
}

/** What follows on the end of a job, whatever has ended it. */
async function endIn(tx: TransactionSql, job: Ended): Promise<void> {
  const afterMs = Math.max(0, REPORTS_AFTER_MS - (job.first_ms ?? 0));
  await enqueueAll(
    tx,
    cardJob(job.draft_id),
    { ...trackJob(job.id), afterMs },
    gaugeJob({ bindingId: job.binding_id }),
  );
}

/** Holds the limits of a job's chat: as for a start, which holds draft and job, before both. False: there is no such job. */
async function holdLimitsOfJob(tx: TransactionSql, jobId: string): Promise<boolean> {
  const [found] = await tx<Row<'job', 'chat_id'>[]>`select chat_id from job where id = ${jobId}`;
  if (found !== undefined) await holdLimits(tx, found.chat_id);
  return found !== undefined;
}

/** Ends a send within its hold, and makes what it was made of a draft again; false when its hold is over. */
async function undoIn(
  tx: TransactionSql,
  jobId: string,
  {
    personId,
    updateId,
    timeZone,
  }: { readonly personId: number; readonly updateId: number; readonly timeZone: string },
): Promise<boolean> {
  if (!(await holdLimitsOfJob(tx, jobId))) return false;
  const { to, may } = move(tx, 'job', 'undo', 'j');
  const [row] = await tx<(Row<'job', 'draft_id' | 'chat_id'> & Row<'draft', 'code'>)[]>`
    update job j set state = ${to}, ended_at = now(), stopped_by = ${personId} from draft d
    where j.id = ${jobId} and ${may} and d.id = j.draft_id
    returning j.draft_id, j.chat_id, d.code`;
  if (row === undefined) return await isDone(tx, { jobId, updateId }, 'send_undone');
  const { draft_id: draftId, chat_id: chatId, code } = row;
  await settleIn(tx, jobId);
  await writeAudit(tx, { chatId, personId, updateId, action: 'send_undone', details: { code, jobId } });
  await giveBackIn(tx, draftId);
  await followUpIn(tx, draftId, timeZone);
  const id = await bringBackIn(tx, draftId);
  // What it was of a series is made anew by the series itself.
  await tx`
    update draft set recur = null,
      details = details || jsonb_build_object('undoOf', jsonb_build_object('code', ${code}::text,
        'by', (select name from person where telegram_id = ${personId}),
        'rowsGone', kind = 'bulk' and not exists (select 1 from bulk_source where draft_id = ${id})))
    where id = ${id}`;
  return true;
}
