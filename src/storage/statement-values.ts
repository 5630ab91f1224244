/**
 * Throws where the driver could not write a value of a statement. It would notice while the statement is on its way behind
 * others: then one of these fails in its place, and its connection answers nobody any more, for ever.
 */
export function refuseUnwritable([strings, ...values]: readonly unknown[]): void {
  if (!Array.isArray(strings)) return;
  for (const value of values) {
    if (value === undefined) throw new TypeError('a statement has a value that is undefined');
    if (value instanceof Date && Number.isNaN(value.getTime()))
      throw new TypeError('a statement has a date that is none');
  }
}
