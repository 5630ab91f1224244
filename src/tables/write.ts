import { stringify } from 'csv-stringify/sync';
import writeExcelFile from 'write-excel-file/node';
import type { Table } from '../ports/tables.ts';
import { cleanText, encodeEscapes } from './cell-text.ts';
import { guarded } from './formula-guard.ts';

/** UTF-8 with the mark by which Excel knows it; commas, CRLF, no formulas. */
export function writeCsv({ header, rows }: Table): Uint8Array {
  return encode([header, ...rows], true);
}

/** The same for one of any length, a block of rows at a time. */
export async function* writeCsvBlocks(
  blocks: AsyncIterable<readonly (readonly string[])[]>,
): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const rows of blocks) {
    if (rows.length === 0) continue;
    yield encode(rows, isFirst);
    isFirst = false;
  }
}

function encode(rows: readonly (readonly string[])[], bom: boolean): Uint8Array {
  const safe = rows.map((row) => row.map((text) => guarded(cleanText(text))));
  const text = stringify(safe, { bom, record_delimiter: '\r\n', quoted_match: SPLITTABLE });
  return new TextEncoder().encode(text);
}

/** All but plain words: other separators are quoted too, so that no program and no reader splits there. */
const SPLITTABLE = /[^\p{L}\p{M}\p{N} ._:/+\u200c-]|^[^\p{L}\p{N}]|\s$/u;

/** A workbook of one sheet, in which every cell is text in a column of text: nothing is computed or reformatted. */
export async function writeXlsx({ header, rows }: Table): Promise<Uint8Array> {
  const sheet = [header, ...rows].map((row) => row.map(cell));
  const columns = header.map(() => ({ width: COLUMN_WIDTH }));
  return await writeExcelFile(sheet, { columns }).toBuffer();
}

/** In characters. */
const COLUMN_WIDTH = 18;
/** What somebody types into such a cell later stays as typed. */
const TEXT_FORMAT = '@';

function cell(text: string) {
  if (text === '') return null;
  const value = encodeEscapes(cleanText(text).toWellFormed()).replaceAll(LEFT_OUT, coded);
  return { type: String, value: value in Object.prototype ? codedFirst(value) : value, format: TEXT_FORMAT };
}

/** What the library leaves out of texts, and the one line end that XML makes another of. */
const LEFT_OUT = /[\r\u007f-\u009f\ufffd]/gu;

function coded(character: string): string {
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
}

/** The library looks texts up in a plain object and would find what every object has: `constructor` breaks its file. */
function codedFirst(name: string): string {
  return coded(name) + name.slice(1);
}
