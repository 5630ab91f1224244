import { bookMeant } from '../../domain/book.ts';
import { foldTitle } from '../../domain/fold.ts';
import { normalizeDigits } from '../../domain/phone.ts';
import { farFrom } from '../../domain/slips.ts';
import type { Phonebook } from '../../ports/gateway.ts';
import type { Choice } from '../../telegram/feature.ts';

const MAX_NEAR = 8;
/** Of a title, at the front of a line. */
const MAX_WORDS = 20;

/** Gives the book that a person means by a title. Without one, the books that come near, the nearest first. */
export function findBook(
  books: readonly Phonebook[],
  wanted: string,
): { readonly book: Phonebook } | { readonly near: readonly Phonebook[] } {
  const book = bookMeant(books, wanted);
  if (book !== null) return { book };
  const needle = foldTitle(wanted).replaceAll(' ', '');
  const near = books
    .flatMap((each) => {
      const far = distance(foldTitle(each.title).replaceAll(' ', ''), needle);
      return far === null ? [] : [{ book: each, far }];
    })
    .toSorted((left, right) => left.far - right.far);
  return { near: near.slice(0, MAX_NEAR).map((each) => each.book) };
}

/** The books to choose from where a title was given, or none: those that come near, or else all. */
export function offeredBooks(books: readonly Phonebook[], wanted: string): readonly Phonebook[] {
  const found = findBook(books, wanted);
  return 'near' in found && found.near.length > 0 ? found.near : books;
}

/** Whether a question offers no book, at most to make one: the account has none. */
export function offersNone(choices: readonly Choice[] | undefined): boolean {
  return choices?.every((each) => 'form' in each) === true;
}

/**
 * Gives the book whose title goes on where numbers are looked for, the longest if there are several, and what follows it: of
 * `Class` before `2024 0912…` the book `Class 2024`. Null where there is none, or no number behind it.
 */
export function longerTitle(
  books: readonly Phonebook[],
  title: string,
  typed: string,
): { readonly book: Phonebook; readonly rest: string } | null {
  const words = [...typed.matchAll(/\S+/gu)].slice(0, MAX_WORDS);
  for (const { 0: word, index } of words.toReversed()) {
    const end = index + word.length;
    const rest = typed.slice(end).trimStart();
    const book = /\d{3}/u.test(normalizeDigits(rest))
      ? bookMeant(books, `${title} ${typed.slice(0, end)}`)
      : null;
    if (book !== null) return { book, rest };
  }
  return null;
}

/** Whether two titles are the same to a reader. */
export function sameTitle(left: string, right: string): boolean {
  return foldTitle(left) === foldTitle(right);
}

/** Part of the other: by how much longer. Else as of every name that is typed. */
function distance(title: string, needle: string): number | null {
  if (needle === '' || title === '') return null;
  if (title.includes(needle) || needle.includes(title)) return Math.abs(title.length - needle.length) / 100;
  return farFrom(title, needle);
}
