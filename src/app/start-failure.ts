import { isAppError } from '../domain/errors.ts';
import { describeConfigMistakes } from '../process/config.ts';
import { EXIT } from '../process/exit-codes.ts';
import { UnusableDatabase } from '../storage/database/session-check.ts';

export interface StartFailure {
  /** What whoever starts Peyk reads, without a value of the settings. */
  readonly text: string;
  readonly exitCode: number;
}

/** What an error of the start means to an operator; null for one that nobody foresaw. */
export function startFailure(error: unknown): StartFailure | null {
  if (isAppError(error, 'config')) return { text: describeConfigMistakes(error), exitCode: EXIT.badSettings };
  if (error instanceof UnusableDatabase)
    return {
      text: `Peyk could not start. DATABASE_URL: ${error.message}`,
      exitCode: error.isLasting ? EXIT.badSettings : EXIT.unreachable,
    };
  return null;
}
