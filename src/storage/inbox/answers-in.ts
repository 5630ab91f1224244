import type { TransactionSql } from 'postgres';
import { z } from 'zod';
import { enqueue, enqueueRenotice } from '../enqueue.ts';
import { answeredIn, cardsIn } from './talk-store.ts';
import type { Row } from '../row.ts';

const answersSchema = z.object({
  answers: z.object({ inboundId: z.number().int(), isAuto: z.boolean() }),
});

/** Mostly it is said by the first of these; Telegram may let us wait, though. */
const LATER_MS = [1500, 15_000] as const;

/** The received message that a draft answers, from its details; nothing where it answers none. */
export function readAnswers(details: unknown): Partial<z.infer<typeof answersSchema>> {
  return answersSchema.safeParse(details).data ?? {};
}

/** A draft that answers a message was confirmed: its cards tell so, and a person's answer counts for the correspondent. */
export async function noteAnswerIn(
  tx: TransactionSql,
  draft: { readonly id: string; readonly details: unknown },
  personId: number,
): Promise<void> {
  const { answers } = readAnswers(draft.details);
  if (answers === undefined) return;
  const [row] = await tx<
    Row<'inbound', 'talk_id'>[]
  >`select talk_id from inbound where id = ${answers.inboundId}`;
  if (row === undefined) return;
  if (!answers.isAuto) await answeredIn(tx, row.talk_id, personId);
  await tx`update notice set draft_id = ${draft.id} where inbound_id = ${answers.inboundId}`;
  await showTalkIn(tx, row.talk_id);
}

/** An answer was taken back: what counts for its correspondent is the one before it, if a person gave any. */
export async function forgetAnswerIn(tx: TransactionSql, draftId: string): Promise<void> {
  const [row] = await tx<Row<'talk', 'id'>[]>`
    update talk t set answered_by = b.confirmed_by, answered_at = b.confirmed_at
    from draft d join inbound i on i.id = (d.details -> 'answers' ->> 'inboundId')::bigint
    left join lateral (
      select j.confirmed_by, j.confirmed_at from inbound o
      join draft e on e.chat_id = d.chat_id and (e.details -> 'answers' ->> 'inboundId')::bigint = o.id and not (e.details -> 'answers' ->> 'isAuto')::boolean
      join job j on j.draft_id = e.id and j.state <> 'undone'
      where o.talk_id = i.talk_id order by j.confirmed_at desc limit 1) b on true
    where d.id = ${draftId} and t.id = i.talk_id and not (d.details -> 'answers' ->> 'isAuto')::boolean
    returning t.id`;
  if (row !== undefined) await showTalkIn(tx, row.id);
}

/**
 * Has the cards of a correspondent brought up to what holds when this transaction has ended: once more in a while where
 * one is just being said, of which there is no message to edit yet.
 */
export async function showTalkIn(tx: TransactionSql, talkId: string): Promise<void> {
  const inboundIds = await cardsIn(tx, talkId);
  await enqueueRenotice(tx, { inboundIds });
  const saying = await tx`
    select from notice where inbound_id = any(${inboundIds}::bigint[]) and state = 'sending' limit 1`;
  if (saying.length === 0) return;
  for (const afterMs of LATER_MS)
    await enqueue(tx, 'renotice', { inboundIds }, { key: `renotice ${afterMs}:${talkId}`, afterMs });
}
