/** So many at once, and in the long run so many a minute. */
export interface Allowance {
  readonly burst: number;
  readonly perMinute: number;
}

/** A bucket of tokens for each key. Times are milliseconds of a clock that only grows. */
export interface TokenBuckets {
  /** How long until there is a token for this key; 0: there is one. */
  wait(key: number | string, now: number): number;
  /** Takes a token that is there. */
  take(key: number | string, now: number): void;
  /** How many keys are remembered. */
  size(): number;
}

/** Sums of fractions of a millisecond are never exact. */
const EXACT_MS = 1e-3;

/**
 * In any stretch of t minutes a key gets at most `burst + perMinute * t` tokens, as long as it is remembered. At most
 * `mostKeys` are: who came longest ago is forgotten first, and has a full bucket the next time. A time before the last
 * one gives nobody a token, and keeps nobody from the next one for longer than it takes a bucket to fill.
 *
 * Ours, since the libraries for it keep every key that anybody makes up until its time is over, with a timer each, and let
 * twice the limit through where two windows meet.
 */
export function createTokenBuckets(allowance: Allowance, mostKeys: number): TokenBuckets {
  const every = 60_000 / allowance.perMinute;
  const capacity = allowance.burst * every;
  const half = Math.max(1, Math.floor(mostKeys / 2));
  /** When each bucket is full again, in two generations: the older one is forgotten as a whole. */
  let young = new Map<number | string, number>();
  let old = new Map<number | string, number>();

  const fullAt = (key: number | string, now: number): number => {
    const known = young.get(key) ?? old.get(key) ?? now;
    // No bucket is emptier than empty: a clock that was set back would keep it so until it is where it was.
    if (known > now + capacity + EXACT_MS) remember(key, now + capacity);
    return Math.min(Math.max(known, now), now + capacity);
  };
  const remember = (key: number | string, at: number): void => {
    if (!young.has(key) && young.size >= half) {
      old = young;
      young = new Map();
    }
    young.set(key, at);
  };

  return {
    wait(key, now) {
      const wait = fullAt(key, now) - now - (capacity - every);
      return wait > EXACT_MS ? wait : 0;
    },
    take(key, now) {
      remember(key, fullAt(key, now) + every);
    },
    size: () => young.size + old.size,
  };
}
