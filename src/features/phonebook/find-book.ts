import { bookMeant } from '../../domain/book.ts';
import { foldTitle } from '../../domain/fold.ts';
import type { Phonebook } from '../../ports/gateway.ts';

const MOST_NEAR = 8;

/** Gives the book that a person means by a title. Without one, the books that come near, the nearest first. */
export function findBook(
  books: readonly Phonebook[],
  wanted: string,
): { readonly book: Phonebook } | { readonly near: readonly Phonebook[] } {
  const book = bookMeant(books, wanted);
  if (book !== null) return { book };
  const needle = foldTitle(wanted).replaceAll(' ', '');
  const near = books
    .map((each) => ({ book: each, distance: distance(foldTitle(each.title).replaceAll(' ', ''), needle) }))
    .filter(({ distance }) => distance < Number.POSITIVE_INFINITY)
    .toSorted((left, right) => left.distance - right.distance);
  return { near: near.slice(0, MOST_NEAR).map((each) => each.book) };
}

/** Whether two titles are the same to a reader. */
export function sameTitle(left: string, right: string): boolean {
  return foldTitle(left) === foldTitle(right);
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
