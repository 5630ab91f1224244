import { fieldName, skippedRows, type Bulk } from '../../../domain/bulk.ts';
import { readCellNumber } from '../../../domain/cell-number.ts';
import { maskRecipient } from '../../../domain/phone.ts';
import { stripBidi } from '../../../i18n/format.ts';
import type { BulkStore, SkippedRow } from '../../../ports/bulk.ts';
import type { Tables } from '../../../ports/tables.ts';
import type { Action } from '../../../telegram/action.ts';
import { clip, html, lines, quote } from '../../../telegram/html.ts';
import type { Turn } from '../../../telegram/turn.ts';
import { skipReason } from '../../shared/skip-reasons.ts';
import { bulkActions } from '../actions.ts';
import type { FileDraft } from './forms.ts';
import { texts } from './texts.ts';

const SHOWN = 10;
const PICKED = 5;
const PICKED_UNITS = 500;

/** What a closer look at a draft shows: some of its messages, and the rows that do not leave. */
export function createSkippedCards({
  find,
  bulks,
  tables,
}: {
  readonly find: (turn: Turn, draftId: string) => Promise<FileDraft | null>;
  readonly bulks: Pick<BulkStore, 'pick' | 'skipped'>;
  readonly tables: Pick<Tables, 'csv'>;
}): Action[] {
  /** A button that only looks, at a draft that has been counted. */
  const look = (
    action: typeof bulkActions.look,
    show: (turn: Turn, file: FileDraft, summary: NonNullable<Bulk['summary']>) => Promise<void>,
  ): Action =>
    action.does(async (turn, { draftId }) => {
      const file = await find(turn, draftId);
      if (file === null) return;
      const { summary } = file.bulk;
      if (summary === null) await turn.say(texts(turn.locale).changed);
      else await show(turn, file, summary);
    });

  return [
    look(bulkActions.look, async (turn, { draft }) => {
      const t = texts(turn.locale);
      const rows = await bulks.pick(draft.id, PICKED);
      await turn.say(
        lines(
          t.closer(draft.code),
          ...rows.map(({ row, recipient, text }) =>
            quote(t.message(turn.format.number(row), maskRecipient(recipient), clip(text, PICKED_UNITS))),
          ),
        ),
      );
    }),
    look(bulkActions.skipped, async (turn, { draft, bulk }, summary) => {
      const t = texts(turn.locale);
      const all = skippedRows(summary);
      const rows = await firstOf(bulks.skipped(draft.id), SHOWN);
      if (rows.length === 0) {
        await turn.say(t.noneSkipped);
        return;
      }
      await turn.say(
        lines(
          t.skippedHead(draft.code, turn.format.count(all, t.rows)),
          html`${reasons(turn, summary)}`,
          ...rows.map(([number, raw, reason]) =>
            t.skippedRow(turn.format.number(number), shownRaw(raw), why(turn, bulk, reason)),
          ),
          all > rows.length && t.skippedMore(turn.format.number(all - rows.length)),
        ),
      );
    }),
    look(bulkActions.skippedFile, async (turn, { draft, bulk }) => {
      await turn.sendFile({
        name: `skipped-${draft.code}.csv`,
        content: () => tables.csv(skippedTable(turn, bulk, bulks.skipped(draft.id))),
      });
    }),
  ];
}

async function firstOf(blocks: AsyncIterable<readonly SkippedRow[]>, count: number): Promise<SkippedRow[]> {
  const rows: SkippedRow[] = [];
  for await (const block of blocks) {
    rows.push(...block.slice(0, count - rows.length));
    if (rows.length >= count) break;
  }
  return rows;
}

async function* skippedTable(
  turn: Turn,
  bulk: Bulk,
  blocks: AsyncIterable<readonly SkippedRow[]>,
): AsyncGenerator<readonly (readonly string[])[]> {
  yield [texts(turn.locale).columns];
  for await (const rows of blocks) {
    yield rows.map(([number, raw, reason]) => [String(number), raw, stripBidi(why(turn, bulk, reason))]);
  }
}

/** How often each reason was found. */
function reasons(turn: Turn, { skipped }: NonNullable<Bulk['summary']>): string {
  return turn.format.list(
    skipped.map(({ reason, rows }) => `${turn.format.number(rows)} ${skipReason(turn.locale, reason)}`),
  );
}

function why(turn: Turn, bulk: Bulk, reason: string): string {
  const [name = '', column] = reason.split(':');
  return column === undefined
    ? skipReason(turn.locale, name)
    : texts(turn.locale).noValue(clip(fieldName(bulk, Number(column)), 60));
}

/** Whoever reads along sees which number it is, not the number. */
function shownRaw(raw: string): string {
  const read = readCellNumber(raw);
  return read.ok ? maskRecipient(read.recipient) : clip(raw, 40);
}
