import { z } from 'zod';
import type { Random } from '../chaos/random.ts';
import { NAUGHTY } from '../naughty/strings.ts';
import { isAppError } from '../../src/domain/errors.ts';
import { createTables } from '../../src/tables/tables.ts';
import { mutateBytes } from './mutate.ts';
import { defineTarget, must } from './target.ts';

const Input = z.object({
  /** One character for each byte. */
  bytes: z.string(),
});
type Input = z.output<typeof Input>;

/** Uploaded files of rows, and what Peyk exports of the same cells. */
export const tables = defineTarget({
  name: 'tables',
  about: 'CSV files of any bytes, read and exported again',
  goal: 1_000_000,
  input: Input,
  make,
  open: () => checkFile,
});

const CELLS = [
  '09121234567',
  '۰۹۱۲۱۲۳۴۵۶۷',
  'نام',
  'Sara',
  '',
  ' ',
  '"',
  '"a"',
  '"a,b"',
  '"a""b"',
  '"a\nb"',
  'a"b',
  '=1+1',
  '+1',
  '-1',
  '@x',
  '\t=1',
  '＝1',
  "'=1",
  '+989121234567',
  '9.12E+09',
  'a;=1',
  '"=1,2"',
  'x'.repeat(400),
  '😀',
  'پ\u200cک',
] as const;
const HEADS = [
  '',
  '',
  '',
  '',
  '\ufeff',
  'sep=;\n',
  'sep=,\r\n',
  '<html>',
  '%PDF-',
  '{\\rtf',
  '\n\n\n',
] as const;
const ENDS = ['\n', '\r\n', '\r', '\n\n', '\n\r', ''] as const;
const CUTS = [',', ',', ',', ';', '\t', '|', '،', '؛'] as const;
const ROWS = 50;
const COLUMNS = 256;
const PROBLEMS = new Set([
  'not_a_table',
  'encrypted',
  'too_many_rows',
  'too_wide',
  'too_many_cells',
  'too_large',
  'too_long_cell',
  'open_quote',
  'mixed_encoding',
  'damaged',
]);

function make(random: Random): Input {
  const cut = random.pick(CUTS);
  const end = random.pick(ENDS);
  let text: string = random.pick(HEADS);
  const width = random.chance(0.01) ? random.int(250, 300) : random.int(1, 4);
  const height = random.chance(0.02) ? random.int(45, 60) : random.int(0, 6);
  for (let row = 0; row < height; row += 1) {
    const cells = Array.from({ length: random.chance(0.9) ? width : random.int(0, 8) }, () =>
      random.chance(0.05) ? (NAUGHTY[random.int(0, NAUGHTY.length - 1)] ?? '') : random.pick(CELLS),
    );
    text += cells.join(cut) + end;
  }
  let bytes = Buffer.from(text, random.chance(0.1) ? 'utf16le' : 'utf8').toString('latin1');
  for (let left = random.int(0, 4); left > 0; left -= 1) bytes = mutateBytes(random, bytes);
  return { bytes };
}

const reader = createTables();

async function checkFile({ bytes }: Input): Promise<string> {
  const content = Buffer.from(bytes, 'latin1');
  let rows: readonly (readonly string[])[];
  try {
    rows = await reader.read({ name: 'x.csv', content }, { rows: ROWS });
  } catch (error) {
    if (!isAppError(error, 'bad_input')) throw error;
    const { reason } = error.params;
    must(typeof reason === 'string' && PROBLEMS.has(reason), `the reason was ${String(reason)}`);
    return reason;
  }
  must(rows.length <= ROWS, `${rows.length} rows`);
  for (const row of rows) {
    must(row.length > 0 && row.length <= COLUMNS, `${row.length} cells`);
    must(row.at(-1)?.trim() !== '', 'an empty cell at the end');
  }
  if (rows.length > 0) await checkExport(rows);
  return rows.length === 0 ? 'empty' : 'read';
}

/** What is exported begins no formula, wherever a spreadsheet cuts it, and reads as what went in. */
async function checkExport(rows: readonly (readonly string[])[]): Promise<void> {
  const [header = [], ...rest] = rows;
  const written = await reader.write({ header, rows: rest }, 'csv');
  const text = new TextDecoder().decode(written);
  for (const cells of [cellsOf(text), text.split(/[;|،؛\t\r\n]/u)]) {
    for (const cell of cells)
      must(!/^"*\s*[=+\-@＝＋－＠﹦﹢﹣﹫]/u.test(cell), `a formula: ${JSON.stringify(cell)}`);
  }
  const again = await reader.read({ name: 'x.csv', content: written }, { rows: ROWS });
  must(
    JSON.stringify(again) === JSON.stringify(rows.map((row) => row.map(kept))),
    'it reads as another table',
  );
}

/** A phone number loses its plus; what no file of text can hold is replaced. */
function kept(cell: string): string {
  const text = cell
    .toWellFormed()
    .replaceAll(/[[\p{Cc}\p{Noncharacter_Code_Point}]--[\t\n\r\x7f-\x9f]]/gv, '\ufffd');
  return text.replace(/^\+(?=\d{7,15}$)/u, '');
}

/** The cells of a text with commas, by the book: no cell goes on behind its closing quote. */
function cellsOf(text: string): string[] {
  const cells: string[] = [];
  for (const [, quoted, plain = ''] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(?:,|\r\n|$)/gu))
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
  return cells;
}
