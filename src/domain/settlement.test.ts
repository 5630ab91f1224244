import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lengths } from './kinds/kind.ts';
import { lengthsOf } from './outgoing.ts';
import { addedUp, NOTHING_PAID, priceOf, type EncodedParts, type Prices } from './price.ts';
import { chargeOf, finalCharge } from './settlement.ts';

const paid = (rial: number, parts = 100) => ({ cost: BigInt(rial) * BigInt(parts), parts: BigInt(parts) });
const PRICES: Prices = { gsm7: paid(2840), ucs2: paid(1420) };

const someLengths = fc.array(
  fc.record({
    encoding: fc.constantFrom('gsm7' as const, 'ucs2' as const),
    parts: fc.integer({ min: 1, max: 14 }),
    messages: fc.integer({ min: 1, max: 30 }),
    operator: fc.constantFrom('mci' as const, 'irancell' as const, undefined),
  }),
  { minLength: 1, maxLength: 5 },
);
const ratio = fc.record({
  cost: fc.bigInt({ min: 1n, max: 10n ** 12n }),
  parts: fc.bigInt({ min: 20n, max: 10n ** 6n }),
});
const somePrices: fc.Arbitrary<Prices> = fc
  .record({ gsm7: ratio, ucs2: ratio, irancell: fc.option(ratio) })
  .map(({ gsm7, ucs2, irancell }) => ({
    gsm7: irancell === null ? gsm7 : { ...gsm7, operators: { irancell } },
    ucs2,
  }));

/** Every message by itself, and for each whether it may have left. */
const aSend = someLengths.chain((lengths) => {
  const messages = lengths.flatMap(({ encoding, parts, operator, messages: count }) =>
    Array.from({ length: count }, () => ({ encoding, parts, operator })),
  );
  return fc.record({
    lengths: fc.constant(lengths),
    messages: fc.constant(messages),
    left: fc.array(fc.boolean(), { minLength: messages.length, maxLength: messages.length }),
  });
});

function partsBy(messages: EncodedParts) {
  const encoded = addedUp(messages.map((each) => ({ ...each, messages: 1 })));
  return { encoded, all: encoded.reduce((sum, { parts }) => sum + parts, 0) };
}

const all = (lengths: Lengths) => lengths.reduce((sum, { messages }) => sum + messages, 0);

describe('what a send counts', () => {
  it('is exact for one text, for all messages and for none', () => {
    const lengths: Lengths = [{ encoding: 'ucs2', parts: 2, messages: 30 }];
    expect(chargeOf(lengths, 30, PRICES)).toEqual({ parts: 60, priceRial: 60 * 1420 });
    expect(chargeOf(lengths, 7, PRICES)).toEqual({ parts: 14, priceRial: 14 * 1420 });
    expect(chargeOf(lengths, 0, PRICES)).toEqual({ parts: 0, priceRial: null });
    expect(chargeOf(lengths, 7, null)).toEqual({ parts: 14, priceRial: null });
    expect(chargeOf(lengths, 7, NOTHING_PAID)).toEqual({ parts: 14, priceRial: null });
    // The seven may all be those whose price nobody knows.
    const mixed: Lengths = [...lengths, { encoding: 'gsm7', parts: 1, messages: 7 }];
    expect(chargeOf(mixed, 7, { ...PRICES, gsm7: NOTHING_PAID.gsm7 })).toEqual({
      parts: 14,
      priceRial: null,
    });
  });

  it('is one part for each recipient of a pattern, at no known price', () => {
    const outgoing = { kind: 'pattern', patternId: '1', variables: {}, perCall: 200 } as const;
    expect(lengthsOf({ outgoing, text: '', recipients: ['1', '2'] })).toBe(null);
    expect(chargeOf(null, 5, PRICES)).toEqual({ parts: 5, priceRial: null });
  });

  it('is measured over the texts of rows, and over one text so many times', () => {
    const row = { line: '3000', recipient: '989120000001', flash: false };
    const rows = [
      { ...row, text: 'a' },
      { ...row, text: 'س'.repeat(71) },
    ];
    const multi = lengthsOf({ outgoing: { kind: 'multi', rows }, text: '', recipients: [row.recipient] });
    expect(chargeOf(multi, 2, PRICES)).toEqual({ parts: 3, priceRial: 2840 + 2 * 1420 });
    expect(lengthsOf({ outgoing: { kind: 'text' }, text: 'a', recipients: ['1', '2'] })).toEqual([
      { encoding: 'gsm7', parts: 1, messages: 2, operator: 'other' },
    ]);
  });

  it('takes the dearest messages where nobody knows which ones are meant', () => {
    const lengths: Lengths = [
      { encoding: 'ucs2', parts: 3, messages: 2 },
      { encoding: 'gsm7', parts: 2, messages: 2 },
    ];
    // Three parts at 1,420 are fewer rial than two at 2,840, and more parts.
    expect(chargeOf(lengths, 1, PRICES)).toEqual({ parts: 3, priceRial: 2 * 2840 });
    expect(chargeOf(lengths, 3, PRICES)).toEqual({ parts: 8, priceRial: 4 * 2840 + 3 * 1420 });
  });

  it('is never less than what any so many of its messages come to', () => {
    fc.assert(
      fc.property(aSend, somePrices, ({ lengths, messages, left }, prices) => {
        const gone = messages.filter((_, index) => left[index]);
        const real = partsBy(gone);
        const charge = chargeOf(lengths, gone.length, prices);
        expect(charge.parts).toBeGreaterThanOrEqual(real.all);
        expect(charge.priceRial ?? 0).toBeGreaterThanOrEqual(
          gone.length === 0 ? 0 : (priceOf(real.encoded, prices) ?? 0),
        );
      }),
      { numRuns: 2000 },
    );
  });
});

describe('what stays of it when it has ended', () => {
  it('is the share of those that may have left', () => {
    expect(finalCharge({ parts: 60, priceRial: 85_200 }, { parts: 14, priceRial: 14 * 1420 })).toEqual({
      parts: 14,
      priceRial: 19_880,
    });
    expect(finalCharge({ parts: 3, priceRial: 100 }, { parts: 1, priceRial: null })).toEqual({
      parts: 1,
      priceRial: 34,
    });
    expect(finalCharge({ parts: 3, priceRial: null }, { parts: 1, priceRial: 9 })).toEqual({
      parts: 1,
      priceRial: null,
    });
    for (const priceRial of [100, null])
      expect(finalCharge({ parts: 3, priceRial }, { parts: 0, priceRial: null })).toEqual({
        parts: 0,
        priceRial: 0,
      });
  });

  it('is all of it when all have left, whatever prices have become', () => {
    const reserved = { parts: 60, priceRial: 85_200 };
    expect(finalCharge(reserved, { parts: 60, priceRial: 1 })).toBe(reserved);
    expect(finalCharge(reserved, { parts: 61, priceRial: 999_999 })).toBe(reserved);
  });

  it('is whole, between what left and what was reserved, however often calls turn out not to have left', () => {
    fc.assert(
      fc.property(
        aSend.chain((send) =>
          fc.record({
            send: fc.constant(send),
            order: fc.shuffledSubarray(
              send.left.map((_, index) => index),
              { minLength: send.left.length },
            ),
          }),
        ),
        somePrices,
        ({ send: { lengths, messages, left }, order }, prices) => {
          const total = chargeOf(lengths, all(lengths), prices);
          const real = partsBy(messages.filter((_, index) => left[index]));
          let open = messages.length;
          let charge = total;
          for (const index of order) {
            if (left[index]) continue;
            open -= 1;
            const next = finalCharge(charge, chargeOf(lengths, open, prices));
            expect(next.parts).toBeLessThanOrEqual(charge.parts);
            expect(next.priceRial ?? 0).toBeLessThanOrEqual(charge.priceRial ?? 0);
            charge = next;
          }
          expect(charge.parts).toBeGreaterThanOrEqual(real.all);
          expect(Number.isSafeInteger(charge.parts)).toBe(true);
          expect(Number.isSafeInteger(charge.priceRial)).toBe(true);
          const cost = open === 0 ? 0 : (priceOf(real.encoded, prices) ?? 0);
          expect(charge.priceRial).toBeGreaterThanOrEqual(cost);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
