import type { Tables } from '../ports/tables.ts';
import { LIMITS } from './limits.ts';
import { readCsv } from './read-csv.ts';
import { readXlsx } from './read-xlsx.ts';
import { collectRows } from './row-collector.ts';
import { tableProblem } from './table-problem.ts';
import { writeCsv } from './write-csv.ts';
import { writeXlsx } from './write-xlsx.ts';

/** What a file is, its first bytes say; its name may say anything. */
export function createTables(): Tables {
  return {
    async read({ content }, limits = {}) {
      const rows = collectRows(limits.rows ?? LIMITS.rows);
      if (startsWith(content, OLD_OFFICE)) throw tableProblem('not_a_table');
      await (ZIPS.some((mark) => startsWith(content, mark)) ? readXlsx : readCsv)(content, rows);
      return rows.rows;
    },
    write: async (table, format) => (format === 'csv' ? writeCsv(table) : await writeXlsx(table)),
  };
}

/** `.xls`, and any Office file under a password. */
const OLD_OFFICE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** The second is an empty zip. */
const ZIPS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0x50, 0x4b, 0x05, 0x06],
];

function startsWith(content: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, index) => content[index] === byte);
}
