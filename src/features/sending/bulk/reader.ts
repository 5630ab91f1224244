import { isAppError } from '../../../domain/errors.ts';
import type { BulkWork, FileThread, Uploads } from '../../../ports/bulk.ts';
import type { TaskContext } from '../../../ports/runtime.ts';
import type { Stores } from '../../../storage/stores.ts';
import { Outdated, type Progress } from './progress.ts';

export interface ReaderDeps extends Pick<Stores, 'bulks'> {
  readonly uploads: Uploads;
  readonly files: FileThread;
  readonly progress: Progress;
}

/** As much as Telegram hands to a bot. */
export const FILE_BYTES = 20 * 2 ** 20;

/**
 * Reads the file of a draft: fetches it, keeps its rows, and finds out which column the numbers are in. All of it can
 * be done again from the beginning; a file that cannot be read is told on the card, anything else is thrown.
 */
export function createReader({ bulks, uploads, files, progress }: ReaderDeps) {
  return async (work: BulkWork, { signal, log }: Pick<TaskContext, 'signal' | 'log'>): Promise<void> => {
    const draft = await bulks.find(work);
    if (draft?.bulk.step !== 'reading') return;
    const { file } = draft.bulk;
    try {
      await using taken = await uploads.take(file.reference, FILE_BYTES, signal);
      await bulks.fill(work, async (save) => {
        const step = progress(work, signal);
        await using reading = files.begin('read', { name: file.name, path: taken.path });
        let rows = 0;
        for (let next = reading.next(null); ;) {
          const part = await next;
          if ('found' in part) {
            const { sheet, ...found } = part.found;
            return { ...draft.bulk, ...found, step: 'columns', done: rows, file: { ...file, sheet } };
          }
          // The next block is read while this one is written.
          next = reading.next(null);
          rows += part.count;
          await save(part.rows);
          await step(rows);
        }
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

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;
}
