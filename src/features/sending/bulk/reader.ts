import { AppError, isAppError } from '../../../domain/errors.ts';
import { headOf, type Bulk, type SourceRow } from '../../../domain/bulk.ts';
import { nameColumns, readColumns } from '../../../domain/columns.ts';
import type { BulkWork, Uploads } from '../../../ports/bulk.ts';
import type { TaskContext } from '../../../ports/runtime.ts';
import type { TableRow, Tables } from '../../../ports/tables.ts';
import type { Stores } from '../../../storage/stores.ts';
import { createTally } from './tally.ts';
import { Outdated, type Progress } from './progress.ts';

export interface ReaderDeps extends Pick<Stores, 'bulks'> {
  readonly uploads: Uploads;
  readonly tables: Tables;
  readonly progress: Progress;
}

/** As much as Telegram hands to a bot. */
export const FILE_BYTES = 20 * 2 ** 20;
/** By these the columns are recognised. */
const SAMPLE_ROWS = 200;

/**
 * Reads the file of a draft: fetches it, keeps its rows, and finds out which column the numbers are in. All of it can
 * be done again from the beginning; a file that cannot be read is told on the card, anything else is thrown.
 */
export function createReader({ bulks, uploads, tables, progress }: ReaderDeps) {
  return async (work: BulkWork, { signal, log }: Pick<TaskContext, 'signal' | 'log'>): Promise<void> => {
    const draft = await bulks.find(work);
    if (draft?.bulk.step !== 'reading') return;
    const { file } = draft.bulk;
    try {
      await using taken = await uploads.take(file.reference, FILE_BYTES, signal);
      const table = await tables.stream({ name: file.name, path: taken.path });
      await bulks.fill(work, async (save) => {
        const step = progress(work, signal);
        let bulk: Bulk = { ...draft.bulk, step: 'columns', file: { ...file, sheet: table.sheet } };
        let tally = createTally({ phone: null, header: 0, rows: 0 });
        let names: readonly string[] = [];
        let [rows, width] = [0, 0];
        for await (const block of table.blocks) {
          const kept = block.map(({ number, cells }: TableRow): SourceRow => [number, cells]);
          if (rows === 0) {
            const { header, phone, certainty } = readColumns(
              block.slice(0, SAMPLE_ROWS).map(({ cells }) => cells),
            );
            bulk = { ...bulk, header, phone, certainty, head: headOf(kept, header) };
            tally = createTally({ phone, header, rows: block.length });
            names = block[header - 1]?.cells ?? [];
          }
          for (const { cells } of block) width = Math.max(width, cells.length);
          tally.take(kept);
          rows += block.length;
          await save(kept);
          await step(rows);
        }
        if (rows <= bulk.header) throw onlyHeader(bulk);
        const columns = nameColumns(names, width);
        const numbers = bulk.phone === null ? null : tally.found();
        return { ...bulk, rows, done: rows, columns, numbers };
      });
    } catch (error) {
      if (error instanceof Outdated) return;
      if (!isAppError(error, 'bad_input') || error.params['field'] !== 'file') throw error;
      log.info({ err: error }, 'a file of recipients could not be read');
      const { reason, row, limit } = error.params;
      await bulks.fail(work, { reason: String(reason), row: countOf(row), limit: countOf(limit) });
    }
  };
}

function onlyHeader({ head: [names] }: Bulk): AppError {
  return new AppError('bad_input', 'a file of names without records', {
    params: { field: 'file', reason: 'only_header', ...(names === undefined ? {} : { row: names[0] }) },
  });
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;
}
