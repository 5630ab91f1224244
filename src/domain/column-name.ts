import { foldLetters } from './fold.ts';
import { farFrom } from './slips.ts';
import { INVISIBLE, normalizeDigits } from './phone-tokens.ts';

/**
 * What stays of a column's name when two are compared: not case, spaces, joiners, braces, or from which keyboard
 * a letter or a digit comes. Empty when nothing of it can be read.
 */
export function foldColumnName(name: string): string {
  return foldLetters(normalizeDigits(name.normalize('NFKC')))
    .replaceAll(INVISIBLE, '')
    .replaceAll(NOT_PART_OF_A_NAME, '')
    .toLowerCase()
    .replaceAll(/[ۍې]/gu, 'ی')
    .replaceAll('ڪ', 'ک')
    .replaceAll(/[ةۀہە]/gu, 'ه');
}

/** Spaces, controls, braces, and marks on Arabic letters: `شمارهٔ` is often written without its hamza. */
const NOT_PART_OF_A_NAME = /[\s\p{Cc}{}\u0640\u064b-\u0655\u0670]/gu;

/** The column that a folded name was probably meant to be: a slip of the hand away, or a part of it. Null: none is near. */
export function nearestColumn(folded: string, columns: readonly string[]): string | null {
  // Nobody's slip of the hand.
  if (folded.length > LONGEST_NAME) return null;
  let nearest: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const column of columns) {
    const other = foldColumnName(column);
    if (other === '') continue;
    const isPart = isPartOf(folded, other) || isPartOf(other, folded);
    const far = isPart ? 1 : farFrom(other, folded);
    if (far === null || far >= least) continue;
    nearest = column;
    least = far;
  }
  return nearest;
}

const LONGEST_NAME = 60;

function isPartOf(part: string, whole: string): boolean {
  return part.length > 1 && whole.includes(part);
}
