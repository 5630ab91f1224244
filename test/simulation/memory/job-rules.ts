import { REFUSED_FOR_ACCOUNT, UNANSWERED, type AttemptState } from '../../../src/domain/attempt.ts';
import type { JobState, MissReason } from '../../../src/domain/job.ts';
import { kindOf } from '../../../src/domain/kinds/index.ts';
import { dueAt } from '../../../src/domain/limits.ts';
import { can } from '../../../src/domain/roles.ts';
import { chargeOf, finalCharge, type Charge } from '../../../src/domain/settlement.ts';
import type { JobControl, ResumeResult } from '../../../src/ports/jobs.ts';
import type { Earlier } from '../../../src/ports/stores.ts';
import { cardJob, gaugeJob } from '../../../src/storage/enqueue.ts';
import { SPENT } from '../../../src/storage/sending/job-charge.ts';
import { APPROVED_SECONDS, isWorse } from '../../../src/storage/sending/job-resume.ts';
import { readOutgoing } from '../../../src/storage/sending/kinds/details.ts';
import { readResendOf } from '../../../src/storage/sending/resent-in.ts';
import {
  at,
  attemptTo,
  callsIn,
  change,
  jobTo,
  must,
  roleOf,
  writeAudit,
  type CallRow,
  type Connection,
  type Db,
  type DraftRow,
  type JobRow,
} from './db.ts';
import { judge, limitsOf, showCapUse } from './limits.ts';
import { enqueueAll, enqueue, forgetTasks } from './queue.ts';

/*
 * What several stores ask of jobs, as the files of the same names in src/storage do: held-up, take-back, job-charge,
 * job-resume, series.
 */

export const sendTask = (jobId: string) => ({ task: 'send', payload: { jobId }, key: `send:${jobId}` });
export const trackTask = (jobId: string) => ({ task: 'track', payload: { jobId }, key: `track:${jobId}` });

/** Drafts that send failures of a draft's job again. */
export function resendsOf(db: Db, draftId: string): DraftRow[] {
  return [...db.drafts.values()].filter(
    ({ details }) => details['resendOf'] !== undefined && readResendOf(details)?.draftId === draftId,
  );
}

export function resendsIn(details: DraftRow['details']): readonly string[] {
  return (details['resends'] as readonly string[] | undefined) ?? [];
}

/** The calls that a draft sends again. */
export function resentCalls(db: Db, details: DraftRow['details']): CallRow[] {
  return resendsIn(details).flatMap((id) => db.calls.get(id) ?? []);
}

/** Whether a call was refused for its account alone, and is part of what is left of its stopped job. */
export function isHeldUp(db: Db, call: CallRow, states: readonly JobState[] = ['stopped']): boolean {
  if (call.state !== 'rejected' || !REFUSED_FOR_ACCOUNT.includes(call.gateway_code ?? 0)) return false;
  const job = must(db.jobs.get(call.job_id));
  if (!states.includes(job.state) || db.bindings.get(job.binding_id)?.state !== 'live') return false;
  return !resendsOf(db, job.draft_id).some(({ id, state, expires_at: end }) =>
    state === 'confirmed'
      ? db.jobOf.get(id)?.state !== 'undone'
      : state !== 'cancelled' && end.getTime() > db.now,
  );
}

/** Takes the calls of an interrupted job back from whoever holds them before the fence. */
export function takeBack(db: Db, jobId: string): void {
  for (const call of callsIn(db, jobId)) {
    const state = attemptTo('take_back', call.state);
    if (state !== undefined) change(call, { state, owner: null, epoch: call.epoch + 1 });
  }
}

/** Holds up a job that runs and has something left; whether there was one. */
export function pauseRest(db: Db, job: JobRow, personId: number | null): boolean {
  const state = jobTo('pause', job.state);
  const isLeft = callsIn(db, job.id).some(({ state: of }) => of === 'planned' || of === 'reserved');
  if (state === undefined || !isLeft) return false;
  change(job, { state, stop_reason: personId === null ? 'answered' : 'person', stopped_by: personId });
  takeBack(db, job.id);
  enqueueAll(db, cardJob(job.draft_id), trackTask(job.id));
  return true;
}

export function nothingLeft(db: Db, jobId: string): boolean {
  return !callsIn(db, jobId).some(({ state }) => ['planned', 'reserved', 'on_wire'].includes(state));
}

const isSpent = ({ state }: CallRow): boolean => (SPENT as readonly AttemptState[]).includes(state);

/** Whether an ended job counts something that surely never left. */
export function isToSettle(db: Db, job: JobRow): boolean {
  return (
    mayCountLess(job) && callsIn(db, job.id).some((call) => call.recipients.length > 0 && !isSpent(call))
  );
}

function mayCountLess({ ended_at: endedAt, parts, kept }: JobRow): boolean {
  return endedAt !== null && parts > 0 && kept === 'all';
}

function charge(db: Db, job: JobRow, counts: (call: CallRow) => boolean): Charge {
  const { text, ...draft } = must(db.drafts.get(job.draft_id));
  const outgoing = readOutgoing(draft);
  const messages = callsIn(db, job.id).reduce(
    (n, call) => n + (counts(call) ? call.recipients.length : 0),
    0,
  );
  return chargeOf(kindOf(outgoing).lengths(outgoing, text, messages), messages, null);
}

/** Brings what an ended job counts down to what may have been spent of it. */
export function settle(db: Db, connection: Connection, job: JobRow): void {
  if (!mayCountLess(job)) return;
  const spent = charge(db, job, isSpent);
  if (spent.parts >= job.parts) return;
  const { parts, priceRial } = finalCharge({ parts: job.parts, priceRial: job.price_rial }, spent);
  change(job, { parts, price_rial: priceRial });
  showCapUse(db, connection, job.chat_id);
}

/** Brings it up again: a call that it no longer counted was accepted. */
export function raise(db: Db, connection: Connection, job: JobRow, late: CallRow | null = null): void {
  const isEnded = job.ended_at !== null;
  if (!isEnded && late === null) return;
  // No price is known here.
  const added = charge(db, job, (each) => (isEnded ? isSpent(each) : each === late)).parts;
  const parts = (isEnded ? 0 : job.parts) + added;
  if (parts > job.parts) change(job, { parts, price_rial: null });
  showCapUse(db, connection, job.chat_id);
}

/** What came of earlier tries for those in the rest of a draft's job. */
export function earlier(db: Db, draftId: string): Earlier {
  const rest = new Set(
    callsIn(db, must(db.jobOf.get(draftId)).id)
      .filter((call) => ['planned', 'reserved'].includes(call.state) || isHeldUp(db, call))
      .flatMap(({ recipients }) => recipients),
  );
  const drafts = new Set([draftId]);
  for (const id of drafts) {
    const { details } = must(db.drafts.get(id));
    const of = readResendOf(details)?.draftId;
    if (of !== undefined) drafts.add(of);
    for (const call of resentCalls(db, details)) drafts.add(must(db.jobs.get(call.job_id)).draft_id);
  }
  drafts.delete(draftId);
  const states = new Set(
    [...drafts].flatMap((id) =>
      callsIn(db, must(db.jobOf.get(id)).id).flatMap(({ state, settled_by: by, recipients }) =>
        by !== null && recipients.some((number) => rest.has(number)) ? state : [],
      ),
    ),
  );
  if (states.has('accepted') || states.has('sent')) return { answered: true };
  return states.has('closed') ? { doubted: true } : {};
}

/** Lets a job go on that is paused, or has stopped with something left. */
export function resumeJob(
  db: Db,
  connection: Connection,
  {
    jobId,
    timeZone,
    personId,
    seen,
    told,
  }: Partial<Parameters<JobControl['resume']>[0]> & { readonly jobId: string; readonly timeZone: string },
): ResumeResult {
  const job = db.jobs.get(jobId);
  if (job === undefined || jobTo('resume', job.state) === undefined || job.kept !== 'all')
    return { result: 'nothing' };
  const isLeft = (call: CallRow): boolean =>
    call.state === 'planned' || call.state === 'reserved' || isHeldUp(db, call);
  const planned = callsIn(db, jobId).reduce((n, call) => n + (isLeft(call) ? call.recipients.length : 0), 0);
  if (job.state !== 'paused' && planned === 0) return { result: 'nothing' };
  if (seen !== undefined && planned > seen) return { result: 'more', recipients: planned };
  const known = told === undefined ? {} : earlier(db, job.draft_id);
  if (isWorse(known, told)) return { result: 'known', earlier: known };
  if (db.bindings.get(job.binding_id)?.state !== 'live') return { result: 'not_connected' };
  const draft = must(db.drafts.get(job.draft_id));
  const now = at(db);
  const holdUntil = job.hold_until > now ? job.hold_until : now;
  const leavesAt = dueAt({ outgoing: readOutgoing(draft), sendAt: null, holdUntil });

  const limits = limitsOf(db, job.chat_id);
  const rest = charge(db, job, (call) => call.state === 'planned' || isHeldUp(db, call));
  const all = charge(db, job, (call) => isSpent(call) || call.state === 'planned' || isHeldUp(db, call));
  const verdict = judge(db, {
    limits,
    chatId: job.chat_id,
    ...all,
    personId: job.confirmed_by,
    timeZone,
    leavesAt,
    approved: true,
    exceptJob: jobId,
  });
  const { approvalParts } = limits;
  const isApproved =
    job.approved_by !== null && job.confirmed_at.getTime() > db.now - APPROVED_SECONDS * 1000;
  const needsSecond =
    verdict.kind === 'ok' &&
    job.state !== 'paused' &&
    !isApproved &&
    approvalParts !== null &&
    rest.parts > approvalParts;
  const isSecond =
    needsSecond &&
    personId !== undefined &&
    personId !== job.confirmed_by &&
    can(roleOf(db, job.chat_id, personId), 'send.approve');
  if (verdict.kind !== 'ok') return { result: 'limited', verdict, leavesAt };
  if (needsSecond && !isSecond)
    return { result: 'limited', verdict: { kind: 'approval', above: approvalParts, words: [] }, leavesAt };

  for (const call of callsIn(db, jobId)) {
    const state = attemptTo('resume', call.state);
    if (state === undefined || !isHeldUp(db, call)) continue;
    const epoch = call.epoch + 1;
    const fresh = { outcome: null, gateway_code: null, raw: null, on_wire_at: null, ended_at: null };
    change(call, { state, owner: null, epoch, ...fresh });
  }
  const waitMs = Math.max(0, job.hold_until.getTime() - db.now);
  const event = waitMs === 0 ? 'resume' : draft.send_at === null ? 'resume_hold' : 'resume_wait';
  change(job, {
    state: jobTo(event, job.state) ?? job.state,
    parts: all.parts,
    price_rial: all.priceRial,
    leaves_at: leavesAt,
    started_at: event === 'resume' ? now : null,
    ended_at: null,
    stop_reason: null,
    stopped_by: null,
    poll_after_seconds: Math.max(job.poll_after_seconds, 0),
    approved_by: isSecond ? personId : job.approved_by,
  });
  for (const call of callsIn(db, jobId)) {
    if (!UNANSWERED.some((state) => state === call.state)) continue;
    const tries = call.state === 'planned' ? 0 : call.tries;
    change(call, { tries, uncounted: call.blocked.length });
  }
  enqueueAll(db, { ...sendTask(jobId), afterMs: waitMs }, cardJob(job.draft_id));
  showCapUse(db, connection, job.chat_id);
  enqueue(db, gaugeJob({ bindingId: job.binding_id }));
  return { result: 'resumed', recipients: planned, approved: isSecond };
}

/** Sets a job aside of which nothing has left, since it cannot leave as it was confirmed. */
export function miss(db: Db, connection: Connection, job: JobRow, reason: MissReason): void {
  const state = jobTo('miss', job.state);
  const isAsked = ({ state: of, outcome }: CallRow): boolean => of !== 'planned' && outcome !== 'blocked';
  if (state === undefined || callsIn(db, job.id).some(isAsked)) return;
  const { id: jobId, draft_id: draftId, binding_id: bindingId, chat_id: chatId } = job;
  change(job, { state, stop_reason: reason as JobRow['stop_reason'] });
  const draft = must(db.drafts.get(draftId));
  change(draft, { blocked: null });
  enqueue(db, gaugeJob({ bindingId, draftId }));
  forgetTasks(db, `send:${jobId}`);
  const details = { code: draft.code, jobId, reason };
  writeAudit(db, { chatId, personId: null, updateId: null, action: 'send_missed', details });
  showCapUse(db, connection, chatId);
  enqueue(db, { task: 'missed', payload: { jobId }, key: `missed:${jobId}` });
}
