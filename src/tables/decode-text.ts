import { isAscii, isUtf8 } from 'node:buffer';
import { encodingOf } from './encoding.ts';
import { tableProblem } from './table-problem.ts';

/**
 * The text of a file without its byte order mark, from its pieces in order. What is neither marked nor plainly
 * UTF-16 is UTF-8 or windows-1256: the first piece with more than ASCII tells which.
 *
 * Throws `not_a_table` for what is no text of a table; `mixed_encoding` where a UTF-8 text has bytes that are not
 * UTF-8, after what comes before them, with the row that `rows` is at by then; `damaged` for a text that breaks
 * off within a character.
 */
export async function* decodeText(
  pieces: AsyncIterable<Uint8Array>,
  rows: { readonly row: number },
): AsyncGenerator<string> {
  let decode: Decode | null = null;
  for await (const piece of andEnd(pieces)) {
    const isFirst = decode === null;
    decode ??= decoderFor(piece ?? Buffer.alloc(0));
    const { text, problem } = decode(piece);
    if (NO_TEXT.test(text) || (isFirst && OTHER_FORMAT.test(text))) throw tableProblem('not_a_table');
    yield text;
    if (problem === 'mixed_encoding') throw tableProblem(problem, { row: rows.row });
    if (problem !== undefined) throw tableProblem(problem);
  }
}

/** Control characters other than tabs and the ends of lines and pages. */
const NO_TEXT = /[\p{Cc}--[\t\n\v\f\r\x7f-\x9f]]/v;

/** Web pages (some programs name them `.xls`), XML, RTF, PDF. */
const OTHER_FORMAT = /^\s*(?:<[!?a-z]|\{\\rtf|%PDF-)/i;

/** The text of the next piece, and what is wrong behind it; null is the end of the file. */
type Decode = (piece: Uint8Array | null) => {
  readonly text: string;
  readonly problem?: 'mixed_encoding' | 'damaged';
};

async function* andEnd(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | null> {
  yield* pieces;
  yield null;
}

function decoderFor(head: Uint8Array): Decode {
  const encoding = encodingOf(head);
  return encoding === null || encoding.name === 'utf-8'
    ? createUtf8Decoder(encoding?.mark ?? null)
    : createUtf16Decoder(encoding.name);
}

function createUtf16Decoder(name: string): Decode {
  const decoder = new TextDecoder(name, { fatal: true });
  return (piece) => {
    try {
      return { text: piece === null ? decoder.decode() : decoder.decode(piece, { stream: true }) };
    } catch {
      return { text: '', problem: 'damaged' };
    }
  };
}

/** `mark`: the bytes of the mark that names UTF-8; null where the text may as well be windows-1256. */
function createUtf8Decoder(mark: number | null): Decode {
  const arabic = new TextDecoder('windows-1256');
  let encoding: 'utf-8' | 'windows-1256' | null = mark === null ? null : 'utf-8';
  let toSkip = mark ?? 0;
  /** Of a character that goes on in the next piece. */
  let carried = Buffer.alloc(0);
  return (piece) => {
    if (piece === null) {
      if (encoding === null) return { text: arabic.decode(carried) };
      return carried.length > 0 ? { text: '', problem: 'damaged' } : { text: '' };
    }
    if (encoding === 'windows-1256') return { text: arabic.decode(piece) };
    const bytes = Buffer.concat([carried, piece.subarray(toSkip)]);
    toSkip = 0;
    const cut = bytes.length - cutLength(bytes);
    carried = bytes.subarray(cut);
    const whole = bytes.subarray(0, cut);
    if (isAscii(whole)) return { text: whole.toString('latin1') };
    const text = whole.toString('utf8');
    if (isUtf8(whole)) {
      encoding = 'utf-8';
      return { text };
    }
    encoding ??= isMostlyUtf8(text) ? 'utf-8' : 'windows-1256';
    return encoding === 'utf-8'
      ? { text: text.slice(0, text.indexOf(STRAY)), problem: 'mixed_encoding' }
      : { text: arabic.decode(bytes) };
  };
}

/** What stands for bytes that are no UTF-8. */
const STRAY = '\ufffd';

/** In windows-1256 next to no letter and its neighbour happen to be UTF-8. */
function isMostlyUtf8(text: string): boolean {
  const strays = text.split(STRAY).length - 1;
  const others = (text.match(/\P{ASCII}/gu)?.length ?? 0) - strays;
  return others > strays;
}

/** How many bytes at the end are of a character that is not whole. */
function cutLength(bytes: Uint8Array): number {
  for (let back = 1; back <= 3; back += 1) {
    const byte = bytes.at(-back) ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}
