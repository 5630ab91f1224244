import { NEWEST_ROWS, OUTBOX_SECONDS, ROWS_OF_A_NUMBER } from '../domain/interface-limits.ts';
import type { Facets } from '../ports/gateway.ts';
import type { Calls } from './calls.ts';
import { checkLine, checkMoment, checkRange, checkRecipients, checkSize } from './checks.ts';
import { wireNumber } from './number.ts';
import { readShape } from './reading.ts';
import { restReading, rowOf, rowsByRecipient, rowsOf } from './rest-envelope.ts';
import {
  byNumberResult,
  readPage,
  receivedCountResult,
  receivedResult,
  sentCountResult,
} from './rest-list-shapes.ts';
import type { RestAsk } from './rest-operations.ts';
import { detailsResult } from './rest-shapes.ts';

/** Interface, Limits. */
const PAGE_LIMIT = 500;
const PAGE_DEFAULT = 200;

/** The listings and counts that versions 4 and 3 share: outbox, counts, inbox. */
export function createRestLists(calls: Calls, ask: RestAsk) {
  return {
    outbox: {
      async inRange(range) {
        checkRange(range, OUTBOX_SECONDS);
        const call = ask('outbox', { startdate: range.from, enddate: range.to });
        return await calls.read('outbox', call, readSent);
      },
      async newest(limit) {
        checkSize('limit', limit, 1, NEWEST_ROWS);
        return await calls.read('newest', ask('newest', { pagesize: limit }), readSent);
      },
      async byNumber({ recipient, since, limit }) {
        checkRecipients('recipient', [recipient]);
        checkMoment('since', since);
        checkSize('limit', limit, 1, ROWS_OF_A_NUMBER);
        const fields = { number: wireNumber(recipient), startdate: since, pagesize: limit };
        return await calls.read('by_number', ask('byNumber', fields), (body) =>
          restReading(body, (envelope) => readShape(byNumberResult, rowsByRecipient(envelope))),
        );
      },
    },
    counts: {
      async sent(range) {
        checkRange(range);
        const call = ask('countSent', { startdate: range.from, enddate: range.to });
        return await calls.read('count_sent', call, (body) =>
          restReading(body, (envelope) => readShape(sentCountResult, rowOf(envelope))),
        );
      },
      async received({ from, to, ...filter }) {
        checkRange({ from, to });
        const call = ask('countReceived', { startdate: from, enddate: to, ...filterFields(filter) });
        return await calls.read('count_received', call, (body) =>
          restReading(body, (envelope) => readShape(receivedCountResult, rowOf(envelope))),
        );
      },
    },
    inbox: {
      async fromOffset({ count, offset } = {}) {
        checkSize('count', count, 1);
        checkSize('offset', offset, 0);
        return await calls.read('inbox', ask('inbox', { count, offset }), readReceived);
      },
      async page({ page, pageSize, ...filter } = {}) {
        checkSize('page', page, 1);
        checkSize('pageSize', pageSize, 1, PAGE_LIMIT);
        const call = ask('inboxPage', { ...filterFields(filter), page, pagesize: pageSize });
        const asked = { page: page ?? 1, pageSize: pageSize ?? PAGE_DEFAULT };
        const found = await calls.read('inbox_page', call, (body) =>
          restReading(body, (envelope) => readPage(receivedResult, envelope, asked)),
        );
        return { messages: found.rows, paging: found.paging };
      },
      async receive(filter = {}) {
        return await calls.write('receive', ask('receive', filterFields(filter)), readReceived);
      },
    },
  } satisfies Partial<Facets>;
}

function filterFields({ line, read }: { readonly line?: string; readonly read?: boolean }) {
  if (line !== undefined) checkLine(line);
  return { number: line, isread: read === undefined ? undefined : Number(read) };
}

function readSent(body: Uint8Array) {
  return restReading(body, (envelope) => readShape(detailsResult, rowsByRecipient(envelope)));
}

function readReceived(body: Uint8Array) {
  return restReading(body, (envelope) => readShape(receivedResult, rowsOf(envelope)));
}
