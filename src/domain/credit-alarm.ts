/** Of an account's credit when it is linked: the first threshold. */
const FIRST_SHARE = 0.05;
/** An alarm is over only above so much of the threshold: a credit that wavers around it is told once. */
const OVER_AGAIN = 1.2;

/** 1: below the threshold; 2: below half of it; 3: below it, and a scheduled send will not fit. */
export type CreditLevel = 0 | 1 | 2 | 3;

/** The least credit that is not low, in whole rial; null: nobody has set one and nothing is known of the account. */
export function creditLimit(set: number | null, firstCredit: number | null): number | null {
  if (set !== null) return set;
  return firstCredit === null || firstCredit <= 0 ? null : Math.ceil(firstCredit * FIRST_SHARE);
}

/** How low a credit is; null between the threshold and where an alarm ends: as it was. */
export function creditLevel(credit: number, limit: number, fits: boolean): CreditLevel | null {
  if (credit >= limit * OVER_AGAIN) return 0;
  if (credit >= limit) return null;
  if (!fits) return 3;
  return credit < limit / 2 ? 2 : 1;
}

/** Of sends that leave one after the other, those for which the credit will not do. Without a price it may. */
export function unfit<T extends { readonly rial: number | null }>(
  credit: number,
  waiting: readonly T[],
): readonly T[] {
  let left = credit;
  return waiting.filter(({ rial }) => {
    if (rial === null) return false;
    if (rial > left) return true;
    left -= rial;
    return false;
  });
}

/** Days before an account's end at which it is told, and told again. */
const EXPIRY_DAYS = [14, 3, 1] as const;

/** 0: far enough; 1, 2, 3: within 14, 3, 1 days; 4: over. */
export function expiryLevel(expiresAt: Date, now: Date): number {
  const left = expiresAt.getTime() - now.getTime();
  if (left <= 0) return EXPIRY_DAYS.length + 1;
  return EXPIRY_DAYS.filter((days) => left <= days * 86_400_000).length;
}
