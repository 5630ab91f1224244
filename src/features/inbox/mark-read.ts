import { failedChange } from '../../domain/failed-change.ts';
import { parseLine } from '../../domain/phone.ts';
import type { Inbox } from '../../ports/gateway.ts';
import type { Stores } from '../../storage/stores.ts';
import { toInbound } from './new-inbound.ts';

export interface MarkReadDeps {
  readonly inbox: Pick<Inbox, 'page' | 'receive'>;
  readonly inbound: Pick<Stores['inbound'], 'keep'>;
  readonly accounts: Pick<Stores['accounts'], 'receiving'>;
  readonly accountId: string;
  /** Before each call that marks; false: somebody else has the account by now. */
  readonly mayGoOn: () => Promise<boolean>;
}

const PAGE_SIZE = 200;
/** As many calls at one poll: what is left is marked at the next. */
const MAX_CALLS = 10;

/**
 * Marks read at the gateway what has been captured. Only a fetch can do that, and its answer may be lost: an intent is
 * written before it and taken back once what it brought is stored. An intent that stays makes the next poll read
 * everything. Returns how many messages were fetched; throws what the gateway throws, with the intent left open where
 * the fetch may have marked anything.
 */
export async function markRead(deps: MarkReadDeps): Promise<number> {
  const { inbox, inbound, accounts, accountId, mayGoOn } = deps;
  const { messages: unread } = await inbox.page({ read: false, pageSize: PAGE_SIZE });
  if (unread.length === 0) return 0;
  // What is unread by now is stored before anything can mark it.
  await inbound.keep(accountId, toInbound(unread), { quiet: false });
  const lines = [...new Set(unread.map(({ line }) => parseLine(line)))].filter((line) => line !== null);
  let fetched = 0;
  await accounts.receiving(accountId, true);
  for (const line of lines.slice(0, MAX_CALLS)) {
    if (!(await mayGoOn())) return fetched;
    try {
      const messages = await inbox.receive({ line });
      await inbound.keep(accountId, toInbound(messages), { quiet: false });
      fetched += messages.length;
    } catch (error) {
      if (failedChange(error)?.mayHaveActed === false) await accounts.receiving(accountId, false);
      throw error;
    }
  }
  await accounts.receiving(accountId, false);
  return fetched;
}

/**
 * Whether a gateway lists what has been read: only then a fetch with a lost answer loses nothing. Null: it has no read
 * message to tell it by.
 */
export async function listsRead(inbox: Pick<Inbox, 'page'>): Promise<boolean | null> {
  const { paging: read } = await inbox.page({ read: true, pageSize: 1 });
  const { paging: unread } = await inbox.page({ read: false, pageSize: 1 });
  const { paging: all } = await inbox.page({ pageSize: 1 });
  if (read.totalCount === 0) return null;
  return all.totalCount > unread.totalCount;
}
