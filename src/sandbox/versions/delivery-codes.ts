import type { DeliveryState } from '../world/delivery-plan.ts';

/** Interface, Delivery status of a message: what the status operation of every version answers. */
const CODES = {
  scheduled: 0,
  queued: 1,
  not_sent: 2,
  on_the_way: 3,
  delivered: 4,
  not_delivered: 5,
  returned: 6,
} as const satisfies Record<DeliveryState, number>;

const UNKNOWN_ID = 14;

const WORDS = {
  scheduled: 'زمان‌بندی شده',
  queued: 'در صف ارسال',
  not_sent: 'نرسیده به مخابرات',
  on_the_way: 'رسیده به مخابرات',
  delivered: 'رسیده به گیرنده',
  not_delivered: 'نرسیده به گیرنده',
  returned: 'برگشت داده شده',
} as const satisfies Record<DeliveryState, string>;

/** Versions 4 and 3, status: `state` and `status` of a recipient. */
export function restStatus(at: DeliveryState) {
  return { state: CODES[at], status: WORDS[at] };
}

/** Versions 4 and 3, status: an id that the account has no message for. */
export const REST_UNKNOWN_ID = { state: UNKNOWN_ID, status: 'شناسه نامعتبر است' } as const;

const SHOWN_DELIVERED = 10;

/** Versions 4 and 3, every other result: the same, save that what is delivered is shown as 10 there. */
export function restState(at: DeliveryState) {
  return at === 'delivered' ? { ...restStatus(at), state: SHOWN_DELIVERED } : restStatus(at);
}

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
  return telling === undefined ? UNKNOWN_ID : CODES[telling];
}
