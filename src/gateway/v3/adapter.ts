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
import { createV3Pattern } from './pattern.ts';
import { createV3PhonebookWrite } from './phonebook-write.ts';
import { askV3, idFields, restCall, sendFields } from './wire.ts';

/** Version 3: POST with JSON, credentials in `headers`. */
export function createV3Adapter(calls: Calls, headers: Readonly<Record<string, string>>) {
  const ask = askV3(headers);
  return {
    sending: {
      async send(request, hooks) {
        checkSend(request);
        const call = restCall(headers, '/sms/send', sendFields(request));
        return calls.send('send', call, observeRestSend(request), hooks);
      },
    },
    ...createRestReads(calls, {
      credit: () => restCall(headers, '/my/credit'),
      account: () => restCall(headers, '/my'),
      latest: () => restCall(headers, '/sms/latest'),
      status: (ids) => restCall(headers, '/sms/status', idFields(ids)),
      details: (ids) => restCall(headers, '/sms/select', idFields(ids)),
    }),
    ...createRestLists(calls, ask),
    multi: createRestMulti(calls, ask),
    pattern: createV3Pattern(calls, headers),
    phonebookRead: createRestPhonebooks(calls, ask, 'book_id'),
    phonebookWrite: createV3PhonebookWrite(calls, headers),
    blacklist: createRestBlacklist(calls, ask),
    registration: createRestRegistration(calls, ask),
  } satisfies Partial<Facets>;
}
