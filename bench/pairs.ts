import { median } from './statistics.ts';

/** What the product and what stands beside it came to, one right after the other; both in one unit. */
export interface Pair {
  readonly product: number;
  readonly peer: number;
}

/** The median of what pairs came to, and how far they lie apart. */
export interface Compared {
  readonly figure: number;
  readonly pairs: { readonly count: number; readonly lowest: number; readonly highest: number };
}

/** Measures both in turns. Who begins changes with each pair, so that neither always finds what the other has left. */
export async function inPairs(
  count: number,
  sides: { readonly product: () => Promise<number>; readonly peer: () => Promise<number> },
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let index = 0; index < count; index += 1) {
    if (index % 2 === 0) {
      const product = await sides.product();
      pairs.push({ product, peer: await sides.peer() });
    } else {
      const peer = await sides.peer();
      pairs.push({ product: await sides.product(), peer });
    }
  }
  return pairs;
}

/** The product ÷ its peer. */
export function ratioOf(pairs: readonly Pair[]): Compared {
  return comparedBy(pairs, ({ product, peer }) => product / peer);
}

/** The product − its peer. */
export function differenceOf(pairs: readonly Pair[]): Compared {
  return comparedBy(pairs, ({ product, peer }) => product - peer);
}

function comparedBy(pairs: readonly Pair[], compare: (pair: Pair) => number): Compared {
  const values = pairs.map(compare);
  return {
    figure: median(values),
    pairs: { count: pairs.length, lowest: Math.min(...values), highest: Math.max(...values) },
  };
}
