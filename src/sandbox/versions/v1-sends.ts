import { z } from 'zod';
import { readRecipient } from '../world/numbers.ts';
import type { SentMessage } from '../world/outbox.ts';
import { fillPattern } from '../world/pattern.ts';
import { isRefusal, type Refusal, refuse } from '../world/refusal.ts';
import { sendMany, sendMessage, type SendRequest } from '../world/send.ts';
import { type LocalTime, tehranTime } from '../world/tehran.ts';
import {
  filledText,
  flashType,
  looseText,
  messageText,
  messageType,
  patternVariables,
  recipientArray,
  wholeNumber,
} from './fields.ts';
import { sendsOf } from './many.ts';
import { type Call, operation, type Operation } from './operation.ts';
import { TOLD } from './rest-results.ts';
import {
  BOOK,
  doneWith,
  LINE,
  MANY,
  messageId,
  NUMBERS,
  PATTERN_REFUSES,
  SEND_EXAMPLE,
  SEND_REFUSES,
  TEXT_REFUSES,
} from './shapes.ts';
import type { V1Payload } from './v1-envelope.ts';

const from = filledText;
const recipients = recipientArray;
const message = messageText;
const answer = doneWith({ id: messageId });
const type = messageType;

const LATER = { year: '1420', month: '1', day: '1', hour: '9', min: '30' };

/** The minute is called min by the clients that are known. */
const parts = z.object({
  year: wholeNumber,
  month: wholeNumber,
  day: wholeNumber,
  hour: wholeNumber,
  min: wholeNumber.optional(),
  minute: wholeNumber.optional(),
});

/** The parameter as it comes; {@link readSendDate} reads it. */
const sendDate = z
  .unknown()
  .refine((date) => date !== undefined)
  .meta({ description: 'Year, month, day, hour and min of Tehran, the same in a text, or epoch seconds.' });

/** The five ways in which version 1 sends. */
export const V1_SENDS: readonly Operation<V1Payload>[] = [
  operation({
    name: 'send',
    summary: TOLD.send.summary,
    answer,
    refuses: SEND_REFUSES,
    example: SEND_EXAMPLE,
    method: 'POST',
    path: '/sms/send',
    input: z.object({ from, recipients, message, type }),
    run: (call, { type: flash, ...request }) => send(call, { ...request, flash }),
  }),
  operation({
    name: 'future-send',
    summary:
      'Sends one text at a later time. Two parameters that the interface names beside these, prtrys and sentPeriod, have no effect.',
    answer,
    refuses: ['wrong_send_time', ...SEND_REFUSES],
    example: { from: LINE, recipients: NUMBERS, message: 'Hello', sendDate: LATER },
    method: 'POST',
    path: '/sms/future-send',
    input: z.object({
      from,
      recipients,
      message,
      sendDate,
    }),
    run(call, { sendDate: written, ...request }) {
      const sendAt = readSendDate(written);
      if (sendAt === undefined) return refuse('wrong_send_time');
      return send(call, { ...request, flash: false, sendAt });
    },
  }),
  operation({
    name: 'pattern-send',
    summary: 'Sends a pattern with its variables filled in.',
    answer,
    refuses: PATTERN_REFUSES,
    example: { from: LINE, recipients: NUMBERS, message: { code: '1234' }, patternId: 1, type: 0 },
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
    summary: 'Sends one text to the numbers of a phonebook and the recipients, to each once.',
    answer,
    refuses: ['no_such_record', ...TEXT_REFUSES],
    example: { ...SEND_EXAMPLE, bookId: BOOK },
    method: 'POST',
    path: '/sms/phonebook-send',
    input: z.object({
      from,
      recipients: z.array(z.string()).default([]),
      bookId: wholeNumber,
      message,
      type,
    }),
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
    ...MANY,
    answer: doneWith({ result: z.array(answer) }),
    method: 'POST',
    path: '/sms/multiple-send',
    input: z.object({
      fromArray: z.array(looseText),
      recipients,
      messageArray: z.array(message),
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

const WRITTEN = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})[ T](\d{1,2}):(\d{1,2})(?::\d{1,2})?$/;

/**
 * The time of a scheduled send as epoch ms, by Tehran's clock, in either calendar; undefined when it cannot be
 * read. The interface gives it no format, so several are taken: an object of its parts (texts or numbers), the
 * same written out, or epoch seconds.
 */
function readSendDate(value: unknown): number | undefined {
  const object = parts.safeParse(value);
  if (object.success) {
    const { min, minute = min ?? 0, ...rest } = object.data;
    return tehranTime({ ...rest, minute });
  }
  const text = looseText.safeParse(value).data?.trim() ?? '';
  if (/^\d{9,11}$/.test(text)) return Number(text) * 1000;
  const written = WRITTEN.exec(text);
  return written === null ? undefined : tehranTime(timeOf(written.slice(1).map(Number)));
}

function timeOf([year = 0, month = 0, day = 0, hour = 0, minute = 0]: readonly number[]): LocalTime {
  return { year, month, day, hour, minute };
}
