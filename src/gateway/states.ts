import { deliveryMeaning } from '../domain/delivery-codes.ts';
import type { DeliveryState } from '../ports/gateway.ts';

/** A state as the gateway gave it, by number or in words, with what it means. */
export function deliveryState(raw: number | string, text: string): DeliveryState {
  return { raw, text, kind: deliveryMeaning(raw).kind };
}
