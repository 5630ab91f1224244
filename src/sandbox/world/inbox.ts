import type { Account, ReceivedMessage } from './account.ts';
import { isListed, isWithin } from './listing.ts';
import type { Range } from './listing.ts';
import { findLine, notOneOf } from './numbers.ts';
import { refuse } from './refusal.ts';
import type { Refusal } from './refusal.ts';
import type { World } from './world.ts';

/** Which received messages are meant: those of one line, and only the read or only the unread ones. */
export type InboxFilter = { readonly number?: string | undefined; readonly isread?: boolean | undefined };

const MAX_RECEIVED = 50;

/** The received messages that lists show by now, in their order; refused when the line is not the account's. */
export function readInbox(
  world: World,
  account: Account,
  { number, isread }: InboxFilter = {},
): ReceivedMessage[] | Refusal {
  const line = number === undefined ? undefined : findLine(account.lines, number);
  if (number !== undefined && line === undefined)
    return refuse('no_such_line', { why: notOneOf(account.lines, number) });
  const { hidesRead, oldestFirst } = world.switches;
  const read = isread ?? (hidesRead ? false : undefined);
  const listed = account.inbox.filter(
    (message) =>
      (line === undefined || message.line === line) &&
      (read === undefined || message.read === read) &&
      isListed(world, message.receivedAt),
  );
  return oldestFirst ? listed : listed.toReversed();
}

/** How many received messages fall into a range. */
export function countInbox(
  world: World,
  account: Account,
  range: Range,
  filter: InboxFilter,
): number | Refusal {
  const messages = readInbox(world, account, filter);
  if (!Array.isArray(messages)) return messages;
  return messages.filter((message) => isWithin(world, range, message.receivedAt)).length;
}

/**
 * At most 50 messages: the longest waiting unread ones, which are read from now on, or (`isread`) the newest
 * read ones, which stay as they are.
 */
export function receiveMessages(
  world: World,
  account: Account,
  { number, isread = false }: InboxFilter,
): ReceivedMessage[] | Refusal {
  const listed = readInbox(world, account, { number, isread });
  if (!Array.isArray(listed)) return listed;
  const oldestFirst = world.switches.oldestFirst ? listed : listed.toReversed();
  if (isread) return oldestFirst.toReversed().slice(0, MAX_RECEIVED);
  const taken = oldestFirst.slice(0, MAX_RECEIVED);
  for (const message of taken) message.read = true;
  return taken;
}
