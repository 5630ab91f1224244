import { displayRecipient } from '../../domain/phone.ts';
import type { BlacklistEntry } from '../../ports/gateway.ts';
import type { Table } from '../../ports/tables.ts';
import { fitBlocks, lines, MESSAGE_BUDGET, visibleLength } from '../../telegram/html.ts';
import type { ListCard } from '../../telegram/list.ts';
import type { Turn } from '../../telegram/turn.ts';
import { blacklistActions } from './actions.ts';
import type { BlacklistPage } from './reader.ts';
import { shownNumber } from './shown-texts.ts';
import { texts } from './texts.ts';

/** One page of a line's blacklist. */
export function listCard(
  turn: Turn,
  { first, total, entries }: BlacklistPage,
  { line }: { readonly line: string },
): ListCard {
  const t = texts(turn.locale);
  const { number } = turn.format;
  const rows = entries.map((entry, index) =>
    t.entry(number(first + index), shownNumber(entry.number, entries.length), entry.setBy),
  );
  const head = t.listHead(line, turn.format.count(total, t.numbers));
  // Only a gateway that gives longer pages than it was asked for has more than fits.
  const { shown, dropped } = fitBlocks(rows, MESSAGE_BUDGET - visibleLength(head) - 100);
  const more = dropped > 0 && t.moreOnPage(turn.format.count(dropped, t.numbers));
  const list = rows.length === 0 ? t.emptyPage : shown;
  return {
    content: total === 0 && rows.length === 0 ? t.empty(line) : lines(head, list, more),
    buttons: [
      [
        blacklistActions.otherLine.button(t.otherLine, { what: 'list', numbers: '' }),
        total > 0 && blacklistActions.export.button(t.csv, { line }),
      ],
    ],
  };
}

export function listTable(turn: Turn, entries: readonly BlacklistEntry[]): Table {
  return {
    header: texts(turn.locale).listColumns,
    rows: entries.map(({ number, line, setBy = '', owner = '' }) => [
      displayRecipient(number),
      line,
      setBy,
      owner,
    ]),
  };
}
