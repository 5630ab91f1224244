import type { TransactionSql } from 'postgres';
import { z } from 'zod';
import { enqueue, enqueueRenotice } from './enqueue.ts';
import { answeredIn, cardsIn } from './talk-store.ts';
import type { Row } from './row.ts';

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
