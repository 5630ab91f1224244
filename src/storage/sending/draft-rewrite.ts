import type { TransactionSql } from 'postgres';
import { kindOf } from '../../domain/kinds/index.ts';
import { leastPace } from '../../domain/pace.ts';
import { writeRecurrence } from '../../domain/recurrence.ts';
import type { NewDraft } from '../../ports/stores.ts';
import { enqueueExpiry } from './draft-expiry.ts';
import { enqueueGauge } from '../enqueue.ts';
import { jsonText } from '../json.ts';
import { writeOutgoing } from './kinds/details.ts';
import { move } from '../move.ts';
import type { Row } from '../row.ts';

/**
 * Gives the open draft that a message has made what the message says now, as its next version; its id, or null where there is
 * none. What was chosen on the card since stays: the line of the same account, flash of the same kind, a pace that it can have, and a time where the message names none
 * and what it says has none of its own. To others than before it is no answer to a received message any more.
 */
export async function rewriteIn(tx: TransactionSql, draft: NewDraft): Promise<string | null> {
  const { kind, details } = writeOutgoing(draft.outgoing);
  const { openSeconds } = kindOf(draft.outgoing);
  const { to, may } = move(tx, 'draft', 'edit');
  const sendAt = draft.sendAt?.toISOString() ?? null;
  const recur = draft.recur === undefined ? null : writeRecurrence(draft.recur);
  const hasOwn = sendAt !== null || kindOf(draft.outgoing).keptUntil(draft.outgoing) !== null;
  const keeps = tx`(${!hasOwn}::boolean and details -> 'timedOnCard' is not null)`;
  const [row] = await tx<Row<'draft', 'id' | 'binding_id'>[]>`
    update draft set version = version + 1, state = ${to}, binding_id = ${draft.bindingId}, flash = flash and kind = ${kind},
      line = case when binding_id = ${draft.bindingId} then line else ${draft.line} end, kind = ${kind},
      details = case when recipients = ${[...draft.recipients]}::text[] then details else details - 'answers' end || ${jsonText(details)}::text::jsonb,
      text = ${draft.text}, recipients = ${[...draft.recipients]}, repeated = ${jsonText(draft.repeated)}::text::jsonb,
      invalid = ${jsonText(draft.invalid)}::text::jsonb, blocked = null,
      send_at = case when ${keeps} then send_at else ${sendAt}::timestamptz end,
      recur = case when ${keeps} then recur else ${recur}::text end,
      pace_per_hour = case when pace_per_hour >= ${leastPace(draft.outgoing)}::int then pace_per_hour end,
      expires_at = now() + ${openSeconds} * interval '1 second'
    where id = (
      select id from draft where chat_id = ${draft.chatId} and author_id = ${draft.authorId}
        and (details ->> 'saidBy')::int = ${draft.saidBy ?? null} order by created_at desc limit 1)
      and ${may} and expires_at > now()
    returning id, binding_id`;
  if (row === undefined) return null;
  await enqueueExpiry(tx, row.id, openSeconds);
  await enqueueGauge(tx, { bindingId: row.binding_id, draftId: row.id });
  return row.id;
}
