import type { Blacklist, BlacklistEntry } from '../../ports/gateway.ts';

export interface BlacklistPage {
  readonly page: number;
  readonly pages: number;
  /** What number the first entry has in the whole list. */
  readonly first: number;
  readonly total: number;
  readonly entries: readonly BlacklistEntry[];
}

const PAGE_SIZE = 30;
const EXPORT_PAGE = 200;

export async function readBlacklistPage(
  blacklist: Blacklist,
  line: string,
  page: number,
): Promise<BlacklistPage> {
  const { entries, paging } = await blacklist.list({ line, page, pageSize: PAGE_SIZE });
  const { totalPages: pages, totalCount: total, pageSize } = paging;
  return { page, pages, first: (page - 1) * pageSize + 1, total, entries };
}

/** Up to `limit` entries, each number once, and how many there are by the gateway's count. */
export async function readWholeBlacklist(
  blacklist: Blacklist,
  line: string,
  limit: number,
): Promise<{ readonly entries: readonly BlacklistEntry[]; readonly total: number }> {
  const found = new Map<string, BlacklistEntry>();
  let total = 0;
  // One page more than needed: a number that is taken off or put on meanwhile moves the others.
  for (let page = 1; page <= Math.ceil(limit / EXPORT_PAGE) + 1 && found.size < limit; page += 1) {
    const { entries, paging } = await blacklist.list({ line, page, pageSize: EXPORT_PAGE });
    total = paging.totalCount;
    for (const entry of entries) found.set(entry.number, entry);
    if (entries.length === 0 || page >= paging.totalPages) break;
  }
  const entries = [...found.values()].slice(0, limit);
  return { entries, total: Math.max(total, entries.length) };
}
