import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { addRial, learnRialPerPart, parseRial } from './money.ts';

describe('rial', () => {
  it('learns a price that never makes an estimate too small, and at most one rial a part too large', () => {
    expect(learnRialPerPart({ cost: 2840, parts: 2 })).toBe(1420);
    expect(learnRialPerPart({ cost: 2841, parts: 2 })).toBe(1421);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e12 }), fc.integer({ min: 1, max: 1e9 }), (cost, parts) => {
        const price = BigInt(learnRialPerPart({ cost, parts }) ?? -1);
        expect(price * BigInt(parts)).toBeGreaterThanOrEqual(BigInt(cost));
        expect((price - 1n) * BigInt(parts)).toBeLessThan(BigInt(cost));
      }),
      { numRuns: 1000 },
    );
  });

  it('has no price before anything was charged', () => {
    expect(learnRialPerPart({ cost: 0, parts: 0 })).toBeNull();
    expect(learnRialPerPart({ cost: 0, parts: 10 })).toBeNull();
    expect(learnRialPerPart({ cost: 10, parts: 0 })).toBeNull();
  });

  it('agrees with exact arithmetic or refuses', () => {
    const amounts = fc.maxSafeInteger();
    fc.assert(
      fc.property(amounts, amounts, (left, right) => {
        expect(outcome(() => addRial(left, right))).toBe(exactly(BigInt(left) + BigInt(right)));
      }),
      { numRuns: 1000 },
    );
  });

  it('refuses fractions, NaN and infinity', () => {
    for (const amount of [0.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(outcome(() => addRial(amount, 1))).toBe('refused');
  });
});

describe('amounts as the gateway writes them', () => {
  it.each([
    ['10000000', 10_000_000, 10_000_000],
    ['10000000.00', 10_000_000, 10_000_000],
    ['9999.50', 9999, 10_000],
    ['-0.5', -1, 0],
    ['-12', -12, -12],
    ['+12.05', 12, 13],
    ['-9007199254740991', Number.MIN_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
    [' 7 ', 7, 7],
    ['5.', 5, 5],
    [48_300_000, 48_300_000, 48_300_000],
    [0.1, 0, 1],
    ['9007199254740991', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ] as const)('%j is %j rounded down and %j rounded up', (value, down, up) => {
    expect(parseRial(value, 'down')).toBe(down);
    expect(parseRial(value, 'up')).toBe(up);
  });

  it.each([
    '',
    '-',
    '.5',
    '1e5',
    'NaN',
    '1,000',
    '۱۲',
    '0x10',
    '9007199254740992',
    '-9007199254740992',
    '-9007199254740991.5',
    '1'.repeat(31),
    Number.NaN,
    1e21,
  ])('%j is no amount', (value) => {
    expect(parseRial(value, 'down')).toBeNull();
  });

  it('reads back every whole amount it is given', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (amount) => {
        expect(parseRial(`${amount}.000`, 'up')).toBe(amount);
      }),
    );
  });
});

/** What exact arithmetic says, or `refused` where a safe integer cannot hold it. */
function exactly(amount: bigint): number | 'refused' {
  const isSafe = amount >= Number.MIN_SAFE_INTEGER && amount <= Number.MAX_SAFE_INTEGER;
  return isSafe ? Number(amount) : 'refused';
}

function outcome(compute: () => number): number | 'refused' {
  try {
    return compute();
  } catch (error) {
    expect(error).toMatchObject({ code: 'internal', message: expect.stringContaining('not a whole number') });
    return 'refused';
  }
}
