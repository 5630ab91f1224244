import { FIXED_LIMITS, type Limits } from './limits.ts';
import { tableProblem } from './table-problem.ts';

export interface CsvScanner {
  /** The next piece of the text, cut anywhere. */
  push(piece: string): void;
  /** The text is over. */
  end(): void;
}

/** Where the cells go. */
export interface CsvSink {
  put(column: number, text: string): void;
  endRow(): void;
  /** The number of the present row. */
  readonly row: number;
}

/**
 * Cuts a text into cells at `separator`, CRLF, LF and lone CR, wherever the pieces of it were cut. A cell that
 * begins with a quote goes on to the quote that ends it, `""` within it being one; other quotes, and one behind
 * whose end there is more, stand for themselves.
 *
 * Throws `open_quote` for a quote that nothing ends, and for one that would take further lines with it to an end
 * that is none; `too_wide`; and what `rows` throws.
 */
export function createCsvScanner(
  separator: string,
  { cell: longest, columns }: Pick<Limits, 'cell' | 'columns'>,
  rows: CsvSink,
): CsvScanner {
  const cut = separator.charCodeAt(0);
  /** What has come of a cell that is not over. */
  let rest = '';
  let column = 0;

  /** Characters of a cell as it is written: each quote within quotes is two. */
  const mostOf = (isQuoted: boolean): number => (isQuoted ? 2 * longest + 2 : longest);

  /** It is judged by its beginning, so that it is the same wherever the text was cut. */
  const tooLong = (raw: string): Error =>
    raw.startsWith('"') && LINE_END.test(raw.slice(0, longest))
      ? tableProblem('open_quote', { row: rows.row })
      : tableProblem('too_long_cell', { row: rows.row, limit: longest });

  /** The text of a cell that begins with a quote, whose last one is at `quote`. */
  const unquoted = (raw: string, quote: number): string => {
    const quoted = raw.slice(1, quote);
    const text = quoted.includes('"') ? quoted.replaceAll('""', '"') : quoted;
    if (text.length > longest) throw tooLong(raw);
    if (quote + 1 === raw.length) return text;
    if (LINE_END.test(quoted)) throw tableProblem('open_quote', { row: rows.row });
    return `"${text}"${raw.slice(quote + 1)}`;
  };

  const push = (piece: string): void => {
    const text = rest === '' ? piece : rest + piece;
    const { length } = text;
    let start = 0;
    while (start < length) {
      const isQuoted = text.charCodeAt(start) === QUOTE;
      const quote = isQuoted ? endOfQuote(text, start + 1) : start;
      if (quote === -1) break;
      let at = isQuoted ? quote + 1 : start;
      let code = -1;
      for (; at < length; at += 1) {
        code = text.charCodeAt(at);
        if (code === cut || code === LF || code === CR) break;
      }
      if (at === length || (code === CR && at + 1 === length)) break;
      const raw = text.slice(start, at);
      if (raw.length > mostOf(isQuoted)) throw tooLong(raw);
      const cell = isQuoted ? unquoted(raw, quote - start) : raw;
      if (cell.length > longest) throw tooLong(raw);
      rows.put(column, cell);
      if (code === cut) {
        column += 1;
        if (column > FIXED_LIMITS.separators)
          throw tableProblem('too_wide', { limit: columns, row: rows.row });
      } else {
        column = 0;
        rows.endRow();
        if (code === CR && text.charCodeAt(at + 1) === LF) at += 1;
      }
      start = at + 1;
    }
    rest = text.slice(start);
    // With a CR that may be half of the row's end.
    if (rest.length > mostOf(rest.startsWith('"')) + 1) throw tooLong(rest);
  };

  return {
    push,
    end() {
      if (rest === '' && column === 0) return;
      push('\n');
      if (rest !== '') throw tableProblem('open_quote', { row: rows.row });
    },
  };
}

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;
const LINE_END = /[\r\n]/;

/** Where the first quote is that is not one of two; -1 where there is none. */
function endOfQuote(text: string, from: number): number {
  let quote = text.indexOf('"', from);
  while (quote !== -1 && text.charCodeAt(quote + 1) === QUOTE) quote = text.indexOf('"', quote + 2);
  return quote;
}
