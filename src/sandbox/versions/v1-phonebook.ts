import { z } from 'zod';
import { isRefusal, refuse } from '../world/refusal.ts';
import { filledText, looseText } from './fields.ts';
import { operation } from './operation.ts';
import type { Operation } from './operation.ts';
import { listBooks, listNumbers, showBook } from './phonebook-results.ts';
import { BOOK, BOOKS, NUMBERS, book, bookNumber, doneWith } from './shapes.ts';
import type { V1Payload } from './v1-envelope.ts';

/** What is no number is the number of no book. */
const id = z
  .string()
  .transform((text) => (/^\d{1,15}$/.test(text) ? Number(text) : -1))
  .meta({ type: 'integer', description: 'The number of the phonebook.' });
const numbers = z.array(z.string());
const PATH = '/phonebook/{id}/number';

/** The phonebooks of version 1. */
export const V1_PHONEBOOK: readonly Operation<V1Payload>[] = [
  operation({
    name: 'phonebook-list',
    ...BOOKS.list,
    answer: doneWith({ result: z.array(book) }),
    method: 'GET',
    path: '/my/phonebook',
    input: z.object({ name: z.string().optional() }),
    run: ({ account }, { name }) => ({ status: 0, result: listBooks(account, name) }),
  }),
  operation({
    name: 'phonebook-by-name',
    summary: 'Shows the phonebook of a name.',
    answer: doneWith({ result: z.array(book) }),
    refuses: ['no_such_record'],
    example: { name: 'Staff' },
    method: 'GET',
    path: '/my/phonebook/{name}',
    input: z.object({ name: z.string() }),
    run({ account }, { name }) {
      const found = account.phonebooks.all().find(({ title }) => title === name);
      return found === undefined
        ? refuse('no_such_record')
        : { status: 0, result: [showBook(account, found)] };
    },
  }),
  operation({
    name: 'phonebook-create',
    ...BOOKS.create,
    answer: doneWith({ book_id: z.int() }),
    method: 'POST',
    path: '/phonebook',
    input: z.object({ name: filledText, numbers, flag: looseText }),
    run({ account }, { name: title, numbers, flag }) {
      const made = account.phonebooks.create({ title, numbers, flag });
      return isRefusal(made) ? made : { status: 0, book_id: made.id };
    },
  }),
  operation({
    name: 'phonebook-delete',
    ...BOOKS.remove,
    answer: doneWith(),
    example: { id: BOOK },
    method: 'DELETE',
    path: '/phonebook/{id}',
    input: z.object({ id }),
    run: ({ account }, { id }) => done(account.phonebooks.remove(id)),
  }),
  operation({
    name: 'phonebook-numbers',
    ...BOOKS.numbers,
    answer: doneWith({ result: z.array(bookNumber) }),
    example: { id: BOOK },
    method: 'GET',
    path: PATH,
    input: z.object({ id }),
    run({ account }, { id }) {
      const found = account.phonebooks.find(id);
      return found === undefined ? refuse('no_such_record') : { status: 0, result: listNumbers(found) };
    },
  }),
  operation({
    name: 'phonebook-add',
    ...BOOKS.addNumbers,
    answer: doneWith(),
    example: { id: BOOK, numbers: NUMBERS },
    method: 'POST',
    path: PATH,
    input: z.object({ id, numbers }),
    run: ({ account }, { id, numbers }) => done(account.phonebooks.addNumbers(id, numbers)),
  }),
  operation({
    name: 'phonebook-remove',
    ...BOOKS.removeNumbers,
    answer: doneWith(),
    example: { id: BOOK, numbers: ['09121110001'] },
    method: 'DELETE',
    path: PATH,
    input: z.object({ id, numbers }),
    run: ({ account }, { id, numbers }) => done(account.phonebooks.removeNumbers(id, numbers)),
  }),
];

function done(outcome: object) {
  return isRefusal(outcome) ? outcome : { status: 0 };
}
