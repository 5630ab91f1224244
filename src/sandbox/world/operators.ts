import { z } from 'zod';

/** Which numbers each mobile operator has given out, by the first three of their ten digits; all others are `other`. */
const RANGES = {
  mci: /^(?:91\d|99[0-46])/,
  irancell: /^(?:90[0-5]|93[035-9]|941)/,
  rightel: /^92[0-3]/,
} as const;

type Operator = keyof typeof RANGES | 'other';

/** Something for each operator that is named; an operator that there is not is refused. */
export function byOperator<T extends z.ZodType>(of: T) {
  const one = of.optional();
  return z.strictObject({ mci: one, irancell: one, rightel: one, other: one });
}

/** The operator of ten digits. */
export function operatorOf(digits: string): Operator {
  if (RANGES.mci.test(digits)) return 'mci';
  if (RANGES.irancell.test(digits)) return 'irancell';
  return RANGES.rightel.test(digits) ? 'rightel' : 'other';
}
