import type { TableRow } from '../ports/tables.ts';
import type { ByteSource } from './byte-source.ts';
import { createCsvScanner, type CsvScanner, type CsvSink } from './csv-scanner.ts';
import { decodeText } from './decode-text.ts';
import { withoutGuard } from './formula-guard.ts';
import type { Limits } from './limits.ts';
import { collectRows } from './row-blocks.ts';

/** Characters that become rows before some are given on: what is young when it is done with costs no collector anything. */
const PORTION = 16_384;

/**
 * The rows of a CSV in blocks. What its separator is, the first piece of it says. Throws what its parts do:
 * `not_a_table`, `mixed_encoding`, `damaged`, `open_quote` and what is beyond the limits.
 */
export async function* readCsv(source: ByteSource, limits: Limits): AsyncGenerator<readonly TableRow[]> {
  const rows = collectRows(limits);
  const cells: CsvSink = {
    put: (column, text) => {
      rows.put(column, withoutGuard(text));
    },
    endRow: () => {
      rows.endRow();
    },
    get row() {
      return rows.row;
    },
  };
  let scanner: CsvScanner | null = null;
  for await (const text of decodeText(source.pieces(), rows)) {
    let start = 0;
    if (scanner === null) {
      const separated = detectSeparator(text);
      start = separated.start;
      scanner = createCsvScanner(separated.separator, limits, cells);
    }
    for (; start < text.length; start += PORTION) {
      scanner.push(text.slice(start, start + PORTION));
      yield* rows.take();
    }
  }
  scanner?.end();
  yield* rows.take(true);
}

export const SEPARATORS = [',', ';', '\t', '|', '،', '؛'] as const;

type Separator = (typeof SEPARATORS)[number];

interface Separated {
  readonly separator: Separator;
  /** Where the rows begin: behind the line with which Excel names a separator, if there is one. */
  readonly start: number;
}

/**
 * Finds out what stands between the cells: the sign that most lines have equally often, outside of quotes.
 * Of several such signs the one that comes first: texts, which have commas too, stand behind numbers and names.
 */
function detectSeparator(text: string): Separated {
  const named = /^sep=([,;\t|،؛])(?:\r\n?|\n)/i.exec(text);
  const separator = SEPARATORS.find((each) => each === named?.[1]);
  if (named !== null && separator !== undefined) return { separator, start: named[0].length };

  const sample = text.slice(0, SAMPLE_LENGTH).replaceAll(QUOTED, '');
  const lines = sample.split(/[\r\n]+/).slice(0, SAMPLE_LINES);
  const [best] = SEPARATORS.map((each) => ({
    separator: each,
    agreeing: agreeing(lines.map((line) => line.split(each).length - 1)),
    first: sample.indexOf(each),
  }))
    .filter(({ agreeing: count }) => count > 0)
    .toSorted((left, right) => right.agreeing - left.agreeing || left.first - right.first);
  return { separator: best?.separator ?? ',', start: 0 };
}

const SAMPLE_LENGTH = 65_536;
const SAMPLE_LINES = 100;

const QUOTED = /"[^"]*"/g;

/** How many lines share the most common number of separators, lines without any aside. */
function agreeing(counts: readonly number[]): number {
  const lines = new Map<number, number>();
  for (const count of counts) if (count > 0) lines.set(count, (lines.get(count) ?? 0) + 1);
  return Math.max(0, ...lines.values());
}
