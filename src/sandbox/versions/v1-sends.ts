import { z } from 'zod';
import type { SentMessage } from '../world/outbox.ts';
import { readRecipient } from '../world/numbers.ts';
import { fillPattern } from '../world/pattern.ts';
import { isRefusal, refuse } from '../world/refusal.ts';
import type { Refusal } from '../world/refusal.ts';
import { sendMany, sendMessage } from '../world/send.ts';
import type { SendRequest } from '../world/send.ts';
import { flashType, looseText, optionalBit, patternVariables, wholeNumber } from './fields.ts';
import { sendsOf } from './many.ts';
import { operation } from './operation.ts';
import type { Call, Operation } from './operation.ts';
import { readSendDate } from './v1-send-date.ts';
import type { V1Payload } from './v1-envelope.ts';

const from = looseText.pipe(z.string().min(1));
const recipients = z.array(z.string());
const message = z.string();
const type = optionalBit.transform((flash = false) => flash);

/** The five ways in which version 1 sends. */
export const V1_SENDS: readonly Operation<V1Payload>[] = [
  operation({
    name: 'send',
    method: 'POST',
    path: '/sms/send',
    input: z.object({ from, recipients, message, type }),
    run: (call, { type: flash, ...request }) => send(call, { ...request, flash }),
  }),
  operation({
    name: 'future-send',
    method: 'POST',
    path: '/sms/future-send',
    input: z.object({
      from,
      recipients,
      message,
      sendDate: z.unknown().refine((date) => date !== undefined),
    }),
    run(call, { sendDate, ...request }) {
      const sendAt = readSendDate(sendDate);
      if (sendAt === undefined) return refuse('wrong_send_time');
      return send(call, { ...request, flash: false, sendAt });
    },
  }),
  operation({
    name: 'pattern-send',
    method: 'POST',
    path: '/sms/pattern-send',
    input: z.object({ from, recipients, message: patternVariables, patternId: wholeNumber, type }),
    run(call, { message: variables, patternId, type: flash, ...request }) {
      const message = fillPattern(call.account, patternId, variables);
      return typeof message === 'string' ? send(call, { ...request, message, flash }) : message;
    },
  }),
  operation({
    name: 'phonebook-send',
    method: 'POST',
    path: '/sms/phonebook-send',
    input: z.object({ from, recipients: recipients.default([]), bookId: wholeNumber, message, type }),
    run(call, { recipients, bookId, type: flash, ...request }) {
      const book = call.account.phonebooks.find(bookId);
      if (book === undefined) return refuse('no_such_record');
      // In one form, or a number that is named twice would not be seen to be one.
      const named = recipients.map((number) => readRecipient(number) ?? number);
      const all = [...new Set([...book.numbers.keys(), ...named])];
      return send(call, { ...request, recipients: all, flash, anyNumberOfRecipients: true });
    },
  }),
  operation({
    name: 'multi',
    method: 'POST',
    path: '/sms/multiple-send',
    input: z.object({
      fromArray: z.array(looseText),
      recipients,
      messageArray: z.array(z.string()),
      typeArray: z.array(flashType),
    }),
    run(call, input) {
      const requests = sendsOf(input);
      if (!Array.isArray(requests)) return requests;
      const all = sendMany(call.world, call.account, call, requests);
      return Array.isArray(all) ? { status: 0, result: all.map(accepted) } : all;
    },
  }),
];

function send(call: Call, request: SendRequest): V1Payload | Refusal {
  const sent = sendMessage(call.world, call.account, call, request);
  return isRefusal(sent) ? sent : accepted(sent);
}

function accepted({ firstId }: SentMessage) {
  return { status: 0, id: firstId };
}
