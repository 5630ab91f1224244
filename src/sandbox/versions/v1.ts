import { z } from 'zod';
import { showLine, showRecipient } from '../world/numbers.ts';
import { listedDate, listedMessages, listedText } from '../world/listing.ts';
import { refuse } from '../world/refusal.ts';
import { createApiVersion } from './api-version.ts';
import type { ApiVersion } from './api-version.ts';
import { headerCredentials } from './credentials.ts';
import { v1DeliveryCode } from './delivery-codes.ts';
import { idArray, nothing } from './fields.ts';
import { operation } from './operation.ts';
import { v1Envelope } from './v1-envelope.ts';
import { V1_PHONEBOOK } from './v1-phonebook.ts';
import { V1_REGISTER } from './v1-register.ts';
import { V1_SENDS } from './v1-sends.ts';

const MAX_STATUS_IDS = 50;

/** Version 1: its own host and envelope; a token, or a user name and password, in headers. */
export function createVersion1(): ApiVersion {
  return createApiVersion({
    version: 1,
    prefix: ['api', 'v1', 'rest'],
    envelope: v1Envelope,
    operations: OPERATIONS,
    authentication: 'the token stands in the header token, or username and password do',
    keyParameters: [],
    typed: false,
    credentials: ({ headers }) => headerCredentials(headers, 'token'),
  });
}

const NO_DETAILS = {
  fullname: '',
  company: '',
  date: '',
  fax: '',
  mellicode: '',
  shenasname: '',
  addr: '',
  postcode: '',
};

const OPERATIONS = [
  ...V1_SENDS,
  operation({
    name: 'status',
    method: 'POST',
    path: '/sms/status',
    input: z.object({ idArray }),
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
    method: 'GET',
    path: '/my/credit',
    input: nothing,
    run: ({ account }) => ({ status: account.userStatus, value: account.credit }),
    forUserStatus: (userStatus) => ({ status: userStatus, value: 0 }),
  }),
  operation({
    name: 'details',
    method: 'GET',
    path: '/my',
    input: nothing,
    run({ account }) {
      const { fullname, company, date, fax, mellicode, shenasname, addr, postcode } = account.profile;
      return {
        status: account.userStatus,
        details: { fullname, company, date, fax, mellicode, shenasname, addr, postcode },
      };
    },
    forUserStatus: (userStatus) => ({ status: userStatus, details: NO_DETAILS }),
  }),
  V1_REGISTER,
  ...V1_PHONEBOOK,
];
