import type { MultiMessage, SendRequest } from '../../ports/gateway.ts';
import { refuse } from '../checks.ts';
import { wireNumber } from '../number.ts';
import type { RestAsk, RestOperation } from '../rest-operations.ts';
import type { HttpCall } from '../transport/http-call.ts';

/** Servers commonly refuse a request line of 8 KiB; a send must not be cut on the way. */
const PATH_LIMIT = 7_500;

/** Interface, version 4: the table of operations. */
const PATHS: Readonly<Record<RestOperation, string>> = {
  multi: 'sms/multi',
  outbox: 'sms/selectoutbox',
  newest: 'sms/latestoutbox',
  byNumber: 'sms/statusbynumber',
  countSent: 'sms/countoutbox',
  countReceived: 'sms/countinbox',
  inbox: 'sms/inbox',
  inboxPage: 'sms/inboxpaged',
  receive: 'sms/receive',
  register: 'user/register',
  books: 'phonebook/list',
  bookNumbers: 'phonebook/numbers',
  blacklist: 'line/blocked/list',
  blacklistAdd: 'line/blocked/add',
  blacklistRemove: 'line/blocked/remove',
  blacklistCheck: 'line/blocked/exists',
};

/** A call of version 4: GET, the key as a path segment, everything else in the query. */
export function getCall(
  key: string,
  operation: string,
  query: Readonly<Record<string, string>> = {},
): HttpCall {
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const path = `/api/v4/${encodeURIComponent(key)}/${operation}.json`;
  return {
    method: 'GET',
    path: parameters.length === 0 ? path : `${path}?${parameters.join('&')}`,
    headers: {},
  };
}

/**
 * Interface, version 4, Send SMS. Recipients are joined by commas; the text is a parameter of its own, so a
 * comma in it is safe. Throws `bad_input` when the address would be too long to arrive whole.
 */
export function sendCall(key: string, request: SendRequest): HttpCall {
  const call = getCall(key, 'sms/send', {
    from: request.line,
    recipients: request.recipients.map(wireNumber).join(','),
    message: request.text,
    type: request.flash ? '1' : '0',
  });
  if (call.path.length > PATH_LIMIT) refuse('text', 'too_long_for_version_4', PATH_LIMIT);
  return call;
}

/** Asks in version 4. Throws `bad_input` when the address would be too long to arrive whole. */
export function askV4(key: () => string): RestAsk {
  return (operation, fields) => {
    const query = Object.entries(fields).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const call = getCall(key(), PATHS[operation], Object.fromEntries(query));
    if (call.path.length > PATH_LIMIT) refuse('request', 'too_long_for_version_4', PATH_LIMIT);
    return call;
  };
}

/** A comma inside a text would end it there and shift everything behind it. Throws `bad_input`. */
export function checkNoComma(messages: readonly MultiMessage[]): void {
  if (messages.some(({ text }) => text.includes(','))) refuse('text', 'comma_in_version_4');
}
