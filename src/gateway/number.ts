import { isCanonical } from './checks.ts';

/**
 * A number as the gateway writes it (`+98912…`, `0098912…`, `0912…`, `912…`) in canonical form, `989` and
 * nine digits. Anything else is returned as it came: a line, a foreign number, a masked one.
 */
export function canonicalNumber(written: string): string {
  const match = /^(?:\+98|0098|98|0)?(9[0-9]{9})$/.exec(written.trim());
  return match?.[1] === undefined ? written : `98${match[1]}`;
}

/** A canonical number as clients of this gateway write it, with a leading zero. */
export function wireNumber(canonical: string): string {
  return `0${canonical.slice(2)}`;
}

/** What stands in a phonebook: a mobile number as clients write it, anything else as it was listed. */
export function wireBookNumber(number: string): string {
  return isCanonical(number) ? wireNumber(number) : number;
}
