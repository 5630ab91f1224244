import { fieldName, skippedRows, type Bulk } from '../../../domain/bulk.ts';
import { readCellNumber } from '../../../domain/cell-number.ts';
import { stripBidi, type Format } from '../../../i18n/format.ts';
import type { SkippedRow } from '../../../ports/bulk.ts';
import type { Tables } from '../../../ports/tables.ts';
import type { Stores } from '../../../storage/stores.ts';
import type { Action } from '../../../telegram/action.ts';
import { clip, html, lines, quote } from '../../../telegram/html.ts';
import type { RequestContext } from '../../../telegram/request-context.ts';
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
  readonly find: (ctx: RequestContext, draftId: string) => Promise<FileDraft | null>;
  readonly bulks: Pick<Stores['bulks'], 'pick' | 'skipped'>;
  readonly tables: Pick<Tables, 'csv'>;
}): Action[] {
  /** A button that only looks, at a draft that has been counted. */
  const look = (
    action: typeof bulkActions.look,
    show: (ctx: RequestContext, file: FileDraft, summary: NonNullable<Bulk['summary']>) => Promise<void>,
  ): Action =>
    action.does(async (ctx, { draftId }) => {
      const file = await find(ctx, draftId);
      if (file === null) return;
      const { summary } = file.bulk;
      if (summary === null) await ctx.say(texts(ctx.locale).changed);
      else await show(ctx, file, summary);
    });

  return [
    look(bulkActions.look, async (ctx, { draft }) => {
      const t = texts(ctx.locale);
      const rows = await bulks.pick(draft.id, PICKED);
      await ctx.say(
        lines(
          t.closer(draft.code),
          ...rows.map(({ row, recipient, text }) =>
            quote(t.message(ctx.format.number(row), ctx.format.phone(recipient), clip(text, PICKED_UNITS))),
          ),
        ),
      );
    }),
    look(bulkActions.skipped, async (ctx, { draft, bulk }, summary) => {
      const t = texts(ctx.locale);
      const all = skippedRows(summary);
      const rows = await firstOf(bulks.skipped(draft.id), SHOWN);
      if (rows.length === 0) {
        await ctx.say(t.noneSkipped);
        return;
      }
      await ctx.say(
        lines(
          t.skippedHead(draft.code, ctx.format.count(all, t.rows)),
          html`${reasons(ctx, summary)}`,
          ...rows.map(([number, raw, reason]) =>
            t.skippedRow(ctx.format.number(number), shownRaw(raw, ctx.format), why(ctx, bulk, reason)),
          ),
          all > rows.length && t.skippedMore(ctx.format.number(all - rows.length)),
        ),
      );
    }),
    look(bulkActions.skippedFile, async (ctx, { draft, bulk }) => {
      await ctx.sendFile({
        name: `skipped-${draft.code}.csv`,
        content: () => tables.csv(skippedTable(ctx, bulk, bulks.skipped(draft.id))),
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
  ctx: RequestContext,
  bulk: Bulk,
  blocks: AsyncIterable<readonly SkippedRow[]>,
): AsyncGenerator<readonly (readonly string[])[]> {
  yield [texts(ctx.locale).columns];
  for await (const rows of blocks) {
    yield rows.map(([number, raw, reason]) => [String(number), raw, stripBidi(why(ctx, bulk, reason))]);
  }
}

/** How often each reason was found. */
function reasons(ctx: RequestContext, { skipped }: NonNullable<Bulk['summary']>): string {
  return ctx.format.list(
    skipped.map(({ reason, rows }) => `${ctx.format.number(rows)} ${skipReason(ctx.locale, reason)}`),
  );
}

function why(ctx: RequestContext, bulk: Bulk, reason: string): string {
  const [name = '', column] = reason.split(':');
  return column === undefined
    ? skipReason(ctx.locale, name)
    : texts(ctx.locale).noValue(clip(fieldName(bulk, Number(column)), 60));
}

function shownRaw(raw: string, format: Format): string {
  const read = readCellNumber(raw);
  return read.ok ? format.phone(read.recipient) : clip(raw, 40);
}
