import type { MessageId, SendRequest } from '../../ports/gateway.ts';
import { writeJson } from '../json.ts';
import { wireNumber } from '../number.ts';
import type { RestAsk, RestOperation } from '../rest-operations.ts';
import type { HttpCall } from '../transport/http-call.ts';

/** Interface, version 3: the table of operations. */
const PATHS: Readonly<Record<RestOperation, string>> = {
  multi: '/sms/multiple-send',
  outbox: '/sms/selectoutbox',
  newest: '/sms/latestoutbox',
  byNumber: '/sms/statusbynumber',
  countSent: '/sms/countoutbox',
  countReceived: '/sms/countinbox',
  inbox: '/sms/inbox',
  inboxPage: '/sms/inboxpaged',
  receive: '/sms/receive',
  register: '/user/register',
  books: '/my/phonebook',
  bookNumbers: '/phonebook/number',
  blacklist: '/line/blocked/list',
  blacklistAdd: '/line/blocked/add',
  blacklistRemove: '/line/blocked/remove',
  blacklistCheck: '/line/blocked/exists',
};

/**
 * A call of version 3: a JSON body, by POST where the interface does not say DELETE; an operation without
 * fields gets an empty object. A field that is `undefined` does not travel.
 */
export function restCall(
  headers: Readonly<Record<string, string>>,
  operation: string,
  fields: Readonly<Record<string, unknown>> = {},
  method: 'POST' | 'DELETE' = 'POST',
): HttpCall {
  return { method, path: `/api/v3/rest${operation}`, headers, body: writeJson(fields) };
}

export function askV3(headers: Readonly<Record<string, string>>): RestAsk {
  return (operation, fields) => restCall(headers, PATHS[operation], fields);
}

/** Interface, version 3, Send SMS. */
export function sendFields(request: SendRequest): Readonly<Record<string, unknown>> {
  return {
    from: request.line,
    recipients: request.recipients.map(wireNumber),
    message: request.text,
    type: request.flash ? 1 : 0,
  };
}

/** Interface, version 3, Status and Details: an array of long, so the digits go out as integers. */
export function idFields(ids: readonly MessageId[]): Readonly<Record<string, unknown>> {
  return { messageid: ids.map(BigInt) };
}
