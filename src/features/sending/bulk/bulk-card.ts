import {
  fieldName,
  mayKeep,
  peopleTag,
  recordCount,
  skippedRows,
  type Bulk,
  type SourceRow,
} from '../../../domain/bulk.ts';
import { readCellNumber } from '../../../domain/cell-number.ts';
import type { Format } from '../../../i18n/format.ts';
import type { CardView, DraftView } from '../../../ports/stores.ts';
import type { ActionButton, Buttons } from '../../../telegram/buttons.ts';
import type { RenderedCard } from '../../../telegram/outgoing/notifier.ts';
import { clip, joinHtml, lines, quote, type Html } from '../../../telegram/html.ts';
import { tryButton } from '../../../telegram/again.ts';
import { countLine } from '../../shared/count-words.ts';
import { peopleTagTexts } from '../../shared/people-tag.ts';
import { bulkActions, draftActions, type Authored } from '../actions.ts';
import { texts } from '../texts.ts';
import { countedLines, quoted, rowPager } from './bulk-review-card.ts';
import { bulkTexts } from './bulk-texts.ts';

/** What a card of a file is made of: the rest of it is as on the card of any draft. */
export interface BulkFrame {
  readonly view: Pick<CardView, 'draft' | 'sample'>;
  readonly bulk: Bulk;
  readonly format: Format;
  readonly author: Authored;
}

const NAME_UNITS = 60;
const CELL_UNITS = 24;
const CELLS = 5;
const FIELDS = 12;
const COLUMNS_OFFERED = 5;

/** What the card says between its first line and its price. */
export function bulkBody(frame: BulkFrame): Html {
  const { bulk, format, view } = frame;
  const t = bulkTexts(format.locale);
  const records = recordCount(bulk);
  const isPeople = peopleTag(bulk) !== null;
  const rows = format.count(records, isPeople ? peopleTagTexts(format.locale).people : t.rows);
  const file = source(bulk, format, bulk.rows === 0 || bulk.step === 'reading' ? null : rows);
  switch (bulk.step) {
    case 'reading':
      return lines(
        file,
        isPeople
          ? t.readingPeople
          : bulk.done === 0
            ? t.reading
            : t.readSoFar(format.count(bulk.done, t.rows)),
        t.nothingYet,
      );
    case 'failed':
      return lines(file, t.failed, problem(bulk, format), t.sendAgain);
    case 'columns':
      if (bulk.keep !== null) return lines(file, t.keeping(bulk.keep.tag));
      return lines(file, view.draft.text !== '' && quoted(view.draft.text), ...columns(frame));
    case 'text':
      return lines(
        file,
        !isPeople && phone(bulk, format),
        fields(bulk, format),
        found(bulk, format),
        t.writeText,
      );
    case 'counting':
      return lines(
        file,
        quoted(view.draft.text),
        bulk.done === 0 ? t.counting : t.countedSoFar(format.number(Math.min(bulk.done, records)), rows),
        t.nothingYet,
      );
    case 'review':
      return lines(file, ...countedLines(view.draft, view.sample, bulk, format));
  }
}

/** The buttons between the one that lets it leave and the one that cancels it. */
export function bulkButtons({ view, bulk, author: { payload, look }, format }: BulkFrame): Buttons {
  const t = bulkTexts(format.locale);
  const general = texts(format.locale);
  const { draft } = view;
  const { header, columns: showColumns, text, missing } = bulkActions;
  const names = header.button(t.namesRow, payload, look);
  const edit = [text.button(general.text, payload, look), showColumns.button(t.columns, payload, look)];
  switch (bulk.step) {
    case 'reading':
    case 'failed':
      return [];
    case 'columns':
      if (bulk.keep !== null) return [];
      if (bulk.phone === null) {
        const offered = bulk.columns.slice(0, COLUMNS_OFFERED);
        return [
          ...offered.map((name, index) => {
            const cell = name === '' ? (bulk.head[0]?.[1][index] ?? '') : '';
            const label = `${columnName(bulk, index, format)}${cell === '' ? '' : ` · ${cell}`}`;
            return [bulkActions.phone.button(label, { ...payload, column: index }, look)];
          }),
          [
            bulk.columns.length > offered.length && bulkActions.column.button(t.otherColumn, payload, look),
            names,
          ],
        ];
      }
      const use =
        bulk.numbers !== null && bulkActions.use.button(t.use, payload, { ...look, style: 'success' });
      if (peopleTag(bulk) !== null) return [[use]];
      return [
        [use],
        [mayKeep(bulk) && bulkActions.keep.button(t.keep, payload, look)],
        [bulk.columns.length > 1 && bulkActions.column.button(t.changeColumn, payload, look), names],
      ];
    case 'text':
    case 'counting':
      return [edit];
    case 'review': {
      const { summary, onMissing } = bulk;
      return summary === null || summary.missing === 0 || hasNoRows(draft)
        ? []
        : [
            [missing.button(t.skipThem(onMissing.way === 'skip'), { ...payload, way: 'skip' }, look)],
            [
              bulkActions.fill.button(t.fillThem(onMissing.way === 'default'), payload, look),
              missing.button(t.stopAll(onMissing.way === 'stop'), { ...payload, way: 'stop' }, look),
            ],
          ];
    }
  }
}

/** What can be changed of a file that was counted. Without its rows it cannot be counted anew. */
export function editButtons({ view: { draft }, author: { payload, look }, format }: BulkFrame): Buttons {
  const general = texts(format.locale);
  const flash = draftActions.flash.button(general.flash(draft.flash), payload, look);
  if (hasNoRows(draft)) return [[flash]];
  return [
    [
      bulkActions.text.button(general.text, payload, look),
      bulkActions.columns.button(bulkTexts(format.locale).columns, payload, look),
    ],
    [draftActions.line.button(general.line, payload, look), flash],
  ];
}

function hasNoRows({ undoOf }: DraftView): boolean {
  return undoOf?.rowsGone === true;
}

/**
 * What whoever has to decide can look at: the messages one by one, some of them, and who is left out.
 * @param own what its author alone is offered beside.
 */
export function lookButtons(
  { view: { draft, sample }, bulk, format }: Omit<BulkFrame, 'author'>,
  own: ActionButton | false,
): Buttons {
  const { summary } = bulk;
  if (summary === null) return [];
  const t = bulkTexts(format.locale);
  const seen = { draftId: draft.id };
  const skipped = skippedRows(summary) > 0;
  return [
    sample === null || summary.recipients < 2 ? [] : rowPager(sample, summary, draft.id, format),
    [
      summary.recipients > 0 && bulkActions.look.button(t.look, seen),
      skipped && bulkActions.skipped.button(t.seeSkipped, seen),
    ],
    [skipped && bulkActions.skippedFile.button(t.skippedFile, seen), own],
  ];
}

/** The file of a send that is under way, or the tag of its people. */
export function fileLine(bulk: Bulk, format: Format): Html {
  return source({ file: { ...bulk.file, sheet: null } }, format, null);
}

function source(bulk: Pick<Bulk, 'file'>, { locale }: Format, rows: string | null): Html {
  const t = bulkTexts(locale);
  const { name, sheet } = bulk.file;
  const shown = clip(name, NAME_UNITS);
  return peopleTag(bulk) === null
    ? t.file(shown, rows, sheet === null ? null : clip(sheet, NAME_UNITS))
    : t.people(shown, rows);
}

/** A file whose people are kept now; null where that is not what its draft has ended with. */
export function keptCard(bulk: Bulk, format: Format): RenderedCard | null {
  const outcome = bulk.keep?.outcome ?? null;
  if (bulk.keep === null || outcome === null) return null;
  const t = bulkTexts(format.locale);
  const { people } = peopleTagTexts(format.locale);
  const { tag } = bulk.keep;
  const file = source(bulk, format, null);
  if ('limit' in outcome)
    return {
      content: lines(file, t.keptFull(format.number(outcome.limit))),
      buttons: [[tryButton(t.showThem, '/people')]],
    };
  const { numbers } = bulk;
  const left = (numbers?.invalid ?? 0) + (numbers?.repeated ?? 0);
  return {
    content: lines(
      file,
      t.kept(format.count(outcome.people, people), tag, format.number(outcome.fresh)),
      left > 0 && t.skippedInJob(format.count(left, t.rows)),
    ),
    buttons: [[tryButton(t.toThem, `/bulk #${tag}`), tryButton(t.showThem, `/people #${tag}`)]],
  };
}

/** How many of its rows did not become a message. */
export function leftOut({ summary }: Bulk, format: Format): Html | false {
  const t = bulkTexts(format.locale);
  const rows = summary === null ? 0 : skippedRows(summary);
  return rows > 0 && t.skippedInJob(format.count(rows, t.rows));
}

/** A column as people know it. */
function columnName({ columns: names }: Pick<Bulk, 'columns'>, index: number, format: Format): string {
  const name = names[index] ?? '';
  return name === '' ? bulkTexts(format.locale).column(format.number(index + 1)) : name;
}

function problem({ problem: found }: Bulk, format: Format): Html {
  const t = bulkTexts(format.locale);
  const place = (value: number | null | undefined): string =>
    value === null || value === undefined ? '' : format.number(value);
  const say = new Map(Object.entries(t.problems)).get(found?.reason ?? '') ?? t.problems.other;
  return say({ row: place(found?.row), limit: place(found?.limit) });
}

function columns(frame: BulkFrame): (Html | false)[] {
  const { bulk, format } = frame;
  const t = bulkTexts(format.locale);
  const [names] = bulk.header > 0 ? bulk.head : [];
  const head = bulk.head.slice(names === undefined ? 0 : 1);
  const shown = bulk.columns
    .map((_, index) => index)
    .filter((index) => index < CELLS || index === bulk.phone)
    .slice(0, CELLS + 1);
  const isPeople = peopleTag(bulk) !== null;
  return [
    !isPeople && phone(bulk, format),
    bulk.phone !== null && fields(bulk, format),
    bulk.phone !== null && (bulk.numbers === null ? t.tallying : found(bulk, format)),
    head.length > 0 && t.firstRows,
    head.length > 0 &&
      quote(
        joinHtml(
          head.map(([number, cells]) =>
            t.row(
              format.number(number),
              shown.map((index) => {
                const cell = cells[index] ?? '';
                return clip(index === bulk.phone ? shownCell(cell, format) : cell, CELL_UNITS);
              }),
            ),
          ),
        ),
      ),
    !isPeople && (bulk.header > 0 ? header(names, format) : t.noHeader),
  ];
}

function header(names: SourceRow | undefined, format: Format): Html {
  const t = bulkTexts(format.locale);
  const place = names?.[0] ?? 1;
  return place === 1 ? t.header : t.headerIn(format.number(place));
}

function phone({ phone: index, certainty, ...bulk }: Bulk, format: Format): Html {
  const t = bulkTexts(format.locale);
  return index === null ? t.noPhone : t.phone[certainty](clip(columnName(bulk, index, format), NAME_UNITS));
}

function fields(bulk: Bulk, format: Format): Html {
  const t = bulkTexts(format.locale);
  const names = bulk.columns.map((_, index) => fieldName(bulk, index));
  const more = names.length - FIELDS;
  return t.fields(names.slice(0, FIELDS), more > 0 ? t.andMore(format.number(more)) : null);
}

function found({ numbers }: Bulk, format: Format): Html | false {
  const t = bulkTexts(format.locale);
  if (numbers === null) return false;
  const rest = (['repeated', 'invalid'] as const).flatMap((what) =>
    numbers[what] === 0 ? [] : [countLine(what, numbers[what], format)],
  );
  return t.numbers(format.count(numbers.good, t.goodNumbers), rest);
}

/** A cell with a number in it, as the chat may see it. */
export function shownCell(cell: string, format: Format): string {
  const read = readCellNumber(cell);
  return read.ok ? format.phone(read.recipient) : cell;
}
