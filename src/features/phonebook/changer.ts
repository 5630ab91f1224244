import type { ChangedBook, PhonebookRead, PhonebookWrite } from '../../ports/gateway.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { PhonebookChange, PhonebookWork } from '../../ports/phonebook-changes.ts';
import type { TaskContext } from '../../ports/runtime.ts';
import type { Stores } from '../../storage/stores.ts';
import { openNumbers, portions } from './difference.ts';
import { isRefusal, mayHaveActed, stateAfter, whyOf, type Outcome, type Why } from './outcome.ts';

export interface ChangerDeps {
  readonly changes: Stores['phonebookChanges'];
  readonly gateways: Gateways;
  readonly cards: { open(change: PhonebookChange, work: PhonebookWork): ChangeCard };
}

/**
 * Carries out confirmed changes. What is left to do always comes from the book itself, so that a run after a
 * kill or a lost answer converges; a call is never repeated without having looked. After a doubtful answer it
 * stops and lets a person say go on.
 */
export function createChanger({ changes, gateways, cards }: ChangerDeps) {
  return async (
    work: PhonebookWork,
    { log, signal, attempt }: Pick<TaskContext, 'log' | 'signal' | 'attempt'>,
  ): Promise<void> => {
    const change = await changes.read(work.changeId);
    if (change === null) return;
    const card = cards.open(change, work);
    if (change.state !== 'running') {
      // An earlier run has ended it and could not show so: what can be seen now is told, nothing is done.
      if (change.state === 'stopped' || change.state === 'done') await card.end(await lookBack(change));
      return;
    }
    card.begin();
    const outcome = await carryOut(change, card, work.again || attempt > 1, signal);
    if (outcome === 'later') return await changes.requeue({ ...work, again: true });
    log.info(
      { change: change.id, kind: change.kind, outcome: outcome.kind },
      'a change of a phonebook ended',
    );
    const settlement = stateAfter(outcome, change.numbers.length);
    if (await changes.settle(change.id, { ...settlement, updateId: work.updateId })) await card.end(outcome);
  };

  async function carryOut(
    change: PhonebookChange,
    card: ChangeCard,
    maybe: boolean,
    signal: AbortSignal,
  ): Promise<RunResult> {
    let run: Run;
    try {
      const gateway = await gateways.of(change.bindingId);
      const [read, write] = [gateway.use('phonebookRead'), gateway.use('phonebookWrite')];
      run = { change, read, write, card, maybe, signal };
    } catch (error) {
      return withoutCall(change, maybe, whyOf(error));
    }
    if (change.bookId === null) return await makeBook(run, changes);
    return change.kind === 'delete'
      ? await eraseBook(run, change.bookId)
      : await fillBook(run, change.bookId, 0);
  }

  async function lookBack(change: PhonebookChange): Promise<Outcome> {
    const why: Why = { kind: 'interrupted' };
    if (change.kind === 'delete' && change.state === 'done') return { kind: 'deleted', how: 'seen' };
    if (change.kind === 'delete' || change.bookId === null) return withoutCall(change, true, why);
    try {
      const gateway = await gateways.of(change.bindingId);
      const listed = await numbersOf(gateway.use('phonebookRead'), change.bookId);
      const left = openNumbers(change.kind, change.numbers, listed).length;
      if (left === 0) return { kind: 'done', total: listed.size };
      return { kind: 'numbers_left', done: change.numbers.length - left, left, unknown: 0, why };
    } catch (error) {
      return withoutCall(change, true, whyOf(error));
    }
  }
}

function withoutCall(change: PhonebookChange, maybe: boolean, why: Why): Outcome {
  if (change.kind === 'delete') return { kind: 'not_deleted', maybe, found: null, why };
  if (change.bookId === null) return { kind: 'no_book', made: maybe ? 'maybe' : 'no', done: 0, why };
  const all = change.numbers.length;
  return { kind: 'numbers_left', done: 0, left: maybe ? 0 : all, unknown: maybe ? all : 0, why };
}

/**
 * Deletes a book that holds nobody but those of the file that went out before; where the answer leaves it open, looks whether
 * it is there and tells what it found.
 */
async function eraseBook(run: Run, bookId: string): Promise<Outcome> {
  const { maybe } = run;
  const gone: Outcome = { kind: 'deleted', how: maybe ? 'seen' : 'was_gone' };
  try {
    const listed = await numbersIfThere(run, bookId);
    if (listed === null) return gone;
    if (!isOurs(run, listed))
      return { kind: 'not_deleted', maybe, found: maybe ? listed.size : null, why: { kind: 'grown' } };
  } catch (error) {
    return { kind: 'not_deleted', maybe, found: null, why: whyOf(error) };
  }
  try {
    await run.write.remove(bookId);
    return { kind: 'deleted', how: 'answered' };
  } catch (error) {
    const why = whyOf(error);
    if (isRefusal(error, 'no_such_record')) return gone;
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
    const listed = await numbersIfThere(run, bookId);
    return listed === null ? { kind: 'deleted', how: 'seen' } : notDeleted(listed.size);
  } catch (error) {
    // The reason of the deletion is told; that looking failed too shows by what was found.
    whyOf(error);
    return notDeleted(null);
  }
}

/** What the book holds now; null when it is not there. By its id: it may have got another name, or another its name. */
async function numbersIfThere({ read }: Run, bookId: string): Promise<ReadonlySet<string> | null> {
  try {
    const listed = await numbersOf(read, bookId);
    if (listed.size > 0) return listed;
  } catch (error) {
    if (isRefusal(error, 'no_such_record')) return null;
    throw error;
  }
  // Of a book that is not there a gateway may list no number either.
  return (await read.list()).some(({ id }) => id === bookId) ? new Set() : null;
}

/**
 * Makes a new book with its first numbers and puts the others in. Where an earlier try may have made it, it looks
 * first; the flag is the same at every try, so a gateway that knows it says that the book was made.
 */
async function makeBook(run: Run, changes: Pick<Stores['phonebookChanges'], 'setBook'>): Promise<RunResult> {
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
    if (asked.kind === 'there' && !isOurs(run, await numbersOf(read, book.id))) return { kind: 'taken' };
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

function isOurs({ change }: Run, listed: ReadonlySet<string>): boolean {
  return listed.isSubsetOf(new Set(change.numbers));
}

/**
 * Puts numbers in, or takes them out, portion by portion, and reads the book before and after: what is left to do
 * comes from there. `acknowledged` are the first numbers, which the gateway has taken in this run already.
 */
async function fillBook(run: Run, bookId: string, acknowledged: number): Promise<RunResult> {
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

/** Shows one change to people. */
export interface ChangeCard {
  /** Shows that the work is under way; does not wait for it. */
  begin(): void;
  /** Shows how many are known to be done by now; does not wait for it. */
  progress(done: number): void;
  /** Resolves when the outcome is shown. */
  end(outcome: Outcome): Promise<void>;
}

/** What one run of a confirmed change works with. */
interface Run {
  readonly change: PhonebookChange;
  readonly read: PhonebookRead;
  readonly write: PhonebookWrite;
  readonly card: ChangeCard;
  /** Calls of an earlier run may have had an effect. */
  readonly maybe: boolean;
  readonly signal: AbortSignal;
}

/** `later`: the process has to go, and another run takes it up. */
type RunResult = Outcome | 'later';

/** Small enough for a lost answer to leave few numbers in doubt. */
const PORTION = 200;

async function numbersOf(read: PhonebookRead, bookId: string): Promise<ReadonlySet<string>> {
  return new Set((await read.numbers(bookId)).map(({ number }) => number));
}
