import { z } from 'zod';

import { foldLetters } from '../domain/fold.ts';
import type { ChangedBook, Phonebook } from '../ports/gateway.ts';
import { canonicalNumber } from './number.ts';
import { anything, digits, digitsIfAny, integerIfAny, omitUndefined, text, textIfAny } from './values.ts';

/** Interface, Phonebook: book_id, uname, title, count; the same in all versions. */
export const booksResult = z.array(
  z
    .object({ book_id: digits, uname: textIfAny, title: text, count: integerIfAny })
    .transform(({ book_id: id, uname, title, count }): Phonebook => ({
      id,
      owner: uname ?? '',
      title,
      count: count ?? 0,
    })),
);

const changedBook = z.object({ book_id: digitsIfAny, count: integerIfAny });

/** The book in the answer to a change, whose shape is not shown: what can be read of it. */
export function readChangedBook(payload: unknown): ChangedBook {
  const { book_id: id, count } = changedBook.safeParse(payload).data ?? {};
  return omitUndefined({ id, count });
}

/** Interface, Phonebook number: number_id, number. A bare number is taken as well. */
export const numbersResult = z.array(
  anything
    .transform((row) => (typeof row === 'object' ? row : { number: row }))
    .pipe(z.object({ number_id: digitsIfAny, number: text }))
    .transform(({ number_id: id, number }) => omitUndefined({ id, number: canonicalNumber(number) })),
);

/** The book of that very name: a filter of the gateway may also find names that merely contain it. */
export function bookNamed(books: readonly Phonebook[], name: string): Phonebook | undefined {
  return books.find(({ title }) => folded(title) === folded(name));
}

function folded(name: string): string {
  return foldLetters(name.normalize('NFC')).trim();
}
