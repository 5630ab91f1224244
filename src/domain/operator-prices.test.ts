import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addMixes,
  operatorsIn,
  partsIn,
  pricesDiffer,
  pricesOf,
  stillHolds,
  tellingSeconds,
  type Mix,
} from './operator-prices.ts';
import { OPERATORS } from './operator.ts';

const mixOf = (mci: number, irancell = 0, rightel = 0, other = 0): Mix => ({ mci, irancell, rightel, other });
const TARIFF = mixOf(1420, 2100, 1777, 905);
const costOf = (mix: Mix, tariff = TARIFF): number =>
  OPERATORS.reduce((sum, operator) => sum + mix[operator] * tariff[operator], 0);
const secondsOf = (mixes: readonly Mix[]) => mixes.map((mix, at) => ({ at, mix }));

/** What is learned of seconds that were paid by a tariff; null where they do not tell. */
function learned(mixes: readonly Mix[], tariff = TARIFF, isPaid = (mix: Mix) => costOf(mix, tariff)) {
  const asked = tellingSeconds(secondsOf(mixes));
  const all = addMixes(mixes);
  const sum = mixes.reduce((total, mix) => total + isPaid(mix), 0);
  return (
    asked && pricesOf([{ mix: all, cost: sum }, ...asked.map(({ mix }) => ({ mix, cost: isPaid(mix) }))])
  );
}

describe('prices by operator', () => {
  test('are those of the tariff, whatever left in which second, wherever the seconds tell them apart', () => {
    const count = fc.nat({ max: 200 });
    const mix = fc.record({ mci: count, irancell: count, rightel: count, other: count });
    const rial = fc.integer({ min: 200, max: 5000 });
    const tariff = fc.record({ mci: rial, irancell: rial, rightel: rial, other: rial });
    let told = 0;
    fc.assert(
      fc.property(
        fc.array(
          mix.filter((each) => partsIn(each) > 0),
          { minLength: 1, maxLength: 12 },
        ),
        tariff,
        (mixes, paid) => {
          const prices = learned(mixes, paid);
          if (prices === null) return;
          told += 1;
          for (const operator of operatorsIn(addMixes(mixes))) {
            const { cost = 0n, parts = 1n } = prices[operator] ?? {};
            expect(Number(cost) / Number(parts) / paid[operator]).toBeCloseTo(1, 2);
          }
        },
      ),
    );
    expect(told).toBeGreaterThan(50);
  });

  test('are told by no more questions than operators and two that have to agree', () => {
    const mixes = [mixOf(9, 1), mixOf(10), mixOf(0, 7), mixOf(30, 3, 1), mixOf(8, 8, 0, 1), mixOf(5, 0, 5)];
    expect(tellingSeconds(secondsOf(mixes))).toHaveLength(3 + 2);
    expect(learned(mixes)).toEqual({
      mci: { cost: 1_420_000n, parts: 1000n },
      irancell: { cost: 2_100_000n, parts: 1000n },
      rightel: { cost: 1_777_000n, parts: 1000n },
      other: { cost: 905_000n, parts: 1000n },
    });
  });

  test('are asked of the second that differs most, then of those with most parts', () => {
    const mixes = [mixOf(50, 49), mixOf(200), mixOf(50, 51), mixOf(49, 50)];
    expect(tellingSeconds(secondsOf(mixes))?.map(({ at }) => at)).toEqual([1, 2, 0]);
  });

  test('are not told by seconds that are mixed alike, nor by one', () => {
    expect(tellingSeconds(secondsOf([mixOf(20, 10), mixOf(2, 1), mixOf(40, 20)]))).toBeNull();
    expect(tellingSeconds(secondsOf([mixOf(20, 10)]))).toBeNull();
    // Of three, two are always together.
    expect(tellingSeconds(secondsOf([mixOf(20, 1, 2), mixOf(20, 2, 4)]))).toBeNull();
  });

  test('are not believed where something else decides what a part costs', () => {
    const mixes = [mixOf(100), mixOf(0, 100), mixOf(100, 100), mixOf(90)];
    const learnedAt = (factor: number) =>
      learned(mixes, TARIFF, (mix) => costOf(mix) * (partsIn(mix) === 90 ? factor : 1));
    // A rounding is believed.
    expect([1, 1.002].map(learnedAt)).not.toContain(null);
    expect([0.9, 1.1].map(learnedAt)).toEqual([null, null]);
    expect(pricesOf([{ mix: mixOf(10), cost: 0 }])).toBeNull();
    expect(
      pricesOf([
        { mix: mixOf(10, 1), cost: 1000 },
        { mix: mixOf(10), cost: 1200 },
      ]),
    ).toBeNull();
  });

  test('differ by more than a rounding, and hold as long as they explain what is paid', () => {
    const paid = (rial: number) => ({ cost: BigInt(rial) * 10n, parts: 10n });
    expect(pricesDiffer({ mci: paid(1420), irancell: paid(1420), other: paid(1421) })).toBe(false);
    expect(pricesDiffer({ mci: paid(1420), irancell: paid(1450) })).toBe(true);
    const before = { mci: paid(1420), irancell: paid(2100) };
    const mix = mixOf(50, 50, 10);
    const now = (cost: number) => ({ cost: BigInt(cost), parts: 110n });
    const same = 50 * 1420 + 50 * 2100 + 10 * 1760;
    expect(stillHolds(before, mix, now(same))).toBe(true);
    expect(stillHolds(before, mix, now(Math.round(same * 1.01)))).toBe(true);
    expect(stillHolds(before, mix, now(Math.round(same * 1.1)))).toBe(false);
    expect(stillHolds({}, mix, now(same))).toBe(true);
  });
});
