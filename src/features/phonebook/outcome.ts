import { isAppError } from '../../domain/errors.ts';
import { failedChange } from '../../domain/failed-change.ts';
import type { PhonebookTally } from '../../ports/phonebook-changes.ts';

/** Why a change stopped, as far as it can be told. `name` is what a refusal means (RefusalName). */
export type Why =
  | { readonly kind: 'refused'; readonly name: string }
  | {
      readonly kind:
        | 'no_answer'
        | 'unreadable'
        | 'not_connected'
        | 'unsupported'
        | 'not_listed'
        | 'made_before'
        | 'book_gone'
        | 'grown'
        | 'interrupted';
    };

/** Where a change stands when a run has ended. */
export type Outcome =
  /** All of it is so in the book; `total` is null where the book could not be read afterwards. */
  | { readonly kind: 'done'; readonly total: number | null }
  /** `answered`: the gateway said so. `seen`: it is not there any more. `was_gone`: it was not there before. */
  | { readonly kind: 'deleted'; readonly how: 'answered' | 'seen' | 'was_gone' }
  /** A new book's name is that of another book. */
  | { readonly kind: 'taken' }
  /** A new book that cannot be gone on with: `yes` is the gateway's word for it, with the first `done` numbers. */
  | {
      readonly kind: 'no_book';
      readonly made: 'no' | 'maybe' | 'yes';
      readonly done: number;
      readonly why: Why;
    }
  /** `left` are known not to be done, `unknown` may be. */
  | {
      readonly kind: 'numbers_left';
      readonly done: number;
      readonly left: number;
      readonly unknown: number;
      readonly why: Why;
    }
  /** A book that was to be deleted: `found` is how many numbers it has now, null where nobody could look. */
  | {
      readonly kind: 'not_deleted';
      readonly maybe: boolean;
      readonly found: number | null;
      readonly why: Why;
    };

/** The state that an outcome leaves behind, and what it is to the audit: null where surely nothing was changed. */
export function stateAfter(
  outcome: Outcome,
  asked: number,
): { readonly state: 'stopped' | 'done' | 'cancelled'; readonly tally: PhonebookTally | null } {
  switch (outcome.kind) {
    case 'done':
      return { state: 'done', tally: { done: asked, unknown: 0 } };
    case 'deleted':
      return { state: 'done', tally: outcome.how === 'was_gone' ? null : { done: asked, unknown: 0 } };
    case 'taken':
      return { state: 'cancelled', tally: null };
    case 'no_book': {
      const { made, done } = outcome;
      if (made === 'no') return { state: 'stopped', tally: null };
      return { state: 'stopped', tally: { done, unknown: made === 'maybe' ? asked : 0 } };
    }
    case 'not_deleted':
      return { state: 'stopped', tally: outcome.maybe ? { done: 0, unknown: asked } : null };
    case 'numbers_left': {
      const { done, unknown } = outcome;
      return { state: 'stopped', tally: done + unknown > 0 ? { done, unknown } : null };
    }
  }
}

/** What a call that threw tells a person; a mistake of ours is thrown on. */
export function whyOf(error: unknown): Why {
  const failed = failedChange(error);
  if (failed !== null)
    return failed.why === 'refused' ? { kind: 'refused', name: failed.name } : { kind: failed.why };
  if (isAppError(error, 'not_connected')) return { kind: 'not_connected' };
  if (isAppError(error, 'gateway_unsupported')) return { kind: 'unsupported' };
  if (isAppError(error, 'bad_input')) return { kind: 'refused', name: 'bad_request' };
  throw error;
}

/** Whether a change may be there although its call threw. */
export function mayHaveActed(error: unknown): boolean {
  return failedChange(error)?.mayHaveActed === true;
}

export function isRefusal(error: unknown, ...names: readonly string[]): boolean {
  const failed = failedChange(error);
  return failed?.why === 'refused' && names.includes(failed.name);
}
