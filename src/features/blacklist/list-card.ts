import { displayRecipient } from '../../domain/phone.ts';
import type { Blacklist, BlacklistEntry } from '../../ports/gateway.ts';
import type { Tables } from '../../ports/tables.ts';
import { fitBlocks, lines, MESSAGE_BUDGET, visibleLength } from '../../telegram/html.ts';
import { defineList } from '../../telegram/list.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { FILE_LABELS } from '../../telegram/table-file.ts';
import { blacklistActions } from './actions.ts';
import { shownNumber, texts } from './texts.ts';

const EXPORTED = 5000;

/** Declares the list of the numbers that a line must not send to. */
export function blockedList(
  blacklistOf: (ctx: RequestContext) => Promise<Blacklist>,
  tables: Pick<Tables, 'write'>,
) {
  return defineList({
    pages: blacklistActions.page,
    source: async (ctx, { line, page }) => await readBlacklistPage(await blacklistOf(ctx), line, page),
    card: (ctx, { first, total, entries }, { line }) => {
      const t = texts(ctx.locale);
      const { number } = ctx.format;
      const rows = entries.map((entry, index) =>
        t.entry(number(first + index), shownNumber(ctx, entry.number, entries.length), entry.setBy),
      );
      const head = t.listHead(line, ctx.format.count(total, t.numbers));
      // Only a gateway that gives longer pages than it was asked for has more than fits.
      const { shown, dropped } = fitBlocks(rows, MESSAGE_BUDGET - visibleLength(head) - 100);
      const more = dropped > 0 && t.moreOnPage(ctx.format.count(dropped, t.numbers));
      const list = rows.length === 0 ? t.emptyPage : shown;
      return {
        content: total === 0 && rows.length === 0 ? t.empty(line) : lines(head, list, more),
        buttons: [
          [
            blacklistActions.otherLine.button(t.otherLine, { what: 'list', numbers: '' }),
            total > 0 && blacklistActions.export.button(FILE_LABELS.csv, { line }),
          ],
        ],
      };
    },
    export: {
      action: blacklistActions.export,
      tables,
      file: async (ctx, { line }) => {
        const t = texts(ctx.locale);
        const { number, count } = ctx.format;
        const { entries, total } = await readWholeBlacklist(await blacklistOf(ctx), line, EXPORTED);
        const got = entries.length;
        return {
          name: `blacklist-${line}`,
          table: {
            header: t.listColumns,
            rows: entries.map((entry) => [
              displayRecipient(entry.number),
              entry.line,
              entry.setBy ?? '',
              entry.owner ?? '',
            ]),
          },
          caption: lines(
            t.listHead(line, count(got, t.numbers)),
            total > got && t.exportedPart(number(got), number(total)),
          ),
        };
      },
    },
  });
}

interface BlacklistPage {
  readonly page: number;
  readonly pages: number;
  /** What number the first entry has in the whole list. */
  readonly first: number;
  readonly total: number;
  readonly entries: readonly BlacklistEntry[];
}

const PAGE_SIZE = 30;
const EXPORT_PAGE = 200;

async function readBlacklistPage(blacklist: Blacklist, line: string, page: number): Promise<BlacklistPage> {
  const { entries, paging } = await blacklist.list({ line, page, pageSize: PAGE_SIZE });
  const { totalPages: pages, totalCount: total, pageSize } = paging;
  return { page, pages, first: (page - 1) * pageSize + 1, total, entries };
}

/** Up to `limit` entries, each number once, and how many there are by the gateway's count. */
async function readWholeBlacklist(
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
