import { bookMeant, readBook } from '../../../../domain/book.ts';
import type { Phonebook, PhonebookRead } from '../../../../ports/gateway.ts';
import type { SkippedNumber } from '../../../../ports/stores.ts';

/** Gives the book that a person means by a title; otherwise the titles that there are. */
export async function findBook(
  books: PhonebookRead,
  title: string,
): Promise<{ readonly book: Phonebook } | { readonly titles: readonly string[] }> {
  const all = await books.list();
  const book = bookMeant(all, title);
  return book === null ? { titles: all.map((each) => each.title) } : { book };
}

/** The numbers of a book that a message can go to, each once, and the others. */
export async function audienceOf(
  books: PhonebookRead,
  bookId: string,
): Promise<{ readonly recipients: readonly string[]; readonly invalid: readonly SkippedNumber[] }> {
  const { recipients, unusable } = readBook(await books.numbers(bookId));
  return { recipients, invalid: unusable.map((raw) => ({ raw, reason: 'not_mobile' })) };
}
