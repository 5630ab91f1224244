import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FIRST_PACE, MAX_CALLS, paceAfter, type CallPace } from './call-pace.ts';

const ended = fc.constantFrom('good' as const, 'bad' as const);

function after(ends: readonly ('good' | 'bad')[], from: CallPace = FIRST_PACE, most = MAX_CALLS): CallPace {
  return ends.reduce((pace, end) => paceAfter(pace, end, most), from);
}

describe('the calls that may be out at once', () => {
  test('are two at first, and one more after as many good answers as may be out', () => {
    const good = (count: number) => Array.from({ length: count }, () => 'good' as const);
    expect([0, 1, 2, 4, 5, 8, 9].map((count) => after(good(count)).limit)).toEqual([2, 2, 3, 3, 4, 4, 5]);
  });

  test('are half after one without an answer', () => {
    expect([32, 31, 3, 2, 1].map((limit) => paceAfter({ limit, good: 1 }, 'bad').limit)).toEqual([
      16, 15, 1, 1, 1,
    ]);
    expect(after(['good', 'bad', 'good']).good).toBe(0);
  });

  test('are never less than one nor more than the most, whatever happens', () => {
    fc.assert(
      fc.property(fc.array(ended, { maxLength: 400 }), fc.integer({ min: 1, max: 40 }), (ends, most) => {
        let pace: CallPace = { limit: Math.min(2, most), good: 0 };
        for (const end of ends) {
          const next = paceAfter(pace, end, most);
          expect(next.limit).toBeGreaterThanOrEqual(1);
          expect(next.limit).toBeLessThanOrEqual(most);
          // Up by one at a time, never down after a good one, never up after a bad one.
          if (end === 'good') expect([0, 1]).toContain(next.limit - pace.limit);
          else expect(next.limit).toBeLessThanOrEqual(pace.limit);
          pace = next;
        }
      }),
    );
  });

  test('reach the most while all is well, from wherever they are, and stay there', () => {
    fc.assert(
      fc.property(fc.array(ended, { maxLength: 100 }), (before) => {
        const rounds = Array.from({ length: (MAX_CALLS * (MAX_CALLS + 1)) / 2 }, () => 'good' as const);
        expect(after(rounds, after(before)).limit).toBe(MAX_CALLS);
      }),
    );
  });

  test('never pass what a gateway bears by more than one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_CALLS - 1 }), (bears) => {
        let pace = FIRST_PACE;
        for (let count = 0; count < 2000; count += 1) {
          expect(pace.limit).toBeLessThanOrEqual(Math.max(FIRST_PACE.limit, bears + 1));
          pace = paceAfter(pace, pace.limit > bears ? 'bad' : 'good');
        }
      }),
    );
  });
});
