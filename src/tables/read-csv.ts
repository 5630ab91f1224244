import { Readable } from 'node:stream';
import { setImmediate as otherWork } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { z } from 'zod';
import { decodeText } from './decode-text.ts';
import { withoutGuard } from './formula-guard.ts';
import { LIMITS } from './limits.ts';
import type { RowCollector } from './row-collector.ts';
import { detectSeparator } from './separator.ts';
import { tableProblem } from './table-problem.ts';

const PIECE_CHARACTERS = 65_536;
const recordSchema = z.array(z.string());

/**
 * Puts the cells of a CSV into `rows`: CRLF, CR or LF, rows of any length, quotes around cells that begin with one.
 * Throws `damaged` for a quote that is never closed.
 */
export async function readCsv(content: Uint8Array, rows: RowCollector): Promise<void> {
  const text = decodeText(content);
  const { separator, start } = detectSeparator(text);
  const parser = parse({
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: LIMITS.record,
  });
  const source = Readable.from(piecesOf(text, start, separator));
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    for await (const record of parser) {
      for (const [column, cell] of recordSchema.parse(record).entries()) rows.put(column, withoutGuard(cell));
      rows.endRow();
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw tableProblem(error.code === 'CSV_MAX_RECORD_SIZE' ? 'too_large' : 'damaged');
  } finally {
    source.destroy();
    parser.destroy();
  }
}

/**
 * Whoever else is waiting gets a turn between two pieces. No piece ends within a character: each becomes bytes by
 * itself. The parser keeps every cell of a row, the empty ones too, so rows of separators end here.
 */
async function* piecesOf(text: string, start: number, separator: string): AsyncGenerator<string> {
  let separators = 0;
  for (let at = start; at < text.length;) {
    const end = at + PIECE_CHARACTERS;
    const isCut = (text.codePointAt(end - 1) ?? 0) > 0xffff;
    const piece = text.slice(at, isCut ? end + 1 : end);
    for (let index = 0; index < piece.length; index += 1) {
      const character = piece[index];
      if (character === separator) separators += 1;
      else if (character === '\n' || character === '\r') separators = 0;
      if (separators > LIMITS.separators) throw tableProblem('too_wide', { limit: LIMITS.columns });
    }
    yield piece;
    at += piece.length;
    await otherWork();
  }
}
