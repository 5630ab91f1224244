import { randomUUID } from 'node:crypto';

import type { Facets, Phonebook } from '../../ports/gateway.ts';
import { bookNamed, booksResult, numbersResult, readChangedBook } from '../book-shapes.ts';
import type { Calls } from '../calls.ts';
import { checkBookId, checkBookNumbers, checkName, checkNewBook, checkNumbersToRemove } from '../checks.ts';
import { wireBookNumber, wireNumber } from '../number.ts';
import { type Reading, readShape } from '../reading.ts';
import { v1Changed, v1Done, v1Reading } from './envelope.ts';
import { listOf, type V1Ask } from './wire.ts';

/** Interface, Errors, phonebook: no such record. */
const NO_SUCH_RECORD = 40;

/** Phonebooks of version 1: list, by name, numbers. */
export function createV1PhonebookRead(calls: Calls, ask: V1Ask) {
  const list = async (query: string): Promise<readonly Phonebook[]> =>
    await calls.read('books', ask('GET', `/my/phonebook${query}`), (body) =>
      v1Reading(body, (result) => readShape(booksResult, rowsIn(result))),
    );
  return {
    async list({ name } = {}) {
      if (name === undefined) return await list('');
      checkName(name);
      return await list(`?name=${encodeURIComponent(name)}`);
    },
    async byName(name) {
      checkName(name);
      // A dot segment would be resolved on the way, to another operation.
      if (/^\.{1,2}$/.test(name)) return bookNamed(await list(`?name=${name}`), name);
      const call = ask('GET', `/my/phonebook/${encodeURIComponent(name)}`);
      return await calls.read('book_by_name', call, (body) => readNamed(body, name));
    },
    async numbers(bookId) {
      checkBookId(bookId);
      return await calls.read('book_numbers', ask('GET', `/phonebook/${bookId}/number`), (body) =>
        v1Reading(body, (result) => readShape(numbersResult, rowsIn(result))),
      );
    },
  } satisfies Facets['phonebookRead'];
}

/** Changes to phonebooks in version 1. A flag is a unique label, so those that nobody chose are random. */
export function createV1PhonebookWrite(calls: Calls, ask: V1Ask) {
  const changed = (body: Uint8Array) => v1Changed(body, readChangedBook);
  return {
    async create(book) {
      checkNewBook(book);
      const { name, flag } = book;
      const call = ask('POST', '/phonebook', { name, numbers: book.numbers.map(wireNumber), flag });
      return await calls.write('book_create', call, changed);
    },
    async remove(bookId) {
      checkBookId(bookId);
      await calls.write('book_delete', ask('DELETE', `/phonebook/${bookId}`), v1Done);
    },
    async addNumbers(bookId, numbers) {
      checkBookId(bookId);
      checkBookNumbers(numbers);
      const fields = { numbers: numbers.map(wireNumber), flag: randomUUID() };
      return await calls.write('book_add', ask('POST', `/phonebook/${bookId}/number`, fields), changed);
    },
    async removeNumbers(bookId, numbers) {
      checkBookId(bookId);
      checkNumbersToRemove(numbers);
      const fields = { numbers: numbers.map(wireBookNumber), flag: randomUUID() };
      return await calls.write('book_remove', ask('DELETE', `/phonebook/${bookId}/number`, fields), changed);
    },
  } satisfies Facets['phonebookWrite'];
}

/** One book, a list of them, or the refusal that there is none. */
function readNamed(body: Uint8Array, name: string): Reading<Phonebook | undefined> {
  const reading = v1Reading(body, (result) => readShape(booksResult, rowsIn(result)));
  if (reading.kind === 'refused' && reading.code === NO_SUCH_RECORD)
    return { kind: 'read', value: undefined };
  return reading.kind === 'read' ? { kind: 'read', value: bookNamed(reading.value, name) } : reading;
}

/**
 * The rows of a result (interface, version 1, List phonebooks: `result.result`), whose shape is not shown for
 * the other reads: a list, bare or under any name, `null` for none, or one row, bare or under any name.
 */
function rowsIn(result: unknown): unknown {
  if (result === null) return [];
  const list = listOf(result);
  if (Array.isArray(list) || typeof result !== 'object') return list;
  if ('book_id' in result) return [result];
  const [only, ...others] = Object.entries(result).filter(([name]) => name !== 'status');
  if (only === undefined || others.length > 0) return undefined;
  return only[1] === null ? [] : [only[1]];
}
