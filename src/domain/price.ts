import type { Encoding } from './message.ts';
import type { Operator } from './operator.ts';
import type { Lengths } from './kinds/kind.ts';
import { lengthsOf, type Payload } from './outgoing.ts';

/** What an account has paid for so many parts. The price of one is the ratio of the two, kept exact. */
export interface Paid {
  readonly cost: bigint;
  readonly parts: bigint;
}

/**
 * What an account has paid for parts of each encoding, as far as that could be told apart. There is no price over both:
 * a Latin part may cost twice a Unicode one, and a share of the two is the price of nothing.
 */
export type Prices = Readonly<Record<Encoding, Price>>;

/** What was paid for parts of an encoding, and what a part to one operator costs where that is known. */
export interface Price extends Paid {
  readonly operators?: OperatorPrices | undefined;
}

export type OperatorPrices = Readonly<Partial<Record<Operator, Paid>>>;

/** How many parts of a send are in which encoding, and to which operator; absent: that is not known. */
export type EncodedParts = readonly {
  readonly encoding: Encoding;
  readonly operator?: Operator | undefined;
  readonly parts: number;
}[];

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
  /** Whole rial, rounded up; null where the price of one of its encodings is not known. */
  readonly price: number | null;
  /** Of one part of each encoding in the send, over all that it has, rounded up; empty where the price is null. */
  readonly perPart: Readonly<Partial<Record<Encoding, number>>>;
  /** Null where price or credit is not known. Below 0: it does not fit. */
  readonly after: number | null;
  /** Whole days that the rest lasts; null where nothing is left or the pace is not known. */
  readonly daysLeft: number | null;
}

export const NOTHING_PAID: Prices = {
  gsm7: { cost: 0n, parts: 0n },
  ucs2: { cost: 0n, parts: 0n },
};

const NOTHING_KNOWN: Estimate = { price: null, perPart: {}, after: null, daysLeft: null };

const ENCODINGS = ['gsm7', 'ucs2'] as const satisfies readonly Encoding[];

/**
 * What a send costs at an account's prices, and what its credit comes to.
 * @param parts null: they are not known, so neither is the price.
 */
export function estimate(parts: EncodedParts | null, gauge: Gauge | null): Estimate {
  if (parts === null || gauge === null) return NOTHING_KNOWN;
  const price = priceOf(parts, gauge.prices);
  if (price === null) return NOTHING_KNOWN;
  const eachOf = ENCODINGS.map((encoding) => ({
    encoding,
    parts: parts.filter((each) => each.encoding === encoding),
  }));
  const after = gauge.credit === null ? null : gauge.credit - gauge.committed - price;
  return {
    price,
    perPart: Object.fromEntries(
      eachOf
        .filter((each) => countOf(each.parts) > 0)
        .map((each) => {
          const { cost, parts: by } = paidFor(each.parts, gauge.prices);
          return [each.encoding, rialPerPart({ cost, parts: by * BigInt(countOf(each.parts)) })];
        }),
    ),
    after,
    daysLeft: wholeDaysLeft(after ?? 0, gauge.rialPerDay),
  };
}

/** The same for what says the same. */
export function estimatePrint({ price, perPart, after, daysLeft: days }: Estimate): string {
  return [price, perPart.gsm7, perPart.ucs2, after, days].join(' ');
}

/**
 * Whole rial for a send, rounded up once, so that it is never below what the parts cost at these prices. Null for no
 * parts, and where the price of one of their encodings is not known.
 */
export function priceOf(parts: EncodedParts, prices: Prices): number | null {
  const found = parts.filter((each) => each.parts > 0);
  if (found.length === 0 || !found.every((each) => isKnown(pricePaid(each, prices)))) return null;
  const sum = paidFor(found, prices);
  return safe(ceilDivide(sum.cost, sum.parts));
}

/** By what an encoding's parts to an operator are counted: its own price, or else that of all. */
export function pricePaid({ encoding, operator }: Omit<EncodedParts[number], 'parts'>, prices: Prices): Paid {
  const price = prices[encoding];
  return (operator === undefined ? undefined : price.operators?.[operator]) ?? price;
}

/** What parts cost, as an exact ratio: a/b + n·c/d. */
function paidFor(parts: EncodedParts, prices: Prices): Paid {
  return parts.reduce<Paid>(
    (total, each) => {
      const paid = pricePaid(each, prices);
      return {
        cost: total.cost * paid.parts + BigInt(each.parts) * paid.cost * total.parts,
        parts: total.parts * paid.parts,
      };
    },
    { cost: 0n, parts: 1n },
  );
}

function countOf(parts: EncodedParts): number {
  return parts.reduce((sum, each) => sum + each.parts, 0);
}

/** Whole rial for one part of an encoding, rounded up; null where its price is not known. */
export function rialPerPart(paid: Paid): number | null {
  return isKnown(paid) ? safe(ceilDivide(paid.cost, paid.parts)) : null;
}

/** Whether anything was paid for parts of an encoding, which is its price. */
export function isKnown({ cost, parts }: Paid): boolean {
  return parts > 0n && cost > 0n;
}

/** What lasts for longer is enough, and nobody plans by how long. */
const MOST_DAYS = 365;

/** Days that an amount lasts, and parts of them; null where there is none, the pace is not known, or for more than a year. */
export function daysLeft(rial: number, rialPerDay: number | null): number | null {
  const days = Math.max(0, rial) / (rialPerDay ?? 0);
  return days > 0 && days <= MOST_DAYS ? days : null;
}

/** Whole days of them. */
export function wholeDaysLeft(rial: number, rialPerDay: number | null): number | null {
  const days = daysLeft(rial, rialPerDay);
  return days === null ? null : Math.floor(days);
}

/** The parts of all messages by encoding and operator; null for a pattern, whose text the gateway keeps. */
export function encodedParts(
  payload: Pick<Payload, 'outgoing' | 'text' | 'recipients'>,
): EncodedParts | null {
  const lengths = lengthsOf(payload);
  if (lengths === null) return null;
  return addedUp(lengths);
}

/** The parts of messages, each encoding and operator once. */
export function addedUp(lengths: Lengths): EncodedParts {
  const sums = new Map<string, EncodedParts[number]>();
  for (const { encoding, operator, parts, messages } of lengths) {
    const key = `${encoding} ${operator ?? ''}`;
    const before = sums.get(key)?.parts ?? 0;
    sums.set(key, { encoding, operator, parts: before + parts * messages });
  }
  return [...sums.values()];
}

function ceilDivide(amount: bigint, by: bigint): bigint {
  return (amount + by - 1n) / by;
}

/** An amount that a number cannot hold exactly is no amount that anybody has. */
function safe(amount: bigint): number | null {
  const rial = Number(amount);
  return Number.isSafeInteger(rial) ? rial : null;
}
