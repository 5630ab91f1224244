import type { AttemptState } from '../../../src/domain/attempt.ts';
import type { MissReason } from '../../../src/domain/job.ts';
import { kindOf } from '../../../src/domain/kinds/index.ts';
import { dueAt } from '../../../src/domain/limits.ts';
import type { JobControl } from '../../../src/ports/jobs.ts';
import { SHOWN_MS } from '../../../src/storage/sending/draft-back.ts';
import { expiryJob } from '../../../src/storage/sending/draft-expiry.ts';
import { cardJob, gaugeJob } from '../../../src/storage/enqueue.ts';
import { REPORTS_AFTER_MS } from '../../../src/storage/sending/job-control.ts';
import { readOutgoing } from '../../../src/storage/sending/kinds/details.ts';
import { readResendOf } from '../../../src/storage/sending/resent-in.ts';
import { LATE_SECONDS } from '../../../src/storage/sending/schedule-start.ts';
import {
  at,
  attemptTo,
  callsIn,
  change,
  jobTo,
  must,
  writeAudit,
  type Connection,
  type Db,
  type JobRow,
} from './db.ts';
import { held, judgeHeld, newDraft } from './drafts.ts';
import {
  isToSettle,
  miss,
  nothingLeft,
  pauseRest,
  resumeJob,
  settle,
  takeBack,
  trackTask,
  resentCalls,
} from './job-rules.ts';
import { enqueue, enqueueAll } from './queue.ts';

/** What people and the clock do to whole jobs. */
export function createJobControl(connection: Connection, timeZone: string): JobControl {
  return {
    draftOf: async (jobId) => await connection.run('draft of', (db) => db.jobs.get(jobId)?.draft_id ?? null),

    async start(jobId) {
      const found = await readStart(jobId);
      if (found === null) return null;
      const isStarted = found.isDue && (await connection.run('start', (db) => startDue(db, jobId)));
      const row = found.isDue && !isStarted ? await readStart(jobId) : found;
      if (row === null) return null;
      const state = isStarted ? 'running' : row.state;
      const waits = state === 'scheduled' || state === 'holding';
      const { bindingId, account } = row;
      return { state, waitMs: waits ? row.waitMs : 0, bindingId, account };
    },

    lastLetGo: async (chatId, personId) =>
      await connection.run('last let go', (db) => {
        const last = [...db.jobs.values()].findLast(
          (job) => job.chat_id === chatId && job.confirmed_by === personId && job.ended_at === null,
        );
        if (last === undefined) return null;
        const canUndo = jobTo('undo', last.state) !== undefined;
        return { jobId: last.id, draftId: last.draft_id, canUndo, isOwn: true };
      }),

    undo: async (jobId, personId, updateId) =>
      await connection.run('undo', (db) => {
        const job = db.jobs.get(jobId);
        const state = job === undefined ? undefined : jobTo('undo', job.state);
        if (job === undefined || state === undefined) return isDone(db, jobId, updateId, 'send_undone');
        change(job, { state, ended_at: at(db), stopped_by: personId });
        settle(db, connection, job);
        audit(db, job, 'send_undone', personId, updateId);
        const draft = must(db.drafts.get(job.draft_id));
        for (const call of resentCalls(db, draft.details)) {
          const again = attemptTo('ask_again', call.state);
          if (again !== undefined) change(call, { state: again, settled_by: null });
        }
        const back = bringBack(db, job.draft_id);
        const undoOf = { code: draft.code, by: must(db.people.get(personId)).name, rowsGone: false };
        change(back, { recur: null, details: { ...back.details, undoOf } });
        const resent = readResendOf(draft.details);
        if (resent !== null) enqueue(db, cardJob(resent.draftId));
        return true;
      }),

    stop: async (jobId, reason, personId, updateId) =>
      await connection.run('stop', (db) => {
        const job = db.jobs.get(jobId);
        const state = job === undefined ? undefined : jobTo('stop', job.state);
        if (job === undefined || state === undefined) return isDone(db, jobId, updateId, 'send_stopped');
        change(job, { state, ended_at: at(db), stop_reason: reason, stopped_by: personId });
        audit(db, job, 'send_stopped', personId, updateId, { reason });
        takeBack(db, jobId);
        settle(db, connection, job);
        ended(db, job);
        return true;
      }),

    pause: async ({ jobId, personId, updateId }) =>
      await connection.run('pause', (db) => {
        const job = db.jobs.get(jobId);
        if (job === undefined || !pauseRest(db, job, personId))
          return isDone(db, jobId, updateId, 'send_paused');
        audit(db, job, 'send_paused', personId, updateId);
        return true;
      }),

    resume: async ({ updateId, ...press }) =>
      await connection.run('resume', (db) => {
        const done = resumeJob(db, connection, press);
        if (done.result !== 'resumed') return done;
        const { recipients, approved } = done;
        const { jobId, personId } = press;
        audit(db, must(db.jobs.get(jobId)), 'send_resumed', personId, updateId, { recipients, approved });
        return done;
      }),

    finish: async (jobId) => await connection.run('finish', (db) => finish(db, jobId, 'finish')),

    async settle(draftId) {
      const found = await connection.run('to settle', (db) => {
        const job = db.jobOf.get(draftId);
        return job !== undefined && (job.state === 'paused' || isToSettle(db, job)) ? { ...job } : null;
      });
      if (found === null) return;
      await connection.run('settle', (db) => {
        if (found.state === 'paused') finish(db, found.id, 'run_out');
        else settle(db, connection, must(db.jobs.get(found.id)));
      });
    },

    schedule: async (jobId, task, afterMs) =>
      await connection.run('schedule', (db) =>
        enqueue(db, { task, payload: { jobId }, key: `${task}:${jobId}`, afterMs }, 'earliest'),
      ),
  };

  async function readStart(jobId: string) {
    return await connection.run('read start', (db) => {
      const job = db.jobs.get(jobId);
      if (job === undefined) return null;
      const untilMs = job.hold_until.getTime() - db.now;
      const waitMs = untilMs > 0 ? untilMs : Math.max(1000, untilMs + LATE_SECONDS * 1000);
      const account = must(db.bindings.get(job.binding_id)).gateway_user;
      const isDue = jobTo('start', job.state) !== undefined && untilMs <= 0;
      return { state: job.state, bindingId: job.binding_id, account, isDue, waitMs };
    });
  }

  /** Takes a job that is due to running, or sets it aside; whether it runs now, by this. */
  function startDue(db: Db, jobId: string): boolean {
    const job = must(db.jobs.get(jobId));
    const of = held(db, must(db.drafts.get(job.draft_id)));
    const state = jobTo('start', job.state);
    if (state === undefined || job.hold_until.getTime() > db.now) return false;
    const isLate = job.state === 'scheduled' && job.hold_until.getTime() < db.now - LATE_SECONDS * 1000;
    const { halted, heldAt } = of.limits;
    if ((halted !== null || heldAt !== null) && !isLate) {
      const paused = jobTo('halt', job.state);
      if (job.state === 'scheduled' || paused === undefined) return false;
      const by = db.limits.get(job.chat_id)?.halted_by ?? null;
      const reason = heldAt === null ? ('halted' as const) : ('held' as const);
      change(job, { state: paused, stop_reason: reason, stopped_by: heldAt === null ? by : null });
      enqueue(db, cardJob(job.draft_id));
      return false;
    }
    const leavesAt = dueAt({ outgoing: of.payload.outgoing, sendAt: null, holdUntil: at(db) });
    const reason = obstacle(db, of, job, isLate, leavesAt);
    if (reason !== null) {
      miss(db, connection, job, reason);
      return false;
    }
    change(job, { state, started_at: at(db), leaves_at: leavesAt });
    enqueue(db, { ...cardJob(job.draft_id), afterMs: 1000 }, 'earliest');
    return true;
  }

  function obstacle(
    db: Db,
    of: ReturnType<typeof held>,
    job: JobRow,
    isLate: boolean,
    leavesAt: Date,
  ): MissReason | null {
    if (isLate && of.limits.heldAt !== null) return 'held';
    if (isLate) return of.limits.halted === null ? 'late' : 'halted';
    if (db.bindings.get(of.draft.binding_id)?.state !== 'live') return 'not_connected';
    const verdict = judgeHeld(db, of, {
      timeZone: db.chats.get(job.chat_id)?.time_zone ?? timeZone,
      personId: job.confirmed_by,
      approved: job.approved_by !== null,
      leavesAt,
      exceptJob: job.id,
    });
    return verdict.kind === 'ok' ? null : verdict.kind;
  }

  function finish(db: Db, jobId: string, by: 'finish' | 'run_out'): boolean {
    const job = db.jobs.get(jobId);
    const state = job === undefined ? undefined : jobTo(by, job.state);
    if (job === undefined || state === undefined || !nothingLeft(db, jobId)) return false;
    change(job, { state, ended_at: at(db), stop_reason: null, stopped_by: null });
    settle(db, connection, job);
    ended(db, job);
    return true;
  }

  /** Makes what a draft held a draft again, which the old one names. */
  function bringBack(db: Db, draftId: string) {
    const draft = must(db.drafts.get(draftId));
    const { replaces: _r, replacedBy: _b, undoOf: _u, againOf: _a, backAs: _s, ...details } = draft.details;
    const live = [...db.bindings.values()].find((of) => of.chat_id === draft.chat_id && of.state === 'live');
    const { openSeconds } = kindOf(readOutgoing(draft));
    const back = newDraft(db, {
      ...draft,
      id: connection.id(),
      source_update: null,
      details,
      expires_at: at(db, openSeconds * 1000),
      binding_id: live?.id ?? draft.binding_id,
    });
    change(draft, { details: { ...draft.details, backAs: back.code } });
    const { id, binding_id: bindingId } = back;
    const shown = { ...cardJob(id), afterMs: SHOWN_MS };
    enqueueAll(db, expiryJob(id, openSeconds), gaugeJob({ bindingId, draftId: id }), cardJob(draftId), shown);
    return back;
  }
}

/** Whether an update that is handled once more has done it then. */
function isDone(db: Db, jobId: string, updateId: number | null, action: string): boolean {
  return [...db.audit.values()].some(
    (row) =>
      row.updateId !== null &&
      row.updateId === updateId &&
      row.action === action &&
      row.details['jobId'] === jobId,
  );
}

function audit(
  db: Db,
  { id: jobId, chat_id: chatId, draft_id: draftId }: JobRow,
  action: string,
  personId: number | null,
  updateId: number | null,
  more: object = {},
): void {
  const details = { code: must(db.drafts.get(draftId)).code, jobId, ...more };
  writeAudit(db, { chatId, personId, updateId, action, details });
}

/** What follows on the end of a job, whatever has ended it. */
function ended(db: Db, { id, draft_id: draftId, binding_id: bindingId }: JobRow): void {
  const isAccepted = (state: AttemptState): boolean => state === 'accepted' || state === 'sent';
  const accepted = callsIn(db, id).flatMap((call) =>
    isAccepted(call.state) && call.ended_at !== null ? [call.ended_at.getTime()] : [],
  );
  const firstMs = accepted.length === 0 ? 0 : db.now - Math.min(...accepted);
  const afterMs = Math.max(0, REPORTS_AFTER_MS - firstMs);
  enqueueAll(db, cardJob(draftId), { ...trackTask(id), afterMs }, gaugeJob({ bindingId }));
}
