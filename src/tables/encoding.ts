export interface Encoding {
  readonly name: 'utf-8' | 'utf-16le' | 'utf-16be';
  /** Bytes of the mark that says so; 0 where nothing does. */
  readonly mark: number;
}

/** What a file says about its encoding, or shows plainly, at its beginning; null where that is to be found out. */
export function encodingOf(head: Uint8Array): Encoding | null {
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
