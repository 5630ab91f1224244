import type { SendRequest } from '../../src/ports/gateway.ts';
import type { Db } from './memory/db.ts';
import { EPOCH_MS } from './scheduler.ts';

/** So long the client may wait between the word of the fence and its first byte. */
const FENCE_MS = 2000;

/** Minds that nothing leaves that was stopped, held up, undone, not approved, or is not due. */
export interface Orders {
  /** The rows may have changed: what is wrong with what has become of a send; null: nothing. */
  look(): string | null;
  /** What is wrong with a call whose first byte is about to be written; null: nothing. */
  wrongToLeave(account: string, request: SendRequest): string | null;
  /** The database has gone back: what was ordered since is not, and what has passed the fence leaves all the same. */
  forget(): void;
}

/** @param blocked who is on the blacklist, where that can always be read */
export function createOrders(db: Db, blocked: readonly string[]): Orders {
  const ran = new Map<string, number>();
  const open = new Map<string, number>();
  const undone = new Set<string>();
  let lostAt = -Infinity;

  return {
    look() {
      for (const { id } of db.chats.values())
        if ((db.limits.get(id)?.halted_at ?? db.deployment.held_at) === null) open.set(id, db.now);
      for (const { id, state } of db.jobs.values()) {
        if (state === 'running') ran.set(id, db.now);
        if (state === 'undone') undone.add(id);
        else if (undone.has(id)) return `a send that was undone is ${state}`;
      }
      for (const { job_id: jobId, state } of db.calls.values())
        if (undone.has(jobId) && state !== 'planned') return `a send is undone, of which a call is ${state}`;
      return null;
    },

    forget() {
      lostAt = db.now;
      undone.clear();
    },

    wrongToLeave(account, { line, recipients, text, flash }) {
      const since = db.now - FENCE_MS;
      const left = recipients.find((recipient) => blocked.includes(recipient));
      if (left !== undefined) return `${left} is blocked, and is written to`;
      if (lostAt >= since) return null;
      let why = 'is of no send';
      for (const call of db.calls.values()) {
        const job = db.jobs.get(call.job_id);
        const draft = db.drafts.get(job?.draft_id ?? '');
        if (
          job === undefined ||
          draft === undefined ||
          db.bindings.get(call.binding_id)?.gateway_user !== account
        )
          continue;
        if (draft.line !== line || draft.text !== text || draft.flash !== flash) continue;
        if (!recipients.every((each) => call.recipients.includes(each))) continue;
        const { approval_parts: above = null } = db.limits.get(job.chat_id) ?? {};
        const approver = job.approved_by ?? job.confirmed_by;
        if (call.state === 'planned' || call.state === 'reserved')
          why = 'leaves before it is written down that it does';
        else if ((ran.get(job.id) ?? 0) < since) why = `leaves though its job is ${job.state}`;
        else if ((open.get(job.chat_id) ?? 0) < since) why = 'leaves though the switch is thrown';
        else if (draft.send_at !== null && draft.send_at.getTime() > db.now + 1000)
          why = 'leaves before its time';
        else if (above !== null && draft.recipients.length > above && approver === draft.author_id)
          why = 'leaves without approval';
        else return null;
      }
      return `a call to ${recipients.length} at ${(db.now - EPOCH_MS) / 1000} s ${why}`;
    },
  };
}
