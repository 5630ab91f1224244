import type { Json } from '../json.ts';
import { showLine, showRecipient } from '../world/numbers.ts';
import type { SentMessage, SentRow } from '../world/outbox.ts';
import { inAnyOrder, listedDate, listedMessages, listedText } from '../world/listing.ts';
import { z } from 'zod';
import { isRefusal, refuse } from '../world/refusal.ts';
import type { Refusal } from '../world/refusal.ts';
import { sendMany, sendMessage } from '../world/send.ts';
import { sendsOf } from './many.ts';
import type { ManyInput } from './many.ts';
import { MAX_STATUS_IDS } from './fields.ts';
import type { AskedId } from './fields.ts';
import { REST_UNKNOWN_ID, restState, restStatus } from './delivery-codes.ts';
import type { About, Call } from './operation.ts';
import type { RestPayload } from './rest-envelope.ts';
import {
  dataOf,
  date,
  entriesOf,
  MANY,
  messageId,
  SEND_EXAMPLE,
  SEND_REFUSES,
  shown,
  state,
} from './shapes.ts';

/** What versions 4 and 3 answer alike: they stand before the same gateway. */

const ACCEPTED = 'پیام با موفقیت در صف ارسال قرار گرفت';

const text = z.string();
const sentShape = { messageid: messageId, message: text, state: z.int(), from: shown, to: shown, date };

/** What readers are told of each. */
export const TOLD = {
  send: {
    summary: 'Sends one text to one or several recipients.',
    answer: dataOf(sentShape),
    refuses: SEND_REFUSES,
    example: SEND_EXAMPLE,
  },
  multi: { ...MANY, answer: entriesOf({ index: z.int(), ...sentShape }) },
  status: {
    summary: 'Tells where messages stand: a row for each recipient, or one with state 14 for an unknown id.',
    answer: entriesOf({ messageid: messageId, from: shown, number: shown, state, status: text }),
    refuses: ['no_message_selected', 'too_many_messages'],
    example: (id: bigint) => ({ messageid: [id] }),
  },
  select: {
    summary: 'Shows messages by their ids: a row for each recipient of the known ones.',
    answer: entriesOf({
      messageid: messageId,
      message: text,
      number: shown,
      state,
      status: text,
      from: shown,
      date,
    }),
    refuses: ['no_message_selected', 'no_report'],
    example: (id: bigint) => ({ messageid: [id] }),
  },
  latest: {
    summary: 'Shows the message that was sent last.',
    answer: dataOf({
      messageid: messageId,
      message: text,
      recipients_count: z.int(),
      recipients: z.array(shown),
      from: shown,
      state,
      date,
    }),
    refuses: ['nothing_sent_yet'],
  },
  credit: { summary: 'Tells the credit, in rial.', answer: dataOf({ credit: z.number() }) },
  details: {
    summary: 'Shows the account.',
    answer: dataOf({
      fullname: text,
      mellicode: text,
      shenasname: text,
      date: text,
      postcode: text,
      addr: text,
      expire_time: text,
      credit: text,
      tarrif: text,
      type: text,
    }),
  },
} as const satisfies Record<string, About>;

type SendInput = { from: string; recipients: string[]; message: string; type?: boolean | undefined };

/** Sends; `show` makes the version's `data` of what was accepted. */
export function send(
  call: Call,
  input: SendInput,
  show: (sent: SentMessage) => Record<string, Json>,
): RestPayload | Refusal {
  const { from, recipients, message, type: flash = false } = input;
  const sent = sendMessage(call.world, call.account, call, { from, recipients, message, flash });
  if (isRefusal(sent)) return sent;
  return { message: ACCEPTED, data: show(sent) };
}

/** Sends one text to each of several recipients; `state` is 1 for each, in version 3 too. */
export function multi(call: Call, input: ManyInput): RestPayload | Refusal {
  const requests = sendsOf(input);
  if (!Array.isArray(requests)) return requests;
  const all = sendMany(call.world, call.account, call, requests);
  if (!Array.isArray(all)) return all;
  const entries = all.map((sent, index): Json => ({ index, ...sentEntry(sent) }));
  return { message: ACCEPTED, entries };
}

/** A message that was just accepted, as version 4 shows it. */
export function sentEntry(sent: SentMessage) {
  return {
    messageid: sent.firstId,
    message: sent.text,
    state: 1,
    from: showLine(sent.line),
    to: sent.recipients.map(showRecipient).join(','),
    date: seconds(sent),
  };
}

/** One entry for every recipient of every id, or one with state 14 for an id that is not the account's. */
export function status({ world, account }: Call, ids: readonly AskedId[]): RestPayload | Refusal {
  if (ids.length === 0) return refuse('no_message_selected');
  if (ids.length > MAX_STATUS_IDS) return refuse('too_many_messages');
  const entries = ids.flatMap((messageid): Json[] => {
    const rows = account.outbox.find(messageid);
    if (rows.length === 0) return [{ messageid, from: '', number: '', ...REST_UNKNOWN_ID }];
    return rows.map((row) => ({
      messageid,
      from: showLine(row.message.line),
      number: showRecipient(row.recipient),
      ...restStatus(world.stateOf(row)),
    }));
  });
  return { entries: inAnyOrder(world, entries) };
}

/** One entry for every recipient of the known ids; refused when none is known. */
export function select({ world, account }: Call, ids: readonly AskedId[]): RestPayload | Refusal {
  if (ids.length === 0) return refuse('no_message_selected');
  const entries = ids.flatMap((messageid) =>
    account.outbox.find(messageid).map((row) => ({
      messageid,
      message: listedText(row.message),
      number: showRecipient(row.recipient),
      ...restState(world.stateOf(row)),
      from: showLine(row.message.line),
      date: listedDate(world, row.message.sentAt),
    })),
  );
  return entries.length === 0 ? refuse('no_report') : { entries: inAnyOrder(world, entries) };
}

/** The call that was sent last; its `state` is that of its first recipient. */
export function latest({ world, account }: Call): RestPayload | Refusal {
  const [message] = listedMessages(world, account);
  const [recipient] = message?.recipients ?? [];
  if (message === undefined || recipient === undefined) return refuse('nothing_sent_yet');
  const first: SentRow = { messageId: message.firstId, recipient, message };
  return {
    data: {
      messageid: message.firstId,
      message: listedText(message),
      recipients_count: message.recipients.length,
      recipients: message.recipients.map(showRecipient),
      from: showLine(message.line),
      state: restState(world.stateOf(first)).state,
      date: listedDate(world, message.sentAt),
    },
  };
}

export function credit({ account }: Call): RestPayload {
  return { data: { credit: account.credit } };
}

/** All texts, the numbers too. `tarrif` is the price of a Persian part. */
export function details({ account }: Call): RestPayload {
  const { company: _company, fax: _fax, ...profile } = account.profile;
  return {
    data: {
      ...profile,
      credit: `${account.credit}.00`,
      tarrif: String(account.price.ucs2),
      type: account.representative ? 'نماینده' : 'عادی',
    },
  };
}

/** Epoch seconds at which a message is sent. */
export function seconds(message: SentMessage): number {
  return Math.floor(message.sentAt / 1000);
}
