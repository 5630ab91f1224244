/*
 * Files of rows, as people keep them: CSV and XLSX. What a person uploads is hostile until it is read;
 * what is written never carries a formula.
 */

export interface IncomingTable {
  /** As the person named it: its ending is a hint and no more. */
  readonly name: string;
  readonly content: Uint8Array;
}

export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export type TableFormat = 'csv' | 'xlsx';

export interface Tables {
  /**
   * The rows of a CSV or XLSX file (its first sheet) as text, the header like any other; empty rows are left out.
   * Throws `bad_input` with params `field` = `file` and `reason`: `not_a_table`, `too_many_rows`, `too_wide`, `too_large` (when unpacked)
   * or `damaged`.
   */
  read(file: IncomingTable, limits?: { readonly rows?: number }): Promise<readonly (readonly string[])[]>;
  /** A file that Excel opens as text in every cell. */
  write(table: Table, format: TableFormat): Promise<Uint8Array>;
}
