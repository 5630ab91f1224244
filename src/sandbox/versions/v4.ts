import { z } from 'zod';
import { refuse } from '../world/refusal.ts';
import { createApiVersion, decode } from './api-version.ts';
import type { ApiVersion } from './api-version.ts';
import type { Credential } from './credentials.ts';
import {
  commaElements,
  commaList,
  commaTypes,
  idList,
  messageText,
  nothing,
  recipientList,
  statusIdList,
  messageType,
  optionalText,
  wholeNumber,
} from './fields.ts';
import { operation } from './operation.ts';
import { listBooks, listNumbers } from './phonebook-results.ts';
import { blacklistOperations } from './rest-blacklist.ts';
import { restEnvelope } from './rest-envelope.ts';
import type { RestForm } from './rest-form.ts';
import { inboxOperations } from './rest-inbox.ts';
import { registerOperation } from './rest-register.ts';
import { reportOperations } from './rest-reports.ts';
import { TOLD, credit, details, latest, multi, select, send, sentEntry, status } from './rest-results.ts';
import { BOOK, BOOKS, book, bookNumber, entriesOf } from './shapes.ts';

/** Version 4: GET only, parameters in the query, the key in the path or the query. */
export function createVersion4(): ApiVersion {
  return createApiVersion({
    version: 4,
    prefix: ['api', 'v4'],
    envelope: restEnvelope,
    operations: OPERATIONS,
    authentication: 'the key stands in the path, /api/v4/KEY/…, or in the query as apikey or api_key',
    keyParameters: KEY_PARAMETERS,
    credentialPlaces: KEY_PARAMETERS.map((name) => [{ in: 'query', name }]),
    typed: false,
    credentials({ query }, pathKey): Credential[] {
      const keys = [
        pathKey === undefined ? null : decode(pathKey),
        ...KEY_PARAMETERS.map((name) => query.get(name)),
      ];
      return keys.flatMap((value) => (value === null || value === '' ? [] : [{ kind: 'apiKey', value }]));
    },
  });
}

const KEY_PARAMETERS = ['apikey', 'api_key'];
const FORM: RestForm = { method: 'GET', ending: '.json' };

const OPERATIONS = [
  operation({
    name: 'send',
    ...TOLD.send,
    method: 'GET',
    path: '/sms/send.json',
    input: z.object({
      from: z.string().min(1),
      recipients: recipientList,
      message: messageText,
      type: messageType,
    }),
    run: (call, input) => send(call, input, sentEntry),
  }),
  operation({
    name: 'multi',
    ...TOLD.multi,
    method: 'GET',
    path: '/sms/multi.json',
    input: z.object({
      fromArray: commaElements,
      recipients: commaElements,
      messageArray: commaElements,
      typeArray: commaTypes,
    }),
    run: multi,
  }),
  operation({
    name: 'status',
    ...TOLD.status,
    method: 'GET',
    path: '/sms/status.json',
    input: z.object({ messageid: statusIdList }),
    run: (call, { messageid }) => status(call, messageid),
  }),
  operation({
    name: 'select',
    ...TOLD.select,
    method: 'GET',
    path: '/sms/select.json',
    input: z.object({ messageid: idList }),
    run: (call, { messageid }) => select(call, messageid),
  }),
  operation({
    name: 'latest',
    ...TOLD.latest,
    method: 'GET',
    path: '/sms/latest.json',
    input: nothing,
    run: latest,
  }),
  operation({
    name: 'credit',
    ...TOLD.credit,
    method: 'GET',
    path: '/user/credit.json',
    input: nothing,
    run: credit,
  }),
  operation({
    name: 'details',
    ...TOLD.details,
    method: 'GET',
    path: '/user/details.json',
    input: nothing,
    run: details,
  }),
  ...reportOperations(FORM),
  ...inboxOperations(FORM),
  registerOperation(FORM),
  ...blacklistOperations(FORM, commaList),
  operation({
    name: 'phonebook-list',
    ...BOOKS.list,
    answer: entriesOf(book.shape),
    method: 'GET',
    path: '/phonebook/list.json',
    input: z.object({ name: optionalText }),
    run: ({ account }, { name }) => ({ entries: listBooks(account, name) }),
  }),
  operation({
    name: 'phonebook-numbers',
    ...BOOKS.numbers,
    answer: entriesOf(bookNumber.shape),
    example: { bookId: BOOK },
    method: 'GET',
    path: '/phonebook/numbers.json',
    input: z.object({ bookId: wholeNumber }),
    run({ account }, { bookId }) {
      const found = account.phonebooks.find(bookId);
      return found === undefined ? refuse('no_such_record') : { entries: listNumbers(found) };
    },
  }),
];
