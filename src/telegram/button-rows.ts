/* What stands on one line on a phone 390 points wide: how many buttons beside each other, and how much of a label. */

import { stripBidi } from '../i18n/format.ts';

/** Of a keyboard on such a phone, in points, and what of it is between two buttons and beside each label. */
const KEYBOARD = 300;
const BETWEEN = 4;
const BESIDE_LABEL = 13;
/** Of a common Latin letter or a digit. */
const LETTER = 8.5;

/** Parts rows whose labels would not fit on one line each, in their order. A label that is too long alone stands alone. */
export function fittingRows<T extends { readonly label: string }>(
  rows: readonly (readonly T[])[],
): readonly (readonly T[])[] {
  return rows.flatMap((row) => {
    const parted: T[][] = [];
    for (const button of row) {
      const last = parted.at(-1);
      if (last !== undefined && fits([...last, button])) last.push(button);
      else parted.push([button]);
    }
    return parted;
  });
}

/**
 * Shortens a label that is too long for a row of its own, which Telegram would cut off at its end: the middle goes, of the
 * longest name in it that is set off from the words around it, or of all of it.
 */
export function fittingLabel(label: string): string {
  if (fits([{ label }])) return label;
  const longest = [...label.matchAll(NAME)].toSorted((a, b) => widthOf(b[0]) - widthOf(a[0]))[0];
  if (longest !== undefined) {
    const [name] = longest;
    const [before, after] = [label.slice(0, longest.index), label.slice(longest.index + name.length)];
    const short = withoutMiddle(name, KEYBOARD - BESIDE_LABEL - widthOf(before + after));
    if (short !== null) return `${before}${short}${after}`;
  }
  return withoutMiddle(stripBidi(label), KEYBOARD - BESIDE_LABEL) ?? label;
}

/** Both ends of a text with as many signs as there is room for; null: there is room for none. */
function withoutMiddle(text: string, room: number): string | null {
  const signs = Array.from(segments.segment(text), ({ segment }) => segment);
  let [left, from, to] = [room - widthOf('…'), 0, signs.length];
  for (;;) {
    const isFirst = from <= signs.length - to;
    left -= widthOf(signs[isFirst ? from : to - 1] ?? '');
    if (left < 0 || from === to) break;
    if (isFirst) from += 1;
    else to -= 1;
  }
  return from === 0 ? null : `${signs.slice(0, from).join('')}…${signs.slice(to).join('')}`;
}

/** What is set off: names, titles and other words of people. */
const NAME = /(?<=[\u2066-\u2068])[^\u2066-\u2069]+(?=\u2069)/gu;

/** Whether each of these labels stands on one line where they share a row. */
export function fits(row: readonly { readonly label: string }[]): boolean {
  const room = (KEYBOARD - BETWEEN * (row.length - 1)) / row.length - BESIDE_LABEL;
  return row.every(({ label }) => widthOf(label) <= room);
}

/** About how wide a label is, in points. */
function widthOf(label: string): number {
  return LETTER * Array.from(segments.segment(label), ({ segment }) => lettersOf(segment)).reduce(sumOf, 0);
}

/** The first that a sign matches says how many letters it takes. */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/\p{Extended_Pictographic}|[\u{2190}-\u{21ff}\u{25a0}-\u{27bf}]/u, 2.2],
  [/^[\p{Cf}\p{Mn}]+$/u, 0],
  [/^[\s.,:·،٬٫'’|()/]$/u, 0.5],
  [/^[fijlrtI]/u, 0.6],
  [/^[mwMW]/u, 1.6],
  [/^[اآأدذرزژلو]/u, 0.65],
  [/^[سشصض]/u, 1.5],
  [/^\p{Script=Arabic}/u, 1.1],
];

function lettersOf(sign: string): number {
  return WIDTHS.find(([pattern]) => pattern.test(sign))?.[1] ?? 1;
}

function sumOf(sum: number, each: number): number {
  return sum + each;
}

const segments = new Intl.Segmenter('en', { granularity: 'grapheme' });
