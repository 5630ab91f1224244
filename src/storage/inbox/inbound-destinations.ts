import type { TransactionSql } from 'postgres';
import { optOf, ruleFits } from '../../domain/inbox-rules.ts';
import { enqueue } from '../enqueue.ts';
import type { Row } from '../row.ts';
import { rulesIn } from './rule-store.ts';

/** A message that this very transaction has stored. */
export interface StoredInbound {
  readonly id: number;
  readonly line: string;
  readonly text: string;
}

/** A message is told in a place. */
interface Telling {
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

/**
 * Where messages are told that have just been stored: in the destination of the first rule that fits and names one; null for
 * wherever the kind is switched on. What the rules, 11 and 12 ask for beside that is put into the queue, so that it is
 * done also when whoever stored the message dies.
 * @param stored of one account
 */
export async function autoResponsesIn(
  tx: TransactionSql,
  chatId: string,
  stored: readonly StoredInbound[],
): Promise<ReadonlyMap<number, string | null>> {
  await heedIn(tx, stored);
  const routes = new Map<number, string | null>();
  const rules = await rulesIn(tx, chatId);
  for (const message of stored) {
    // Whether somebody is at the desk is looked at when it is done.
    const fitting = rules.filter((rule) => ruleFits(rule, { ...message, isClosed: true }));
    routes.set(message.id, fitting.find(({ destination }) => destination !== null)?.destination?.id ?? null);
    if (fitting.some(({ answer }) => answer !== null)) await askIn(tx, message);
  }
  return routes;
}

/**
 * Has 11 and 12 heeded, however late they are read: whoever has asked to be left alone is not written to.
 * @param stored of one account
 */
export async function heedIn(tx: TransactionSql, stored: readonly StoredInbound[]): Promise<void> {
  const said = stored.filter(({ text }) => optOf(text) !== null);
  const [first] = said;
  if (first === undefined) return;
  const [account] = await tx<Row<'account', 'opt_out_lines as lines'>[]>`
    select a.opt_out_lines as lines from account a join inbound i on i.account_id = a.id where i.id = ${first.id}`;
  for (const message of said) if (account?.lines.includes(message.line) === true) await askIn(tx, message);
}

async function askIn(tx: TransactionSql, { id }: StoredInbound): Promise<void> {
  await enqueue(tx, 'inbound-duty', { inboundId: id }, { key: `inbound-duty:${id}` });
}
