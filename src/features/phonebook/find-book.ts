import { normalizeDigits } from '../../domain/phone.ts';
import type { Phonebook } from '../../ports/gateway.ts';

const MOST_NEAR = 8;

/**
 * The book that a person means: that very title, or else the one whose title reads the same. Without one, the
 * books that come near, the nearest first.
 */
export function findBook(
  books: readonly Phonebook[],
  wanted: string,
): { readonly book: Phonebook } | { readonly near: readonly Phonebook[] } {
  const exact = books.find(({ title }) => title.trim() === wanted.trim());
  if (exact !== undefined) return { book: exact };
  const folded = foldTitle(wanted);
  const same = books.filter(({ title }) => foldTitle(title) === folded);
  const [only, ...others] = same;
  if (only !== undefined && others.length === 0) return { book: only };
  const needle = folded.replaceAll(' ', '');
  const near = books
    .map((book) => ({ book, distance: distance(foldTitle(book.title).replaceAll(' ', ''), needle) }))
    .filter(({ distance }) => distance < Number.POSITIVE_INFINITY)
    .toSorted((left, right) => left.distance - right.distance);
  return { near: near.slice(0, MOST_NEAR).map(({ book }) => book) };
}

/** Whether two titles are the same to a reader. */
export function sameTitle(left: string, right: string): boolean {
  return foldTitle(left) === foldTitle(right);
}

/** Letters of either keyboard, digits of any script, case, spaces and what is not seen make no difference. */
function foldTitle(title: string): string {
  return normalizeDigits(title.normalize('NFC'))
    .replaceAll(/[يى]/gu, 'ی')
    .replaceAll('ك', 'ک')
    .replaceAll(/[\p{Cf}]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .toLowerCase();
}

/** Part of the other: by how much longer. A slip or two: by their number. Anything else is not near. */
function distance(title: string, needle: string): number {
  if (needle === '' || title === '') return Number.POSITIVE_INFINITY;
  if (title.includes(needle) || needle.includes(title)) return Math.abs(title.length - needle.length) / 100;
  const slips = editDistance(title, needle);
  return slips <= 2 && slips * 2 < Math.max(title.length, needle.length) ? slips : Number.POSITIVE_INFINITY;
}

function editDistance(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > 2) return 3;
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [i, a] of Array.from(left).entries()) {
    const next = [i + 1];
    for (const [j, b] of Array.from(right).entries()) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (a === b ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
