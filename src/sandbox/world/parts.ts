/** How a text travels: the 7-bit alphabet with its escape table, or 16-bit units. */
export type Encoding = 'gsm7' | 'ucs2';

const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const ESCAPED = new Set('\f^{}\\[~]|€');
const SIZES = { gsm7: { single: 160, joined: 153 }, ucs2: { single: 70, joined: 67 } } as const;

/**
 * Counts the parts of a text by the standard: 160 septets alone and 153 joined, or 70 and 67 units of 16 bits.
 * A character that takes two places (an escaped one, a surrogate pair) is never cut in half.
 */
export function countParts(text: string): { encoding: Encoding; parts: number } {
  const widths = septetWidths(text);
  if (widths !== undefined) return { encoding: 'gsm7', parts: pack(widths, SIZES.gsm7) };
  const units = Array.from(text, (char) => char.length);
  return { encoding: 'ucs2', parts: pack(units, SIZES.ucs2) };
}

function septetWidths(text: string): number[] | undefined {
  const widths: number[] = [];
  for (const char of text) {
    if (BASIC.has(char)) widths.push(1);
    else if (ESCAPED.has(char)) widths.push(2);
    else return undefined;
  }
  return widths;
}

function pack(widths: readonly number[], size: { single: number; joined: number }): number {
  const total = widths.reduce((sum, width) => sum + width, 0);
  if (total <= size.single) return 1;
  let parts = 1;
  let used = 0;
  for (const width of widths) {
    if (used + width > size.joined) {
      parts += 1;
      used = 0;
    }
    used += width;
  }
  return parts;
}
