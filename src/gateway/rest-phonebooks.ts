import type { Facets, Phonebook } from '../ports/gateway.ts';
import { bookNamed, booksResult, numbersResult } from './book-shapes.ts';
import type { Calls } from './calls.ts';
import { checkBookId, checkName } from './checks.ts';
import { readShape } from './reading.ts';
import { restReading, rowsOf } from './rest-envelope.ts';
import type { RestAsk } from './rest-operations.ts';

/** Phonebooks of versions 4 and 3. `idField` is how the version calls the id of a book. */
export function createRestPhonebooks(calls: Calls, ask: RestAsk, idField: 'bookId' | 'book_id') {
  const list = async (name: string | undefined): Promise<readonly Phonebook[]> => {
    if (name !== undefined) checkName(name);
    return await calls.read('books', ask('books', { name }), (body) =>
      restReading(body, (envelope) => readShape(booksResult, rowsOf(envelope))),
    );
  };
  return {
    list: async (query = {}) => await list(query.name),
    byName: async (name) => bookNamed(await list(name), name),
    async numbers(bookId) {
      checkBookId(bookId);
      return await calls.read('book_numbers', ask('bookNumbers', { [idField]: BigInt(bookId) }), (body) =>
        restReading(body, (envelope) => readShape(numbersResult, rowsOf(envelope))),
      );
    },
  } satisfies Facets['phonebookRead'];
}
