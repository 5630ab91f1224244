import type { DeliveryState } from '../world/delivery.ts';

/**
 * Versions 4 and 3: `state` and `status` of a recipient. Only 1 and 10 are certain; the others were chosen
 * so that the table of delivery codes and what similar gateways use do not contradict each other.
 */
export const REST_STATES = {
  scheduled: { state: 2, status: 'زمان‌بندی شده' },
  queued: { state: 1, status: 'در صف ارسال' },
  on_the_way: { state: 3, status: 'رسیده به مخابرات' },
  delivered: { state: 10, status: 'رسیده به گیرنده' },
  not_delivered: { state: 11, status: 'نرسیده به گیرنده' },
  not_sent: { state: 6, status: 'نرسیده به مخابرات' },
  returned: { state: 6, status: 'برگشت داده شده' },
} as const satisfies Record<DeliveryState, { state: number; status: string }>;

/** Versions 4 and 3: an id that the account has no message for. */
export const REST_UNKNOWN_ID = { state: 14, status: 'شناسه نامعتبر است' } as const;

/** Version 1: delivery codes of the interface. */
const V1_CODES = {
  scheduled: 0,
  queued: 0,
  on_the_way: 3,
  delivered: 4,
  not_delivered: 5,
  not_sent: 2,
  returned: 6,
} as const satisfies Record<DeliveryState, number>;

const V1_UNKNOWN_ID = 14;
const PENDING: readonly DeliveryState[] = ['scheduled', 'queued', 'on_the_way'];

/**
 * Version 1 has one code for a message id, however many recipients it has: the least advanced one while any
 * is on its way, then delivered only when all are, else the first failure.
 */
export function v1DeliveryCode(states: readonly DeliveryState[]): number {
  const telling =
    PENDING.find((state) => states.includes(state)) ??
    states.find((state) => state !== 'delivered') ??
    states[0];
  return telling === undefined ? V1_UNKNOWN_ID : V1_CODES[telling];
}
