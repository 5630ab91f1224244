import { isAscii, isUtf8 } from 'node:buffer';
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

interface Encoding {
  readonly name: 'utf-8' | 'utf-16le' | 'utf-16be';
  /** Bytes of the mark that says so; 0 where nothing does. */
  readonly mark: number;
}

/** What a file says about its encoding, or shows plainly, at its beginning; null where that is to be found out. */
function encodingOf(head: Uint8Array): Encoding | null {
  const marked = MARKS.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte));
  if (marked !== undefined) return { name: marked.name, mark: marked.bytes.length };
  if (isPlainly16(head, 1)) return { name: 'utf-16le', mark: 0 };
  return isPlainly16(head, 0) ? { name: 'utf-16be', mark: 0 } : null;
}

const MARKS = [
  { bytes: [0xef, 0xbb, 0xbf], name: 'utf-8' },
  { bytes: [0xff, 0xfe], name: 'utf-16le' },
  { bytes: [0xfe, 0xff], name: 'utf-16be' },
] as const;

/**
 * Each second byte, from `high` on, is that of a Latin or Arabic letter or of a sign that goes with them; it is zero,
 * as in digits and ends of lines, more often than the others are.
 */
function isPlainly16(head: Uint8Array, high: 0 | 1): boolean {
  let [zeros, otherZeros, letters] = [0, 0, 0];
  for (let at = 0; at + 1 < head.length; at += 2) {
    const byte = head[at + high] ?? 0;
    if (!isHighByte(byte)) return false;
    if (head[at + 1 - high] === 0) otherZeros += 1;
    if (byte === 0) zeros += 1;
    if (byte === 0 || byte === ARABIC) letters += 1;
  }
  return zeros > otherZeros && letters * 4 >= head.length;
}

const ARABIC = 0x06;

/** Of Latin, Arabic and general signs, emoji, and Arabic letters in their shapes. */
function isHighByte(byte: number): boolean {
  return byte === 0 || byte === ARABIC || byte === 0x20 || (byte >= 0xd8 && byte <= 0xdf) || byte >= 0xfb;
}
