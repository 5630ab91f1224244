import type { PhonebookRead, PhonebookWrite } from '../../ports/gateway.ts';
import type { PhonebookChange } from '../../ports/phonebook-changes.ts';
import type { Outcome } from './outcome.ts';

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
export interface Run {
  readonly change: PhonebookChange;
  readonly read: PhonebookRead;
  readonly write: PhonebookWrite;
  readonly card: ChangeCard;
  /** Calls of an earlier run may have had an effect. */
  readonly maybe: boolean;
  readonly signal: AbortSignal;
}

/** `later`: the process has to go, and another run takes it up. */
export type RunResult = Outcome | 'later';

/** Small enough for a lost answer to leave few numbers in doubt. */
export const PORTION = 200;

export async function numbersOf(read: PhonebookRead, bookId: string): Promise<ReadonlySet<string>> {
  return new Set((await read.numbers(bookId)).map(({ number }) => number));
}
