import type { TransactionSql } from 'postgres';
import { enqueue } from './enqueue.ts';
import { move } from './move.ts';
import { takeBackIn } from './take-back.ts';
import type { Row } from './row.ts';

/**
 * Pauses with the chat's switch whatever of a chat runs or can still be undone; what is on the wire finishes. How many that
 * were. The chat's limits are held by then.
 * @param personId who has thrown it; null: nobody of the chat.
 */
export async function pauseAllIn(
  tx: TransactionSql,
  chatId: string,
  personId: number | null,
): Promise<number> {
  const { to, may } = move(tx, 'job', 'halt');
  const paused = await tx<Row<'job', 'id' | 'draft_id'>[]>`
    update job set state = ${to}, stop_reason = 'halted', stopped_by = ${personId}
    where chat_id = ${chatId} and ${may} returning id, draft_id`;
  await takeBackIn(
    tx,
    paused.map(({ id }) => id),
  );
  for (const { draft_id: draftId } of paused)
    await enqueue(tx, 'card', { draftId }, { key: `card:${draftId}` });
  return paused.length;
}
