import { OPERATORS, type Operator } from './operator.ts';
import type { OperatorPrices, Paid } from './price.ts';

/** Parts of one encoding by the operator of their recipient. */
export type Mix = Readonly<Record<Operator, number>>;

/** A second, in epoch seconds, and what left in it. */
export interface MixedSecond {
  readonly at: number;
  readonly mix: Mix;
}

/** Parts of a mix, and what was paid for all of them, in rial. */
export interface PaidMix {
  readonly mix: Mix;
  readonly cost: number;
}

/** So many seconds more than are needed are asked for: they have to agree. */
const CHECKS = 2;
/** A price is told to a thousandth of a rial. */
const FINEST = 1000;
/** Amounts that differ by no more agree. */
const AGREES = 0.005;
/** Prices that differ by no more are one. */
const SAME = 0.01;
/** What is left of a direction that others make up already. */
const NOTHING = 1e-6;

/** All of some mixes together. */
export function addMixes(mixes: readonly Mix[]): Mix {
  return {
    mci: sum(mixes, 'mci'),
    irancell: sum(mixes, 'irancell'),
    rightel: sum(mixes, 'rightel'),
    other: sum(mixes, 'other'),
  };
}

export function partsIn(mix: Mix): number {
  return OPERATORS.reduce((total, operator) => total + mix[operator], 0);
}

export function operatorsIn(mix: Mix): Operator[] {
  return OPERATORS.filter((operator) => mix[operator] > 0);
}

/**
 * The seconds whose costs, beside that of all together, tell what a part to each operator costs: as many as are needed,
 * the most different first, and some that have to agree with them. Null where all are mixed alike.
 */
export function tellingSeconds(seconds: readonly MixedSecond[]): MixedSecond[] | null {
  const all = addMixes(seconds.map(({ mix }) => mix));
  const needed = operatorsIn(all).length;
  const basis = [unit(vector(all))];
  const chosen: MixedSecond[] = [];
  while (basis.length < needed) {
    const left = seconds.map((second) => ({ second, rest: beside(basis, vector(second.mix)) }));
    const best = left.toSorted((one, other) => length(other.rest) - length(one.rest))[0];
    if (best === undefined || length(best.rest) <= NOTHING * length(vector(all))) return null;
    basis.push(unit(best.rest));
    chosen.push(best.second);
  }
  const others = seconds
    .filter((second) => !chosen.includes(second))
    .toSorted((one, other) => partsIn(other.mix) - partsIn(one.mix));
  return [...chosen, ...others.slice(0, CHECKS)];
}

/**
 * What a part to each operator costs, by what was paid for mixes that {@link tellingSeconds} chose and for all together.
 * Null where no such prices explain all of them: something else decides what a part costs.
 */
export function pricesOf(paid: readonly PaidMix[]): OperatorPrices | null {
  const operators = operatorsIn(addMixes(paid.map(({ mix }) => mix)));
  // Each as what a part of it costs: a second with few parts counts as much as all together.
  const rows = paid.map(({ mix, cost }) => ({
    shares: operators.map((operator) => mix[operator] / partsIn(mix)),
    price: cost / partsIn(mix),
  }));
  const prices = solve(
    operators.map((_, row) =>
      operators.map((__, column) =>
        dot(rows, (each) => (each.shares[row] ?? 0) * (each.shares[column] ?? 0)),
      ),
    ),
    operators.map((_, row) => dot(rows, (each) => (each.shares[row] ?? 0) * each.price)),
  );
  const explained = rows.every(({ shares, price }) => {
    const told = shares.reduce((total, share, index) => total + share * (prices[index] ?? Number.NaN), 0);
    return Math.abs(told - price) <= AGREES * price;
  });
  if (!explained || prices.some((price) => !(price > 0))) return null;
  return Object.fromEntries(
    operators.map((operator, index) => [
      operator,
      { cost: BigInt(Math.round((prices[index] ?? 0) * FINEST)), parts: BigInt(FINEST) },
    ]),
  );
}

/** Whether operators have prices of their own. */
export function pricesDiffer(prices: OperatorPrices): boolean {
  const each = Object.values(prices).map(ratio);
  return Math.max(...each) > Math.min(...each) * (1 + SAME);
}

/** Whether prices that were learned before are still those by which a mix was paid, within two in a hundred. */
export function stillHolds(prices: OperatorPrices, mix: Mix, paid: Paid): boolean {
  const average = ratio(paid);
  const told = OPERATORS.reduce((total, operator) => {
    const own = prices[operator];
    return total + mix[operator] * (own === undefined ? average : ratio(own));
  }, 0);
  return Math.abs(told - Number(paid.cost)) <= 0.02 * Number(paid.cost);
}

function ratio({ cost, parts }: Paid): number {
  return Number(cost) / Number(parts);
}

function sum(mixes: readonly Mix[], operator: Operator): number {
  return mixes.reduce((total, mix) => total + mix[operator], 0);
}

function dot<T>(rows: readonly T[], of: (row: T) => number): number {
  return rows.reduce((total, row) => total + of(row), 0);
}

function vector(mix: Mix): number[] {
  return OPERATORS.map((operator) => mix[operator]);
}

function length(of: readonly number[]): number {
  return Math.hypot(...of);
}

function unit(of: readonly number[]): number[] {
  return of.map((each) => each / length(of));
}

/** What of a direction lies in none of the others, which stand at right angles. */
function beside(basis: readonly (readonly number[])[], of: readonly number[]): number[] {
  return basis.reduce<number[]>(
    (rest, each) => {
      const along = rest.reduce((total, one, index) => total + one * (each[index] ?? 0), 0);
      return rest.map((one, index) => one - along * (each[index] ?? 0));
    },
    [...of],
  );
}

/** Solves the equations of least squares by elimination: wherever they have a solution, no pivot of theirs is 0. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  let rows = matrix.map((row, at) => [...row, right[at] ?? 0]);
  for (const column of matrix.keys()) {
    const pivot = rows[column] ?? [];
    rows = rows.map((row, at) => {
      const factor = at === column ? 0 : (row[column] ?? 0) / (pivot[column] ?? 0);
      return row.map((each, index) => each - factor * (pivot[index] ?? 0));
    });
  }
  return rows.map((row, at) => (row.at(-1) ?? 0) / (row[at] ?? 0));
}
