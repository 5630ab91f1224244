import { parentPort } from 'node:worker_threads';
import { isAppError } from '../domain/errors.ts';
import { createFileWorks } from '../features/sending/bulk/works.ts';
import type { FileWorks } from '../ports/bulk.ts';
import { createTables } from '../tables/tables.ts';
import type { Answer, Question } from './file-thread.ts';

/*
 * The thread for work on files. It knows their rows and nothing else: no database, no account, no setting. What fails
 * there is told to whoever asked for it; what nobody foresaw ends the thread.
 */

const works = createFileWorks(createTables());
const begun = new Map<number, ReturnType<typeof works.begin<keyof FileWorks>>>();

parentPort?.on('message', ({ id, ...asked }: Question) => {
  if ('begin' in asked) begun.set(id, works.begin(asked.begin, asked.given));
  else if ('input' in asked) void answer(id, asked.input);
  else {
    const work = begun.get(id);
    begun.delete(id);
    void work?.[Symbol.asyncDispose]();
  }
});

/** Works of one id answer in the order in which they were asked. */
async function answer(id: number, input: FileWorks[keyof FileWorks]['input']): Promise<void> {
  let said: Answer;
  try {
    said = { id, output: await begun.get(id)?.next(input) };
  } catch (error) {
    if (isAppError(error)) {
      const { code, message, params } = error;
      said = { id, problem: { code, message, params } };
    } else said = { id, error };
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(said);
}
