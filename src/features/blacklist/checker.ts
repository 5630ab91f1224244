import { failedChange, type FailedChange } from '../../domain/failed-change.ts';
import { BLOCKED_PER_CALL } from '../../domain/interface-limits.ts';
import type { Blacklist } from '../../ports/gateway.ts';

/**
 * `worded`: the gateway's own word, which says no block; `silent`: its answer leaves the number out; `not_asked`: a
 * call failed before.
 */
export interface CheckVerdict {
  readonly number: string;
  readonly verdict: 'blocked' | 'worded' | 'silent' | 'not_asked';
  readonly raw: string;
}

export interface CheckOutcome {
  /** In the order of the numbers. */
  readonly verdicts: readonly CheckVerdict[];
  readonly failure: FailedChange | null;
}

/** Asks whether numbers are blocked on a line. Throws when already the first call fails. */
export async function check(
  blacklist: Blacklist,
  line: string,
  numbers: readonly string[],
): Promise<CheckOutcome> {
  const verdicts: CheckVerdict[] = [];
  let failure: FailedChange | null = null;
  for (const portion of portionsOf(numbers)) {
    if (failure !== null) {
      verdicts.push(...portion.map((number): CheckVerdict => ({ number, verdict: 'not_asked', raw: '' })));
      continue;
    }
    try {
      const results = new Map(
        (await blacklist.check(line, portion)).map((result) => [result.number, result]),
      );
      for (const number of portion) {
        const { status, raw } = results.get(number) ?? { status: null, raw: '' };
        const verdict = status === 'active' ? 'blocked' : raw === '' ? 'silent' : 'worded';
        verdicts.push({ number, verdict, raw });
      }
    } catch (error) {
      failure = failedChange(error);
      if (failure === null || verdicts.length === 0) throw error;
      verdicts.push(...portion.map((number): CheckVerdict => ({ number, verdict: 'not_asked', raw: '' })));
    }
  }
  return { verdicts, failure };
}

/** Numbers by the calls that add them, and that look whether they are there. */
export function portionsOf(numbers: readonly string[]): readonly (readonly string[])[] {
  const portions: (readonly string[])[] = [];
  for (let start = 0; start < numbers.length; start += BLOCKED_PER_CALL)
    portions.push(numbers.slice(start, start + BLOCKED_PER_CALL));
  return portions;
}
