import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { deliveryState } from './delivery.ts';
import type { DeliveryState } from './delivery-plan.ts';

const SENT_AT = 1_000_000;
const DELIVERY_MS = 4000;
const at = (recipient: string, age: number) =>
  deliveryState({ sentAt: SENT_AT }, recipient, SENT_AT + age, DELIVERY_MS);

test.each([
  ['9121111111', 'delivered'],
  ['9121111100', 'not_delivered'],
  ['9121111901', 'not_sent'],
  ['9121111902', 'returned'],
  ['9121111903', 'on_the_way'],
])('%s ends as %s', (recipient, state) => {
  expect(at(recipient, DELIVERY_MS)).toBe(state);
  expect(at(recipient, DELIVERY_MS * 1000)).toBe(state);
});

test('a recipient is queued, then on the way, then settled', () => {
  expect(at('9121111150', 0)).toBe('queued');
  expect(at('9121111150', 1500)).toBe('on_the_way');
  expect(at('9121111150', 3000)).toBe('delivered');
});

test('recipients of one call settle one after another', () => {
  expect(at('9121111101', 2100)).toBe('delivered');
  expect(at('9121111199', 2100)).toBe('on_the_way');
});

test('states never go back as time passes', () => {
  const order: DeliveryState[] = ['queued', 'on_the_way', 'delivered'];
  const rank = (state: DeliveryState) => (order.includes(state) ? order.indexOf(state) : 2);
  fc.assert(
    fc.property(
      fc.stringMatching(/^9\d{9}$/),
      fc.nat(DELIVERY_MS),
      fc.nat(DELIVERY_MS),
      (recipient, age, later) => {
        expect(rank(at(recipient, age + later))).toBeGreaterThanOrEqual(rank(at(recipient, age)));
      },
    ),
  );
});
