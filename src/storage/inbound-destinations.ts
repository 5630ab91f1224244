import type { TransactionSql } from 'postgres';
import { autoResponsesIn } from './auto-responses-in.ts';
import type { Row } from './row.ts';

/** A message that has just been stored. */
export interface StoredInbound {
  readonly id: number;
  readonly line: string;
  readonly sender: string;
  readonly text: string;
}

/** A message is told in a place. */
export interface Telling {
  readonly destinationId: string;
  readonly inboundId: number;
}

/**
 * Where messages that were just stored are told: in the place that a rule names, else in every place of the chat where
 * the kind is on.
 */
export async function destinationsFor(
  tx: TransactionSql,
  chatId: string,
  messages: readonly StoredInbound[],
): Promise<readonly Telling[]> {
  const destinations = await inboundDestinationsIn(tx, chatId);
  const routes = await autoResponsesIn(tx, chatId, messages);
  return messages.flatMap(({ id }) => {
    const route = routes.get(id) ?? null;
    return (route === null ? destinations : [route]).map((destinationId) => ({
      destinationId,
      inboundId: id,
    }));
  });
}

/** Places where received messages are told; those that cannot be reached now too, for what waits there is told later. */
export async function inboundDestinationsIn(tx: TransactionSql, chatId: string): Promise<readonly string[]> {
  const rows = await tx<Row<'sink', 'id'>[]>`
    select id from sink where chat_id = ${chatId} and 'inbound' = any(kinds) order by created_at, id`;
  return rows.map(({ id }) => id);
}
