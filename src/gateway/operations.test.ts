import { expect, test } from 'vitest';

import type { GatewayVersion } from '../ports/gateway.ts';
import type { GatewayLogRecord } from './calls.ts';
import { VERSIONS } from './testing/accounts.ts';
import { adapterOf, OPERATIONS } from './testing/operations.ts';
import { WireError } from './transport/wire-error.ts';

const NEITHER = {
  read: () => Promise.reject(new WireError('refused')),
  write: () =>
    Promise.resolve({ kind: 'failed', stage: 'dial', reason: 'refused', bytesMayHaveLeft: false } as const),
  expect: () => undefined,
  close: () => Promise.resolve(),
};

test.each<GatewayVersion>(VERSIONS)('in version %i an operation has its name in the log', async (version) => {
  const records: GatewayLogRecord[] = [];
  const adapter = adapterOf(version, { transport: NEITHER, log: (record) => records.push(record) });
  const had: string[] = [];
  for (const [name, operation] of OPERATIONS) {
    const work = operation(adapter);
    if (work === undefined) continue;
    await work.catch(() => undefined);
    // Only version 1 has a question of its own for one book.
    had.push(name === 'book_by_name' && version !== 1 ? 'books' : name);
  }
  expect(records.map(({ operation }) => operation)).toEqual(had);
});
