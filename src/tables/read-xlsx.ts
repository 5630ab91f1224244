import { openArchive } from './archive.ts';
import { decodeEscapes, numberText } from './cell-text.ts';
import { LIMITS } from './limits.ts';
import type { RowCollector } from './row-collector.ts';
import { tableProblem } from './table-problem.ts';
import { findParts } from './workbook.ts';
import { readXml } from './xml.ts';

type Chunks = AsyncIterable<Uint8Array>;

/**
 * Puts the cells of a workbook's first sheet into `rows`: texts, numbers as the digits that are stored, `TRUE` and
 * `FALSE`, the last result of a formula, a date as its number. Throws `not_a_table`, `damaged` and `too_large`.
 */
export async function readXlsx(content: Uint8Array, rows: RowCollector): Promise<void> {
  const archive = await openArchive(content);
  const { sheet, sharedStrings } = await findParts(archive);
  const isShared = sharedStrings !== undefined && archive.has(sharedStrings);
  const shared = isShared ? await readSharedStrings(archive.part(sharedStrings)) : [];
  await readSheet(archive.part(sheet), shared, rows);
}

/** An empty string costs memory too. */
const STRING_COST = 8;

async function readSharedStrings(chunks: Chunks): Promise<readonly string[]> {
  const strings: string[] = [];
  let [text, size] = ['', 0];
  await readXml(chunks, {
    open(name) {
      if (name === 'si') text = '';
    },
    text(piece, path) {
      if (isShownText(path)) text = joined(text, piece);
    },
    close(name) {
      if (name !== 'si') return;
      size += text.length + STRING_COST;
      if (size > LIMITS.text) throw tableProblem('too_large');
      strings.push(decodeEscapes(text));
    },
  });
  return strings;
}

async function readSheet(chunks: Chunks, shared: readonly string[], rows: RowCollector): Promise<void> {
  let [column, type, value] = [0, 'n', ''];
  await readXml(chunks, {
    open(name, { r: reference, t }, path) {
      if (path.length === 0 && name !== 'worksheet') throw tableProblem('damaged');
      if (name === 'row') column = 0;
      if (name !== 'c') return;
      if (reference !== undefined) column = columnOf(reference);
      type = t ?? 'n';
      value = '';
    },
    text(piece, path) {
      if (path.at(-1) === 'v' || isShownText(path)) value = joined(value, piece);
    },
    close(name) {
      if (name === 'row') rows.endRow();
      if (name !== 'c') return;
      rows.put(column, textOf(type, value, shared));
      column += 1;
    },
  });
}

/** A text, or a run of one; not the reading aid that East Asian texts have beside them. */
function isShownText(path: readonly string[]): boolean {
  return path.at(-1) === 't' && path.at(-2) !== 'rPh';
}

function joined(text: string, piece: string): string {
  if (text.length + piece.length > LIMITS.cell) throw tableProblem('too_large');
  return text + piece;
}

function textOf(type: string, value: string, shared: readonly string[]): string {
  switch (type) {
    case 's': {
      if (value === '') return '';
      const text = /^\s*\d{1,9}\s*$/.test(value) ? shared[Number(value)] : undefined;
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

/** `AB12` is column 27. Throws `damaged` for what names no cell. */
function columnOf(reference: string): number {
  const letters = /^\$?([A-Z]{1,3})\$?\d{1,7}$/i.exec(reference)?.[1];
  if (letters === undefined) throw tableProblem('damaged');
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
