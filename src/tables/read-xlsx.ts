import type { TableRow } from '../ports/tables.ts';
import type { Archive } from './archive.ts';
import { decodeEscapes, numberText } from './cell-text.ts';
import type { Limits } from './limits.ts';
import { collectRows, type RowBlocks } from './row-blocks.ts';
import { keepTexts, type SharedTexts } from './shared-texts.ts';
import { tableProblem } from './table-problem.ts';
import type { WorkbookParts } from './workbook.ts';
import { createXmlReader, type MarkCount, type XmlHandlers } from './xml.ts';

/**
 * The rows of a sheet in blocks: texts, numbers as the digits that are stored, `TRUE` and `FALSE`, the last result
 * of a formula, a date as its number. Throws `damaged`, `encrypted` and what is beyond the limits.
 */
export async function* readXlsx(
  archive: Archive,
  { sheet, sharedStrings }: WorkbookParts,
  limits: Limits,
  count: MarkCount,
): AsyncGenerator<readonly TableRow[]> {
  const shared = keepTexts(limits.shared);
  const rows = collectRows(limits);
  if (sharedStrings !== undefined && archive.has(sharedStrings)) {
    const reader = createXmlReader(sharedTextHandlers(shared, limits), count);
    for await (const chunk of archive.part(sharedStrings)) reader.write(chunk);
    reader.end();
  }
  const reader = createXmlReader(sheetHandlers(shared, rows, limits), count);
  for await (const chunk of archive.part(sheet)) {
    reader.write(chunk);
    yield* rows.take();
  }
  reader.end();
  yield* rows.take(true);
}

function sharedTextHandlers(shared: SharedTexts, limits: Limits): XmlHandlers {
  let text = '';
  return {
    open(name) {
      if (name === 'si') text = '';
    },
    text(piece, path) {
      if (isShownText(path)) text += piece;
      if (text.length > limits.cell) throw tableProblem('too_long_cell', { limit: limits.cell });
    },
    close(name) {
      if (name === 'si') shared.add(decodeEscapes(text));
    },
  };
}

function sheetHandlers(shared: SharedTexts, rows: RowBlocks, limits: Limits): XmlHandlers {
  let [column, number, type, value] = [0, 0, 'n', ''];
  return {
    open(name, { r: reference, t }, path) {
      if (path.length === 0 && name !== 'worksheet') throw tableProblem('damaged');
      if (name === 'row') {
        column = 0;
        // A row that does not say where it is follows the one before it.
        number = Math.max(rows.row, rowOf(reference));
      }
      if (name !== 'c') return;
      if (reference !== undefined) column = columnOf(reference);
      type = t ?? 'n';
      value = '';
    },
    text(piece, path) {
      if (path.at(-1) === 'v' || isShownText(path)) value += piece;
      if (value.length > limits.cell) {
        throw tableProblem('too_long_cell', { limit: limits.cell, row: rows.row });
      }
    },
    close(name) {
      if (name === 'row') rows.endRow(number);
      if (name !== 'c') return;
      if (value !== '') rows.put(column, textOf(type, value, shared));
      column += 1;
    },
  };
}

/** A text, or a run of one; not the reading aid that East Asian texts have beside them. */
function isShownText(path: readonly string[]): boolean {
  return path.at(-1) === 't' && path.at(-2) !== 'rPh';
}

function textOf(type: string, value: string, shared: SharedTexts): string {
  switch (type) {
    case 's': {
      if (value === '') return '';
      const text = /^\s*\d{1,9}\s*$/.test(value) ? shared.get(Number(value)) : undefined;
      if (text === undefined) throw tableProblem('damaged');
      return text;
    }
    case 'n':
      return numberText(value.trim());
    case 'b':
      return value.trim() === '1' ? 'TRUE' : value.trim() === '0' ? 'FALSE' : value;
    default:
      return decodeEscapes(value);
  }
}

function rowOf(reference: string | undefined): number {
  return reference !== undefined && /^\d{1,7}$/.test(reference) ? Number(reference) : 0;
}

/** `AB12` is column 27. Throws `damaged` for what names no cell. */
function columnOf(reference: string): number {
  const letters = /^\$?([A-Z]{1,3})\$?\d{1,7}$/i.exec(reference)?.[1];
  if (letters === undefined) throw tableProblem('damaged');
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
