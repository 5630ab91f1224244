import { listsNewestFirst } from '../../domain/inbound.ts';
import type { InboxState, Scan, ScannedPage } from './scan.ts';

/** How often a list that moves while it is read is read again at once; then at the next poll. */
const TRIES = 3;

/**
 * Reads every page, in the direction in which nothing can slip from a page that is still to be read onto one that was:
 * the newest first from its beginning, where only deletions could do that, and they show in the count; the oldest
 * first from its end. Null when somebody else has the account.
 */
export async function readEverything(
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
