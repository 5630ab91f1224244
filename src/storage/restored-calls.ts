import type { TransactionSql } from 'postgres';
import { enqueue, FIRST_LOOK_MS } from './enqueue.ts';
import { heldUp } from './held-up.ts';
import { jsonText } from './json.ts';
import { readOutgoing } from './kinds/details.ts';
import { move } from './move.ts';
import { wholeCall } from './reserve-in.ts';
import type { PlannedCall } from './take-calls.ts';
import type { Row } from './row.ts';

const PAGE = 200;
/** So far apart the first looks for many calls of a job begin: each reads the gateway's lists. */
export const APART_MS = 1000;
/** What was refused for its account may have stopped them since, and have gone on with them by a person's press. */
export const MAY_HAVE_GONE_ON = ['stopped', 'running', 'paused'] as const;

/**
 * Makes every call of a job that has no outcome one that may have left at any time since a backup: the gateway's lists
 * are searched for it, and people are asked for what these do not settle.
 * @returns how many calls that were
 */
export async function doubtCallsIn(tx: TransactionSql, jobId: string, from: Date): Promise<number> {
  await completeIn(tx, jobId);
  const { to, may } = move(tx, 'attempt', 'doubt', 'a');
  const calls = await tx<Row<'attempt', 'id'>[]>`
    with doubted as (
      update attempt a set state = ${to}, epoch = epoch + 1, owner = null, outcome = 'restored',
        on_wire_at = least(on_wire_at, ${from.toISOString()}::timestamptz), ended_at = now(), checks = 0, last_look = null
      where job_id = ${jobId} and ${may} and (a.state <> 'rejected' or ${heldUp(tx, MAY_HAVE_GONE_ON)})
      returning id, chunk
    )
    select id from doubted order by chunk`;
  for (const [place, { id }] of calls.entries()) {
    const afterMs = FIRST_LOOK_MS + place * APART_MS;
    await enqueue(tx, 'reconcile', { attemptId: id }, { key: `reconcile:${id}`, afterMs });
  }
  return calls.length;
}

/** Calls of a file get their messages when they are reserved; these never were, and are looked for by them. */
async function completeIn(tx: TransactionSql, jobId: string): Promise<void> {
  const [job] = await tx<Row<'draft', 'text' | 'flash' | 'kind' | 'details'>[]>`
    select d.text, d.flash, d.kind, d.details from job j join draft d on d.id = j.draft_id where j.id = ${jobId}`;
  if (job === undefined) return;
  const all = { text: job.text, flash: job.flash, outgoing: readOutgoing(job) };
  for (;;) {
    const planned = await tx<PlannedCall[]>`
      select a.id, a.chunk, a.epoch, a.binding_id, a.line, a.recipients, a.message_keys, a.messages, c.texts, a.tries
      from attempt a join job j on j.id = a.job_id
      join bulk_call c on c.draft_id = j.draft_id and c.chunk = a.chunk
      where a.job_id = ${jobId} and a.state = 'planned' and a.message_keys = '{}' and cardinality(a.recipients) > 0
      order by a.chunk limit ${PAGE}`;
    if (planned.length === 0) return;
    const fresh = planned.map((call) => {
      const { keys, messages } = wholeCall(all, call);
      return { id: call.id, keys, messages };
    });
    await tx`
      update attempt a set message_keys = g.keys, messages = g.messages
      from json_to_recordset(${jsonText(fresh)}::text::json) as g(id uuid, keys text[], messages jsonb) where a.id = g.id`;
  }
}
