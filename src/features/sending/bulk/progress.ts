import type { BulkWork } from '../../../ports/bulk.ts';
import type { Clock, Log } from '../../../ports/runtime.ts';
import type { Stores } from '../../../storage/stores.ts';

/** The card is brought up to what has been done so often at most. */
const GAP_MS = 5000;

/** Nobody waits for what a task does: its draft was changed or ended. It is no failure. */
export class Outdated extends Error {}

/** Tells how far a task has come; between two pieces of its work. Throws {@link Outdated}, or the reason to stop. */
export type Progress = (work: BulkWork, signal: AbortSignal) => (done: number) => Promise<void>;

export function createProgress(deps: {
  readonly bulks: Pick<Stores['bulks'], 'progress'>;
  readonly cards: { follow(draftId: string): Promise<void> };
  readonly clock: Clock;
  readonly log: Log;
}): Progress {
  const { bulks, cards, clock, log } = deps;
  return (work, signal) => {
    let told = clock.monotonic();
    return async (done) => {
      signal.throwIfAborted();
      if (clock.monotonic() - told < GAP_MS) return;
      told = clock.monotonic();
      if (!(await bulks.progress(work, done))) throw new Outdated();
      // The work does not wait for Telegram.
      cards.follow(work.draftId).catch((error: unknown) => {
        log.info({ err: error, draft: work.draftId }, 'the progress of a file was not shown');
      });
    };
  };
}
