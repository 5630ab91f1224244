import type { Facets } from '../../ports/gateway.ts';
import { readChangedBook } from '../book-shapes.ts';
import type { Calls } from '../calls.ts';
import {
  checkBookId,
  checkBookNumbers,
  checkNewBook,
  checkNumbersToRemove,
  checkPattern,
  checkSend,
  refuse,
} from '../checks.ts';
import { wireBookNumber, wireNumber } from '../number.ts';
import { createRestBlacklist } from '../rest-blacklist.ts';
import { nothingMore, restReading, rowOf } from '../rest-envelope.ts';
import { createRestLists } from '../rest-lists.ts';
import { createRestMulti } from '../rest-multi.ts';
import { createRestPhonebooks } from '../rest-phonebooks.ts';
import { createRestReads } from '../rest-reads.ts';
import { createRestRegistration } from '../rest-registration.ts';
import { observeRestSend } from '../rest-send.ts';
import { askV3, idFields, restCall, sendFields } from './wire.ts';

/** Version 3: POST with JSON, credentials in `headers`. */
export function createV3Adapter(calls: Calls, headers: Readonly<Record<string, string>>) {
  const ask = askV3(headers);
  return {
    sending: {
      async send(request, hooks) {
        checkSend(request);
        const call = restCall(headers, '/sms/send', sendFields(request));
        return calls.send('send', call, observeRestSend(request), hooks);
      },
    },
    ...createRestReads(calls, {
      credit: () => restCall(headers, '/my/credit'),
      account: () => restCall(headers, '/my'),
      latest: () => restCall(headers, '/sms/latest'),
      status: (ids) => restCall(headers, '/sms/status', idFields(ids)),
      details: (ids) => restCall(headers, '/sms/select', idFields(ids)),
    }),
    ...createRestLists(calls, ask),
    multi: createRestMulti(calls, ask),
    pattern: createV3Pattern(calls, headers),
    phonebookRead: createRestPhonebooks(calls, ask, 'book_id'),
    phonebookWrite: createV3PhonebookWrite(calls, headers),
    blacklist: createRestBlacklist(calls, ask),
    registration: createRestRegistration(calls, ask),
  } satisfies Partial<Facets>;
}

/** Clients of this extension name one recipient; what becomes of more of them is not known. */
const RECIPIENTS_LIMIT = 1;

/**
 * Send by pattern in version 3: an extension that the interface does not list and gateways have. It names
 * the pattern `pattern_id` and has no type, so a flash message is refused. The text is made at the gateway, so no echo of it is compared.
 */
function createV3Pattern(calls: Calls, headers: Readonly<Record<string, string>>) {
  return {
    recipientsLimit: RECIPIENTS_LIMIT,
    async sendPattern(request, hooks) {
      checkPattern(request, RECIPIENTS_LIMIT);
      if (request.flash) refuse('flash', 'needs_version_1');
      const { line, recipients, variables, patternId } = request;
      const call = restCall(headers, '/sms/pattern-send', {
        from: line,
        recipients: recipients.map(wireNumber),
        message: variables,
        pattern_id: BigInt(patternId),
      });
      return await calls.send('pattern', call, observeRestSend({ line }), hooks);
    },
  } satisfies Facets['pattern'];
}

/** Changes to phonebooks in version 3, whose answers the interface does not show: `return` is what counts. */
function createV3PhonebookWrite(calls: Calls, headers: Readonly<Record<string, string>>) {
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
