import type { SourceRow } from '../../../domain/bulk.ts';
import { readPerson, readPersonColumns } from '../../../domain/people.ts';
import { readRows, type BulkWork } from '../../../ports/bulk.ts';
import type { TaskContext } from '../../../ports/runtime.ts';
import type { Stores } from '../../../storage/stores.ts';
import { Outdated, type Progress } from './progress.ts';
import { createTally } from './tally.ts';

export interface KeeperDeps extends Pick<Stores, 'bulks'> {
  readonly people: Pick<Stores['people'], 'fieldNames'>;
  readonly progress: Progress;
}

/** Has the people of a file's rows kept by the chat, under the tag that was chosen for them. */
export function createKeeper({ bulks, people, progress }: KeeperDeps) {
  return async (work: BulkWork, { signal }: Pick<TaskContext, 'signal'>): Promise<void> => {
    const draft = await bulks.find(work);
    if (draft === null) return;
    const { chatId, bulk } = draft;
    if (bulk.keep === null || bulk.phone === null) return;
    const { phone, header, decided, columns, keep } = bulk;
    const said = readPersonColumns(columns, phone, await people.fieldNames(chatId, null));
    // Another column was chosen than the one by which the file was read.
    const tally = decided?.phone === phone && decided.header === header ? null : createTally(bulk);
    try {
      await bulks.keep(work, async (save) => {
        const step = progress(work, signal);
        let done = 0;
        for await (const block of bulks.rows(work.draftId)) {
          const read = readRows<SourceRow>(block);
          const rows = tally?.take(read) ?? read;
          const people = rows.flatMap(([, cells, number = null, reason]) => {
            if (number === null || reason !== undefined) return [];
            const person = readPerson(said, cells);
            return [{ number, ...person, tags: [...new Set([...person.tags, keep.tag])] }];
          });
          await save(people);
          await step((done += rows.length));
        }
      });
    } catch (error) {
      if (!(error instanceof Outdated)) throw error;
    }
  };
}
