import type { Facets, LatestMessage, MessageId } from '../ports/gateway.ts';
import type { Calls } from './calls.ts';
import { inGroups } from './checks.ts';
import { noneIfUnknown, readShape } from './reading.ts';
import type { Reading } from './reading.ts';
import { readRestEnvelope, restReading, rowOf, rowsByRecipient } from './rest-envelope.ts';
import { accountResult, creditResult, detailsResult, latestResult, statusResult } from './rest-shapes.ts';
import type { HttpCall } from './transport/http-call.ts';

/** How a version asks; the answers of versions 4 and 3 have one shape. */
export interface RestRequests {
  credit(): HttpCall;
  account(): HttpCall;
  latest(): HttpCall;
  status(ids: readonly MessageId[]): HttpCall;
  details(ids: readonly MessageId[]): HttpCall;
}

/** The reads that versions 4 and 3 share. */
export function createRestReads(calls: Calls, requests: RestRequests) {
  return {
    credit: {
      credit: () =>
        calls.read('credit', requests.credit(), (body) =>
          restReading(body, (envelope) => readShape(creditResult, rowOf(envelope))),
        ),
    },
    account: {
      details: () =>
        calls.read('account', requests.account(), (body) =>
          restReading(body, (envelope) => readShape(accountResult, rowOf(envelope))),
        ),
    },
    reports: {
      async status(ids) {
        return await inGroups(ids, (group) =>
          calls.read('status', requests.status(group), (body) =>
            noneIfUnknown(
              restReading(body, (envelope) => readShape(statusResult, rowsByRecipient(envelope))),
            ),
          ),
        );
      },
      latest: () => calls.read('latest', requests.latest(), readLatest),
    },
    details: {
      async byIds(ids) {
        return await inGroups(ids, (group) =>
          calls.read('details', requests.details(group), (body) =>
            noneIfUnknown(
              restReading(body, (envelope) => readShape(detailsResult, rowsByRecipient(envelope))),
            ),
          ),
        );
      },
    },
  } satisfies Partial<Facets>;
}

/**
 * The call has no parameter that could be missing, so a plain 400 is the documented "no SMS was found"; a
 * 400 whose text names a code is a refusal.
 */
function readLatest(body: Uint8Array): Reading<LatestMessage | undefined> {
  const envelope = readRestEnvelope(body);
  if (envelope.kind === 'envelope' && envelope.status === 400 && envelope.code === undefined) {
    return { kind: 'read', value: undefined };
  }
  return restReading(body, (answer) => readShape(latestResult, rowOf(answer)));
}
