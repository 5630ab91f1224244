import type { NumbersFound, SourceRow } from '../../../domain/bulk.ts';
import { readCellNumber } from '../../../domain/cell-number.ts';
import { createNumberSet } from '../../../domain/number-set.ts';
import type { Recipient } from '../../../domain/phone.ts';

/** Counts what a column of numbers holds. */
export function createTally({
  phone,
  header,
  rows: expected,
}: {
  readonly phone: number | null;
  readonly header: number;
  readonly rows: number;
}) {
  const seen = createNumberSet(expected);
  let toSkip = header;
  let [repeated, invalid] = [0, 0];
  return {
    /** Gives those recipients that were not in any row before. */
    take(rows: readonly SourceRow[]): Recipient[] {
      const fresh: Recipient[] = [];
      if (phone === null) return fresh;
      for (const [, cells] of rows) {
        if (toSkip > 0) {
          toSkip -= 1;
          continue;
        }
        const read = readCellNumber(cells[phone] ?? '');
        if (!read.ok) invalid += 1;
        else if (seen.add(read.recipient)) fresh.push(read.recipient);
        else repeated += 1;
      }
      return fresh;
    },
    found: (): NumbersFound => ({ good: seen.size, repeated, invalid }),
  };
}
