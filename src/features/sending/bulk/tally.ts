import type { NumbersFound, SourceRow } from '../../../domain/bulk.ts';
import { readCellNumber } from '../../../domain/cell-number.ts';
import { createNumberSet } from '../../../domain/number-set.ts';

/** Decides what the rows hold in a column of numbers, and counts it: the one place where that is found out. */
export function createTally({ phone, header }: { readonly phone: number | null; readonly header: number }) {
  const seen = createNumberSet();
  let toSkip = header;
  let [repeated, invalid] = [0, 0];

  const decide = (row: SourceRow): SourceRow => {
    const [number, cells] = row;
    if (phone === null) return row;
    if (toSkip > 0) {
      toSkip -= 1;
      // Nothing of what it was taken for by another choice.
      return [number, cells];
    }
    const read = readCellNumber(cells[phone] ?? '');
    if (!read.ok) {
      invalid += 1;
      return [number, cells, null, read.reason];
    }
    if (seen.add(read.recipient)) return [number, cells, read.recipient];
    repeated += 1;
    return [number, cells, read.recipient, 'repeated'];
  };

  return {
    /** The same rows, with what they hold. */
    take: (rows: readonly SourceRow[]): SourceRow[] => rows.map(decide),
    found: (): NumbersFound => ({ good: seen.size, repeated, invalid }),
  };
}
