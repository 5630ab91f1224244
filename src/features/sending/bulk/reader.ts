import { headOf, mayKeep, peopleTag, type Bulk, type SourceRow } from '../../../domain/bulk.ts';
import { AppError, isAppError } from '../../../domain/errors.ts';
import { readTemplate } from '../../../domain/merge.ts';
import { checkMessage } from '../../../domain/message.ts';
import { NUMBER_COLUMN, personCells, personColumns } from '../../../domain/people.ts';
import {
  rowsText,
  type BulkDraft,
  type BulkWork,
  type FileThread,
  type Uploads,
} from '../../../ports/bulk.ts';
import type { TaskContext } from '../../../ports/runtime.ts';
import type { Stores } from '../../../storage/stores.ts';
import { Outdated, type Progress } from './progress.ts';
import { createTally } from './tally.ts';

export interface ReaderDeps extends Pick<Stores, 'bulks'> {
  readonly people: Pick<Stores['people'], 'each' | 'fieldNames'>;
  readonly uploads: Uploads;
  readonly files: FileThread;
  readonly progress: Progress;
}

/** As much as Telegram hands to a bot. */
const FILE_BYTES = 20 * 2 ** 20;

/** Throws `bad_input` for a file that is larger than Telegram hands out. */
export function checkSize({ size }: { readonly size: number }): void {
  if (size <= FILE_BYTES) return;
  throw new AppError('bad_input', 'the file is too large', {
    params: { field: 'file', reason: 'too_large', limit: FILE_BYTES },
  });
}

/**
 * Reads the file of a draft: fetches it, keeps its rows, and finds out which column the numbers are in. The people under a
 * tag are read as a file of theirs would be. All of it can be done again from the beginning; a file that cannot be read is
 * told on the card, anything else is thrown.
 */
export function createReader({ bulks, people, uploads, files, progress }: ReaderDeps) {
  return async (work: BulkWork, { signal, log }: Pick<TaskContext, 'signal' | 'log'>): Promise<void> => {
    const draft = await bulks.find(work);
    if (draft?.bulk.step !== 'reading') return;
    const { file } = draft.bulk;
    const tag = peopleTag(draft.bulk);
    try {
      if (tag !== null) {
        await bulks.fill(work, async (save) => await readPeople(draft, tag, save, progress(work, signal)));
        return;
      }
      await using taken = await uploads.take(file.reference, FILE_BYTES, signal);
      await bulks.fill(work, async (save) => {
        const step = progress(work, signal);
        await using reading = files.begin('read', { name: file.name, path: taken.path });
        let rows = 0;
        for (let next = reading.next(null); ;) {
          const part = await next;
          if ('found' in part) {
            const { sheet, ...found } = part.found;
            const bulk: Bulk = {
              ...draft.bulk,
              ...found,
              step: 'columns',
              done: rows,
              file: { ...file, sheet },
            };
            // Where nobody knows in which column the numbers are, a person says so before anybody is kept.
            return bulk.certainty !== 'unsure' && mayKeep(bulk) ? bulk : { ...bulk, keep: null };
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

  /** Rows of those under the tag now, below one that names their columns. */
  async function readPeople(
    { chatId, lang, text, bulk }: BulkDraft,
    tag: string,
    save: (rows: string) => Promise<void>,
    step: ReturnType<Progress>,
  ): Promise<Bulk> {
    const fields = await people.fieldNames(chatId, tag);
    const columns = personColumns(fields, lang);
    const decided = { phone: NUMBER_COLUMN, header: 1 };
    const tally = createTally(decided);
    const names: SourceRow = [1, columns];
    let rows: SourceRow[] = tally.take([names]);
    let [done, head]: [number, readonly SourceRow[]] = [rows.length, rows];
    for await (const block of people.each(chatId, tag)) {
      const read = block.map((person, at): SourceRow => [done + at + 1, personCells(person, fields)]);
      rows = [...rows, ...tally.take(read)];
      head = head.length > 1 ? head : rows;
      await save(rowsText(rows));
      await step((done += block.length));
      rows = [];
    }
    if (head.length === 1)
      throw new AppError('bad_input', 'nobody is kept under the tag', {
        params: { field: 'file', reason: 'no_people' },
      });
    const template = readTemplate(text, columns);
    const needsColumns = template.fields.length > 0 || template.unknown.length > 0 || !checkMessage(text).ok;
    return {
      ...bulk,
      ...decided,
      // A whole text that is the same for all has nothing to ask of them.
      step: needsColumns ? 'columns' : 'counting',
      rows: done,
      done,
      columns,
      head: headOf(head, 1),
      certainty: 'sure',
      numbers: tally.found(),
      decided,
    };
  }
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
