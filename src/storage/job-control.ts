import type { TransactionSql } from 'postgres';
import type { JobControl } from '../ports/jobs.ts';
import { writeAudit } from './audit.ts';
import type { Database } from './database.ts';
import { enqueue, enqueueBy, enqueueGauge } from './enqueue.ts';
import { settleIn } from './job-charge.ts';
import { tellJobIn } from './job-notifications.ts';
import { resumeIn } from './job-resume.ts';
import { move } from './move.ts';
import { LATE_SECONDS, startDueIn } from './schedule-start.ts';
import { takeBackIn } from './take-back.ts';
import type { Row } from './row.ts';
import { undoIn } from './undo-in.ts';

type Changed = Row<'job', 'draft_id' | 'chat_id' | 'binding_id'> & Row<'draft', 'code'>;

/** What people and the clock do to whole jobs; each change is one compare-and-set on the state. */
export function createJobControl({ sql }: Database, timeZone: string): JobControl {
  return {
    async draftOf(jobId) {
      const [row] = await sql<Row<'job', 'draft_id'>[]>`select draft_id from job where id = ${jobId}`;
      return row?.draft_id ?? null;
    },

    async start(jobId) {
      const [due] = await sql<Row<'job', 'chat_id'>[]>`
        select chat_id from job where id = ${jobId} and ${move(sql, 'job', 'start').may} and hold_until <= now()`;
      if (due !== undefined)
        await sql.begin(async (tx) => await startDueIn(tx, jobId, { chatId: due.chat_id, timeZone }));
      // One that is due and has not started waits for the switch, until it is late.
      const [row] = await sql<
        (Row<'job', 'state' | 'binding_id'> &
          Row<'binding', 'gateway_user as account'> & { wait_ms: number })[]
      >`
        select j.state, j.binding_id, b.gateway_user as account, (extract(epoch from case when hold_until > now() then hold_until - now()
          else greatest(interval '1 second', hold_until + ${LATE_SECONDS} * interval '1 second' - now()) end) * 1000)::float8 as wait_ms
        from job j join binding b on b.id = j.binding_id where j.id = ${jobId}`;
      if (row === undefined) return null;
      const waits = row.state === 'scheduled' || row.state === 'holding';
      return {
        state: row.state,
        waitMs: waits ? row.wait_ms : 0,
        bindingId: row.binding_id,
        account: row.account,
      };
    },

    undo: async (jobId, personId, updateId) =>
      await sql.begin(async (tx) => await undoIn(tx, jobId, { personId, updateId, timeZone })),

    async stop(jobId, reason, personId, updateId) {
      return await sql.begin(async (tx) => {
        const { to, may } = move(tx, 'job', 'stop', 'j');
        const [row] = await tx<Changed[]>`
          update job j set state = ${to}, ended_at = now(), stop_reason = ${reason}, stopped_by = ${personId} from draft d
          where j.id = ${jobId} and ${may} and d.id = j.draft_id
          returning j.draft_id, j.chat_id, j.binding_id, d.code`;
        if (row === undefined) return false;
        await writeAudit(tx, {
          chatId: row.chat_id,
          personId,
          updateId,
          action: 'send_stopped',
          details: { code: row.code, jobId, reason },
        });
        await takeBackIn(tx, [jobId]);
        await endIn(tx, jobId, row);
        await tellJobIn(tx, jobId, { event: 'stopped', reason, byPerson: personId !== null });
        return true;
      });
    },

    async pause({ jobId, personId, updateId }) {
      return await sql.begin(async (tx) => {
        const { to, may } = move(tx, 'job', 'pause', 'j');
        const [row] = await tx<Changed[]>`
          update job j set state = ${to}, stop_reason = 'person', stopped_by = ${personId} from draft d
          where j.id = ${jobId} and ${may} and d.id = j.draft_id and exists (
            select 1 from attempt a where a.job_id = j.id and a.state in ('planned', 'reserved'))
          returning j.draft_id, j.chat_id, j.binding_id, d.code`;
        if (row === undefined) return false;
        await writeAudit(tx, {
          chatId: row.chat_id,
          personId,
          updateId,
          action: 'send_paused',
          details: { code: row.code, jobId },
        });
        await takeBackIn(tx, [jobId]);
        await showIn(tx, row.draft_id);
        await enqueue(tx, 'track', { jobId }, { key: `track:${jobId}` });
        return true;
      });
    },

    async resume({ jobId, personId, updateId, timeZone, seen }) {
      return await sql.begin(async (tx) => {
        const done = await resumeIn(tx, { jobId, timeZone, personId, seen });
        if (done.result !== 'resumed') return done;
        const [row] = await tx<Pick<Changed, 'chat_id' | 'code'>[]>`
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
        select id, state from job where draft_id = ${draftId} and (state = 'paused' or (ended_at is not null and parts > 0))`;
      if (job === undefined) return;
      await sql.begin(async (tx) => {
        if (job.state === 'paused') await finishIn(tx, job.id, move(tx, 'job', 'run_out', 'j'));
        else await settleIn(tx, job.id);
      });
    },

    async schedule(jobId, task, afterMs) {
      await sql.begin(async (tx) => {
        await enqueueBy(tx, task, { jobId }, { key: `${task}:${jobId}`, afterMs });
      });
    },
  };
}

async function finishIn(
  tx: TransactionSql,
  jobId: string,
  { to, may }: ReturnType<typeof move>,
): Promise<boolean> {
  const [row] = await tx<Pick<Changed, 'draft_id' | 'binding_id'>[]>`
    update job j set state = ${to}, ended_at = now(), stop_reason = null, stopped_by = null
    where j.id = ${jobId} and ${may}
      and not exists (select 1 from attempt a where a.job_id = j.id and a.state in ('planned', 'reserved', 'on_wire'))
    returning draft_id, binding_id`;
  if (row === undefined) return false;
  await endIn(tx, jobId, row);
  await tellJobIn(tx, jobId, { event: 'ended' });
  return true;
}

/** What follows on the end of a job, whatever has ended it. */
async function endIn(
  tx: TransactionSql,
  jobId: string,
  { draft_id: draftId, binding_id: bindingId }: Pick<Changed, 'draft_id' | 'binding_id'>,
): Promise<void> {
  await settleIn(tx, jobId);
  await showIn(tx, draftId);
  await enqueue(tx, 'track', { jobId }, { key: `track:${jobId}` });
  await enqueueGauge(tx, { bindingId });
}

async function showIn(tx: TransactionSql, draftId: string): Promise<void> {
  await enqueue(tx, 'card', { draftId }, { key: `card:${draftId}` });
}
