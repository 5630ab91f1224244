import type { Recipient } from './phone.ts';

/** Mobile operators, in the order in which they are listed where nothing else decides. */
export const OPERATORS = ['mci', 'irancell', 'rightel', 'other'] as const;
export type Operator = (typeof OPERATORS)[number];

/** How many leading digits of a canonical number tell its operator: `98` and three more. */
export const OPERATOR_DIGITS = 5;

const PREFIXES: readonly (readonly [RegExp, Operator])[] = [
  [/^98(?:91\d|99[0-46])/, 'mci'],
  [/^98(?:90[0-5]|93[035-9]|941)/, 'irancell'],
  [/^9892[0-3]/, 'rightel'],
];

/**
 * The operator that gave out a canonical number. A number that was ported since stays with its first operator: nobody
 * but the operators knows where it is now. Small ones, and ranges that are newer than this table, are `other`.
 * @param recipient whole, or no more than its first {@link OPERATOR_DIGITS}
 */
export function operatorOf(recipient: Recipient): Operator {
  return PREFIXES.find(([pattern]) => pattern.test(recipient))?.[1] ?? 'other';
}

/** How many of some numbers are of which operator: only operators that some are of. */
export function countByOperator(
  recipients: readonly Recipient[],
): { readonly operator: Operator; readonly count: number }[] {
  // A hundred thousand numbers begin in a hundred ways.
  const byPrefix = new Map<string, number>();
  for (const recipient of recipients) {
    const prefix = recipient.slice(0, OPERATOR_DIGITS);
    byPrefix.set(prefix, (byPrefix.get(prefix) ?? 0) + 1);
  }
  const counts = new Map<Operator, number>();
  for (const [prefix, count] of byPrefix) {
    const operator = operatorOf(prefix);
    counts.set(operator, (counts.get(operator) ?? 0) + count);
  }
  return [...counts].map(([operator, count]) => ({ operator, count }));
}

/** Recipients of an operator, and how many of them a message did not reach. */
export interface OperatorFailures {
  readonly operator: Operator;
  readonly all: number;
  readonly failed: number;
}

/** An operator whose share of failures is far above that of all others together. */
export interface StandingOut extends OperatorFailures {
  readonly elsewhere: Omit<OperatorFailures, 'operator'>;
}

/** So few say nothing of an operator. */
const LEAST = 10;
const TIMES = 3;
const POINTS = 0.2;

/**
 * Which operator's failures stand out, by three times and by 20 percentage points; null: none's.
 * @param tallies any number of each operator
 */
export function standingOut(tallies: readonly OperatorFailures[]): StandingOut | null {
  const sumOf = (some: readonly OperatorFailures[]) => ({
    all: some.reduce((sum, each) => sum + each.all, 0),
    failed: some.reduce((sum, each) => sum + each.failed, 0),
  });
  const found = OPERATORS.map((operator) => ({
    operator,
    ...sumOf(tallies.filter((each) => each.operator === operator)),
    elsewhere: sumOf(tallies.filter((each) => each.operator !== operator)),
  }));
  return (
    found
      .filter(({ all: own, elsewhere }) => own >= LEAST && elsewhere.all >= LEAST)
      .filter((each) => {
        const [here, there] = [shareOf(each), shareOf(each.elsewhere)];
        return here >= TIMES * there && here - there >= POINTS;
      })
      .toSorted((one, other) => shareOf(other) - shareOf(one))[0] ?? null
  );
}

function shareOf({ all, failed }: Omit<OperatorFailures, 'operator'>): number {
  return failed / all;
}
