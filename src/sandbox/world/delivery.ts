import { chances } from '../chances.ts';
import { DELIVERY_STATES } from './delivery-plan.ts';
import type { DeliveryPlan, DeliveryState } from './delivery-plan.ts';
import { operatorOf } from './operators.ts';
import type { SentMessage } from './outbox.ts';

/**
 * The state of one recipient, worked out from the message's age alone, so that no timer runs and a moved
 * clock is enough. Recipients settle one after another between half of `deliveryMs` and the whole of it;
 * half of that time is spent queued. How they end follows from the account's plan, or else from the number's last digits
 * ({@link ENDINGS}). Whoever is
 * blocked never reached the telecom, and what is scheduled waits for its time.
 */
export function deliveryState(
  message: Pick<SentMessage, 'sentAt' | 'acceptedAt' | 'blocked' | 'delivery'>,
  recipient: string,
  now: number,
  deliveryMs: number,
): DeliveryState {
  const age = now - message.sentAt;
  const settleAge = deliveryMs * (0.5 + Number(recipient.slice(-2)) / 200);
  if (age < 0 && message.acceptedAt !== undefined) return 'scheduled';
  if (age < settleAge / 2) return 'queued';
  if (age < settleAge) return 'on_the_way';
  if (message.blocked?.has(recipient) === true) return 'not_sent';
  return message.delivery === undefined ? ending(recipient) : planned(message.delivery, recipient);
}

/** How those end whose number has these last digits, the longest first; the others are delivered. */
export const ENDINGS: readonly { digits: string; state: DeliveryState; does: string }[] = [
  { digits: '901', state: 'not_sent', does: 'never reaches the telecom' },
  { digits: '902', state: 'returned', does: 'comes back' },
  { digits: '903', state: 'on_the_way', does: 'stays on its way, never reported' },
  { digits: '00', state: 'not_delivered', does: 'is not delivered to the handset' },
];

function ending(recipient: string): DeliveryState {
  return ENDINGS.find(({ digits }) => recipient.endsWith(digits))?.state ?? 'delivered';
}

function planned({ seed, operators, ...all }: DeliveryPlan, recipient: string): DeliveryState {
  const plan = operators?.[operatorOf(recipient)] ?? all;
  let left = chances(seed * 7919 + Number(recipient))() * 100;
  for (const state of DELIVERY_STATES) {
    if (state === 'scheduled' || state === 'queued') continue;
    left -= plan[state];
    if (left < 0) return state;
  }
  return 'delivered';
}
