import { FAILED, REFUSED_FOR_ACCOUNT } from '../../domain/attempt.ts';
import type { JobState } from '../../domain/job.ts';
import type { Queryable } from '../database/database.ts';
import { canBeDecided, listed } from '../move.ts';

/**
 * Whether a call `a` was refused for nothing but the state of its account, by which its job was stopped: nothing of it
 * left, and it is part of what is left. Not once another draft sends failures of that job again, nor where the account
 * is linked no more: then it is a refusal like any other, so that nobody is in a rest and in a resend.
 * @param states of jobs that count as stopped
 */
export function heldUp(sql: Queryable, states: readonly JobState[] = ['stopped']) {
  return sql`(a.state = 'rejected' and coalesce(a.gateway_code, 0) = any(${[...REFUSED_FOR_ACCOUNT]}::int[]) and exists (
    select 1 from job h join binding l on l.id = h.binding_id and l.state = 'live'
    where h.id = a.job_id and h.state = any(${[...states]}::text[]) and not exists (
      select 1 from draft r left join job k on k.draft_id = r.id
      where r.details -> 'resendOf' ->> 'draftId' = h.draft_id::text and ((${canBeDecided(sql, 'r')})
        or (r.state = 'confirmed' and k.state is distinct from 'undone')))))`;
}

/** Whether it was known when a job `j` last began that a call `a` of it does not leave: then the job has never counted it. */
export function knownBefore(sql: Queryable) {
  return sql`(a.state in ${listed(sql, FAILED)} and not coalesce(a.ended_at >= j.started_at, false))`;
}
