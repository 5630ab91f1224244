import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAppError } from '../domain/errors.ts';
import { createCsvScanner } from './csv-scanner.ts';
import { SEPARATORS } from './read-csv.ts';

const LIMITS = { cell: 200, columns: 20 };

/** What was read of a text that came in pieces: its rows, and the reason for which it ended early. */
function scan(pieces: readonly string[], separator = ',', limits = LIMITS) {
  const rows: string[][] = [];
  let cells: string[] = [];
  const scanner = createCsvScanner(separator, limits, {
    put(column, text) {
      expect(column).toBe(cells.length);
      cells.push(text);
    },
    endRow() {
      rows.push(cells);
      cells = [];
    },
    get row() {
      return rows.length + 1;
    },
  });
  try {
    for (const piece of pieces) scanner.push(piece);
    scanner.end();
    return { rows, reason: null };
  } catch (error) {
    if (!isAppError(error, 'bad_input')) throw error;
    return { rows, reason: error.params['reason'], row: error.params['row'] };
  }
}

/** What a library of many years reads; null where a quote is never closed. */
function oracle(text: string, separator: string): string[][] | null {
  try {
    return parse(text, {
      delimiter: separator,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
    });
  } catch (error) {
    if (error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED') return null;
    throw error;
  }
}

const TEXT = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom('"', '""', ',', ';', '\t', '|', '،', '؛', '\n', '\r', '\r\n') },
      { weight: 3, arbitrary: fc.constantFrom('a', ' ', "'", '۱', '😀', '\u200c', '",', ',"', '"\n', '\n"') },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 4 }) },
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join('').replaceAll('\u0000', ''));

/** A text, cut into pieces anywhere, within characters too. */
const PIECES = TEXT.chain((text) =>
  fc.array(fc.nat(text.length), { maxLength: 6 }).map((cuts) => {
    const places = [0, ...cuts.toSorted((left, right) => left - right), text.length];
    return { text, pieces: places.slice(1).map((end, index) => text.slice(places[index], end)) };
  }),
);

describe('a text that is cut into cells', () => {
  it('has the cells that csv-parse finds, but for quotes that swallow lines', () => {
    const seen = { same: 0, neverClosed: 0, swallowing: 0 };
    fc.assert(
      fc.property(PIECES, fc.constantFrom(...SEPARATORS), ({ text, pieces }, separator) => {
        const expected = oracle(text, separator);
        const { rows, reason } = scan(pieces, separator);
        const swallowing = expected?.some((cells) => cells.some((cell) => /^".*[\r\n]/s.test(cell))) ?? false;
        if (expected === null) {
          seen.neverClosed += 1;
          expect(reason).toBe('open_quote');
        } else if (reason === 'open_quote') {
          seen.swallowing += 1;
          expect(swallowing).toBe(true);
        } else {
          seen.same += 1;
          expect(reason).toBeNull();
          expect(rows).toEqual(expected);
        }
      }),
      { numRuns: 20_000 },
    );
    for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(500);
  });

  it('has the same cells, or the same fault, wherever it is cut', () => {
    fc.assert(
      fc.property(PIECES, fc.constantFrom({ cell: 4, columns: 3 }, LIMITS), ({ text, pieces }, limits) => {
        const whole = scan([text], ',', limits);
        expect(scan(pieces, ',', limits)).toEqual(whole);
        expect(scan(Array.from(text), ',', limits)).toEqual(whole);
        expect(scan(text.split(''), ',', limits)).toEqual(whole);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is read back as it was when each cell stands in quotes', () => {
    fc.assert(
      fc.property(fc.array(fc.array(TEXT, { minLength: 1, maxLength: 4 }), { maxLength: 5 }), (rows) => {
        const text = rows
          .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
          .join('\r\n');
        expect(scan([text], ',', { cell: 1_000, columns: 9 })).toEqual({ rows, reason: null });
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a quote that nothing ends', () => {
  it.each([
    ['at the end of the text', 'a\nb,"c\nd\n', 2],
    ['alone', '"', 1],
    ['with another one', 'a\n"b""', 2],
    ['until a quote that begins another cell', 'a,b\n1,"Ali\n2,Reza\n3,"Sara"\n', 2],
    ['until a quote within a word', 'a\n"b\nc"d,e', 2],
    ['for longer than a cell may be', `a\nb,"${'c\n'.repeat(300)}"`, 2],
    ['for longer than a cell may be, with no end', `"${'c\n'.repeat(300)}`, 1],
  ])('is told with its row rather than taking lines with it: %s', (_, text, row) => {
    expect(scan([text])).toMatchObject({ reason: 'open_quote', row });
  });

  it('may stand within a line as people write it', () => {
    expect(scan(['5" pipe,"a" b,"c"d"e""f,""g\n'])).toEqual({
      rows: [['5" pipe', '"a" b', '"c"d"e""f', '""g']],
      reason: null,
    });
  });
});

describe('a cell that is too long', () => {
  it.each([
    ['never ends', 'x'.repeat(500)],
    ['ends', `${'x'.repeat(201)}\n`],
    ['stands in quotes', `"${'x'.repeat(201)}"\n`],
    ['is nothing but quotes', '"'.repeat(406)],
    ['stands in quotes that never end', `"${'x'.repeat(500)}`],
    ['goes on behind its quotes', `"${'x'.repeat(150)}"${'y'.repeat(100)}\n`],
  ])('is told with its row: one that %s', (_, text) => {
    expect(scan([`a\n${text}`])).toMatchObject({ reason: 'too_long_cell', row: 2 });
  });
});
