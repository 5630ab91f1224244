import type { ChangedBook } from '../../ports/gateway.ts';
import { openNumbers, portions } from './difference.ts';
import { isRefusal, mayHaveActed, whyOf, type Outcome, type Why } from './outcome.ts';
import { numbersOf, PORTION, type Run, type RunResult } from './run.ts';

/**
 * Puts numbers in, or takes them out, portion by portion, and reads the book before and after: what is left to do
 * comes from there. `acknowledged` are the first numbers, which the gateway has taken in this run already.
 */
export async function fillBook(run: Run, bookId: string, acknowledged: number): Promise<RunResult> {
  const { change, read, card } = run;
  const all = change.numbers.length;
  let listed: ReadonlySet<string>;
  try {
    listed = await numbersOf(read, bookId);
  } catch (error) {
    return stopped(all, acknowledged, run.maybe ? all - acknowledged : 0, goneOr(error));
  }
  const open = openNumbers(change.kind, change.numbers, listed);
  if (open.length === 0) return { kind: 'done', total: listed.size };
  let done = all - open.length;
  let told: number | undefined;
  card.progress(done);
  for (const portion of portions(open, PORTION)) {
    if (run.signal.aborted) return 'later';
    try {
      ({ count: told } = await move(run, bookId, portion));
    } catch (error) {
      // A gateway may say the same of numbers that are not in the book.
      const why = change.kind === 'remove' ? whyOf(error) : goneOr(error);
      return stopped(all, done, mayHaveActed(error) ? portion.length : 0, why);
    }
    done += portion.length;
    card.progress(done);
  }
  try {
    const after = await numbersOf(read, bookId);
    const missing = openNumbers(change.kind, change.numbers, after).length;
    if (missing > 0) return stopped(all, all - missing, 0, { kind: 'not_listed' });
    return { kind: 'done', total: after.size };
  } catch (error) {
    whyOf(error);
    return { kind: 'done', total: told ?? null };
  }
}

async function move(
  { change, write }: Run,
  bookId: string,
  portion: readonly string[],
): Promise<ChangedBook> {
  return change.kind === 'remove'
    ? await write.removeNumbers(bookId, portion)
    : await write.addNumbers(bookId, portion);
}

function stopped(all: number, done: number, unknown: number, why: Why): Outcome {
  return { kind: 'numbers_left', done, unknown, left: all - done - unknown, why };
}

function goneOr(error: unknown): Why {
  return isRefusal(error, 'no_such_record') ? { kind: 'book_gone' } : whyOf(error);
}
