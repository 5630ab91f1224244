import { readCellNumber } from '../../domain/cell-number.ts';
import { readColumns } from '../../domain/columns.ts';
import { parseRecipients, type InvalidReason } from '../../domain/phone.ts';

/** What was left out of a list: as it was given, and why. */
export interface Skipped {
  readonly raw: string;
  readonly reason: InvalidReason | 'empty' | 'repeated';
}

/** Numbers that somebody gave, typed or in a file. */
export interface NumberList {
  /** Canonical, each once, in the order of their first mention. */
  readonly numbers: readonly string[];
  readonly repeated: readonly Skipped[];
  readonly invalid: readonly Skipped[];
}

type Rows = readonly (readonly string[])[];

/** Reads numbers as people type and paste them. */
export function readTyped(text: string): NumberList {
  return collect([{ text, row: [] }]);
}

/** Reads a text file: a number or several on each line. */
export function readLines(rows: Rows): NumberList {
  return collect(rows.map((row) => ({ text: row.join(', '), row })));
}

/**
 * Reads a table by its columns ({@link readColumns}): the names of these, and titles above them, are left out. A row without
 * a number in the column of the phones is told as one.
 */
export function readTable(rows: Rows): NumberList {
  const { phone, header } = readColumns(rows);
  if (phone === null) return { numbers: [], repeated: [], invalid: [] };
  return collect(
    rows.slice(header).map((row) => {
      const cell = (row[phone] ?? '').trim();
      const read = readCellNumber(cell);
      return { text: read.ok ? read.recipient : cell, row };
    }),
  );
}

/** What stands in the place of the phone, and the row that it is in. */
interface Cell {
  readonly text: string;
  readonly row: readonly string[];
}

function collect(cells: readonly Cell[]): NumberList {
  const numbers = new Set<string>();
  const repeated: Skipped[] = [];
  const invalid: Skipped[] = [];
  for (const { text, row } of cells) {
    const parsed = parseRecipients(text);
    for (const number of parsed.recipients) {
      if (numbers.has(number)) repeated.push({ raw: number, reason: 'repeated' });
      else numbers.add(number);
    }
    for (const { recipient } of parsed.repeated) repeated.push({ raw: recipient, reason: 'repeated' });
    invalid.push(...parsed.invalid);
    if (text === '' && row.length > 0) invalid.push({ raw: nonEmpty(row), reason: 'empty' });
  }
  return { numbers: [...numbers], repeated, invalid };
}

function nonEmpty(row: readonly string[]): string {
  return row.filter((cell) => cell.trim() !== '').join(' · ');
}
