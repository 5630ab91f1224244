import type { Lengths } from './kinds/kind.ts';
import { addedUp, isKnown, pricePaid, priceOf, type Prices } from './price.ts';

/** What a send counts against the caps of its day. */
export interface Charge {
  readonly parts: number;
  /** Whole rial; null while no price is known. */
  readonly priceRial: number | null;
}

/**
 * What so many messages of a send come to at most: exact where all are of one length or all of them are meant, else
 * the dearest of them, since it is not counted which ones left.
 */
export function chargeOf(lengths: Lengths | null, messages: number, prices: Prices | null): Charge {
  if (lengths === null) return { parts: messages, priceRial: null };
  const longest = most(lengths, messages, (left, right) => right.parts - left.parts);
  const parts = longest.reduce((sum, each) => sum + each.parts * each.messages, 0);
  // Of what has no known price, some may be among those that left, and dearer than the others.
  if (prices === null || !lengths.every((length) => isKnown(pricePaid(length, prices))))
    return { parts, priceRial: null };
  const dearest = most(lengths, messages, (left, right) => dearer(right, left, prices));
  return { parts, priceRial: priceOf(addedUp(dearest), prices) };
}

/**
 * What stays of a reserved charge once a send has ended with fewer messages out: never more than was reserved, and
 * never less than its share of it or what the messages cost by the prices of now, whichever is more.
 */
export function finalCharge(reserved: Charge, spent: Charge): Charge {
  if (spent.parts >= reserved.parts) return reserved;
  const { parts } = spent;
  // What has not left is free, whatever its price.
  if (reserved.priceRial === null) return { parts, priceRial: parts === 0 ? 0 : null };
  const all = BigInt(reserved.parts);
  const share = Number((BigInt(reserved.priceRial) * BigInt(parts) + all - 1n) / all);
  return { parts, priceRial: Math.min(reserved.priceRial, Math.max(share, spent.priceRial ?? 0)) };
}

type Length = Lengths[number];

/** The first so many messages in an order. */
function most(lengths: Lengths, messages: number, order: (left: Length, right: Length) => number): Lengths {
  let left = messages;
  return lengths.toSorted(order).map((length) => {
    const taken = Math.min(left, length.messages);
    left -= taken;
    return { ...length, messages: taken };
  });
}

/** Which of two messages costs more, by exact ratios: below 0 when it is the right one. */
function dearer(left: Length, right: Length, prices: Prices): number {
  const [one, other] = [pricePaid(left, prices), pricePaid(right, prices)];
  return Number(BigInt(left.parts) * one.cost * other.parts - BigInt(right.parts) * other.cost * one.parts);
}
