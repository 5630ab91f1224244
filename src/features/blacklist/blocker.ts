import type { Blacklist, BlacklistResult } from '../../ports/gateway.ts';
import { failedChange, type FailedChange } from '../../domain/failed-change.ts';
import { portionsOf } from './checker.ts';

/** What is known of one number: `worded` has the gateway's own word for it, `unknown` a call without an answer. */
export interface BlockVerdict {
  readonly number: string;
  readonly verdict: 'added' | 'already' | 'worded' | 'unknown' | 'not_added';
  readonly raw: string;
}

export interface BlockOrder {
  readonly line: string;
  /** Canonical, each once. */
  readonly numbers: readonly string[];
  /** Those of them that an earlier call without an answer may have added. */
  readonly doubtful?: readonly string[];
}

export interface BlockOutcome {
  /** In the order of the numbers. */
  readonly verdicts: readonly BlockVerdict[];
  readonly failure: FailedChange | null;
}

/**
 * Adds numbers to the blacklist of a line, portion by portion, until one fails: what comes after it is not tried. A
 * repeated order converges, because the gateway knows what is there already; it looks before it adds.
 */
export async function block(
  blacklist: Blacklist,
  { line, numbers, doubtful }: BlockOrder,
): Promise<BlockOutcome> {
  const known = new Map<string, BlockVerdict>();
  const outcome = (failure: FailedChange | null): BlockOutcome => ({
    verdicts: numbers.map((number) => {
      const before = doubtful?.includes(number) === true ? 'unknown' : 'not_added';
      return known.get(number) ?? { number, verdict: before, raw: '' };
    }),
    failure,
  });
  const note = (results: readonly BlacklistResult[], portion: readonly string[]): void => {
    for (const { number, status, raw } of results)
      if (portion.includes(number)) known.set(number, { number, verdict: VERDICTS[status], raw });
  };

  let portion: readonly string[] = [];
  let adding = false;
  try {
    if (doubtful !== undefined) {
      for (portion of portionsOf(numbers)) {
        const results = await blacklist.check(line, portion);
        note(
          results.filter(({ status }) => status === 'active'),
          portion,
        );
      }
    }
    adding = true;
    for (portion of portionsOf(numbers.filter((number) => !known.has(number)))) {
      const results = await blacklist.add(line, portion);
      // Silence about a number that was named leaves it open.
      for (const number of portion) known.set(number, { number, verdict: 'unknown', raw: '' });
      note(results, portion);
    }
    return outcome(null);
  } catch (error) {
    const failure = failedChange(error);
    if (failure === null) throw error;
    if (adding && failure.mayHaveActed)
      for (const number of portion) known.set(number, { number, verdict: 'unknown', raw: '' });
    return outcome({ ...failure, mayHaveActed: adding && failure.mayHaveActed });
  }
}

const VERDICTS = {
  added: 'added',
  duplicate: 'already',
  active: 'already',
  unknown: 'worded',
} as const satisfies Record<BlacklistResult['status'], BlockVerdict['verdict']>;
