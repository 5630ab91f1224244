import { measureMessage, type Encoding } from './message.ts';
import type { Payload } from './outgoing.ts';

/** What an account has paid for so many parts. The price of one is the ratio of the two, kept exact. */
export interface Paid {
  readonly cost: bigint;
  readonly parts: bigint;
}

/** What an account has paid, by encoding where that could be told apart. */
export type Prices = Readonly<Record<Encoding | 'all', Paid>>;

/** How many parts of a send are in which encoding. */
export type EncodedParts = Readonly<Record<Encoding, number>>;

/** What is known of an account's money at this moment. */
export interface Gauge {
  readonly prices: Prices;
  /** Whole rial; null where nobody has looked in the last minutes. */
  readonly credit: number | null;
  /** What sends that were confirmed before will still take of it. */
  readonly committed: number;
  /** What the account spends; null where it spends nothing or nobody knows. */
  readonly rialPerDay: number | null;
}

/** What a send will cost, and what is left after it. */
export interface Estimate {
  /** Whole rial, rounded up; null where no price is known. */
  readonly price: number | null;
  /** Of one part, rounded up, over all encodings of the send. */
  readonly perPart: number | null;
  /** The price of an encoding is not known apart, so it is the average over all that the account sends. */
  readonly average: boolean;
  /** Null where price or credit is not known. Below 0: it does not fit. */
  readonly after: number | null;
  /** Whole days that the rest lasts; null where nothing is left or the pace is not known. */
  readonly daysLeft: number | null;
}

export const NOTHING_PAID: Prices = {
  gsm7: { cost: 0n, parts: 0n },
  ucs2: { cost: 0n, parts: 0n },
  all: { cost: 0n, parts: 0n },
};

/** Of fewer parts of one encoding nothing is concluded about its price. */
export const TELLING_PARTS = 20;

const ENCODINGS = ['gsm7', 'ucs2'] as const satisfies readonly Encoding[];

/**
 * What a send costs at an account's prices, and what its credit comes to.
 * @param parts null: they are not known, so neither is the price.
 */
export function estimate(parts: EncodedParts | null, gauge: Gauge | null): Estimate {
  const count = parts === null ? 0 : parts.gsm7 + parts.ucs2;
  const price = parts === null || gauge === null || count === 0 ? null : priceOf(parts, gauge.prices);
  if (parts === null || gauge === null || price === null)
    return { price: null, perPart: null, average: false, after: null, daysLeft: null };
  const after = gauge.credit === null ? null : gauge.credit - gauge.committed - price;
  return {
    price,
    perPart: safe(ceilDivide(BigInt(price), BigInt(count))),
    average: ENCODINGS.some((encoding) => parts[encoding] > 0 && !isTelling(gauge.prices[encoding])),
    after,
    daysLeft: after === null ? null : daysLeft(after, gauge.rialPerDay),
  };
}

/** The same for what says the same. */
export function estimatePrint(estimated: Estimate): string {
  const { price, perPart, average, after, daysLeft: days } = estimated;
  return [price, perPart, average, after, days].join(' ');
}

/**
 * Whole rial for a send, rounded up once, so that it is never below what the parts cost at these prices. Null where
 * nothing is known of the price of some part. An encoding that has not shown enough costs what the average does.
 */
export function priceOf(parts: EncodedParts, prices: Prices): number | null {
  let sum: Paid = { cost: 0n, parts: 1n };
  for (const encoding of ENCODINGS) {
    if (parts[encoding] === 0) continue;
    const price = priceOfPart(encoding, prices);
    if (price === null) return null;
    // a/b + n·c/d, exactly.
    sum = {
      cost: sum.cost * price.parts + BigInt(parts[encoding]) * price.cost * sum.parts,
      parts: sum.parts * price.parts,
    };
  }
  return safe(ceilDivide(sum.cost, sum.parts));
}

/** The price of one part as an exact ratio; null where nobody has paid for any. */
export function priceOfPart(encoding: Encoding, prices: Prices): Paid | null {
  if (isTelling(prices[encoding])) return prices[encoding];
  return prices.all.parts > 0n && prices.all.cost > 0n ? prices.all : null;
}

/** Whole rial for one part of an encoding, rounded up; null unless enough of it was seen. */
export function rialPerPart({ cost, parts }: Paid): number | null {
  return cost > 0n && parts > 0n ? safe(ceilDivide(cost, parts)) : null;
}

/** Whether enough of it was seen to be the price of an encoding. */
export function isTelling({ cost, parts }: Paid): boolean {
  return parts >= BigInt(TELLING_PARTS) && cost > 0n;
}

/** Days that an amount lasts, whole ones; null where there is none or the pace is not known. */
export function daysLeft(rial: number, rialPerDay: number | null): number | null {
  return rialPerDay === null || rialPerDay <= 0 || rial <= 0 ? null : Math.floor(rial / rialPerDay);
}

/** The parts of all messages by encoding; null for a pattern, whose text the gateway keeps. */
export function encodedParts({
  outgoing,
  text,
  recipients,
}: Pick<Payload, 'outgoing' | 'text' | 'recipients'>): EncodedParts | null {
  switch (outgoing.kind) {
    case 'pattern':
      return null;
    case 'multi':
      return sumUp(outgoing.rows.map((row) => ({ ...measureMessage(row.text), messages: 1 })));
    case 'bulk':
      return sumUp(outgoing.summary?.lengths ?? []);
    default:
      return sumUp([{ ...measureMessage(text), messages: recipients.length }]);
  }
}

export function addPaid(left: Paid, right: Paid): Paid {
  return { cost: left.cost + right.cost, parts: left.parts + right.parts };
}

function sumUp(
  lengths: readonly { readonly encoding: Encoding; readonly parts: number; readonly messages: number }[],
): EncodedParts {
  const sum = { gsm7: 0, ucs2: 0 };
  for (const { encoding, parts, messages } of lengths) sum[encoding] += parts * messages;
  return sum;
}

function ceilDivide(amount: bigint, by: bigint): bigint {
  return (amount + by - 1n) / by;
}

/** An amount that a number cannot hold exactly is no amount that anybody has. */
function safe(amount: bigint): number | null {
  return amount <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(amount) : null;
}
