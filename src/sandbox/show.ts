import { showBook } from './versions/phonebook-results.ts';
import type { Account, ReceivedMessage } from './world/account.ts';
import type { Json } from './json.ts';
import { showLocal } from './world/numbers.ts';
import { rowsOf } from './world/outbox.ts';
import type { SentMessage, SentRow } from './world/outbox.ts';
import { countParts } from './world/parts.ts';
import type { World } from './world/world.ts';

type JsonObject = { readonly [member: string]: Json };

/** An account without its secrets. */
export function showAccount(account: Account): JsonObject {
  const { username, lines, userStatus, credit, price, idsMode } = account;
  const received = account.inbox.length;
  const unread = account.inbox.filter(({ read }) => !read).length;
  const blocked = account.blacklist.size();
  const phonebooks = account.phonebooks.all().map((book) => showBook(account, book));
  return {
    username,
    lines,
    userStatus,
    credit,
    price,
    idsMode,
    received,
    unread,
    blocked,
    phonebooks,
    sentCalls: account.outbox.all().length,
  };
}

/** One message of either direction: an id as a text, for readers whose numbers are doubles, and times in epoch ms. */
export type Message =
  | { readonly kind: 'sent'; readonly account: Account; readonly message: SentMessage }
  | { readonly kind: 'received'; readonly account: Account; readonly message: ReceivedMessage };

export function idOf(one: Message): bigint {
  return one.kind === 'sent' ? one.message.firstId : one.message.messageId;
}

/** When it was accepted or received. */
export function timeOf(one: Message): number {
  return one.kind === 'sent' ? (one.message.acceptedAt ?? one.message.sentAt) : one.message.receivedAt;
}

const FIRST_RECIPIENTS = 3;

/** A message as a list shows it; with a phone's ten digits, its states are those of that phone alone. */
export function showMessage(world: World, one: Message, phone?: string): JsonObject {
  const { kind, account } = one;
  const common = { kind, id: String(idOf(one)), account: account.username };
  if (one.kind === 'received') {
    const { from, line, text, receivedAt, read } = one.message;
    return { ...common, line, text, at: receivedAt, from: showNumber(from), read };
  }
  const { line, text, flash, recipients, sentAt, acceptedAt = sentAt, parts, cost, origin } = one.message;
  return {
    ...common,
    line,
    text,
    at: acceptedAt,
    ...(acceptedAt === sentAt ? {} : { scheduledFor: sentAt }),
    flash,
    recipients: (phone === undefined ? recipients.slice(0, FIRST_RECIPIENTS) : [phone]).map(showNumber),
    recipientCount: recipients.length,
    encoding: countParts(text).encoding,
    parts,
    cost,
    ...(origin === undefined ? { origin: null } : { origin }),
    states: countStates(world, one.message, phone),
  };
}

/** One recipient of a sent message, and how far it is. */
export function showRow(world: World, row: SentRow): JsonObject {
  return { id: String(row.messageId), number: showNumber(row.recipient), state: world.stateOf(row) };
}

function countStates(world: World, message: SentMessage, phone: string | undefined): JsonObject {
  const counts: Record<string, number> = {};
  for (const row of rowsOf(message)) {
    if (phone !== undefined && row.recipient !== phone) continue;
    const state = world.stateOf(row);
    counts[state] = (counts[state] ?? 0) + 1;
  }
  return counts;
}

/** As it is dialled: a mobile number with its zero, a short number as it is. */
function showNumber(digits: string): string {
  return /^9\d{9}$/.test(digits) ? showLocal(digits) : digits;
}
