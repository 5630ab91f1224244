import { measureMessage, type MessageMeasure } from './message.ts';

/** A text that is a little longer than it would have to be. */
export interface OverHint {
  /** Units to drop: a character outside the first plane counts two, and in GSM-7 `{`, `€` and their like do. */
  readonly over: number;
  /** Parts as it is. */
  readonly parts: number;
  /** Parts without them. */
  readonly afterwards: number;
}

/**
 * How much of a text lies beyond the last part that it would fill: 77 Persian characters are 7 over, and one part
 * instead of two. Null where there is one part, or where so much would have to go that it is another text.
 */
export function overHint(text: string, measure: MessageMeasure = measureMessage(text)): OverHint | null {
  const { encoding, parts, units } = measure;
  const [single, several] = ROOM[encoding];
  const most = Math.floor(units * LARGEST_CUT);
  const least = units - (parts === 2 ? single : several * (parts - 1));
  if (least > most) return null;
  let over = 0;
  let end = text.length;
  while (over <= most) {
    // What fits by its units alone may still not fit, because no character is cut at the end of a part.
    if (over >= least && measureMessage(text.slice(0, end)).parts < parts) {
      return { over, parts, afterwards: parts - 1 };
    }
    const width = lastWidth(text, end);
    end -= width;
    over += encoding === 'ucs2' ? width : measureMessage(text.charAt(end)).units;
  }
  return null;
}

const ROOM = { gsm7: [160, 153], ucs2: [70, 67] } as const;

/** Of the whole text. */
const LARGEST_CUT = 0.15;

/** Of the character that ends there, in UTF-16 units. */
function lastWidth(text: string, end: number): number {
  return (text.codePointAt(end - 2) ?? 0) > 0xffff ? 2 : 1;
}
