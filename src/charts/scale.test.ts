import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { labelStride, roundScale, stack } from './scale.ts';

const HEIGHT = 312;

describe('the scale', () => {
  it('reaches every value with few round marks, and wastes at most two thirds of its height', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 12 }), (most) => {
        const { top, ticks } = roundScale(most);
        expect(top).toBeGreaterThanOrEqual(most);
        expect(most).toBeGreaterThan(top / 3);
        expect(ticks.length).toBeLessThanOrEqual(5);
        expect([ticks[0], ticks.at(-1)]).toEqual([0, top]);
        expect(ticks.every((each) => Number.isSafeInteger(each))).toBe(true);
      }),
    );
  });

  it.each([
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [10, [0, 3, 6, 9, 12]],
    [898, [0, 250, 500, 750, 1000]],
    [1_000_000_000, [0, 250_000_000, 500_000_000, 750_000_000, 1_000_000_000]],
  ])('marks %d at %j', (most, ticks) => {
    expect(roundScale(most).ticks).toEqual(ticks);
  });
});

const values = fc.array(fc.oneof(fc.constant(0), fc.nat(20), fc.nat(10 ** 9)), {
  minLength: 1,
  maxLength: 6,
});

describe('a bar', () => {
  it('never leaves the plot, and its pieces stand on each other without a gap', () => {
    fc.assert(
      fc.property(values, fc.double({ min: 1, max: 1000, noNaN: true }), (given, slack) => {
        const sum = given.reduce((total, value) => total + value, 0);
        const pieces = stack(given, Math.max(1, sum * slack), HEIGHT);
        let bottom = HEIGHT;
        for (const { y, height } of pieces) {
          expect(y + height).toBeCloseTo(bottom, 6);
          expect(y).toBeGreaterThanOrEqual(0);
          expect(height).toBeGreaterThan(0);
          bottom = y;
        }
      }),
    );
  });

  it('is as high as its sum where each of its pieces can be seen, and shows them all', () => {
    fc.assert(
      fc.property(values, (given) => {
        const sum = given.reduce((total, value) => total + value, 0);
        const top = roundScale(sum).top;
        const pieces = stack(given, top, HEIGHT);
        expect(pieces.map(({ index }) => index)).toEqual(
          given.flatMap((value, index) => (value > 0 ? [index] : [])),
        );
        const drawn = pieces.reduce((total, { height }) => total + height, 0);
        const due = (sum / top) * HEIGHT;
        if (due >= 2.5 * pieces.length) expect(drawn).toBeCloseTo(due, 6);
        else expect(drawn).toBeCloseTo(2.5 * pieces.length, 6);
      }),
    );
  });

  it('keeps the order of sizes', () => {
    fc.assert(
      fc.property(values, (given) => {
        const pieces = stack(given, roundScale(given.reduce((total, value) => total + value, 0)).top, HEIGHT);
        const bySize = pieces.toSorted((left, right) => (given[left.index] ?? 0) - (given[right.index] ?? 0));
        for (const [place, { height }] of bySize.entries())
          expect(height).toBeGreaterThanOrEqual((bySize[place - 1]?.height ?? 0) - 1e-6);
      }),
    );
  });
});

describe('the labels', () => {
  it('never meet', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 20, max: 160 }), (count, width) => {
        const stride = labelStride(count, 850, width);
        expect(stride === count || stride * (850 / count) >= width || stride > count).toBe(true);
      }),
    );
  });

  it.each([
    [24, 60, 2],
    [31, 60, 3],
    [90, 60, 7],
    [1, 500, 1],
  ])('of %d bars, %d wide, are each %dth', (count, width, stride) => {
    expect(labelStride(count, 850, width)).toBe(stride);
  });
});
