import { readEverything } from './read-everything.ts';
import { createScan, type InboxState, type Scan, type ScanOptions } from './scan.ts';

export interface Captured extends InboxState {
  /** Stored by this scan. */
  readonly stored: number;
  /** Stored although a message with the same id was there, with another content. */
  readonly changed: number;
  /** Every page was read. */
  readonly all: boolean;
  /** And nothing had moved meanwhile. */
  readonly whole: boolean;
}

export interface CaptureOptions extends ScanOptions {
  /** Reads every page, whatever is known. */
  readonly whole?: boolean;
}

/**
 * Stores what an account has received. Pages are read without a filter, for others may have marked anything read, and
 * each is stored before the next is asked for. Where the newest few are known and the count is as it was, nothing has
 * come. Else a scan goes from the newest side until a whole page, the second or a later one, has nothing new; where the gateway's own count then does not fit, or its order is not known, it reads
 * everything. Null when the account went to somebody else; throws what the gateway's reads throw.
 */
export async function capture(options: CaptureOptions): Promise<Captured | null> {
  const { work } = options;
  const { inboxTotal: before, newestFirst } = work;
  const scan = createScan(options);
  const mustReadAll = options.whole === true || work.inboxReadAt === null || before === null;
  if (!mustReadAll && newestFirst !== null) {
    const size = scan.peekSize();
    const peek = await scan.read(newestFirst ? 1 : Math.max(1, Math.ceil(before / size)), size);
    if (peek === null) return null;
    if (peek.fresh === 0 && peek.paging.totalCount === before)
      return { ...scan.sums(), inboxTotal: before, newestFirst, all: false, whole: false };
    const near = newestFirst ? await fromFirst(scan, before) : await fromLast(scan, before);
    if (near === 'given up') return null;
    if (near !== null) return { ...scan.sums(), inboxTotal: near, newestFirst, all: false, whole: false };
  }
  const read = await readEverything(scan, newestFirst);
  return read === null ? null : { ...scan.sums(), ...read, all: true };
}

/** The new total; null when everything must be looked at. */
type Near = number | null | 'given up';

async function fromFirst(scan: Scan, before: number): Promise<Near> {
  const first = await scan.read(1);
  if (first === null) return 'given up';
  // What comes in later only pushes the others back: the first page's count is the one that must be accounted for.
  const { totalCount: total } = first.paging;
  let last = first;
  for (let page = 1; ; page += 1) {
    if (last.isShort) return null;
    if ((page > 1 && last.fresh === 0) || page >= last.paging.totalPages) break;
    const next = await scan.read(page + 1);
    if (next === null) return 'given up';
    // A deletion moves what comes after it onto a page that was read already.
    if (next.paging.totalCount < last.paging.totalCount) return null;
    last = next;
  }
  return total === before + scan.sums().stored ? total : null;
}

async function fromLast(scan: Scan, before: number): Promise<Near> {
  const start = Math.max(1, Math.ceil(before / scan.size()));
  let page = start;
  let read = await scan.read(page);
  // The list has grown by whole pages meanwhile.
  while (read !== null && page < read.paging.totalPages) {
    page = read.paging.totalPages;
    read = await scan.read(page);
  }
  if (read === null) return 'given up';
  const { totalCount: total } = read.paging;
  do {
    if (read.isShort) return null;
    if (page === 1) break;
    page -= 1;
    read = await scan.read(page);
    if (read === null) return 'given up';
    // On the way up a deletion may have moved something onto a page that was passed already.
  } while (read.fresh > 0 || page > start);
  if (read.isShort) return null;
  return total === before + scan.sums().stored ? total : null;
}
