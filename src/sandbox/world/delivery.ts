import type { SentMessage } from './outbox.ts';

/** Where one recipient's copy stands. The first three pass; the others are final. */
export type DeliveryState =
  | 'scheduled'
  | 'queued'
  | 'on_the_way'
  | 'delivered'
  | 'not_delivered'
  | 'not_sent'
  | 'returned';

/**
 * The state of one recipient, worked out from the message's age alone, so that no timer runs and a moved
 * clock is enough. Recipients settle one after another between half of `deliveryMs` and the whole of it;
 * half of that time is spent queued. How they end follows from the number's last digits:
 * 00 not delivered to the handset, 901 never reached the telecom, 902 returned, 903 never reported, else delivered. Whoever is
 * blocked never reached the telecom, and what is scheduled waits for its time.
 */
export function deliveryState(
  message: Pick<SentMessage, 'sentAt' | 'acceptedAt' | 'blocked'>,
  recipient: string,
  now: number,
  deliveryMs: number,
): DeliveryState {
  const age = now - message.sentAt;
  const settleAge = deliveryMs * (0.5 + Number(recipient.slice(-2)) / 200);
  if (age < 0 && message.acceptedAt !== undefined) return 'scheduled';
  if (age < settleAge / 2) return 'queued';
  if (age < settleAge) return 'on_the_way';
  return message.blocked?.has(recipient) === true ? 'not_sent' : ending(recipient);
}

function ending(recipient: string): DeliveryState {
  if (recipient.endsWith('00')) return 'not_delivered';
  if (recipient.endsWith('901')) return 'not_sent';
  if (recipient.endsWith('902')) return 'returned';
  if (recipient.endsWith('903')) return 'on_the_way';
  return 'delivered';
}
