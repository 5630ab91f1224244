import { z } from 'zod';
import type { Phonebook } from '../world/phonebooks.ts';
import { isRefusal } from '../world/refusal.ts';
import type { Refusal } from '../world/refusal.ts';
import { filledText, looseText, wholeNumber } from './fields.ts';
import { operation } from './operation.ts';
import type { Call, Operation } from './operation.ts';
import { showBook } from './phonebook-results.ts';
import type { RestPayload } from './rest-envelope.ts';
import { BOOK, BOOKS, NUMBERS, book, dataOf } from './shapes.ts';

const numbers = z.array(z.string());

/** What version 3 can change in phonebooks, and version 4 cannot. */
export const V3_PHONEBOOK: readonly Operation<RestPayload>[] = [
  operation({
    name: 'phonebook-create',
    ...BOOKS.create,
    answer: dataOf(book.shape),
    method: 'POST',
    path: '/phonebook/new',
    input: z.object({ name: filledText, numbers, flag: looseText }),
    run: (call, { name: title, numbers, flag }) =>
      answer(call, call.account.phonebooks.create({ title, numbers, flag })),
  }),
  operation({
    name: 'phonebook-delete',
    ...BOOKS.remove,
    answer: z.object({}),
    example: { book_id: BOOK },
    method: 'DELETE',
    path: '/phonebook/delete',
    input: z.object({ book_id: wholeNumber }),
    run({ account }, { book_id: id }) {
      const gone = account.phonebooks.remove(id);
      return isRefusal(gone) ? gone : {};
    },
  }),
  operation({
    name: 'phonebook-add',
    ...BOOKS.addNumbers,
    answer: dataOf(book.shape),
    example: { book_id: BOOK, numbers: NUMBERS },
    method: 'POST',
    path: '/phonebook/number/add',
    input: z.object({ book_id: wholeNumber, numbers }),
    run: (call, { book_id: id, numbers }) => answer(call, call.account.phonebooks.addNumbers(id, numbers)),
  }),
  operation({
    name: 'phonebook-remove',
    ...BOOKS.removeNumbers,
    answer: dataOf(book.shape),
    example: { book_id: BOOK, numbers: ['09121110001'] },
    method: 'DELETE',
    path: '/phonebook/number/delete',
    input: z.object({ book_id: wholeNumber, numbers }),
    run: (call, { book_id: id, numbers }) => answer(call, call.account.phonebooks.removeNumbers(id, numbers)),
  }),
];

function answer({ account }: Call, changed: Phonebook | Refusal): RestPayload | Refusal {
  return isRefusal(changed) ? changed : { data: showBook(account, changed) };
}
