import type { Update } from '@grammyjs/types';
import { databaseTrouble, type DatabaseTrouble } from './trouble.ts';
import type { Intake } from '../intake.ts';

export interface WatchedIntake extends Intake {
  /** Why updates cannot be written down or handled, in plain words; null: they can, as far as it was tried. */
  problem(): string | null;
}

const REASONS: Readonly<Record<DatabaseTrouble, string>> = {
  away: 'the database does not answer',
  full: 'the disk of the database is full',
  read_only: 'the database takes no writes',
  locked: 'something holds a lock in the database',
};

/** Remembers how the last writing ended, and has `held` told what was not written. */
export function watchIntake(
  intake: Intake,
  {
    held,
    stuck,
  }: {
    readonly held: (update: Update, trouble: DatabaseTrouble) => void;
    /** What those wait for that are written down already. */
    readonly stuck: () => DatabaseTrouble | null;
  },
): WatchedIntake {
  let unwritten: string | null = null;
  return {
    ...intake,
    problem() {
      if (unwritten !== null) return `what it brings cannot be written down: ${unwritten}`;
      const trouble = stuck();
      return trouble === null ? null : `what it brought waits: ${REASONS[trouble]}`;
    },
    async accept(batch) {
      try {
        await intake.accept(batch);
        unwritten = null;
      } catch (error) {
        const trouble = databaseTrouble(error);
        unwritten = trouble === null ? 'the log says why' : REASONS[trouble];
        if (trouble !== null) for (const update of batch) held(update, trouble);
        throw error;
      }
    },
  };
}
