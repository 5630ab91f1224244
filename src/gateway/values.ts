import { z } from 'zod';

/**
 * The small values of all versions, read with tolerance for the spelling (a number or the same number as
 * text) and none for the meaning: what cannot be read exactly is an issue, never a guess.
 */

/** Any value, or none: the member may be absent. */
export const anything = z.unknown().optional();

/** What `read` makes of a value; an issue where that is nothing. */
export function required<T>(read: (value: unknown) => T | undefined) {
  return anything.transform((value, context): T => {
    const found = read(value);
    if (found !== undefined) return found;
    context.addIssue('not as required');
    return z.NEVER;
  });
}

/** An integer that fits a safe number, written as a number or as digits. */
export const integer = required(toInteger);

/** An identifier: a non-negative integer of any length, kept as digits. */
export const digits = required(toDigits);

/** Whole rial: a fraction is rounded down, so that an account never looks richer than it is. */
export const rial = required(toRial);

/** Required text; a number stands for its digits. */
export const text = required(toText);

/** Sums over no rows: null, as most databases have it, is 0. */
export const integerSum = anything.transform(noneIsZero).pipe(integer);
export const rialSum = anything.transform(noneIsZero).pipe(rial);

/** Optional values: what is absent, null or of another kind is `undefined`. */
export const textIfAny = anything.transform(toText);
export const integerIfAny = anything.transform(toInteger);
export const rialIfAny = anything.transform(toRial);
export const digitsIfAny = anything.transform(toDigits);

function noneIsZero(value: unknown): unknown {
  return value === null ? 0 : value;
}

export function toInteger(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  if (typeof value !== 'string' || !/^-?[0-9]{1,16}$/.test(value)) return undefined;
  const read = Number(value);
  return Number.isSafeInteger(read) ? read : undefined;
}

export function toDigits(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined;
  if (typeof value === 'bigint') return value >= 0n ? String(value) : undefined;
  return typeof value === 'string' && /^[0-9]{1,40}$/.test(value) ? value : undefined;
}

function toRial(value: unknown): number | undefined {
  const amount =
    typeof value === 'string' && /^-?[0-9]{1,16}(?:\.[0-9]{1,20})?$/.test(value) ? Number(value) : value;
  if (typeof amount !== 'number') return undefined;
  const whole = Math.floor(amount);
  return Number.isSafeInteger(whole) ? whole : undefined;
}

export function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))
    ? String(value)
    : undefined;
}

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Drops the members that are `undefined`, so that absent stays absent. */
export function omitUndefined<T extends object>(members: T): Present<T>;
export function omitUndefined(members: object): object {
  if (!Object.values(members).includes(undefined)) return members;
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
