import { listsNewestFirst } from '../../domain/inbound.ts';
import { createScan, type InboxState, type Scan, type ScannedPage, type ScanOptions } from './scan.ts';

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

/** How often a list that moves while it is read is read again at once; then at the next poll. */
const TRIES = 3;

/**
 * Reads every page, in the direction in which nothing can slip from a page that is still to be read onto one that was:
 * the newest first from its beginning, where only deletions could do that, and they show in the count; the oldest
 * first from its end. Null when somebody else has the account.
 */
async function readEverything(
  scan: Scan,
  known: boolean | null,
): Promise<(InboxState & { readonly whole: boolean }) | null> {
  let isFromEnd = known === false;
  for (let tries = 1; ;) {
    const pass = isFromEnd ? await fromEnd(scan) : await fromBeginning(scan);
    if (pass === null) return null;
    if (pass === 'short') continue;
    const { first, last, dates, hasShrunk } = pass;
    const newestFirst = listsNewestFirst(dates);
    const isWrongWay = isFromEnd ? newestFirst === true : newestFirst === false && last.paging.totalPages > 1;
    const whole = !hasShrunk && !isWrongWay;
    if (whole || tries >= TRIES) {
      // Newest first, what came in while the pages were read is on none of them; else it is on the last.
      const { totalCount } = (newestFirst === true ? first : last).paging;
      return { newestFirst, whole, inboxTotal: whole ? totalCount : null };
    }
    tries += 1;
    isFromEnd = newestFirst === false;
  }
}

/** `short`: the scan has gone over to smaller pages, and begins again. */
type Pass =
  | {
      readonly first: ScannedPage;
      readonly last: ScannedPage;
      /** Of each page, in the order of the pages. */
      readonly dates: readonly (readonly number[])[];
      readonly hasShrunk: boolean;
    }
  | 'short'
  | null;

async function fromBeginning(scan: Scan): Promise<Pass> {
  const first = await scan.read(1);
  if (first === null) return null;
  let last = first;
  const dates = [datesOf(first)];
  let hasShrunk = false;
  for (let page = 1; ; page += 1) {
    if (last.isShort) return goSmaller(scan, last);
    if (page >= last.paging.totalPages || last.messages.length === 0)
      return { first, last, dates, hasShrunk };
    const next = await scan.read(page + 1);
    if (next === null) return null;
    if (next.paging.totalCount < last.paging.totalCount) hasShrunk = true;
    // A page beyond the end says nothing of the order.
    if (next.messages.length === 0) return { first, last, dates, hasShrunk };
    dates.push(datesOf(next));
    last = next;
  }
}

async function fromEnd(scan: Scan): Promise<Pass> {
  let first = await scan.read(1);
  let last = first;
  let page = first?.paging.totalPages ?? 0;
  if (page > 1) last = await scan.read(page);
  while (last !== null && last.paging.totalPages > page && page > 0) {
    page = last.paging.totalPages;
    last = await scan.read(page);
  }
  if (first === null || last === null) return null;
  if (last.isShort) return goSmaller(scan, last);
  const dates = [datesOf(last)];
  for (page -= 1; page >= 1; page -= 1) {
    const read = await scan.read(page);
    if (read === null) return null;
    if (read.isShort) return goSmaller(scan, read);
    dates.unshift(datesOf(read));
    first = read;
  }
  return { first, last, dates, hasShrunk: false };
}

function datesOf({ messages }: ScannedPage): number[] {
  return messages.map(({ date }) => date).filter((date) => date !== undefined);
}

function goSmaller(scan: Scan, { messages }: ScannedPage): 'short' {
  scan.shrink(messages.length);
  return 'short';
}
