import { isRefusal, mayHaveActed, whyOf, type Outcome } from './outcome.ts';
import type { Run } from './run.ts';

/** Deletes a book; where the answer leaves it open, looks whether it is there and tells what it found. */
export async function eraseBook(run: Run, bookId: string): Promise<Outcome> {
  const { maybe } = run;
  if (maybe) {
    try {
      if ((await countOf(run, bookId)) === null) return { kind: 'deleted', how: 'seen' };
    } catch (error) {
      return { kind: 'not_deleted', maybe, found: null, why: whyOf(error) };
    }
  }
  try {
    await run.write.remove(bookId);
    return { kind: 'deleted', how: 'answered' };
  } catch (error) {
    const why = whyOf(error);
    if (isRefusal(error, 'no_such_record')) return { kind: 'deleted', how: maybe ? 'seen' : 'was_gone' };
    if (!mayHaveActed(error)) return { kind: 'not_deleted', maybe, found: null, why };
    return await lookAfterwards(run, bookId, (found) => ({ kind: 'not_deleted', maybe: true, found, why }));
  }
}

async function lookAfterwards(
  run: Run,
  bookId: string,
  notDeleted: (found: number | null) => Outcome,
): Promise<Outcome> {
  try {
    const found = await countOf(run, bookId);
    return found === null ? { kind: 'deleted', how: 'seen' } : notDeleted(found);
  } catch (error) {
    // The reason of the deletion is told; that looking failed too shows by what was found.
    whyOf(error);
    return notDeleted(null);
  }
}

/** How many numbers the book has now; null when it is not there. Another book may have got its name. */
async function countOf({ change, read }: Run, bookId: string): Promise<number | null> {
  const book = await read.byName(change.title);
  return book?.id === bookId ? book.count : null;
}
