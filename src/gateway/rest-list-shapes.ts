import { z } from 'zod';

import type { Paging, ReceivedMessage, SentMessage } from '../ports/gateway.ts';
import { canonicalNumber } from './number.ts';
import { type Reading, readShape } from './reading.ts';
import { type RestEnvelope, rowsOf } from './rest-envelope.ts';
import { deliveryState } from './codes.ts';
import {
  digits,
  digitsIfAny,
  integer,
  integerIfAny,
  integerSum,
  omitUndefined,
  rialSum,
  text,
  textIfAny,
} from './values.ts';

/**
 * Results of the listings and counts. Version 4 shows them; version 3's are taken to be the same. A line
 * is left as the gateway wrote it, a mobile number is canonical where it can be recognised.
 */

/** Interface, version 4, Status by number: messageid, message, to, status (integer), statustext, date. */
export const byNumberResult = z.array(
  z
    .object({
      messageid: digits,
      message: text,
      to: textIfAny,
      number: textIfAny,
      status: integer,
      statustext: textIfAny,
      date: integerIfAny,
    })
    .transform((row): SentMessage => {
      const written = row.to ?? row.number;
      return omitUndefined({
        id: row.messageid,
        text: row.message,
        recipient: written === undefined ? undefined : canonicalNumber(written),
        state: deliveryState(row.status, row.statustext ?? ''),
        date: row.date,
      });
    }),
);

/** Interface, Received message: messageid (absent in the plain inbox), message, from, to, date. */
export const receivedResult = z.array(
  z
    .object({ messageid: digitsIfAny, message: text, from: text, to: text, date: integerIfAny })
    .transform((row): ReceivedMessage =>
      omitUndefined({
        id: row.messageid,
        text: row.message,
        sender: canonicalNumber(row.from),
        line: row.to,
        date: row.date,
      }),
    ),
);

/** Interface, Outbox count: sumpart, sumcount, cost. */
export const sentCountResult = z
  .object({ sumpart: integerSum, sumcount: integerSum, cost: rialSum })
  .transform(({ sumpart, sumcount, cost }) => ({ parts: sumpart, messages: sumcount, cost }));

/** Interface, Inbox count: count. */
export const receivedCountResult = z.object({ count: integerSum }).transform(({ count }) => count);

/** Interface, Paging block `current`: four strings. */
const pagingResult = z
  .object({ totalcount: integer, currentpage: integer, totalpages: integer, pagesize: integer })
  .transform((current): Paging => ({
    totalCount: current.totalcount,
    currentPage: current.currentpage,
    totalPages: current.totalpages,
    pageSize: current.pagesize,
  }))
  .refine((paging) => Object.values(paging).every((value) => value >= 0));

/**
 * A page of rows with its paging block (interface, Paging block `current`). A first page without rows may
 * lack the block, because then nothing follows; any other page without it is unreadable.
 */
export function readPage<Row>(
  rows: z.ZodType<Row[]>,
  envelope: RestEnvelope,
  asked: { readonly page: number; readonly pageSize: number },
): Reading<{ readonly rows: readonly Row[]; readonly paging: Paging }> {
  const read = readShape(rows, rowsOf(envelope));
  if (read.kind !== 'read') return read;
  const { current } = envelope;
  const isNone =
    current === undefined || current === null || (Array.isArray(current) && current.length === 0);
  if (isNone && read.value.length === 0 && asked.page === 1) {
    const paging = { totalCount: 0, currentPage: 1, totalPages: 0, pageSize: asked.pageSize };
    return { kind: 'read', value: { rows: [], paging } };
  }
  const paging = readShape(pagingResult, current);
  return paging.kind === 'read'
    ? { kind: 'read', value: { rows: read.value, paging: paging.value } }
    : paging;
}
