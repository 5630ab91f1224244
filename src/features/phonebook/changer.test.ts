import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../domain/errors.ts';
import type { PhonebookRead, PhonebookWrite } from '../../ports/gateway.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type {
  PhonebookChange,
  PhonebookChangeKind,
  PhonebookTally,
  PhonebookWork,
} from '../../ports/phonebook-changes.ts';
import type { Log } from '../../ports/runtime.ts';
import type { Stores } from '../../storage/stores.ts';
import { createChanger } from './changer.ts';
import type { Outcome } from './outcome.ts';

/* The work behind a change, against a gateway that loses answers and a process that is killed, in any order. */

/** What becomes of one call. The killed ones end the run as the end of the process would. */
const FATES = [
  'ok',
  'lost before its effect',
  'lost after its effect',
  'lost after half of its effect',
  'surely unsent',
  'refused',
  'killed before its effect',
  'killed after its effect',
] as const;
type Fate = (typeof FATES)[number];

class Killed extends Error {}

const TITLE = 'VIP';
const numbersOf = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `98912${String(from + index).padStart(7, '0')}`);

function startStage(kind: PhonebookChangeKind, numbers: readonly string[], listed: readonly string[] | null) {
  const books = new Map<string, { title: string; flag: string; numbers: Set<string> }>();
  if (listed !== null) books.set('1', { title: TITLE, flag: 'theirs', numbers: new Set(listed) });
  let fates: Fate[] = [];
  const calls: string[] = [];
  const reading = { fails: false };

  const lost = () =>
    new AppError('gateway_no_answer', 'lost', { params: { operation: 'x', mayHaveActed: true } });
  const refused = (name: string) =>
    new AppError('gateway_refused', name, { params: { name, mayHaveActed: false } });

  /** The effect is given how much of its numbers it may have. */
  const meet = async (call: string, effect: (share: number) => void): Promise<object> => {
    calls.push(call);
    const fate = fates.shift() ?? 'ok';
    if (fate === 'surely unsent')
      throw new AppError('gateway_no_answer', 'unsent', { params: { mayHaveActed: false } });
    if (fate === 'refused') throw refused('rate_limited');
    if (fate === 'killed before its effect') throw new Killed();
    if (fate === 'lost before its effect') throw lost();
    effect(fate === 'lost after half of its effect' ? 0.5 : 1);
    if (fate === 'killed after its effect') throw new Killed();
    if (fate !== 'ok') throw lost();
    return {};
  };
  /** Ids of which a book that is not there is listed as an empty one. */
  const silent = new Set<string>();
  const numbersIn = (bookId: string): Set<string> => {
    const book = books.get(bookId) ?? (silent.has(bookId) ? { numbers: new Set<string>() } : undefined);
    if (book === undefined) throw refused('no_such_record');
    return book.numbers;
  };
  const look = <T>(what: () => T): Promise<T> => {
    if (reading.fails) return Promise.reject(lost());
    try {
      return Promise.resolve(what());
    } catch (error) {
      return Promise.reject(error);
    }
  };
  const shown = ([id, book]: [string, { title: string; numbers: Set<string> }]) => ({
    id,
    owner: 'demo',
    title: book.title,
    count: book.numbers.size,
  });

  const read: PhonebookRead = {
    list: () => look(() => [...books].map(shown)),
    byName: (name) => look(() => [...books].map(shown).find(({ title }) => title === name)),
    numbers: (bookId) => look(() => [...numbersIn(bookId)].map((number) => ({ number }))),
  };
  const write: PhonebookWrite = {
    create: async ({ name, numbers: first, flag }) =>
      await meet('create', () => {
        if ([...books.values()].some((book) => book.flag === flag)) throw refused('flag_taken');
        if ([...books.values()].some((book) => book.title === name)) throw refused('phonebook_exists');
        books.set(String(books.size + 2), { title: name, flag, numbers: new Set(first) });
      }),
    remove: async (bookId) => {
      await meet('remove', () => {
        if (!books.delete(bookId)) throw refused('no_such_record');
      });
    },
    addNumbers: async (bookId, portion) =>
      await meet('add', (share) => {
        const book = numbersIn(bookId);
        for (const number of portion.slice(0, portion.length * share)) book.add(number);
      }),
    removeNumbers: async (bookId, portion) =>
      await meet('take', (share) => {
        const book = numbersIn(bookId);
        for (const number of portion.slice(0, portion.length * share)) book.delete(number);
      }),
  };

  let change: PhonebookChange = {
    id: 'c1',
    chatId: 'chat',
    chatTelegramId: -1,
    bindingId: 'b1',
    personId: 1,
    personName: 'Sara',
    kind,
    state: 'running',
    bookId: kind === 'create' ? null : '1',
    title: TITLE,
    flag: 'ours',
    numbers,
  };
  const tallies: (PhonebookTally | null)[] = [];
  const changes = {
    read: () => Promise.resolve(change),
    setBook: (_id: string, bookId: string) => {
      change = { ...change, bookId };
      return Promise.resolve();
    },
    settle: (
      _id: string,
      { state, tally }: { state: PhonebookChange['state']; tally: PhonebookTally | null },
    ) => {
      if (change.state !== 'running') return Promise.resolve(false);
      change = { ...change, state };
      tallies.push(tally);
      return Promise.resolve(true);
    },
    requeue: (work: PhonebookWork) => {
      requeued.push(work);
      return Promise.resolve();
    },
  } as unknown as Stores['phonebookChanges'];
  const requeued: PhonebookWork[] = [];
  const gateways = {
    of: () => Promise.resolve({ use: (facet: string) => (facet === 'phonebookRead' ? read : write) }),
  } as unknown as Gateways;

  /** How many numbers stand as asked, at the gateway itself. */
  const standing = (): number => {
    const book = [...books.values()].find(({ title }) => title === TITLE);
    return numbers.filter((number) => book?.numbers.has(number) === (kind !== 'remove')).length;
  };
  const outcomes: Outcome[] = [];
  const progress: { claimed: number; standing: number }[] = [];
  const run = createChanger({
    changes,
    gateways,
    cards: {
      open: () => ({
        begin: () => undefined,
        progress: (claimed) => void progress.push({ claimed, standing: standing() }),
        end: (outcome) => Promise.resolve(void outcomes.push(outcome)),
      }),
    },
  });
  const log = { info: () => undefined } as unknown as Log;
  const work: PhonebookWork = {
    changeId: 'c1',
    again: false,
    updateId: 1,
    messageId: 1,
    threadId: null,
    locale: 'en',
  };

  return {
    books,
    calls,
    silent,
    outcomes,
    progress,
    requeued,
    tallies,
    reading,
    standing,
    state: () => change.state,
    plan: (more: readonly Fate[]) => {
      fates = [...more];
    },
    /** Runs as the queue does, again after each kill, until the change has come to rest. */
    async work(again: boolean, signal: AbortSignal = new AbortController().signal): Promise<Outcome> {
      if (again) change = { ...change, state: 'running' };
      for (let attempt = 1; ; attempt += 1) {
        try {
          await run({ ...work, again }, { log, signal, attempt });
          break;
        } catch (error) {
          if (!(error instanceof Killed)) throw error;
        }
      }
      const outcome = outcomes.at(-1);
      if (outcome === undefined) throw new Error('nothing was shown');
      return outcome;
    },
    runOnce: async (signal: AbortSignal) => await run(work, { log, signal, attempt: 1 }),
  };
}

type Stage = ReturnType<typeof startStage>;

/** Holds what was told against what is so at the gateway. */
function expectTrue(stage: Stage, outcome: Outcome, all: number): void {
  const there = [...stage.books.values()].find(({ title }) => title === TITLE);
  const standing = stage.standing();
  for (const { claimed, standing: then } of stage.progress) expect(claimed).toBeLessThanOrEqual(then);
  switch (outcome.kind) {
    case 'done':
      expect(standing).toBe(all);
      if (outcome.total !== null) expect(outcome.total).toBe(there?.numbers.size);
      break;
    case 'numbers_left':
      expect(outcome.done + outcome.left + outcome.unknown).toBe(all);
      expect(standing).toBeGreaterThanOrEqual(outcome.done);
      expect(standing).toBeLessThanOrEqual(outcome.done + outcome.unknown);
      break;
    case 'no_book':
      if (outcome.made !== 'maybe') expect(there !== undefined).toBe(outcome.made === 'yes');
      expect(standing).toBeGreaterThanOrEqual(outcome.done);
      break;
    case 'deleted':
      expect(there).toBe(undefined);
      break;
    case 'not_deleted':
      if (!outcome.maybe) expect(there).not.toBe(undefined);
      if (outcome.found !== null) expect(there?.numbers.size).toBe(outcome.found);
      break;
    case 'taken':
      throw new Error('nobody else has a book of this name');
  }
}

const fates = fc.array(fc.constantFrom(...FATES), { maxLength: 8 });
const kinds = fc.constantFrom('create', 'add', 'remove', 'delete');

describe('a change of a phonebook', () => {
  test('always ends as asked when a person goes on, and on the way tells nothing that is not so', async () => {
    await fc.assert(
      fc.asyncProperty(
        kinds,
        fates,
        fc.integer({ min: 1, max: 700 }),
        fc.integer({ min: 0, max: 700 }),
        async (kind, plan, count, overlap) => {
          const numbers = numbersOf(0, count);
          const listed =
            kind === 'delete'
              ? numbers
              : numbersOf(kind === 'remove' ? 0 : count - Math.min(overlap, count), 300 + count);
          const stage = startStage(kind, numbers, kind === 'create' ? null : listed);
          stage.plan(plan);
          let outcome = await stage.work(false);
          expectTrue(stage, outcome, count);
          for (let round = 0; stage.state() === 'stopped'; round += 1) {
            expect(round).toBeLessThan(12);
            outcome = await stage.work(true);
            expectTrue(stage, outcome, count);
          }
          expect(outcome.kind === 'done' || outcome.kind === 'deleted').toBe(true);
          expect(stage.tallies.at(-1)).toEqual(
            outcome.kind === 'deleted' && outcome.how === 'was_gone' ? null : { done: count, unknown: 0 },
          );
        },
      ),
      { numRuns: 400 },
    );
  });

  test('makes no further call by itself after a doubtful answer', async () => {
    for (const kind of ['create', 'add', 'remove', 'delete'] as const) {
      const stage = startStage(
        kind,
        numbersOf(0, 500),
        kind === 'create' ? null : kind === 'add' ? [] : numbersOf(0, 500),
      );
      stage.plan(['lost before its effect']);
      await stage.work(false);
      expect(stage.calls, kind).toHaveLength(1);
      expect(stage.state(), kind).toBe('stopped');
    }
  });

  test('tells the portion without an answer as not known, and the ones after it as not done', async () => {
    const stage = startStage('add', numbersOf(0, 500), []);
    stage.plan(['ok', 'lost after its effect']);
    expect(await stage.work(false)).toEqual({
      kind: 'numbers_left',
      done: 200,
      unknown: 200,
      left: 100,
      why: { kind: 'no_answer' },
    });
    expect(stage.tallies).toEqual([{ done: 200, unknown: 200 }]);
    expect(await stage.work(true)).toEqual({ kind: 'done', total: 500 });
    expect(stage.calls).toEqual(['add', 'add', 'add']);
  });

  test('after a kill nothing is added twice that the book holds already', async () => {
    const stage = startStage('add', numbersOf(0, 400), []);
    stage.plan(['killed after its effect']);
    expect(await stage.work(false)).toEqual({ kind: 'done', total: 400 });
    expect(stage.calls).toEqual(['add', 'add']);
  });

  test('a run that cannot read the book after a kill claims nothing', async () => {
    const stage = startStage('add', numbersOf(0, 400), []);
    stage.reading.fails = true;
    expect(await stage.work(true)).toMatchObject({ kind: 'numbers_left', done: 0, left: 0, unknown: 400 });
    expect(await startedUnread()).toMatchObject({ kind: 'numbers_left', done: 0, left: 400, unknown: 0 });

    async function startedUnread(): Promise<Outcome> {
      const fresh = startStage('add', numbersOf(0, 400), []);
      fresh.reading.fails = true;
      return await fresh.work(false);
    }
  });

  test('does not touch a book of the same name that holds other numbers', async () => {
    const theirs = numbersOf(5000, 3);
    const first = startStage('create', numbersOf(0, 5), theirs);
    expect(await first.work(false)).toEqual({ kind: 'taken' });
    expect(first.state()).toBe('cancelled');
    expect(first.tallies).toEqual([null]);

    const doubtful = startStage('create', numbersOf(0, 5), null);
    doubtful.plan(['lost before its effect']);
    await doubtful.work(false);
    doubtful.books.set('9', { title: TITLE, flag: 'theirs', numbers: new Set(theirs) });
    expect(await doubtful.work(true)).toEqual({ kind: 'taken' });
    expect(doubtful.calls).toEqual(['create']);
    expect([...(doubtful.books.get('9')?.numbers ?? [])]).toEqual(theirs);
  });

  test('says that a book is gone, not that its numbers are', async () => {
    const stage = startStage('add', numbersOf(0, 5), null);
    expect(await stage.work(false)).toMatchObject({
      done: 0,
      left: 5,
      unknown: 0,
      why: { kind: 'book_gone' },
    });
    const deleted = startStage('delete', numbersOf(0, 5), null);
    expect(await deleted.work(false)).toEqual({ kind: 'deleted', how: 'was_gone' });
    expect(deleted.tallies).toEqual([null]);
  });

  test('does not take a new book with the name of the deleted one for it', async () => {
    const stage = startStage('delete', numbersOf(0, 5), numbersOf(0, 5));
    stage.plan(['lost after its effect']);
    stage.books.set('7', { title: 'other', flag: 'x', numbers: new Set() });
    expect(await stage.work(false)).toEqual({ kind: 'deleted', how: 'seen' });
    stage.books.set('8', { title: TITLE, flag: 'y', numbers: new Set(['989120000009']) });
    expect(await stage.work(true)).toEqual({ kind: 'deleted', how: 'seen' });
    expect(stage.books.has('8')).toBe(true);
    expect(stage.calls).toEqual(['remove']);
  });

  test('finds the book that was to be deleted by its id, whatever its name is by now', async () => {
    const stage = startStage('delete', numbersOf(0, 5), numbersOf(0, 5));
    stage.plan(['lost before its effect']);
    stage.books.set('1', { title: 'VIP 1405', flag: 'theirs', numbers: new Set(numbersOf(0, 5)) });
    stage.books.set('8', { title: TITLE, flag: 'y', numbers: new Set(['989120000009']) });
    expect(await stage.work(false)).toMatchObject({ kind: 'not_deleted', maybe: true, found: 5 });
    expect(await stage.work(true)).toEqual({ kind: 'deleted', how: 'answered' });
    expect([...stage.books.keys()]).toEqual(['8']);
  });

  test('deletes no number that is not in the file that went out before', async () => {
    const stage = startStage('delete', numbersOf(0, 5), numbersOf(0, 6));
    expect(await stage.work(false)).toEqual({
      kind: 'not_deleted',
      maybe: false,
      found: null,
      why: { kind: 'grown' },
    });
    expect(stage.tallies).toEqual([null]);
    expect(await stage.work(true)).toMatchObject({ maybe: true, found: 6, why: { kind: 'grown' } });
    expect(stage.calls).toEqual([]);
  });

  test('takes an empty list of numbers for a book that is gone only where no list has the book', async () => {
    const stage = startStage('delete', [], []);
    stage.plan(['lost before its effect', 'lost after its effect']);
    expect(await stage.work(false)).toMatchObject({ kind: 'not_deleted', maybe: true, found: 0 });
    stage.silent.add('1');
    expect(await stage.work(true)).toEqual({ kind: 'deleted', how: 'seen' });
  });

  test('stops between two portions when the process has to go, and is taken up again', async () => {
    const stage = startStage('add', numbersOf(0, 500), []);
    const going = new AbortController();
    going.abort();
    await stage.runOnce(going.signal);
    expect(stage.requeued).toMatchObject([{ changeId: 'c1', again: true }]);
    expect([stage.calls, stage.outcomes, stage.state()]).toEqual([[], [], 'running']);
  });

  test('whose outcome could not be shown shows what can be seen now, and changes nothing', async () => {
    const stage = startStage('add', numbersOf(0, 500), []);
    stage.plan(['ok', 'lost after its effect']);
    await stage.work(false);
    await stage.runOnce(new AbortController().signal);
    expect(stage.outcomes.at(-1)).toEqual({
      kind: 'numbers_left',
      done: 400,
      left: 100,
      unknown: 0,
      why: { kind: 'interrupted' },
    });
    expect(stage.calls).toHaveLength(2);
  });
});
