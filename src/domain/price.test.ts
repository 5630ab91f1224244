import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Encoding } from './message.ts';
import type { Operator } from './operator.ts';
import type { Payload } from './outgoing.ts';
import {
  estimatePrint,
  wholeDaysLeft,
  encodedParts,
  type EncodedParts,
  estimate,
  NOTHING_PAID,
  priceOf,
  rialPerPart,
  type Gauge,
  type Paid,
  type Prices,
} from './price.ts';

const paid = (cost: number, parts: number): Paid => ({ cost: BigInt(cost), parts: BigInt(parts) });
const KNOWN: Prices = { gsm7: paid(2840 * 25, 25), ucs2: paid(1420 * 100, 100) };

const amount = fc.integer({ min: 1, max: 10 ** 12 });
const known = fc.record({ cost: amount, parts: fc.integer({ min: 1, max: 10 ** 7 }) });
const some = fc.nat(1_000_000);

describe('the price of a send', () => {
  test('is the least whole rial that is not below its parts at their exact prices', () => {
    fc.assert(
      fc.property(known, known, some, some, (gsm7, ucs2, g, u) => {
        const prices = {
          gsm7: paid(gsm7.cost, gsm7.parts),
          ucs2: paid(ucs2.cost, ucs2.parts),
        };
        const price = priceOf(parts(g, u), prices);
        // Over one common denominator: nothing is rounded on the way.
        const exact =
          BigInt(g) * BigInt(gsm7.cost) * BigInt(ucs2.parts) +
          BigInt(u) * BigInt(ucs2.cost) * BigInt(gsm7.parts);
        const by = BigInt(gsm7.parts) * BigInt(ucs2.parts);
        if (price === null) {
          expect(exact / by >= BigInt(Number.MAX_SAFE_INTEGER)).toBe(true);
          return;
        }
        expect(BigInt(price) * by >= exact).toBe(true);
        expect((BigInt(price) - 1n) * by < exact).toBe(true);
      }),
    );
  });

  test('never falls when there is more to send, and is never more than that of its halves', () => {
    fc.assert(
      fc.property(known, known, some, some, (gsm7, ucs2, g, u) => {
        const prices = {
          gsm7: paid(gsm7.cost, gsm7.parts),
          ucs2: paid(ucs2.cost, ucs2.parts),
        };
        const whole = priceOf(parts(g, u), prices);
        fc.pre(whole !== null);
        const [left, right] = [priceOf(parts(g, 0), prices) ?? 0, priceOf(parts(0, u), prices) ?? 0];
        expect(whole).toBeGreaterThanOrEqual(Math.max(left, right));
        expect(whole).toBeLessThanOrEqual(left + right);
      }),
    );
  });

  test('is known where something was paid for each of its encodings, and by no average of both', () => {
    expect(priceOf(parts(2, 0), KNOWN)).toBe(5680);
    expect(priceOf(parts(0, 3), KNOWN)).toBe(4260);
    expect(priceOf(parts(1, 1), KNOWN)).toBe(4260);
    for (const nothing of [paid(0, 0), paid(0, 9), paid(-9, 9), paid(9, 0)]) {
      expect(priceOf(parts(2, 0), { ...KNOWN, gsm7: nothing })).toBe(null);
      expect(priceOf(parts(1, 1), { ...KNOWN, gsm7: nothing })).toBe(null);
      expect(priceOf(parts(0, 1), { ...KNOWN, gsm7: nothing })).toBe(1420);
      expect(rialPerPart(nothing)).toBe(null);
    }
    expect(priceOf(parts(1, 0), NOTHING_PAID)).toBe(null);
    expect(NOTHING_PAID).toEqual({ gsm7: paid(0, 0), ucs2: paid(0, 0) });
  });

  test('goes by what a part to an operator costs, where that is known', () => {
    const operators = { irancell: paid(2100, 1), rightel: paid(71, 3) };
    const prices = { ...KNOWN, ucs2: { ...KNOWN.ucs2, operators } };
    const to = (operator: Operator | undefined, count: number, encoding: Encoding = 'ucs2') => ({
      encoding,
      operator,
      parts: count,
    });
    expect(priceOf([to('irancell', 10)], prices)).toBe(21_000);
    expect(priceOf([to('irancell', 10, 'gsm7')], prices)).toBe(28_400);
    expect(priceOf([to('mci', 10), to('irancell', 10), to('rightel', 1), to(undefined, 1)], prices)).toBe(
      10 * 1420 + 10 * 2100 + 24 + 1420,
    );
    const gauge: Gauge = { prices, credit: null, committed: 0, rialPerDay: null };
    // One part of those that the send has, on the average.
    expect(estimate([to('mci', 30), to('irancell', 10), to('irancell', 7, 'gsm7')], gauge)).toMatchObject({
      price: 30 * 1420 + 10 * 2100 + 7 * 2840,
      perPart: { ucs2: 1590, gsm7: 2840 },
    });
    expect(priceOf([to('irancell', 1)], { ...prices, ucs2: { ...paid(0, 0), operators } })).toBe(2100);
    expect(priceOf([to('mci', 1)], { ...prices, ucs2: { ...paid(0, 0), operators } })).toBe(null);
  });

  test('is rounded up once, in whole and by the part', () => {
    expect(priceOf(parts(3, 0), { ...NOTHING_PAID, gsm7: paid(10, 3) })).toBe(10);
    expect(priceOf(parts(1, 0), { ...NOTHING_PAID, gsm7: paid(10, 3) })).toBe(4);
    expect(rialPerPart(paid(10, 3))).toBe(4);
    expect(rialPerPart(paid(9, 3))).toBe(3);
  });
});

describe('an estimate', () => {
  const gauge: Gauge = { prices: KNOWN, credit: 100_000, committed: 0, rialPerDay: 10_000 };

  test('says what is left after the send, and for how many whole days', () => {
    expect(estimate(parts(10, 0), gauge)).toEqual({
      price: 28_400,
      perPart: { gsm7: 2840 },
      after: 71_600,
      daysLeft: 7,
    });
  });

  test('takes off what earlier sends will still cost', () => {
    const { after } = estimate(parts(10, 0), { ...gauge, committed: 80_000 });
    expect(after).toBe(-8400);
  });

  test('promises no day that cannot be paid', () => {
    fc.assert(
      fc.property(fc.integer(), fc.option(fc.integer({ min: -5, max: 10 ** 9 })), (rial, pace) => {
        const days = wholeDaysLeft(rial, pace);
        if (pace === null || pace <= 0 || rial <= 0 || rial > 365 * pace) {
          expect(days).toBe(null);
          return;
        }
        expect((days ?? -1) * pace).toBeLessThanOrEqual(rial);
        expect(((days ?? -1) + 1) * pace).toBeGreaterThan(rial);
      }),
    );
  });

  test('knows nothing of what leaves without parts, price or credit', () => {
    const nothing = { price: null, perPart: {}, after: null, daysLeft: null };
    expect(estimate(null, gauge)).toEqual(nothing);
    expect(estimate(parts(0, 0), gauge)).toEqual(nothing);
    expect(estimate(parts(1, 0), null)).toEqual(nothing);
    expect(estimate(parts(1, 0), { ...gauge, prices: NOTHING_PAID })).toEqual(nothing);
    expect(estimate(parts(1, 0), { ...gauge, credit: null })).toEqual({
      ...nothing,
      price: 2840,
      perPart: { gsm7: 2840 },
    });
  });

  test('tells the part of each encoding that the send has', () => {
    expect(estimate(parts(1, 1), gauge).perPart).toEqual({ gsm7: 2840, ucs2: 1420 });
    expect(estimate(parts(0, 1), gauge).perPart).toEqual({ ucs2: 1420 });
  });

  test('is told apart from every other by what is printed of it', () => {
    const one = estimate(parts(1, 1), gauge);
    const others = [
      { ...one, price: 1 },
      { ...one, perPart: { gsm7: 2840 } },
      { ...one, perPart: { ucs2: 1420 } },
      { ...one, after: null },
      { ...one, daysLeft: null },
      { ...one, after: 95_740, daysLeft: 19 },
      { ...one, after: 957_401, daysLeft: 9 },
    ];
    expect(new Set([one, ...others].map(estimatePrint)).size).toBe(others.length + 1);
    expect(estimatePrint({ ...one })).toBe(estimatePrint(one));
  });

  test('lasts for a year at most, and for nothing where nothing is left', () => {
    expect([365, 366, 0, -1].map((rial) => wholeDaysLeft(rial, 1))).toEqual([365, null, null, null]);
  });

  test('warns of no credit that falls short by a price that is not known', () => {
    const prices = { ...KNOWN, gsm7: paid(0, 0) };
    expect(estimate(parts(1_000_000, 1), { ...gauge, prices }).after).toBe(null);
  });
});

describe('the parts of a payload by encoding', () => {
  const base: Payload = {
    outgoing: { kind: 'text' },
    line: '3000',
    text: '',
    flash: false,
    recipients: ['a', '989121111111', '989912222222'],
  };

  test('of one text count for each recipient', () => {
    expect(encodedParts({ ...base, text: 'Hello' })).toEqual([
      { encoding: 'gsm7', operator: 'other', parts: 1 },
      { encoding: 'gsm7', operator: 'mci', parts: 2 },
    ]);
    expect(encodedParts({ ...base, text: 'س'.repeat(71) })).toEqual([
      { encoding: 'ucs2', operator: 'other', parts: 2 },
      { encoding: 'ucs2', operator: 'mci', parts: 4 },
    ]);
  });

  test('of rows count each by its own text', () => {
    const row = (text: string) => ({ line: '3000', recipient: '989351111111', text, flash: false });
    const rows = [row('Hello'), row('سلام'), row('x'.repeat(161))];
    expect(encodedParts({ ...base, outgoing: { kind: 'multi', rows } })).toEqual([
      { encoding: 'gsm7', operator: 'irancell', parts: 3 },
      { encoding: 'ucs2', operator: 'irancell', parts: 1 },
    ]);
  });

  test('of a pattern are not known', () => {
    const outgoing = { kind: 'pattern', patternId: '1', variables: {}, perCall: 200 } as const;
    expect(encodedParts({ ...base, outgoing })).toBe(null);
  });
});

function parts(gsm7: number, ucs2: number): EncodedParts {
  return [
    { encoding: 'gsm7', parts: gsm7 },
    { encoding: 'ucs2', parts: ucs2 },
  ];
}
