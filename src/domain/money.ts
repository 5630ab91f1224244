import { AppError } from './errors.ts';

/*
 * Money is whole rial in a safe integer. Nothing here rounds without saying which way, and an amount
 * that does not fit is an error, never a nearby number.
 */

/**
 * Price per part in whole rial, learned from what the account paid for (count outbox: `cost` and `sumpart`).
 * Rounded up, so that an estimate is never below the truth; null while nothing has been charged.
 */
export function learnRialPerPart({ cost, parts }: { cost: number; parts: number }): number | null {
  if (checked(cost) <= 0 || checked(parts) <= 0) return null;
  const whole = Math.floor(cost / parts);
  return whole * parts === cost ? whole : whole + 1;
}

export function addRial(left: number, right: number): number {
  return checked(checked(left) + checked(right));
}

/**
 * Reads an amount as the gateway writes it: a number, or a decimal string with or without a fraction
 * (`"10000000"`, `"9999.50"`). A fraction of a rial is rounded down for what one has and up for what one pays.
 * Null for anything else, and for what a safe integer cannot hold.
 */
export function parseRial(value: string | number, rounding: 'down' | 'up'): number | null {
  const text = String(value).trim();
  if (!/^[+-]?\d{1,30}(?:\.\d{0,30})?$/.test(text)) return null;
  // Without its fraction it is nearer to zero: down means towards less, so a debt grows.
  const whole = BigInt(text.replace(/\..*/, ''));
  const isCut = /\.0*[1-9]/.test(text) && (rounding === 'up') !== text.startsWith('-');
  const rial = Number(isCut ? whole + (rounding === 'up' ? 1n : -1n) : whole);
  return Number.isSafeInteger(rial) ? rial : null;
}

function checked(amount: number): number {
  if (!Number.isSafeInteger(amount)) throw notAnAmount();
  // Negative zero prints as "-0".
  return amount === 0 ? 0 : amount;
}

function notAnAmount(): AppError {
  return new AppError('internal', 'an amount or a count is not a whole number in the safe range');
}
