import { SegmentedMessage } from 'sms-segments-calculator';
import { MESSAGE_CHARACTERS } from './interface-limits.ts';

export type Encoding = 'gsm7' | 'ucs2';

export interface MessageMeasure {
  encoding: Encoding;
  /** UTF-16 units: most characters are one, an emoji is two or more. The limit counts these. */
  characters: number;
  /** What fills a part: septets in GSM-7 (`{` and its like are two), UTF-16 units in UCS-2. */
  units: number;
  /** How many parts the gateway charges for one recipient; 0 for an empty text. */
  parts: number;
  /** Units that still fit into the last part. */
  unitsLeft: number;
}

export type MessageProblem = 'empty' | 'too_long' | 'lone_surrogate' | 'nul';

export type MessageCheck =
  | { ok: true; measure: MessageMeasure }
  | { ok: false; reason: MessageProblem; characters: number; limit: number };

/**
 * Measures a text as the network will carry it: GSM-7 in parts of 160 (153 each when there are several), or
 * UCS-2 in parts of 70 (67) as soon as one character is outside GSM-7. An escape pair of GSM-7 and a
 * surrogate pair are never cut, so an emoji on a boundary can cost a part. Total: accepts any string.
 *
 * The library knows the alphabet; packing is done here, because the library also keeps whole clusters
 * together (a letter with its marks or ZWNJ), which the network does not: it counts 2 parts for a letter
 * with 899 marks that takes 14, and takes 3 ms for a long text where this takes microseconds.
 */
export function measureMessage(text: string): MessageMeasure {
  const characters = text.length;
  const units = gsmUnits(text);
  if (units === characters) return { encoding: 'gsm7', characters, ...packEven(units, 160, 153) };
  if (units !== null) {
    const widths = Array.from(text, (character) => gsmWidth(character.charCodeAt(0)));
    return { encoding: 'gsm7', characters, ...pack(widths, 160, 153) };
  }
  if (!SURROGATE.test(text)) return { encoding: 'ucs2', characters, ...packEven(characters, 70, 67) };
  const widths = Array.from(text, (character) => character.length);
  return { encoding: 'ucs2', characters, ...pack(widths, 70, 67) };
}

/** Whether a text may go on the wire, and if not, why. Says nothing about templates: check rendered texts. */
export function checkMessage(text: string): MessageCheck {
  const reason = problemOf(text);
  if (reason === null) return { ok: true, measure: measureMessage(text) };
  return { ok: false, reason, characters: text.length, limit: MESSAGE_CHARACTERS };
}

/** Finds a line of a text that reads as a command: two of them in one message, perhaps. Null: there is none. */
export function commandLineIn(text: string): string | null {
  return /^\/\p{L}[\p{L}\p{N}_]+(?:@\w+)?(?=\s|$).*/mu.exec(text)?.[0] ?? null;
}

/** Whether nothing of a text can be seen: spaces of all kinds, controls, zero-width characters, blank letters. */
export function isBlank(text: string): boolean {
  return /^[\s\p{Z}\p{Cc}\p{Cf}\u115f\u1160\u2800\u3164\uffa0]*$/u.test(text);
}

function problemOf(text: string): MessageProblem | null {
  if (text.includes('\0')) return 'nul';
  if (!text.isWellFormed()) return 'lone_surrogate';
  if (isBlank(text)) return 'empty';
  return text.length > MESSAGE_CHARACTERS ? 'too_long' : null;
}

/** Fills parts from the left; no character is cut. */
function pack(widths: readonly number[], single: number, several: number) {
  const units = widths.reduce((sum, width) => sum + width, 0);
  if (units <= single) return { units, parts: 1, unitsLeft: single - units };
  let parts = 1;
  let filled = 0;
  for (const width of widths) {
    if (filled + width > several) {
      parts += 1;
      filled = 0;
    }
    filled += width;
  }
  return { units, parts, unitsLeft: several - filled };
}

/** The same where every character has one unit: a bulk file has millions of such texts. */
function packEven(units: number, single: number, several: number) {
  if (units <= single) return { units, parts: units === 0 ? 0 : 1, unitsLeft: single - units };
  const parts = Math.ceil(units / several);
  return { units, parts, unitsLeft: parts * several - units };
}

const SURROGATE = /[\ud800-\udfff]/;

/** Septets in GSM-7; null for a text that is not in it. */
function gsmUnits(text: string): number | null {
  let units = 0;
  for (let index = 0; index < text.length; index += 1) {
    const width = gsmWidth(text.charCodeAt(index));
    if (width === NOT_GSM) return null;
    units += width;
  }
  return units;
}

const NOT_GSM = 3;

// 0 = not asked yet. The library needs microseconds for a character, and a bulk file has millions of them.
const known = new Uint8Array(0x1_0000);

function gsmWidth(codeUnit: number): number {
  const remembered = known[codeUnit];
  if (remembered !== undefined && remembered !== 0) return remembered;
  const answer = new SegmentedMessage(String.fromCharCode(codeUnit));
  const width = answer.encodingName === 'GSM-7' ? answer.numberOfCharacters : NOT_GSM;
  known[codeUnit] = width;
  return width;
}
