import type { TableRow } from '../ports/tables.ts';
import type { ByteSource } from './byte-source.ts';
import { createCsvScanner, type CsvScanner, type CsvSink } from './csv-scanner.ts';
import { decodeText } from './decode-text.ts';
import { withoutGuard } from './formula-guard.ts';
import type { Limits } from './limits.ts';
import { collectRows } from './row-blocks.ts';
import { detectSeparator } from './separator.ts';

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
