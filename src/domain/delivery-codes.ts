/** Why a message did not arrive. */
export const FAILURE_REASONS = ['handset', 'operator', 'returned', 'blocked', 'other'] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** What a number says of one recipient's message, and why it did not arrive where it says so. */
export interface DeliveryMeaning {
  readonly kind: 'waiting' | 'sent' | 'delivered' | 'failed' | 'unknown';
  readonly reason?: FailureReason;
}

/**
 * The gateway's numbers for delivery, the same in every operation of every version. 0 to 6 and 14 are the interface's
 * (States, delivery status of a message), 10 stands in its results, 11 and 13 come from a sibling interface. That one
 * has other meanings for 2, 4, 5 and 14 in its lists; the interface's own hold, and 14, an id that it does not know, is unknown.
 */
const MEANINGS: ReadonlyMap<string, DeliveryMeaning> = new Map<string, DeliveryMeaning>([
  // No report so far: the same for what still waits at the gateway for its time.
  ['0', { kind: 'waiting' }],
  ['1', { kind: 'sent' }],
  ['2', { kind: 'failed', reason: 'operator' }],
  ['3', { kind: 'sent' }],
  ['4', { kind: 'delivered' }],
  ['5', { kind: 'failed', reason: 'handset' }],
  ['6', { kind: 'failed', reason: 'returned' }],
  ['10', { kind: 'delivered' }],
  ['11', { kind: 'failed', reason: 'handset' }],
  ['13', { kind: 'failed' }],
]);

const UNKNOWN: DeliveryMeaning = { kind: 'unknown' };

/** What a number, or its digits, says of a delivery; a word, and a number that nobody has explained, is unknown. */
export function deliveryMeaning(raw: number | string): DeliveryMeaning {
  return MEANINGS.get(String(raw)) ?? UNKNOWN;
}
