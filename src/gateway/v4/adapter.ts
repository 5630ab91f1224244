import type { Secret } from '../../domain/secret.ts';
import type { Facets } from '../../ports/gateway.ts';
import type { Calls } from '../calls.ts';
import { checkSend } from '../checks.ts';
import { createRestBlacklist } from '../rest-blacklist.ts';
import { createRestLists } from '../rest-lists.ts';
import { createRestMulti } from '../rest-multi.ts';
import { createRestPhonebooks } from '../rest-phonebooks.ts';
import { createRestReads } from '../rest-reads.ts';
import { createRestRegistration } from '../rest-registration.ts';
import { observeRestSend } from '../rest-send.ts';
import { askV4, checkNoComma, getCall, sendCall } from './wire.ts';

/** Version 4: GET, key in the path. */
export function createV4Adapter(calls: Calls, apiKey: Secret) {
  const call = (operation: string, query?: Readonly<Record<string, string>>) =>
    getCall(apiKey.reveal(), operation, query);
  const ask = askV4(() => apiKey.reveal());
  return {
    sending: {
      async send(request, hooks) {
        checkSend(request);
        return calls.send('send', sendCall(apiKey.reveal(), request), observeRestSend(request), hooks);
      },
    },
    ...createRestReads(calls, {
      credit: () => call('user/credit'),
      account: () => call('user/details'),
      latest: () => call('sms/latest'),
      status: (ids) => call('sms/status', { messageid: ids.join(',') }),
      details: (ids) => call('sms/select', { messageid: ids.join(',') }),
    }),
    ...createRestLists(calls, ask),
    multi: createRestMulti(calls, ask, checkNoComma),
    phonebookRead: createRestPhonebooks(calls, ask, 'bookId'),
    blacklist: createRestBlacklist(calls, ask),
    registration: createRestRegistration(calls, ask),
  } satisfies Partial<Facets>;
}
