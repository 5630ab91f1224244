import type { TransactionSql } from 'postgres';
import type { Limits } from '../domain/limits.ts';
import type { MissReason } from '../ports/jobs.ts';
import { holdUnder, limitedIn, type HeldDraft } from './draft-press.ts';
import { followUpIn, mayConfirmIn, missIn } from './series.ts';

/** So late, nobody can be sure that what was scheduled is still wanted. */
export const LATE_SECONDS = 1800;

interface DueJob {
  readonly id: string;
  readonly draft_id: string;
  readonly confirmed_by: string;
  readonly time_zone: string;
  readonly is_late: boolean;
}

/**
 * Takes a job whose time has come to running, and makes what follows it in its series; or sets it aside and asks,
 * where it comes too late or what it was confirmed under holds no longer. While a switch stops it, it waits, until it is
 * late. False: it is none that waits for its time.
 * @param limits the chat's, held until the transaction ends.
 * @param timeZone of chats that have none of their own.
 */
export async function startWaitingIn(
  tx: TransactionSql,
  jobId: string,
  { limits, timeZone }: { readonly limits: Limits; readonly timeZone: string },
): Promise<boolean> {
  const [found] = await tx<{ draft_id: string }[]>`
    select draft_id from job where id = ${jobId} and state = 'scheduled' and hold_until <= now()`;
  if (found === undefined) return false;
  const held = await holdUnder(tx, found.draft_id, limits);
  const [job] = await tx<DueJob[]>`
    select j.id, j.draft_id, j.confirmed_by, coalesce(c.time_zone, ${timeZone}) as time_zone,
      j.hold_until < now() - ${LATE_SECONDS} * interval '1 second' as is_late
    from job j join chat c on c.id = j.chat_id
    where j.id = ${jobId} and j.state = 'scheduled' and j.hold_until <= now() for update of j`;
  if (job === undefined || held === null) return true;
  if ((limits.halted !== null || limits.heldAt !== null) && !job.is_late) return true;
  const reason = await obstacleIn(tx, held, job);
  if (reason !== null) {
    await missIn(tx, jobId, reason);
    return true;
  }
  await tx`update job set state = 'running', started_at = now(), leaves_at = now() where id = ${jobId}`;
  await followUpIn(tx, job.draft_id, timeZone);
  return true;
}

async function obstacleIn(
  tx: TransactionSql,
  held: HeldDraft,
  { id, confirmed_by: confirmedBy, time_zone: timeZone, is_late: isLate }: DueJob,
): Promise<MissReason | null> {
  const { draft, limits } = held;
  if (isLate && limits.heldAt !== null) return 'held';
  if (isLate) return limits.halted === null ? 'late' : 'halted';
  if (!draft.live) return 'not_connected';
  // Nobody has pressed for this one of a series; who did for the first may have left the team by now.
  if (draft.recur !== null && !(await mayConfirmIn(tx, draft.chat_id, confirmedBy))) return 'role';
  const limited = await limitedIn(
    tx,
    { ...held, draft: { ...draft, send_at_ms: null } },
    { timeZone, confirmedBy: Number(confirmedBy), approved: true, exceptJob: id },
  );
  return limited?.verdict.kind ?? null;
}
