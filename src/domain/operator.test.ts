import { describe, expect, test } from 'vitest';
import { countByOperator, OPERATOR_DIGITS, operatorOf, standingOut, type Operator } from './operator.ts';

const ranges = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `98${from + index}`);

const KNOWN: Readonly<Record<Operator, readonly string[]>> = {
  mci: [...ranges(910, 919), ...ranges(990, 994), '98996'],
  irancell: [...ranges(900, 905), '98930', '98933', ...ranges(935, 939), '98941'],
  rightel: ranges(920, 923),
  other: [],
};

describe('operatorOf', () => {
  test('tells the operator of every range there may be, by the first digits alone as by the whole number', () => {
    const listed = new Map(
      Object.entries(KNOWN).flatMap(([operator, all]) => all.map((each) => [each, operator])),
    );
    for (const prefix of ranges(900, 999)) {
      expect(prefix).toHaveLength(OPERATOR_DIGITS);
      expect([prefix, operatorOf(`${prefix}1234567`)]).toEqual([prefix, listed.get(prefix) ?? 'other']);
      expect(operatorOf(prefix)).toBe(operatorOf(`${prefix}1234567`));
    }
  });

  test('takes what is no mobile number for one of another operator', () => {
    for (const odd of ['', '98', '9121234567', '982112345678', 'nobody', '989989012345', '989989212345'])
      expect(operatorOf(odd)).toBe('other');
  });
});

test('countByOperator counts each number once', () => {
  const numbers = ['989121111111', '989351111111', '989901111111', '989121111112', '989981111111'];
  expect(countByOperator(numbers)).toEqual([
    { operator: 'mci', count: 3 },
    { operator: 'irancell', count: 1 },
    { operator: 'other', count: 1 },
  ]);
  expect(countByOperator([])).toEqual([]);
});

describe('standingOut', () => {
  const of = (operator: Operator, all: number, failed: number) => ({ operator, all, failed });

  test('names the operator that fails by far more than the others together', () => {
    expect(standingOut([of('mci', 500, 10), of('irancell', 100, 96), of('rightel', 50, 1)])).toEqual({
      operator: 'irancell',
      all: 100,
      failed: 96,
      elsewhere: { all: 550, failed: 11 },
    });
  });

  test('adds up what is told of one operator in pieces', () => {
    const pieces = [of('irancell', 6, 0), of('mci', 9, 0), of('irancell', 30, 30), of('mci', 9, 1)];
    expect(standingOut(pieces)).toEqual({
      operator: 'irancell',
      all: 36,
      failed: 30,
      elsewhere: { all: 18, failed: 1 },
    });
  });

  test('of two it names the worse one', () => {
    expect(standingOut([of('mci', 900, 0), of('irancell', 100, 60), of('rightel', 100, 90)])?.operator).toBe(
      'rightel',
    );
  });

  test('names none where all fail alike, where there are no others, and where too few tell', () => {
    expect(standingOut([of('mci', 100, 50), of('irancell', 100, 60)])).toBeNull();
    expect(standingOut([of('mci', 100, 2), of('irancell', 100, 10)])).toBeNull();
    expect(standingOut([of('irancell', 100, 96)])).toBeNull();
    expect(standingOut([of('mci', 9, 0), of('irancell', 100, 96)])).toBeNull();
    expect(standingOut([of('mci', 100, 0), of('irancell', 9, 9)])).toBeNull();
    expect(standingOut([])).toBeNull();
    expect(standingOut([of('mci', 100, 25), of('irancell', 100, 50)])).toBeNull();
    expect(standingOut([of('mci', 100, 5), of('irancell', 100, 18)])).toBeNull();
    // Just far enough, and just enough of them.
    expect(standingOut([of('mci', 100, 5), of('irancell', 100, 25)])).not.toBeNull();
    expect(standingOut([of('mci', 100, 25), of('irancell', 100, 75)])).not.toBeNull();
    expect(standingOut([of('mci', 10, 0), of('irancell', 10, 10)])).not.toBeNull();
  });
});
