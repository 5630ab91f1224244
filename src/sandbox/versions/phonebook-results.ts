import type { Json } from '../json.ts';
import type { Account } from '../world/account.ts';
import { showLocal } from '../world/numbers.ts';
import type { Phonebook } from '../world/phonebooks.ts';

/** How all versions show phonebooks. */

export function showBook(account: Account, book: Phonebook) {
  return { book_id: book.id, uname: account.username, title: book.title, count: book.numbers.size };
}

/** All books, or those whose name contains a text. */
export function listBooks(account: Account, name = ''): Json[] {
  return account.phonebooks
    .all()
    .filter(({ title }) => title.includes(name))
    .map((book) => showBook(account, book));
}

export function listNumbers(book: Phonebook): Json[] {
  return [...book.numbers].map(([digits, id]) => ({ number_id: id, number: showLocal(digits) }));
}
