import type { TransactionSql } from 'postgres';
import type { MissReason } from '../../domain/job.ts';
import { bookOf } from '../../domain/kinds/index.ts';
import { countsRial, dueAt, missOf } from '../../domain/limits.ts';
import type { Queryable } from '../database/database.ts';
import { readBack } from './draft-back.ts';
import { holdUnder, limitedIn, type HeldDraft } from './draft-press.ts';
import { costIn } from '../accounts/gauge-in.ts';
import { enqueue } from '../enqueue.ts';
import { holdLimits, showCapUseIn } from './limits-in.ts';
import { move } from '../move.ts';
import { endChangesIn } from './schedule-change.ts';
import { carryOnIn, followUpIn, mayConfirmIn, missIn } from './series.ts';
import type { Row } from '../row.ts';

/** So late, nobody can be sure that what was scheduled, or what a rule answers, is still wanted. */
export const LATE_SECONDS = 1800;

/** Whether a job `j` of a draft `d`, which nobody has let go at this very moment, is too late to leave by itself. */
export function isLate(sql: Queryable) {
  return sql`((j.state = 'scheduled' or coalesce((d.details -> 'answers' ->> 'isAuto')::boolean, false))
    and j.hold_until < now() - ${LATE_SECONDS} * interval '1 second')`;
}

type DueJob = Row<'job', 'id' | 'draft_id' | 'state' | 'confirmed_by' | 'price_rial'> & {
  readonly approved: boolean;
  readonly time_zone: string;
  readonly is_late: boolean;
};

/**
 * Takes a job whose time has come or whose hold is over to running, and makes what follows it in its series; or sets it
 * aside and asks, where a scheduled one comes too late or the limits of this moment do not let it leave. While a switch
 * stops it, a scheduled one waits until it is late, and one that was held is paused. Does nothing to any other job.
 * The chat's limits are held until the transaction ends.
 * @param timeZone of chats that have none of their own.
 * @returns whether it runs now, by this.
 */
export async function startDueIn(
  tx: TransactionSql,
  { id: jobId, draft_id: draftId, chat_id: chatId }: Row<'job', 'id' | 'draft_id' | 'chat_id'>,
  timeZone: string,
): Promise<boolean> {
  await holdLimits(tx, chatId);
  const held = await holdUnder(tx, draftId);
  const [job] = await tx<DueJob[]>`
    select j.id, j.draft_id, j.state, j.confirmed_by, j.price_rial, j.approved_by is not null as approved,
      coalesce(c.time_zone, ${timeZone}) as time_zone,
      ${isLate(tx)} as is_late
    from job j join draft d on d.id = j.draft_id join chat c on c.id = j.chat_id
    where j.id = ${jobId} and ${move(tx, 'job', 'start', 'j').may} and j.hold_until <= now() for update of j`;
  if (job === undefined || held === null) return false;
  const { halted, heldAt } = held.limits;
  if ((halted !== null || heldAt !== null) && !job.is_late) {
    await switchedOffIn(tx, job, held);
    return false;
  }
  // The moment that counts is this one, however long it has waited.
  const leavesAt = dueAt({
    outgoing: held.payload.outgoing,
    sendAt: null,
    holdUntil: held.draft.now,
  });
  const reason = await obstacleIn(tx, held, job, leavesAt);
  if (reason !== null) {
    await missIn(tx, jobId, reason);
    return false;
  }
  const start = move(tx, 'job', 'start');
  const price = countsRial(held.limits)
    ? (await costIn(tx, held.draft.binding_id, held.payload)).price
    : null;
  // Its first call brings the card along; one that finds no room beside another send's must not leave it saying "in 5 s".
  const started = await tx`
    with started as (
      update job set state = ${start.to}, started_at = now(), leaves_at = ${leavesAt.toISOString()},
        price_rial = coalesce(${price}, price_rial)
      where id = ${jobId} and ${start.may} returning draft_id
    )
    select enqueue_job('card', json_build_object('draftId', draft_id), 'card:' || draft_id, now() + interval '1 second', 'earliest')
    from started`;
  if (started.length === 0) return false;
  if (price !== null && price !== job.price_rial) await showCapUseIn(tx, chatId, held.limits);
  if (job.state === 'scheduled') await endChangesIn(tx, jobId);
  if (held.draft.recur !== null) await followUpIn(tx, draftId, timeZone);
  else if (bookOf(held.payload.outgoing) !== null) await carryOnIn(tx, draftId);
  return true;
}

/** One that waits for its time goes on waiting; one whose hold is over is paused by the switch, and goes on with it. */
async function switchedOffIn(
  tx: TransactionSql,
  { id, draft_id: draftId, state }: DueJob,
  { limits, draft }: HeldDraft,
): Promise<void> {
  if (state === 'scheduled') return;
  const isHeld = limits.heldAt !== null;
  const { to, may } = move(tx, 'job', 'halt');
  await tx`
    update job set state = ${to}, stop_reason = ${isHeld ? 'held' : 'halted'},
      stopped_by = ${isHeld ? null : tx`(select halted_by from chat_limits where chat_id = ${draft.chat_id})`}
    where id = ${id} and ${may}`;
  await enqueue(tx, 'card', { draftId }, { key: `card:${draftId}` });
}

async function obstacleIn(
  tx: TransactionSql,
  held: HeldDraft,
  { id, confirmed_by: confirmedBy, approved, time_zone: timeZone, is_late: isLate }: DueJob,
  leavesAt: Date,
): Promise<MissReason | null> {
  const { draft, limits } = held;
  if (isLate && limits.heldAt !== null) return 'held';
  if (isLate) return limits.halted === null ? 'late' : 'halted';
  if (!draft.live) return 'not_connected';
  // Nobody has pressed for this one of a series, or of a standing order; who did for that may have left the team by now.
  const isPressed = draft.recur === null && readBack(draft.details).byDate === undefined;
  if (!isPressed && !(await mayConfirmIn(tx, draft.chat_id, confirmedBy))) return 'role';
  const limited = await limitedIn(tx, held, {
    timeZone,
    confirmedBy: confirmedBy,
    approved,
    leavesAt,
    exceptJob: id,
  });
  return limited === null ? null : missOf(limited.verdict);
}
