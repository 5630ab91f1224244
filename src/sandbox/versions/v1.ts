import { z } from 'zod';
import { showLine, showRecipient } from '../world/numbers.ts';
import { listedDate, listedMessages, listedText } from '../world/listing.ts';
import { refuse } from '../world/refusal.ts';
import { createApiVersion } from './api-version.ts';
import type { ApiVersion } from './api-version.ts';
import { headerCredentials } from './credentials.ts';
import { v1DeliveryCode } from './delivery-codes.ts';
import { MAX_STATUS_IDS, nothing, statusIds } from './fields.ts';
import { operation } from './operation.ts';
import { TOLD } from './rest-results.ts';
import { date, doneWith, messageId, shown, state } from './shapes.ts';
import { v1Envelope } from './v1-envelope.ts';
import { V1_PHONEBOOK } from './v1-phonebook.ts';
import { V1_REGISTER } from './v1-register.ts';
import { V1_SENDS } from './v1-sends.ts';

/** Version 1: its own host and envelope; a token, or a user name and password, in headers. */
export function createVersion1(): ApiVersion {
  return createApiVersion({
    version: 1,
    prefix: ['api', 'v1', 'rest'],
    envelope: v1Envelope,
    operations: OPERATIONS,
    authentication: 'the token stands in the header token, or username and password do',
    keyParameters: [],
    credentialPlaces: [
      [{ in: 'header', name: 'token' }],
      [
        { in: 'header', name: 'username' },
        { in: 'header', name: 'password' },
      ],
    ],
    typed: false,
    credentials: ({ headers }) => headerCredentials(headers, 'token'),
  });
}

const DETAILS = [
  'fullname',
  'company',
  'date',
  'fax',
  'mellicode',
  'shenasname',
  'addr',
  'postcode',
] as const;
const userStatus = z.int().meta({ description: 'The user status of the account.' });

const OPERATIONS = [
  ...V1_SENDS,
  operation({
    name: 'status',
    summary: 'Tells where messages stand: one code for each id, 14 for an unknown one.',
    answer: doneWith({ result: z.array(z.object({ id: messageId, status: state })) }),
    refuses: ['no_message_selected', 'too_many_messages'],
    example: (id) => ({ idArray: [id] }),
    method: 'POST',
    path: '/sms/status',
    input: z.object({ idArray: statusIds }),
    run({ world, account }, { idArray: ids }) {
      if (ids.length === 0) return refuse('no_message_selected');
      if (ids.length > MAX_STATUS_IDS) return refuse('too_many_messages');
      const result = ids.map((id) => ({
        id,
        status: v1DeliveryCode(account.outbox.find(id).map(world.stateOf)),
      }));
      return { status: 0, result };
    },
  }),
  operation({
    name: 'latest',
    summary: TOLD.latest.summary,
    answer: doneWith({
      details: z.object({
        id: messageId,
        message: z.string(),
        recipients: z.array(shown),
        from: shown,
        state,
        now: date,
        time: date,
      }),
    }),
    refuses: TOLD.latest.refuses,
    method: 'GET',
    path: '/sms/latest',
    input: nothing,
    run({ world, account }) {
      const [message] = listedMessages(world, account);
      if (message === undefined) return refuse('nothing_sent_yet');
      const { firstId: id, recipients, line, sentAt } = message;
      const rows = recipients.map((recipient) => ({ messageId: id, recipient, message }));
      const details = {
        id,
        message: listedText(message),
        recipients: recipients.map(showRecipient),
        from: showLine(line),
        state: v1DeliveryCode(rows.map(world.stateOf)),
        now: Math.floor(world.now() / 1000),
        time: listedDate(world, sentAt),
      };
      return { status: 0, details };
    },
  }),
  operation({
    name: 'credit',
    summary: TOLD.credit.summary,
    answer: z.object({ status: userStatus, value: z.number() }),
    method: 'GET',
    path: '/my/credit',
    input: nothing,
    run: ({ account }) => ({ status: account.userStatus, value: account.credit }),
    forUserStatus: (userStatus) => ({ status: userStatus, value: 0 }),
  }),
  operation({
    name: 'details',
    summary: TOLD.details.summary,
    answer: z.object({ status: userStatus, details: z.record(z.enum(DETAILS), z.string()) }),
    method: 'GET',
    path: '/my',
    input: nothing,
    run({ account }) {
      const { profile } = account;
      return { status: account.userStatus, details: detailsOf((name) => profile[name]) };
    },
    forUserStatus: (userStatus) => ({ status: userStatus, details: detailsOf(() => '') }),
  }),
  V1_REGISTER,
  ...V1_PHONEBOOK,
];

function detailsOf(value: (name: (typeof DETAILS)[number]) => string | undefined) {
  return Object.fromEntries(DETAILS.map((name) => [name, value(name)]));
}
