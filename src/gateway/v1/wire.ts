import { z } from 'zod';

import type { AcceptedId } from '../../domain/attempt.ts';
import type {
  AccountDetails,
  LatestMessage,
  MessageId,
  SendRequest,
  StatusEntry,
} from '../../ports/gateway.ts';
import { writeJson } from '../json.ts';
import { canonicalNumber, wireNumber } from '../number.ts';
import type { HttpCall } from '../transport/http-call.ts';
import { deliveryState } from '../codes.ts';
import {
  anything,
  digits,
  integerIfAny,
  omitUndefined,
  rial,
  text,
  textIfAny,
  toDigits,
  toInteger,
} from '../values.ts';

/** Interface, version 1, Credit: `result.value`. */
export const creditResult = z.object({ value: rial }).transform(({ value }) => value);

/** Interface, version 1, Account details: `result.details`, all text. */
export const accountResult = z
  .object({
    details: z.object({
      fullname: textIfAny,
      company: textIfAny,
      date: textIfAny,
      fax: textIfAny,
      mellicode: textIfAny,
      shenasname: textIfAny,
      addr: textIfAny,
      postcode: textIfAny,
    }),
  })
  .transform(({ details }): AccountDetails =>
    omitUndefined({
      fullName: details.fullname,
      company: details.company,
      nationalCode: details.mellicode,
      certificateNumber: details.shenasname,
      date: details.date,
      postCode: details.postcode,
      address: details.addr,
      fax: details.fax,
    }),
  )
  .refine((details) => Object.keys(details).length > 0);

const rawState = anything.transform(
  (value): number | string => toInteger(value) ?? (typeof value === 'string' ? value : ''),
);

/** Interface, version 1, Latest: `result.details`. `time` is taken as the moment of sending when it is a number. */
export const latestResult = z
  .object({
    details: z.object({
      id: digits,
      message: text,
      recipients: z.array(text).nullish(),
      from: textIfAny,
      state: rawState,
      time: integerIfAny,
    }),
  })
  .transform(({ details }): LatestMessage => {
    const recipients = (details.recipients ?? []).map(canonicalNumber);
    return omitUndefined({
      id: details.id,
      text: details.message,
      line: details.from,
      recipients,
      recipientsCount: recipients.length,
      state: deliveryState(details.state, typeof details.state === 'string' ? details.state : ''),
      date: details.time,
    });
  });

/** A call of version 1. */
export type V1Ask = (method: HttpCall['method'], path: string, fields?: object) => HttpCall;

export function askV1(headers: Readonly<Record<string, string>>): V1Ask {
  return (method, path, fields) => ({
    method,
    path: `/api/v1/rest${path}`,
    headers,
    ...(fields === undefined ? {} : { body: writeJson(fields) }),
  });
}

/** Interface, version 1, Send. */
export function sendFields(request: SendRequest): Readonly<Record<string, unknown>> {
  return {
    from: request.line,
    recipients: request.recipients.map(wireNumber),
    message: request.text,
    type: request.flash ? 1 : 0,
  };
}

/**
 * The id of a send: one for the call, or a list that is aligned with the recipients, where they are known.
 * Empty when unreadable.
 */
export function acceptedIds(result: unknown, recipients?: readonly string[]): readonly AcceptedId[] {
  if (typeof result !== 'object' || result === null || !('id' in result)) return [];
  if (!Array.isArray(result.id)) {
    const id = toDigits(result.id);
    return id === undefined ? [] : [{ id }];
  }
  const ids = result.id.map(toDigits);
  if (recipients !== undefined && ids.length !== recipients.length) return [];
  const rows = ids.flatMap((id, index) =>
    id === undefined ? [] : [omitUndefined({ id, recipient: recipients?.[index] })],
  );
  return rows.length === ids.length ? rows : [];
}

const statusRow = z.object({
  id: anything,
  messageid: anything,
  status: anything,
  state: anything,
  statustext: textIfAny,
  recipient: textIfAny,
  number: textIfAny,
  to: textIfAny,
});

/**
 * The status result, which the interface does not show: a list, bare or as a member of the result, of codes
 * of the delivery table in the order of the ids, or of rows that name their id. `undefined` when it is neither.
 */
export function statusEntries(
  result: unknown,
  ids: readonly MessageId[],
): readonly StatusEntry[] | undefined {
  const rows = listOf(result);
  if (!Array.isArray(rows)) return undefined;
  const entries = rows.map((row: unknown, index) =>
    statusEntry(row, rows.length === ids.length ? ids[index] : undefined),
  );
  const read = entries.filter((entry) => entry !== undefined);
  return read.length === entries.length ? read : undefined;
}

function statusEntry(row: unknown, alignedId: MessageId | undefined): StatusEntry | undefined {
  const code = toInteger(row);
  if (code !== undefined) {
    return alignedId === undefined ? undefined : { id: alignedId, state: deliveryState(code, '') };
  }
  const parsed = statusRow.safeParse(row);
  if (!parsed.success) return undefined;
  const { data } = parsed;
  const id = toDigits(data.id) ?? toDigits(data.messageid) ?? alignedId;
  const value = data.state ?? data.status;
  const raw = toInteger(value) ?? (typeof value === 'string' ? value : undefined);
  if (id === undefined || raw === undefined) return undefined;
  const word = typeof data.status === 'string' && toInteger(data.status) === undefined ? data.status : '';
  const number = data.recipient ?? data.number ?? data.to;
  return omitUndefined({
    id,
    recipient: number === undefined ? undefined : canonicalNumber(number),
    state: deliveryState(raw, data.statustext ?? word),
  });
}

/** The list of a result: the result itself, or the only list among its members; `undefined` without one. */
export function listOf(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return result;
  const lists = Object.values(result).filter((value: unknown) => Array.isArray(value));
  return lists.length === 1 ? lists[0] : undefined;
}
