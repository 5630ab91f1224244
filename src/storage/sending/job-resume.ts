import type { TransactionSql } from 'postgres';
import { UNANSWERED, UNWRITTEN } from '../../domain/attempt.ts';
import {
  approvalNeed,
  dueAt,
  type LimitVerdict,
  type LineFindings,
  type Limits,
} from '../../domain/limits.ts';
import { heldToLines } from '../../domain/line-rules.ts';
import { isTooNear } from '../../domain/outgoing.ts';
import type { JobControl, ResumeResult } from '../../ports/jobs.ts';
import type { Earlier } from '../../ports/stores.ts';
import { lookedAtIn } from './bulk-in.ts';
import { rolesWith } from './draft-press.ts';
import { enqueue, enqueueGauge } from '../enqueue.ts';
import { heldUp } from './held-up.ts';
import { chargeWithRestIn, SPENT, type ChargedJob } from './job-charge.ts';
import { readOutgoing } from './kinds/details.ts';
import { judgeIn, slowOf } from './judge-in.ts';
import { limitsIn, showCapUseIn } from './limits-in.ts';
import { listed, move } from '../move.ts';
import type { PaceRow } from './pace-in.ts';
import { earlierIn, restOf } from './resent-in.ts';
import { isLate } from './schedule-start.ts';
import { followUpIn } from './series.ts';
import type { Row } from '../row.ts';

/** A second person's yes to a send is one to its rest for so long, as a question to one stands. */
export const APPROVED_SECONDS = 86_400;

type HeldJob = ChargedJob &
  PaceRow &
  Row<'job', 'draft_id' | 'state' | 'confirmed_by' | 'hold_until'> &
  Row<'draft', 'send_at' | 'line' | 'flash' | 'recipients'> & {
    readonly live: boolean;
    readonly approved: boolean;
    readonly is_late: boolean;
    readonly now: Date;
    readonly wait_ms: number;
    readonly planned: number;
    /** Recipients that it counts. */
    readonly size: number;
  };

/**
 * Lets a job go on that is paused, or that has stopped with something left: all limits are held against it anew, and
 * what it counts is reserved in the same transaction.
 * @param personId who wants it; absent: the chat's switch, which asks nobody a second time.
 * @param seen how many recipients that person has seen as left; absent: nobody was shown any. `told`: what of earlier tries.
 */
export async function resumeIn(
  tx: TransactionSql,
  {
    jobId,
    timeZone,
    personId,
    seen,
    told,
    words = [],
  }: Partial<Parameters<JobControl['resume']>[0]> & { readonly jobId: string; readonly timeZone: string },
): Promise<ResumeResult> {
  const [of] = await tx<Row<'job', 'chat_id'>[]>`select chat_id from job where id = ${jobId}`;
  if (of === undefined) return { result: 'nothing' };
  const limits = await limitsIn(tx, of.chat_id);
  const job = await hold(tx, jobId);
  if (job === undefined || (job.state !== 'paused' && job.planned === 0)) return { result: 'nothing' };
  if (seen !== undefined && job.planned > seen) return { result: 'more', recipients: job.planned };
  const { draft_id: id, line } = job;
  const earlier = told === undefined ? {} : await earlierIn(tx, id, restOf(tx, id));
  if (isWorse(earlier, told)) return { result: 'known', earlier };
  if (!job.live) return { result: 'not_connected' };
  const outgoing = await lookedAtIn(tx, { id, line, outgoing: readOutgoing(job) }, limits.lines);
  const found = heldToLines(limits.lines, { ...job, outgoing });
  const holdUntil = job.hold_until > job.now ? job.hold_until : job.now;
  const leavesAt = dueAt({ outgoing, sendAt: null, holdUntil });
  if (isTooNear(outgoing, job.now.getTime() / 1000) || (personId === undefined && job.is_late))
    return { result: 'past' };

  const { all, rest } = await chargeWithRestIn(tx, job);
  // The whole job counts on the day in which it last went on; one with a pace, from there.
  const verdict = await judgeIn(tx, {
    limits,
    found,
    chatId: job.chat_id,
    parts: all.parts,
    priceRial: all.priceRial,
    slow: slowOf(job, { limits, found, outgoing, left: job.planned, all: job.size, goesOn: jobId }),
    personId: job.confirmed_by,
    timeZone,
    leavesAt,
    approved: true,
    exceptJob: jobId,
  });
  const needed = verdict.kind === 'ok' ? approvalFor(job, rest.parts, limits, found) : null;
  const isSeen = needed?.words.every((word) => words.includes(word)) ?? false;
  const isSecond = isSeen && (await maySecondIn(tx, job, personId));
  const against = needed !== null && !isSecond ? needed : verdict;
  if (against.kind !== 'ok') return { result: 'limited', verdict: against, leavesAt };

  // Nothing of it left: it is planned again, for whoever reserves it anew.
  const plan = move(tx, 'attempt', 'resume', 'a');
  await tx`
    update attempt a set state = ${plan.to}, owner = null, epoch = a.epoch + 1, outcome = null, gateway_code = null, raw = null,
      on_wire_at = null, ended_at = null
    where a.job_id = ${jobId} and ${plan.may} and ${heldUp(tx)}`;
  const { wait_ms: waitMs } = job;
  const event = waitMs === 0 ? 'resume' : job.send_at === null ? 'resume_hold' : 'resume_wait';
  const resume = move(tx, 'job', event);
  await tx`
    update job set state = ${resume.to}, parts = ${all.parts}, price_rial = ${all.priceRial}, leaves_at = ${leavesAt.toISOString()},
      started_at = ${event === 'resume' ? tx`now()` : null}, ended_at = null, stop_reason = null, stopped_by = null,
      poll_after_seconds = greatest(poll_after_seconds, 0),
      approved_by = ${isSecond ? (personId ?? null) : tx`approved_by`}
    where id = ${jobId} and ${resume.may}`;
  // Whatever kept its calls from leaving, they have all their tries again; whom they have left out it counts no more.
  await tx`
    update attempt set tries = case state when 'planned' then 0 else tries end, uncounted = cardinality(blocked)
    where job_id = ${jobId} and state in ${listed(tx, UNANSWERED)}`;
  if (event === 'resume') await followUpIn(tx, job.draft_id, timeZone);
  await enqueue(tx, 'send', { jobId }, { key: `send:${jobId}`, afterMs: waitMs });
  await enqueue(tx, 'card', { draftId: job.draft_id }, { key: `card:${job.draft_id}` });
  await showCapUseIn(tx, job.chat_id);
  await enqueueGauge(tx, { bindingId: job.binding_id });
  return { result: 'resumed', recipients: job.planned, approved: isSecond };
}

/** Whether what is known of earlier tries is worse than what somebody was told. */
export function isWorse(known: Earlier, told: Earlier = {}): boolean {
  return (
    told.answered !== true && (known.answered === true || (known.doubted === true && told.doubted !== true))
  );
}

async function hold(tx: TransactionSql, jobId: string): Promise<HeldJob | undefined> {
  const [job] = await tx<HeldJob[]>`
    select j.id, j.chat_id, j.draft_id, j.binding_id, j.state, j.parts, j.price_rial, j.confirmed_by, d.kind, d.details, d.text, d.line, d.flash,
      d.recipients, d.pace_per_hour, d.pace_from, d.pace_to, b.state = 'live' as live,
      j.approved_by is not null and j.confirmed_at > now() - ${APPROVED_SECONDS} * interval '1 second' as approved,
      ${isLate(tx)} as is_late, now() as now, j.hold_until, d.send_at,
      greatest(0, extract(epoch from j.hold_until - now()) * 1000)::float8 as wait_ms,
      (select coalesce(sum(a.size), 0)::int from attempt a where a.job_id = j.id and (a.state in ${listed(tx, UNWRITTEN)} or ${heldUp(tx)})) as planned,
      (select coalesce(sum(a.size), 0)::int from attempt a where a.job_id = j.id and (a.state in ${listed(tx, [...SPENT, 'planned'])} or ${heldUp(tx)})) as size
    from job j join draft d on d.id = j.draft_id join binding b on b.id = j.binding_id
    where j.id = ${jobId} and ${move(tx, 'job', 'resume', 'j').may} and j.kept = 'all' for update of j for share of b`;
  return job;
}

/**
 * A pause takes nothing of what was agreed back. What had ended is a send of its own again: a rest above the chat's
 * limit needs a second person, unless one has agreed to this very send in the last day.
 */
function approvalFor(
  { state, approved }: HeldJob,
  parts: number,
  limits: Limits,
  found: LineFindings,
): Extract<LimitVerdict, { kind: 'approval' }> | null {
  return state === 'paused' || approved ? null : approvalNeed(limits, found, parts);
}

/** Whether the press itself is a second person's yes. */
async function maySecondIn(
  tx: TransactionSql,
  { chat_id: chatId, confirmed_by: confirmedBy }: HeldJob,
  personId: number | undefined,
): Promise<boolean> {
  if (personId === undefined || personId === confirmedBy) return false;
  const rows = await tx`
    select 1 from member where chat_id = ${chatId} and person_id = ${personId}
      and role = any(${rolesWith('send.approve')}::text[])`;
  return rows.length > 0;
}
