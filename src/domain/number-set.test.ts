import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createNumberSet } from './number-set.ts';

const recipient = (tail: number): string => `989${String(tail).padStart(9, '0')}`;

describe('a set of numbers', () => {
  test('knows each number once, whatever comes and however often, as a set of texts does', () => {
    const tails = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 999_999_999 }));
    fc.assert(
      fc.property(fc.array(tails, { maxLength: 600, size: 'max' }), (numbers) => {
        const set = createNumberSet();
        const model = new Set<string>();
        for (const each of numbers.map(recipient)) {
          expect(set.add(each)).toBe(!model.has(each));
          model.add(each);
          expect(set.size).toBe(model.size);
        }
        for (const each of numbers.map(recipient)) expect(set.has(each)).toBe(true);
        for (const each of numbers.map((tail) => recipient((tail + 1) % 1_000_000_000))) {
          expect(set.has(each)).toBe(model.has(each));
        }
      }),
    );
  });

  test('has room for the first and the last number there is', () => {
    const set = createNumberSet();
    expect([set.has(recipient(0)), set.has(recipient(999_999_999))]).toEqual([false, false]);
    expect([set.add(recipient(0)), set.add(recipient(999_999_999))]).toEqual([true, true]);
    expect([set.add(recipient(0)), set.add(recipient(999_999_999))]).toEqual([false, false]);
  });

  test('grows over many numbers in a row without losing any', () => {
    const set = createNumberSet();
    for (let tail = 0; tail < 50_000; tail += 1) set.add(recipient(tail * 13));
    expect(set.size).toBe(50_000);
    for (let tail = 0; tail < 50_000; tail += 1) expect(set.add(recipient(tail * 13))).toBe(false);
  });

  test('takes a file whose numbers were chosen to meet in one place', () => {
    // Multiplied by the inverse of the constant that spreads them, so that numbers begin side by side.
    const meeting: string[] = [];
    for (let place = 0; meeting.length < 20_000; place += 1) {
      const key = Math.imul(place, 244_002_641) >>> 0;
      if (key >= 1 && key <= 1_000_000_000) meeting.push(recipient(key - 1));
    }
    const set = createNumberSet();
    expect(meeting.every((each) => set.add(each))).toBe(true);
    expect(meeting.some((each) => set.add(each))).toBe(false);
  });

  test.each([
    '',
    '09121234567',
    '98912123456',
    '9891212345678',
    '989121234567.5',
    '988999999999',
    'x',
    'NaN',
  ])('has no place for %j', (text) => {
    expect(() => createNumberSet().add(text)).toThrow(RangeError);
  });
});
