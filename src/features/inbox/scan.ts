import { isBacklog } from '../../domain/inbound.ts';
import type { Inbox, Paging, ReceivedMessage } from '../../ports/gateway.ts';
import type { AccountWork } from '../../ports/inbound.ts';
import type { Stores } from '../../storage/stores.ts';
import { toInbound } from './new-inbound.ts';

/** What a scan begins with and leaves behind. */
export interface InboxState {
  readonly inboxTotal: number | null;
  readonly newestFirst: boolean | null;
}

export interface ScanOptions {
  readonly inbox: Pick<Inbox, 'page'>;
  readonly inbound: Pick<Stores['inbound'], 'keep'>;
  readonly work: Pick<AccountWork, 'accountId' | 'inboxReadAt' | 'sinceInboxOkMs'> & InboxState;
  /** Before each page; false ends the scan as it is: somebody else has the account by now. */
  readonly mayGoOn: () => Promise<boolean>;
  /** Messages that are asked for at a time; 200. */
  readonly pageSize?: number;
}

/** One page as it was listed, and how much of it was new. */
export interface ScannedPage {
  readonly messages: readonly ReceivedMessage[];
  readonly paging: Paging;
  readonly fresh: number;
  /** It has fewer messages than the gateway itself says that it has. */
  readonly isShort: boolean;
}

export type Scan = ReturnType<typeof createScan>;

const PAGE_SIZE = 200;
/** A look at whether anything is new takes so much less. */
const PEEKS = 10;
/** How often a scan begins again with smaller pages. */
const SHRINKS = 2;

/** Reads pages and stores each before the next is asked for. */
export function createScan({ inbox, inbound, work, mayGoOn, pageSize = PAGE_SIZE }: ScanOptions) {
  const quiet = isBacklog(work.sinceInboxOkMs, work.inboxReadAt !== null);
  let stored = 0;
  let changed = 0;
  let size = pageSize;
  let shrinks = 0;
  return {
    size: () => size,
    peekSize: () => Math.max(1, Math.floor(size / PEEKS)),
    /** Asks for so many at a time from now on. */
    shrink(to: number): void {
      size = Math.max(1, to);
      shrinks += 1;
    },
    sums: () => ({ stored, changed }),
    /** Null: somebody else has the account. */
    async read(page: number, asked = size): Promise<ScannedPage | null> {
      if (!(await mayGoOn())) return null;
      const { messages, paging } = await inbox.page({ page, pageSize: asked });
      const kept = await inbound.keep(work.accountId, toInbound(messages), { quiet });
      stored += kept.stored.length;
      changed += kept.changed;
      const given = paging.pageSize === 0 ? asked : Math.min(asked, paging.pageSize);
      const due = Math.min(given, paging.totalCount - (page - 1) * given);
      const isShort = messages.length > 0 && messages.length < due && asked > 1 && shrinks < SHRINKS;
      return { messages, paging, fresh: kept.stored.length, isShort };
    },
  };
}
