import type { TableRow } from '../ports/tables.ts';
import type { Limits } from './limits.ts';
import { tableProblem } from './table-problem.ts';

export interface RowBlocks {
  /** The text of a cell of the present row; columns count from 0. Throws `too_wide`, `too_long_cell` and `too_large`. */
  put(column: number, text: string): void;
  /** Ends the present row, which is the one after the last unless it says another. Throws `too_many_rows`. */
  endRow(number?: number): void;
  /** The number of the present row. */
  readonly row: number;
  /** The blocks that are full; with `all`, what is left besides. Each is given once. */
  take(all?: boolean): readonly (readonly TableRow[])[];
}

/**
 * Gathers cells into blocks of rows, within the limits. Cells at the end of a row that hold nothing but spaces are
 * cut, so that a file is the same table from whatever program it comes; a row without cells is left out.
 */
export function collectRows(limits: Limits): RowBlocks {
  let full: TableRow[][] = [];
  let block: TableRow[] = [];
  let cells: string[] = [];
  let [row, lines, count, size, sizeAtBlock] = [1, 0, 0, 0, 0];

  const endBlock = (): void => {
    if (block.length === 0) return;
    full.push(block);
    block = [];
    sizeAtBlock = size;
  };

  return {
    put(column, text) {
      size += text.length;
      if (text.length > limits.cell) throw tableProblem('too_long_cell', { limit: limits.cell, row });
      if (size > limits.text) throw tableProblem('too_large');
      if (column >= limits.columns) {
        if (isBlank(text)) return;
        throw tableProblem('too_wide', { limit: limits.columns, row });
      }
      while (cells.length < column) cells.push('');
      cells[column] = text;
    },
    endRow(number = row) {
      lines += 1;
      row = number + 1;
      while (cells.length > 0 && isBlank(cells.at(-1))) cells.pop();
      if (cells.length > 0) {
        count += 1;
        block.push({ number, cells });
        cells = [];
      }
      if (count > limits.rows + limits.headers || lines > limits.lines) {
        throw tableProblem('too_many_rows', { limit: limits.rows });
      }
      if (block.length >= BLOCK_ROWS || size - sizeAtBlock > BLOCK_CHARACTERS) endBlock();
    },
    get row() {
      return row;
    },
    take(all = false) {
      if (all) endBlock();
      const taken = full;
      full = [];
      return taken;
    },
  };
}

const BLOCK_ROWS = 1_000;
/** Rows may be long: a block is no more than this and a row. */
const BLOCK_CHARACTERS = 1_000_000;

function isBlank(text: string | undefined): boolean {
  return text?.trim() === '';
}
