import { readBook } from '../../../../domain/book.ts';
import { normalizeDigits } from '../../../../domain/phone.ts';
import type { Phonebook, PhonebookRead } from '../../../../ports/gateway.ts';
import type { SkippedNumber } from '../../../../ports/stores.ts';

/**
 * The book of that title, or the only one whose title reads the same; otherwise the titles that there are. Of two that
 * read the same none is taken: a message must not go to the wrong people.
 */
export async function findBook(
  books: PhonebookRead,
  title: string,
): Promise<{ readonly book: Phonebook } | { readonly titles: readonly string[] }> {
  const all = await books.list();
  const exact = all.find((each) => each.title === title);
  const [book, ...others] =
    exact === undefined ? all.filter((each) => fold(each.title) === fold(title)) : [exact];
  return book === undefined || others.length > 0 ? { titles: all.map((each) => each.title) } : { book };
}

/** The numbers of a book that a message can go to, each once, and the others. */
export async function audienceOf(
  books: PhonebookRead,
  bookId: string,
): Promise<{ readonly recipients: readonly string[]; readonly invalid: readonly SkippedNumber[] }> {
  const { recipients, unusable } = readBook(await books.numbers(bookId));
  return { recipients, invalid: unusable.map((raw) => ({ raw, reason: 'not_mobile' })) };
}

/** Letters of either keyboard, digits of any script, case, spaces and what is not seen make no difference to a reader. */
function fold(title: string): string {
  return normalizeDigits(title.normalize('NFC'))
    .replaceAll(/[يى]/gu, 'ی')
    .replaceAll('ك', 'ک')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .toLowerCase();
}
