/*
 * Files of rows, as people keep them: CSV and XLSX. What a person uploads is hostile until it is read;
 * what is written never carries a formula.
 */

export interface IncomingTable {
  /** As the person named it: its ending is a hint and no more. */
  readonly name: string;
  readonly content: Uint8Array;
}

/** A file that is too large to be in memory. */
export interface TableSource {
  /** As the person named it: its ending is a hint and no more. */
  readonly name: string;
  /** On this machine's disk. It must stay there until the last block is read. */
  readonly path: string;
}

export interface TableRow {
  /** Of the row in the file, from 1, empty ones counted: where the person finds it. */
  readonly number: number;
  /** As text, without the empty ones at the end; at least one. */
  readonly cells: readonly string[];
}

export interface StreamedTable {
  readonly format: TableFormat;
  /** The name of the sheet that is read; null for a CSV. */
  readonly sheet: string | null;
  /**
   * Blocks of at most 1,000 rows that are not empty, in order, the header like any other. Each loop over them reads
   * the file anew, as fast as it asks for more, and closes it when it is left. Throws what `stream` throws.
   */
  readonly blocks: AsyncIterable<readonly TableRow[]>;
}

/** Why a file is refused, never read in part. */
export type TableProblem =
  /** Anything but CSV and XLSX, whatever its name says. */
  | 'not_a_table'
  /** A workbook under a password. */
  | 'encrypted'
  /** No row has anything in it; only `stream` refuses that. */
  | 'empty'
  | 'too_many_rows'
  | 'too_wide'
  /** What a workbook is made of, empty cells too, is far more than its bytes can say: to read it would take long. */
  | 'too_many_cells'
  /** In bytes, as it came or unpacked, or in characters of all cells. */
  | 'too_large'
  | 'too_long_cell'
  /** A quote that nothing ends, or that would take further rows with it into one cell. */
  | 'open_quote'
  /** A text in UTF-8 with bytes that are not: what it said there nobody knows. */
  | 'mixed_encoding'
  /** Not whole, or not what it says it is. */
  | 'damaged';

export interface TableLimits {
  /** Rows that are not empty, the first aside, which names columns as a rule, of a CSV; 1,000,000 unless said otherwise. */
  readonly csvRows?: number;
  /** The same of a workbook; 200,000 unless said otherwise. */
  readonly xlsxRows?: number;
  /** Of the file as it is on disk; 20 MB unless said otherwise. */
  readonly bytes?: number;
  /** 256 unless said otherwise. */
  readonly columns?: number;
  /** Characters of one cell; 32,767 unless said otherwise, which is what Excel's hold. */
  readonly cell?: number;
}

export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export type TableFormat = 'csv' | 'xlsx';

export interface Tables {
  /**
   * The rows of a CSV or XLSX file (its first sheet) as text, the header like any other; empty rows are left out.
   * Throws `bad_input` with params `field` = `file`, `reason` (a {@link TableProblem}) and, where there are any,
   * `limit` and `row`, which is the number of the row in the file.
   */
  read(file: IncomingTable, limits?: { readonly rows?: number }): Promise<readonly (readonly string[])[]>;
  /**
   * The same for long files: only a little of one is in memory at a time. What the file is, is known when this
   * returns; what is wrong within it, while its blocks are read, so that nothing counts before the last one came.
   */
  stream(file: TableSource, limits?: TableLimits): Promise<StreamedTable>;
  /** A CSV of any length from its rows, the header first: the same as `write` makes, a block at a time. */
  csv(blocks: AsyncIterable<readonly (readonly string[])[]>): AsyncIterable<Uint8Array>;
  /** A file that Excel opens as text in every cell. */
  write(table: Table, format: TableFormat): Promise<Uint8Array>;
}
