import type { z } from 'zod';

import type { Paging } from '../ports/gateway.ts';
import { readShape } from './reading.ts';
import type { Reading } from './reading.ts';
import { rowsOf } from './rest-envelope.ts';
import type { RestEnvelope } from './rest-envelope.ts';
import { pagingResult } from './rest-list-shapes.ts';

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
