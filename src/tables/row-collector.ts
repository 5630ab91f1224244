import { LIMITS } from './limits.ts';
import { tableProblem } from './table-problem.ts';

export interface RowCollector {
  /** The text of a cell of the present row; columns count from 0. Throws `too_wide` and `too_large`. */
  put(column: number, text: string): void;
  /** Throws `too_many_rows`. */
  endRow(): void;
  readonly rows: readonly (readonly string[])[];
}

/**
 * Gathers rows within the limits. Cells at the end of a row that hold nothing but spaces are cut, so that a file
 * is the same table from whatever program it comes; a row without cells is left out.
 */
export function collectRows(limit: number): RowCollector {
  const rows: string[][] = [];
  let row: string[] = [];
  let lines = 0;
  let size = 0;
  return {
    rows,
    put(column, text) {
      size += text.length;
      if (text.length > LIMITS.cell || size > LIMITS.text) throw tableProblem('too_large');
      if (column >= LIMITS.columns) {
        if (isBlank(text)) return;
        throw tableProblem('too_wide', { limit: LIMITS.columns });
      }
      while (row.length < column) row.push('');
      row[column] = text;
    },
    endRow() {
      lines += 1;
      while (isBlank(row.at(-1))) row.pop();
      if (rows.length + (row.length > 0 ? 1 : 0) > limit || lines > LIMITS.lines) {
        throw tableProblem('too_many_rows', { limit });
      }
      if (row.length > 0) rows.push(row);
      row = [];
    },
  };
}

function isBlank(text: string | undefined): boolean {
  return text?.trim() === '';
}
