import { foldColumnName } from './column-name.ts';

/** More of a text than this is not searched: a message has 900 characters. */
const SEARCHED = 4000;

/**
 * A text as it is searched: words in one spelling, whatever keyboard they come from. Letters that are exchanged
 * (ي ی, ك ک), digits of all scripts, case, marks and half-spaces make no difference.
 */
export function foldForSearch(text: string): string {
  return text
    .slice(0, SEARCHED)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .split(/\s/u)
    .map(foldColumnName)
    .filter((word) => word !== '')
    .join(' ');
}

/** The words that somebody looks for, quoted or not. What they write in two halves is found in one piece, and the other way round. */
export function foldQuery(query: string): string {
  return foldForSearch(query.replaceAll(/[\u200c"«»“”„]/gu, ' '));
}

/**
 * The digits of a number that somebody looks for, as they stand in a canonical one; null when the query is none, or too
 * short to mean one.
 */
export function numberInQuery(folded: string): string | null {
  const digits = /^\+?[\d\s()-]+$/.test(folded) ? folded.replaceAll(/\D/g, '') : '';
  const bare = digits.replace(/^(?:0098|98(?=9\d{3})|0)/, '');
  return bare.length >= 3 ? bare : null;
}
