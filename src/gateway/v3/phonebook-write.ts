import type { Facets } from '../../ports/gateway.ts';
import { checkBookNumbers, checkNewBook, checkNumbersToRemove, wireBookNumber } from '../book-checks.ts';
import { readChangedBook } from '../book-shapes.ts';
import type { Calls } from '../calls.ts';
import { checkBookId } from '../checks.ts';
import { wireNumber } from '../number.ts';
import { nothingMore, restReading, rowOf } from '../rest-envelope.ts';
import { restCall } from './wire.ts';

/** Changes to phonebooks in version 3, whose answers the interface does not show: `return` is what counts. */
export function createV3PhonebookWrite(calls: Calls, headers: Readonly<Record<string, string>>) {
  const done = (body: Uint8Array) => restReading(body, nothingMore);
  const changed = (body: Uint8Array) =>
    restReading(body, (envelope) => ({ kind: 'read', value: readChangedBook(rowOf(envelope)) }));
  return {
    async create(book) {
      checkNewBook(book);
      const { name, flag } = book;
      const call = restCall(headers, '/phonebook/new', { name, numbers: book.numbers.map(wireNumber), flag });
      return await calls.write('book_create', call, changed);
    },
    async remove(bookId) {
      checkBookId(bookId);
      const call = restCall(headers, '/phonebook/delete', { book_id: BigInt(bookId) }, 'DELETE');
      await calls.write('book_delete', call, done);
    },
    async addNumbers(bookId, numbers) {
      checkBookId(bookId);
      checkBookNumbers(numbers);
      const fields = { book_id: BigInt(bookId), numbers: numbers.map(wireNumber) };
      return await calls.write('book_add', restCall(headers, '/phonebook/number/add', fields), changed);
    },
    async removeNumbers(bookId, numbers) {
      checkBookId(bookId);
      checkNumbersToRemove(numbers);
      const fields = { book_id: BigInt(bookId), numbers: numbers.map(wireBookNumber) };
      const call = restCall(headers, '/phonebook/number/delete', fields, 'DELETE');
      return await calls.write('book_remove', call, changed);
    },
  } satisfies Facets['phonebookWrite'];
}
