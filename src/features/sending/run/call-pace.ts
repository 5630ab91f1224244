/*
 * How many calls of an account may be out at once. No limit of the gateway is known, and a call that it does not take
 * may have gone out all the same: so the number grows by one, and falls by half.
 */

export interface CallPace {
  readonly limit: number;
  /** Good answers in a row since the limit was set. */
  readonly good: number;
}

export const FIRST_PACE: CallPace = { limit: 2, good: 0 };
export const MAX_CALLS = 32;

/**
 * The pace after a call has ended. `good`: the gateway has answered, be it with a refusal; as many of these in a row as
 * calls may be out make room for one more. Pure and total; the limit stays within 1 and `most`.
 */
export function paceAfter({ limit, good }: CallPace, ended: 'good' | 'bad', most = MAX_CALLS): CallPace {
  if (ended === 'bad') return { limit: Math.max(1, Math.floor(limit / 2)), good: 0 };
  if (limit >= most) return { limit: most, good: 0 };
  return good + 1 < limit ? { limit, good: good + 1 } : { limit: limit + 1, good: 0 };
}
