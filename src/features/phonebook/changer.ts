import type { Gateways } from '../../ports/gateways.ts';
import type { PhonebookChange, PhonebookWork } from '../../ports/phonebook-changes.ts';
import type { TaskContext } from '../../ports/runtime.ts';
import type { Stores } from '../../storage/stores.ts';
import { openNumbers } from './difference.ts';
import { eraseBook } from './erase-book.ts';
import { fillBook } from './fill-book.ts';
import { makeBook } from './make-book.ts';
import { stateAfter, whyOf, type Outcome, type Why } from './outcome.ts';
import { numbersOf, type ChangeCard, type Run, type RunResult } from './run.ts';

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
