import type { TableFormat, TableLimits, TableRow, Tables } from '../ports/tables.ts';
import { sourceOfContent, sourceOfFile } from './byte-source.ts';
import { type Limits, READ_LIMITS, STREAM_LIMITS, unpackedLimit } from './limits.ts';
import { openTable } from './open-table.ts';
import { tableProblem } from './table-problem.ts';
import { writeCsv, writeCsvBlocks, writeXlsx } from './write.ts';

export function createTables(): Tables {
  let earlier: Promise<void> = Promise.resolve();
  return {
    async read({ content }, { rows = READ_LIMITS.rows } = {}) {
      // A small workbook may be a hundred megabytes of cells: of those that come at once one is in memory.
      const reading = earlier.then(async () => await readWhole(content, rows));
      earlier = reading.then(
        () => undefined,
        () => undefined,
      );
      return await reading;
    },
    async stream({ path }, limits = {}) {
      const table = await openTable(sourceOfFile(path), (format, bytes) => limitsOf(format, bytes, limits));
      return { ...table, blocks: { [Symbol.asyncIterator]: () => notEmpty(table.blocks) } };
    },
    csv: writeCsvBlocks,
    write: async (table, format) => (format === 'csv' ? writeCsv(table) : await writeXlsx(table)),
  };
}

async function readWhole(content: Uint8Array, rows: number): Promise<readonly (readonly string[])[]> {
  const { blocks } = await openTable(sourceOfContent(content), () => ({ ...READ_LIMITS, rows }));
  const all: (readonly string[])[] = [];
  for await (const block of blocks) for (const { cells } of block) all.push(cells);
  return all;
}

function limitsOf(
  format: TableFormat,
  size: number,
  {
    csvRows = STREAM_LIMITS.csvRows,
    xlsxRows = STREAM_LIMITS.xlsxRows,
    bytes = STREAM_LIMITS.bytes,
    columns = STREAM_LIMITS.columns,
    cell = STREAM_LIMITS.cell,
  }: TableLimits,
): Limits {
  const rows = format === 'csv' ? csvRows : xlsxRows;
  // A CSV may have an empty line behind each.
  const lines = Math.max(STREAM_LIMITS.lines, 2 * (rows + 1));
  return { ...STREAM_LIMITS, rows, lines, columns, cell, bytes, unpacked: unpackedLimit(size) };
}

async function* notEmpty(blocks: AsyncIterable<readonly TableRow[]>): AsyncGenerator<readonly TableRow[]> {
  let isEmpty = true;
  for await (const block of blocks) {
    isEmpty = false;
    yield block;
  }
  if (isEmpty) throw tableProblem('empty');
}
