import type { Facets, LatestMessage } from '../../ports/gateway.ts';
import type { Calls } from '../calls.ts';
import { checkSend, inGroups } from '../checks.ts';
import { noneIfUnknown, type Reading, readShape } from '../reading.ts';
import { v1AccountReading, v1Reading } from './envelope.ts';
import { createV1Multi } from './multi.ts';
import { createV1PhonebookRead, createV1PhonebookWrite } from './phonebooks.ts';
import { createV1Registration } from './registration.ts';
import { createV1Sends, observeV1Send } from './sends.ts';
import { accountResult, askV1, creditResult, latestResult, sendFields, statusEntries } from './wire.ts';

const NO_REPORT = new Set([30, 31]);

/**
 * Version 1: its own host and envelope, credentials in `headers`. It has no details by id. `isPlain` is the second form of
 * the values whose types the interface does not show.
 */
export function createV1Adapter(calls: Calls, headers: Readonly<Record<string, string>>, isPlain = false) {
  const ask = askV1(headers);
  const get = (path: string) => ask('GET', path);
  const post = (path: string, fields: object) => ask('POST', path, fields);
  return {
    sending: {
      async send(request, hooks) {
        checkSend(request);
        return calls.send(
          'send',
          post('/sms/send', sendFields(request)),
          observeV1Send(request.recipients),
          hooks,
        );
      },
    },
    credit: {
      credit: () =>
        calls.read('credit', get('/my/credit'), (body) =>
          v1AccountReading(body, (result) => readShape(creditResult, result)),
        ),
    },
    account: {
      details: () =>
        calls.read('account', get('/my'), (body) =>
          v1AccountReading(body, (result) => readShape(accountResult, result)),
        ),
    },
    reports: {
      async status(ids) {
        return await inGroups(ids, (group) =>
          calls.read('status', post('/sms/status', { idArray: group.map(BigInt) }), (body) =>
            noneIfUnknown(v1Reading(body, (result) => orOtherShape(statusEntries(result, group)))),
          ),
        );
      },
      latest: () => calls.read('latest', get('/sms/latest'), readLatest),
    },
    ...createV1Sends(calls, ask, isPlain),
    multi: createV1Multi(calls, ask),
    phonebookRead: createV1PhonebookRead(calls, ask),
    phonebookWrite: createV1PhonebookWrite(calls, ask),
    registration: createV1Registration(calls, ask, isPlain),
  } satisfies Partial<Facets>;
}

/** Without a message the interface shows nothing for version 1: its "no report" codes are taken for none. */
function readLatest(body: Uint8Array): Reading<LatestMessage | undefined> {
  const reading = v1Reading(body, (result) => readShape(latestResult, result));
  return reading.kind === 'refused' && NO_REPORT.has(reading.code)
    ? { kind: 'read', value: undefined }
    : reading;
}

function orOtherShape<T>(value: T | undefined): Reading<T> {
  return value === undefined ? { kind: 'unreadable', reason: 'other_shape' } : { kind: 'read', value };
}
