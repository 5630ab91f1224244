import { z } from 'zod';
import { isRefusal, refuse } from '../world/refusal.ts';
import { looseText } from './fields.ts';
import { operation } from './operation.ts';
import type { Operation } from './operation.ts';
import { listBooks, listNumbers, showBook } from './phonebook-results.ts';
import type { V1Payload } from './v1-envelope.ts';

/** What is no number is the number of no book. */
const id = z.string().transform((text) => (/^\d{1,15}$/.test(text) ? Number(text) : -1));
const numbers = z.array(z.string());
const PATH = '/phonebook/{id}/number';

/** The phonebooks of version 1. */
export const V1_PHONEBOOK: readonly Operation<V1Payload>[] = [
  operation({
    name: 'phonebook-list',
    method: 'GET',
    path: '/my/phonebook',
    input: z.object({ name: z.string().optional() }),
    run: ({ account }, { name }) => ({ status: 0, result: listBooks(account, name) }),
  }),
  operation({
    name: 'phonebook-by-name',
    method: 'GET',
    path: '/my/phonebook/{name}',
    input: z.object({ name: z.string() }),
    run({ account }, { name }) {
      const book = account.phonebooks.all().find(({ title }) => title === name);
      return book === undefined ? refuse('no_such_record') : { status: 0, result: [showBook(account, book)] };
    },
  }),
  operation({
    name: 'phonebook-create',
    method: 'POST',
    path: '/phonebook',
    input: z.object({ name: looseText.pipe(z.string().min(1)), numbers, flag: looseText }),
    run({ account }, { name: title, numbers, flag }) {
      const book = account.phonebooks.create({ title, numbers, flag });
      return isRefusal(book) ? book : { status: 0, book_id: book.id };
    },
  }),
  operation({
    name: 'phonebook-delete',
    method: 'DELETE',
    path: '/phonebook/{id}',
    input: z.object({ id }),
    run: ({ account }, { id }) => done(account.phonebooks.remove(id)),
  }),
  operation({
    name: 'phonebook-numbers',
    method: 'GET',
    path: PATH,
    input: z.object({ id }),
    run({ account }, { id }) {
      const book = account.phonebooks.find(id);
      return book === undefined ? refuse('no_such_record') : { status: 0, result: listNumbers(book) };
    },
  }),
  operation({
    name: 'phonebook-add',
    method: 'POST',
    path: PATH,
    input: z.object({ id, numbers }),
    run: ({ account }, { id, numbers }) => done(account.phonebooks.addNumbers(id, numbers)),
  }),
  operation({
    name: 'phonebook-remove',
    method: 'DELETE',
    path: PATH,
    input: z.object({ id, numbers }),
    run: ({ account }, { id, numbers }) => done(account.phonebooks.removeNumbers(id, numbers)),
  }),
];

function done(outcome: object) {
  return isRefusal(outcome) ? outcome : { status: 0 };
}
