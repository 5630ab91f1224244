import { z } from 'zod';
import type { Phonebook } from '../world/phonebooks.ts';
import { isRefusal } from '../world/refusal.ts';
import type { Refusal } from '../world/refusal.ts';
import { looseText, wholeNumber } from './fields.ts';
import { operation } from './operation.ts';
import type { Call, Operation } from './operation.ts';
import { showBook } from './phonebook-results.ts';
import type { RestPayload } from './rest-envelope.ts';

const numbers = z.array(z.string());

/** What version 3 can change in phonebooks, and version 4 cannot. */
export const V3_PHONEBOOK: readonly Operation<RestPayload>[] = [
  operation({
    name: 'phonebook-create',
    method: 'POST',
    path: '/phonebook/new',
    input: z.object({ name: looseText.pipe(z.string().min(1)), numbers, flag: looseText }),
    run: (call, { name: title, numbers, flag }) =>
      answer(call, call.account.phonebooks.create({ title, numbers, flag })),
  }),
  operation({
    name: 'phonebook-delete',
    method: 'DELETE',
    path: '/phonebook/delete',
    input: z.object({ book_id: wholeNumber }),
    run({ account }, { book_id: id }) {
      const book = account.phonebooks.remove(id);
      return isRefusal(book) ? book : {};
    },
  }),
  operation({
    name: 'phonebook-add',
    method: 'POST',
    path: '/phonebook/number/add',
    input: z.object({ book_id: wholeNumber, numbers }),
    run: (call, { book_id: id, numbers }) => answer(call, call.account.phonebooks.addNumbers(id, numbers)),
  }),
  operation({
    name: 'phonebook-remove',
    method: 'DELETE',
    path: '/phonebook/number/delete',
    input: z.object({ book_id: wholeNumber, numbers }),
    run: (call, { book_id: id, numbers }) => answer(call, call.account.phonebooks.removeNumbers(id, numbers)),
  }),
];

function answer({ account }: Call, book: Phonebook | Refusal): RestPayload | Refusal {
  return isRefusal(book) ? book : { data: showBook(account, book) };
}
