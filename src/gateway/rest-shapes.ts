import { z } from 'zod';

import type { AcceptedId } from '../domain/attempt.ts';
import type { AccountDetails, LatestMessage, SentMessage, StatusEntry } from '../ports/gateway.ts';
import { canonicalNumber } from './number.ts';
import { deliveryState } from './codes.ts';
import {
  anything,
  digits,
  integerIfAny,
  omitUndefined,
  rial,
  required,
  rialIfAny,
  text,
  textIfAny,
  toDigits,
  toInteger,
  toText,
} from './values.ts';

/**
 * Results of versions 4 and 3. Version 3's are the same where they are shown, and are taken to be where
 * they are not. Members that are not named here are ignored.
 */

function toState(value: unknown): number | string {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  if (typeof value === 'string' && /^[0-9]{1,4}$/.test(value)) return Number(value);
  return typeof value === 'string' ? value : '';
}

/** Interface, version 4, Credit: `data.credit`. */
export const creditResult = z.object({ credit: rial }).transform(({ credit }) => credit);

/** Interface, Account details (versions 4 and 3). `tarrif` is the interface's spelling. */
export const accountResult = z
  .object({
    fullname: textIfAny,
    mellicode: textIfAny,
    shenasname: textIfAny,
    date: textIfAny,
    postcode: textIfAny,
    addr: textIfAny,
    expire_time: integerIfAny,
    credit: rialIfAny,
    tarrif: textIfAny,
    type: textIfAny,
  })
  .transform((data): AccountDetails =>
    omitUndefined({
      fullName: data.fullname,
      nationalCode: data.mellicode,
      certificateNumber: data.shenasname,
      date: data.date,
      postCode: data.postcode,
      address: data.addr,
      expiresAt: data.expire_time,
      credit: data.credit,
      tariff: data.tarrif,
      type: data.type,
    }),
  )
  // Every member is optional, but an object with none of them is not an account.
  .refine((details) => Object.keys(details).length > 0);

/** Interface, version 4, Message status: messageid, from, number, state, status. */
export const statusResult = rowsBy(statusEntry);

/** Interface, version 4, Message details: messageid, message, number, state, status, from, date. */
export const detailsResult = rowsBy((row): SentMessage | undefined => {
  const entry = statusEntry(row);
  const text = toText(row['message']);
  if (entry === undefined || text === undefined) return undefined;
  return omitUndefined({ ...entry, text, date: toInteger(row['date']) });
});

/** A list of rows, each read in one step: a schema for each member would cost several times the rest of an answer. */
function rowsBy<T>(read: (row: Readonly<Record<string, unknown>>) => T | undefined) {
  return z.array(required((row) => (isObject(row) ? read(row) : undefined)));
}

function statusEntry(row: Readonly<Record<string, unknown>>): StatusEntry | undefined {
  const id = toDigits(row['messageid']);
  if (id === undefined) return undefined;
  // Of an id that the gateway does not know, it tells an empty one.
  const number = toText(row['number']) || toText(row['to']) || undefined;
  return omitUndefined({
    id,
    line: toText(row['from']),
    recipient: number === undefined ? undefined : canonicalNumber(number),
    state: deliveryState(toState(row['state']), toText(row['status']) ?? ''),
  });
}

/** Interface, Latest message: messageid, message, recipients_count, recipients[], from, state, date. */
export const latestResult = z
  .object({
    messageid: digits,
    message: text,
    recipients_count: integerIfAny,
    recipients: z.array(text).nullish(),
    from: textIfAny,
    state: anything.transform(toState),
    status: textIfAny,
    date: integerIfAny,
  })
  .transform((data): LatestMessage => {
    const recipients = (data.recipients ?? []).map(canonicalNumber);
    return omitUndefined({
      id: data.messageid,
      text: data.message,
      line: data.from,
      recipients,
      recipientsCount: data.recipients_count ?? recipients.length,
      state: deliveryState(data.state, data.status ?? ''),
      date: data.date,
    });
  });

export interface SendResult {
  readonly messageIds: readonly AcceptedId[];
  readonly text?: string;
  readonly line?: string;
}

/**
 * The result of a send: one row with one id for the call (interface, Send SMS), or a row for every
 * recipient. None when any row lacks an id.
 */
export function readSendResult(rows: unknown): SendResult {
  if (!Array.isArray(rows)) return { messageIds: [] };
  // In one step: a schema for each row would cost as much as the whole call.
  const read = rows.map(sendRow);
  const sound = read.filter((row) => row !== null);
  if (sound.length < read.length) return { messageIds: [] };
  const [first] = sound;
  const messageIds = sound.map(({ id, to }) =>
    sound.length > 1 && to !== undefined ? { id, recipient: canonicalNumber(to) } : { id },
  );
  return omitUndefined({ messageIds, text: toText(first?.message), line: toText(first?.from) });
}

function sendRow(row: unknown) {
  if (!isObject(row)) return null;
  const id = toDigits(row['messageid']);
  return id === undefined ? null : { id, to: toText(row['to']), message: row['message'], from: row['from'] };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
