import { z } from 'zod';
import { showLine } from '../world/numbers.ts';
import { fillPattern } from '../world/pattern.ts';
import { refuse } from '../world/refusal.ts';
import type { SentMessage } from '../world/outbox.ts';
import { createApiVersion } from './api-version.ts';
import type { ApiVersion } from './api-version.ts';
import { headerCredentials } from './credentials.ts';
import {
  filledText,
  flashType,
  idArray,
  looseText,
  messageText,
  nothing,
  messageType,
  optionalText,
  patternVariables,
  recipientArray,
  statusIds,
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
import { TOLD, credit, details, latest, multi, seconds, select, send, status } from './rest-results.ts';
import {
  BOOK,
  BOOKS,
  LINE,
  NUMBERS,
  PATTERN_REFUSES,
  book,
  bookNumber,
  dataOf,
  date,
  entriesOf,
  messageId,
  shown,
} from './shapes.ts';
import { V3_PHONEBOOK } from './v3-phonebook.ts';

/** Version 3: POST (and DELETE) with a JSON body, the key or a user name and password in headers. */
export function createVersion3(): ApiVersion {
  return createApiVersion({
    version: 3,
    prefix: ['api', 'v3', 'rest'],
    envelope: restEnvelope,
    operations: OPERATIONS,
    authentication: 'the API key stands in the header Authorization or Token, or Username and Password do',
    keyParameters: [],
    credentialPlaces: [
      [{ in: 'header', name: 'Token' }],
      [{ in: 'header', name: 'Authorization' }],
      [
        { in: 'header', name: 'Username' },
        { in: 'header', name: 'Password' },
      ],
    ],
    typed: true,
    credentials: ({ headers }) => headerCredentials(headers, 'apiKey'),
  });
}

const FORM: RestForm = { method: 'POST', ending: '' };
const texts = z.array(looseText);
const sentAnswer = dataOf({
  messageid: messageId,
  message: z.string(),
  state: z.string(),
  from: shown,
  date,
});

const OPERATIONS = [
  operation({
    name: 'send',
    ...TOLD.send,
    answer: sentAnswer,
    method: 'POST',
    path: '/sms/send',
    input: z.object({
      from: filledText,
      recipients: recipientArray,
      message: messageText,
      type: messageType,
    }),
    run: (call, input) => send(call, input, sentData),
  }),
  operation({
    name: 'multi',
    ...TOLD.multi,
    method: 'POST',
    path: '/sms/multiple-send',
    input: z.object({
      fromArray: texts,
      recipients: z.array(z.string()),
      messageArray: z.array(messageText),
      typeArray: z.array(flashType),
    }),
    run: multi,
  }),
  // Not in the interface, but real clients of version 3 call it.
  operation({
    name: 'pattern-send',
    summary: 'Sends a pattern with its variables filled in.',
    answer: sentAnswer,
    refuses: PATTERN_REFUSES,
    example: { from: LINE, recipients: NUMBERS, message: { code: '1234' }, pattern_id: 1 },
    method: 'POST',
    path: '/sms/pattern-send',
    input: z.object({
      from: filledText,
      recipients: recipientArray,
      message: patternVariables,
      pattern_id: wholeNumber,
    }),
    run(call, { from, recipients, message: variables, pattern_id: patternId }) {
      const message = fillPattern(call.account, patternId, variables);
      return typeof message === 'string' ? send(call, { from, recipients, message }, sentData) : message;
    },
  }),
  operation({
    name: 'status',
    ...TOLD.status,
    method: 'POST',
    path: '/sms/status',
    input: z.object({ messageid: statusIds }),
    run: (call, { messageid }) => status(call, messageid),
  }),
  operation({
    name: 'select',
    ...TOLD.select,
    method: 'POST',
    path: '/sms/select',
    input: z.object({ messageid: idArray }),
    run: (call, { messageid }) => select(call, messageid),
  }),
  operation({
    name: 'latest',
    ...TOLD.latest,
    method: 'POST',
    path: '/sms/latest',
    input: nothing,
    run: latest,
  }),
  operation({
    name: 'credit',
    ...TOLD.credit,
    method: 'POST',
    path: '/my/credit',
    input: nothing,
    run: credit,
  }),
  operation({ name: 'details', ...TOLD.details, method: 'POST', path: '/my', input: nothing, run: details }),
  ...reportOperations(FORM),
  ...inboxOperations(FORM),
  registerOperation(FORM),
  ...blacklistOperations(FORM, z.array(z.string())),
  operation({
    name: 'phonebook-list',
    ...BOOKS.list,
    answer: entriesOf(book.shape),
    method: 'POST',
    path: '/my/phonebook',
    input: z.object({ name: optionalText }),
    run: ({ account }, { name }) => ({ entries: listBooks(account, name) }),
  }),
  operation({
    name: 'phonebook-numbers',
    ...BOOKS.numbers,
    answer: entriesOf(bookNumber.shape),
    example: { book_id: BOOK },
    method: 'POST',
    path: '/phonebook/number',
    input: z.object({ book_id: wholeNumber }),
    run({ account }, { book_id: id }) {
      const found = account.phonebooks.find(id);
      return found === undefined ? refuse('no_such_record') : { entries: listNumbers(found) };
    },
  }),
  ...V3_PHONEBOOK,
];

/** What a send answers with: a state in words, no recipients. */
function sentData(sent: SentMessage) {
  return {
    messageid: sent.firstId,
    message: sent.text,
    state: 'فعال',
    from: showLine(sent.line),
    date: seconds(sent),
  };
}
