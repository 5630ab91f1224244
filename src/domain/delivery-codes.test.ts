import { expect, test } from 'vitest';
import { deliveryMeaning } from './delivery-codes.ts';

test('each number of the interface has its meaning, and no other number has one', () => {
  const meanings = Array.from({ length: 100 }, (_, code) => [code, deliveryMeaning(code)] as const);
  expect(Object.fromEntries(meanings.filter(([, { kind }]) => kind !== 'unknown'))).toEqual({
    0: { kind: 'waiting' },
    1: { kind: 'sent' },
    2: { kind: 'failed', reason: 'operator' },
    3: { kind: 'sent' },
    4: { kind: 'delivered' },
    5: { kind: 'failed', reason: 'handset' },
    6: { kind: 'failed', reason: 'returned' },
    10: { kind: 'delivered' },
    11: { kind: 'failed', reason: 'handset' },
    13: { kind: 'failed' },
  });
  for (const other of ['', '-1', '01', '4.0', 'delivered'])
    expect(deliveryMeaning(other)).toEqual({ kind: 'unknown' });
  expect(deliveryMeaning('4')).toBe(deliveryMeaning(4));
});
