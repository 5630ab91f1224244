import { createHash } from 'node:crypto';
import { isAppError } from '../../domain/errors.ts';
import type { Inbox, ReceivedMessage } from '../../ports/gateway.ts';

export type InboxView = 'unread' | 'all';

export interface InboxQuery {
  readonly view: InboxView;
  /** Null: every line of the account. */
  readonly line: string | null;
}

export interface InboxPage {
  /** From 1; another than was asked for where the list has become shorter. */
  readonly page: number;
  /** What number the first message has in the whole list. */
  readonly first: number;
  readonly messages: readonly ReceivedMessage[];
  /** Absent in the plain list, which nobody counts: there `more` says whether another page follows. */
  readonly total?: number;
  readonly pages?: number;
  readonly more: boolean;
  /** Why it is the plain list, with every line and both read and unread: the RefusalName of the paged one. */
  readonly insteadOf?: string;
}

const PAGE_SIZE = 10;
/** The gateway's own limit of a page. */
const EXPORT_PAGE = 500;

/**
 * One page of received messages; nothing is marked read. Where the gateway refuses the paged inbox, its plain one
 * answers, which knows neither line nor read mark.
 */
export async function readInboxPage(inbox: Inbox, query: InboxQuery, wanted: number): Promise<InboxPage> {
  let page = wanted;
  try {
    let found = await inbox.page({ ...filterOf(query), page, pageSize: PAGE_SIZE });
    let last = Math.max(1, found.paging.totalPages);
    if (page > last) {
      page = last;
      found = await inbox.page({ ...filterOf(query), page, pageSize: PAGE_SIZE });
      last = Math.max(page, found.paging.totalPages);
    }
    const { totalCount: total, pageSize } = found.paging;
    const first = (page - 1) * pageSize + 1;
    return { page, first, messages: newestFirst(found.messages), total, pages: last, more: page < last };
  } catch (error) {
    if (!isAppError(error, 'gateway_refused') || FINAL.has(String(error.params['name']))) throw error;
    const offset = (wanted - 1) * PAGE_SIZE;
    const messages = await inbox.fromOffset({ count: PAGE_SIZE + 1, offset });
    return {
      page: wanted,
      first: offset + 1,
      messages: messages.slice(0, PAGE_SIZE),
      more: messages.length > PAGE_SIZE,
      insteadOf: String(error.params['name']),
    };
  }
}

/** Up to `limit` messages, each once, and how many there are by the gateway's count. */
export async function readWholeInbox(
  inbox: Inbox,
  query: InboxQuery,
  limit: number,
): Promise<{ readonly messages: readonly ReceivedMessage[]; readonly total: number }> {
  const found = new Map<string, ReceivedMessage>();
  const pageSize = Math.min(limit, EXPORT_PAGE);
  let total = 0;
  // A message that comes in meanwhile moves the others back by one: the page after shows one of them again.
  for (let page = 1; page <= Math.ceil(limit / pageSize) + 1 && found.size < limit; page += 1) {
    const { messages, paging } = await inbox.page({ ...filterOf(query), page, pageSize });
    total = paging.totalCount;
    for (const message of messages) found.set(keyOf(message), message);
    if (messages.length === 0 || page >= paging.totalPages) break;
  }
  const messages = newestFirst([...found.values()]).slice(0, limit);
  return { messages, total: Math.max(total, messages.length) };
}

/** The messages with these keys, looked for where they stood and one page on: new ones push the others back. */
export async function findMessages(
  inbox: Inbox,
  query: InboxQuery,
  { page, keys }: { readonly page: number; readonly keys: readonly string[] },
): Promise<readonly ReceivedMessage[]> {
  const first = await readInboxPage(inbox, query, page);
  const here = first.messages.filter((message) => keys.includes(keyOf(message)));
  if (here.length >= keys.length || !first.more) return here;
  const next = await readInboxPage(inbox, query, first.page + 1);
  return [...here, ...next.messages.filter((message) => keys.includes(keyOf(message)))];
}

/** Knows a message again: its id, or what else it has where the gateway gives none. */
export function keyOf({ id, ...rest }: ReceivedMessage): string {
  return id ?? createHash('sha256').update(JSON.stringify(rest)).digest('base64url').slice(0, 22);
}

/** Refusals that the plain list would meet as well, and one that tells of a mistake. */
const FINAL: ReadonlySet<string> = new Set([
  'not_authorized',
  'rate_limited',
  'invalid_line',
  'user_not_found',
  'user_locked',
  'user_expired',
  'user_not_confirmed',
  'user_without_access',
]);

function filterOf({ view, line }: InboxQuery): { line?: string; read?: boolean } {
  return { ...(line === null ? {} : { line }), ...(view === 'all' ? {} : { read: false }) };
}

/** The gateway states no order within a page; those without a date stay where they are, at the end. */
function newestFirst(messages: readonly ReceivedMessage[]): readonly ReceivedMessage[] {
  return messages.toSorted((left, right) => (right.date ?? 0) - (left.date ?? 0));
}
