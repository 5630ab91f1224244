import { LIMITS } from './limits.ts';
import { tableProblem } from './table-problem.ts';

/**
 * The text of a file without its byte order mark: UTF-8 or UTF-16 where it says so, else UTF-8 if it is valid
 * UTF-8, else windows-1256. Throws `not_a_table` for what is no text of a table, `damaged` for a text that breaks
 * off within a character, `too_large`.
 */
export function decodeText(content: Uint8Array): string {
  if (content.length > LIMITS.unpacked) throw tableProblem('too_large');
  const text = decode(content);
  if (NO_TEXT.test(text) || OTHER_FORMAT.test(text)) throw tableProblem('not_a_table');
  return text;
}

/** Control characters other than tabs and the ends of lines and pages. */
const NO_TEXT = /[\p{Cc}--[\t\n\v\f\r\x7f-\x9f]]/v;

/** Web pages (some programs name them `.xls`), XML, RTF, PDF. */
const OTHER_FORMAT = /^\s*(?:<[!?a-z]|\{\\rtf|%PDF-)/i;

const MARKS: readonly { readonly mark: readonly number[]; readonly encoding: string }[] = [
  { mark: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
];

function decode(content: Uint8Array): string {
  const marked = MARKS.find(({ mark }) => mark.every((byte, index) => content[index] === byte));
  if (marked !== undefined) {
    const text = decodeAs(marked.encoding, content);
    if (text === null) throw tableProblem('damaged');
    return text;
  }
  const text = decodeAs('utf-8', content);
  if (text !== null) return text;
  if (isCutUtf8(content)) throw tableProblem('damaged');
  return new TextDecoder('windows-1256').decode(content);
}

function decodeAs(encoding: string, content: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content);
  } catch {
    return null;
  }
}

/** All of it is UTF-8 with other letters than Latin ones, but for a character at the end that is not whole. */
function isCutUtf8(content: Uint8Array): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content, { stream: true });
    return /\P{ASCII}/u.test(text);
  } catch {
    return false;
  }
}
