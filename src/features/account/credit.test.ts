import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paceOf } from './credit.ts';

describe('the pace of credit', () => {
  it('never promises a day that cannot be paid, and leaves none unsaid that can', () => {
    const rial = fc.integer({ min: 1, max: 10 ** 12 });
    fc.assert(
      fc.property(rial, rial, fc.integer({ min: 1, max: 30 }), (credit, cost, days) => {
        const pace = paceOf({ credit, cost, days });
        const { rialPerDay = 0, daysLeft = null } = pace ?? {};
        expect(rialPerDay * days).toBeGreaterThanOrEqual(cost);
        expect((rialPerDay - 1) * days).toBeLessThan(cost);
        if (credit > 365 * rialPerDay) {
          expect(daysLeft).toBeNull();
          return;
        }
        expect((daysLeft ?? -1) * rialPerDay).toBeLessThanOrEqual(credit);
        expect(((daysLeft ?? -1) + 1) * rialPerDay).toBeGreaterThan(credit);
      }),
    );
  });

  it('is unknown where nothing was spent or more came back than went', () => {
    expect(paceOf({ credit: 1000, cost: 0, days: 7 })).toBeNull();
    expect(paceOf({ credit: 1000, cost: -5, days: 7 })).toBeNull();
  });

  it('gives no days to a debt', () => {
    expect(paceOf({ credit: -1, cost: 700, days: 7 })).toEqual({ rialPerDay: 100, daysLeft: null });
    expect(paceOf({ credit: 0, cost: 700, days: 7 })?.daysLeft).toBeNull();
    expect(paceOf({ credit: 99, cost: 700, days: 7 })?.daysLeft).toBe(0);
  });
});
