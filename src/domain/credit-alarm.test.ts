import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { creditLevel, creditLimit, expiryLevel, unfit } from './credit-alarm.ts';

describe('the threshold of a credit', () => {
  it('is what was set, else a twentieth of what the account had at first', () => {
    expect(creditLimit(5_000_000, 10)).toBe(5_000_000);
    expect(creditLimit(null, 10_000_001)).toBe(500_001);
    expect(creditLimit(null, 0)).toBe(null);
    expect(creditLimit(null, null)).toBe(null);
  });
});

describe('how low a credit is', () => {
  it('goes by the threshold, half of it, and what is scheduled', () => {
    expect(creditLevel(1200, 1000, true)).toBe(0);
    expect(creditLevel(1199, 1000, true)).toBe(null);
    expect(creditLevel(1000, 1000, false)).toBe(null);
    expect(creditLevel(999, 1000, true)).toBe(1);
    expect(creditLevel(500, 1000, true)).toBe(1);
    expect(creditLevel(499, 1000, true)).toBe(2);
    expect(creditLevel(999, 1000, false)).toBe(3);
  });

  it('never says that an alarm begins and ends without the whole way between', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e9 }),
        fc.array(fc.double({ min: 0.99, max: 1.199, noNaN: true })),
        (limit, wavers) => {
          const levels = new Set(wavers.map((share) => creditLevel(share * limit, limit, true)));
          expect(levels.has(0)).toBe(false);
        },
      ),
    );
  });
});

describe('sends that will not fit', () => {
  const sends = (...prices: (number | null)[]) => prices.map((rial, n) => ({ n, rial }));

  it('are those for which nothing is left after the ones before them', () => {
    expect(unfit(100, sends(60, 50, 40)).map(({ n }) => n)).toEqual([1]);
    expect(unfit(100, sends(null, 100, 1)).map(({ n }) => n)).toEqual([2]);
    expect(unfit(-1, sends(null))).toEqual([]);
  });

  it('leave a rest that all others fit into', () => {
    fc.assert(
      fc.property(fc.nat(), fc.array(fc.option(fc.nat())), (credit, prices) => {
        const all = sends(...prices);
        const out = new Set(unfit(credit, all));
        const kept = all.filter((send) => !out.has(send)).reduce((sum, { rial }) => sum + (rial ?? 0), 0);
        expect(kept).toBeLessThanOrEqual(credit);
      }),
    );
  });
});

describe('the end of an account', () => {
  it('is told 14, 3 and 1 days before, and when it has come', () => {
    const now = new Date('2026-11-24T00:00:00Z');
    const inDays = (days: number) => expiryLevel(new Date(now.getTime() + days * 86_400_000), now);
    expect([15, 14, 4, 3, 2, 1, 0.5, 0, -3].map(inDays)).toEqual([0, 1, 1, 2, 2, 3, 3, 4, 4]);
  });
});
