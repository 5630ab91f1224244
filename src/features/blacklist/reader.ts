import type { Blacklist, BlacklistEntry } from '../../ports/gateway.ts';

export interface BlacklistPage {
  /** From 1; another than was asked for where the list has become shorter. */
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
  wanted: number,
): Promise<BlacklistPage> {
  let page = wanted;
  let found = await blacklist.list({ line, page, pageSize: PAGE_SIZE });
  let last = Math.max(1, found.paging.totalPages);
  if (page > last) {
    page = last;
    found = await blacklist.list({ line, page, pageSize: PAGE_SIZE });
    last = Math.max(page, found.paging.totalPages);
  }
  const { totalCount: total, pageSize } = found.paging;
  return { page, pages: last, first: (page - 1) * pageSize + 1, total, entries: found.entries };
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
