import writeExcelFile from 'write-excel-file/node';
import type { Table } from '../ports/tables.ts';
import { encodeEscapes } from './cell-text.ts';
import { cleanText } from './clean-text.ts';

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
