import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTokenBuckets, type TokenBuckets } from './token-buckets.ts';

const allowances = fc.record({
  burst: fc.integer({ min: 1, max: 50 }),
  perMinute: fc.double({ min: 0.5, max: 20_000, noNaN: true }),
});
/** Pauses of a loop and of people, in milliseconds. */
const pauses = fc.array(
  fc.oneof(fc.constant(0), fc.integer({ max: 200, min: 0 }), fc.double({ min: 0, max: 90_000, noNaN: true })),
  {
    maxLength: 200,
  },
);

function takes(buckets: TokenBuckets, key: number, now: number): boolean {
  if (buckets.wait(key, now) > 0) return false;
  buckets.take(key, now);
  return true;
}

describe('a bucket of tokens', () => {
  test('gives in no stretch of time more than it holds and what comes to it meanwhile', () => {
    fc.assert(
      fc.property(allowances, pauses, (allowance, between) => {
        const buckets = createTokenBuckets(allowance, 10);
        const given: number[] = [];
        let now = 5;
        for (const pause of between) {
          now += pause;
          if (takes(buckets, 1, now)) given.push(now);
        }
        for (const [first, from] of given.entries()) {
          for (const [last, to] of given.entries()) {
            if (last < first) continue;
            const most = allowance.burst + ((to - from) * allowance.perMinute) / 60_000;
            expect(last - first + 1).toBeLessThanOrEqual(most + 1e-3);
          }
        }
      }),
    );
  });

  test('gives all that it holds at once, then one as often as it is said, and says when that is', () => {
    fc.assert(
      fc.property(allowances, fc.integer({ min: 0, max: 1e9 }), (allowance, start) => {
        const buckets = createTokenBuckets(allowance, 10);
        for (let n = 0; n < allowance.burst; n += 1) expect(takes(buckets, 1, start)).toBe(true);
        let now = start;
        for (let n = 0; n < 5; n += 1) {
          const wait = buckets.wait(1, now);
          expect(wait).toBeGreaterThan(0);
          expect(wait).toBeLessThanOrEqual(60_000 / allowance.perMinute + 1e-3);
          expect(takes(buckets, 1, now + wait * 0.99 - 2e-3)).toBe(false);
          now += wait;
          expect(takes(buckets, 1, now)).toBe(true);
        }
      }),
    );
  });

  test('is each key’s own', () => {
    const buckets = createTokenBuckets({ burst: 1, perMinute: 1 }, 10);
    expect([takes(buckets, 1, 0), takes(buckets, 2, 0), takes(buckets, 1, 0), takes(buckets, 2, 0)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('gives nothing for a clock that is set back, and is not kept empty by it', () => {
    fc.assert(
      fc.property(allowances, fc.double({ min: 0, max: 1e9, noNaN: true }), (allowance, back) => {
        const buckets = createTokenBuckets(allowance, 10);
        const late = 1e9;
        for (let n = 0; n < allowance.burst; n += 1) takes(buckets, 1, late);
        const now = late - back;
        expect(takes(buckets, 1, now)).toBe(false);
        const every = 60_000 / allowance.perMinute;
        expect(buckets.wait(1, now)).toBeLessThanOrEqual(every + 1e-3);
        const next = now + every * 1.001 + 2e-3;
        expect([takes(buckets, 1, next), takes(buckets, 1, next)]).toEqual([true, false]);
      }),
    );
  });

  test('is forgotten when too many others came since, and never before', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 40 }),
        fc.array(fc.integer({ min: 1, max: 200 })),
        (most, keys) => {
          const buckets = createTokenBuckets({ burst: 1, perMinute: 0.001 }, most);
          const lastAt = new Map<number, number>();
          for (const [at, key] of keys.entries()) {
            const had = lastAt.get(key);
            const since = new Set(keys.slice((had ?? 0) + 1, at)).size;
            const took = takes(buckets, key, at);
            // Half of the keys are sure to be remembered.
            if (had === undefined) expect(took).toBe(true);
            else if (since < Math.floor(most / 2)) expect(took).toBe(false);
            if (took) lastAt.set(key, at);
            expect(buckets.size()).toBeLessThanOrEqual(most);
          }
        },
      ),
    );
  });
});
