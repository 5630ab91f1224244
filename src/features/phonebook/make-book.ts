import type { Stores } from '../../storage/stores.ts';
import { fillBook } from './fill-book.ts';
import { isRefusal, mayHaveActed, whyOf, type Outcome, type Why } from './outcome.ts';
import { numbersOf, PORTION, type Run, type RunResult } from './run.ts';

/**
 * Makes a new book with its first numbers and puts the others in. Where an earlier try may have made it, it looks
 * first; the flag is the same at every try, so a gateway that knows it says that the book was made.
 */
export async function makeBook(
  run: Run,
  changes: Pick<Stores['phonebookChanges'], 'setBook'>,
): Promise<RunResult> {
  const { change, read } = run;
  let asked: Asked = { kind: 'there' };
  try {
    if (!run.maybe || (await read.byName(change.title)) === undefined) asked = await askForBook(run);
    if (asked.kind === 'over') return asked.outcome;
    if (asked.kind === 'made' && asked.bookId !== undefined) {
      await changes.setBook(change.id, asked.bookId);
      return await fillBook(run, asked.bookId, asked.numbers);
    }
    const book = await read.byName(change.title);
    if (book === undefined) {
      const why: Why = { kind: asked.kind === 'made' ? 'not_listed' : 'made_before' };
      return noBook(asked, why);
    }
    // Somebody else may have used the name while ours was in doubt; what holds other numbers is not ours.
    if (asked.kind === 'there' && !(await holdsOnly(run, book.id))) return { kind: 'taken' };
    await changes.setBook(change.id, book.id);
    return await fillBook(run, book.id, asked.kind === 'made' ? asked.numbers : 0);
  } catch (error) {
    return noBook(asked, whyOf(error));
  }
}

/** `there`: made before, as far as can be told. */
type Asked =
  | { readonly kind: 'made'; readonly numbers: number; readonly bookId: string | undefined }
  | { readonly kind: 'there' }
  | { readonly kind: 'over'; readonly outcome: Outcome };

async function askForBook({ change, write, maybe }: Run): Promise<Asked> {
  const first = change.numbers.slice(0, PORTION);
  try {
    const { id: bookId } = await write.create({ name: change.title, numbers: first, flag: change.flag });
    return { kind: 'made', numbers: first.length, bookId };
  } catch (error) {
    // The flag is ours alone: a book with it is one that an earlier try has made.
    if (isRefusal(error, 'flag_taken')) return { kind: 'there' };
    if (isRefusal(error, 'phonebook_exists'))
      return maybe ? { kind: 'there' } : { kind: 'over', outcome: { kind: 'taken' } };
    const made = maybe || mayHaveActed(error) ? 'maybe' : 'no';
    return { kind: 'over', outcome: { kind: 'no_book', made, done: 0, why: whyOf(error) } };
  }
}

function noBook(asked: Asked, why: Why): Outcome {
  const done = asked.kind === 'made' ? asked.numbers : 0;
  return { kind: 'no_book', made: done > 0 ? 'yes' : 'maybe', done, why };
}

async function holdsOnly({ change, read }: Run, bookId: string): Promise<boolean> {
  const ours = new Set(change.numbers);
  return [...(await numbersOf(read, bookId))].every((number) => ours.has(number));
}
