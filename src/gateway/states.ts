import type { DeliveryState } from '../ports/gateway.ts';

type Kinds = Readonly<Record<number, DeliveryState['kind']>>;

/**
 * The status operation (interface, States: delivery status of a message). 10 is shown in results too; 11,
 * 13 and 100 come from a sibling interface and are used where this one is silent.
 */
const STATUS_OPERATION: Kinds = {
  0: 'sent',
  1: 'sent',
  2: 'failed',
  3: 'sent',
  4: 'delivered',
  5: 'failed',
  6: 'failed',
  10: 'delivered',
  11: 'failed',
  13: 'failed',
};

/**
 * `state` in every other result: only 1 (fresh from a send) and 10 (delivered) are shown. 0 and 3 are the
 * delivery table's, the rest is the sibling's; 5 is left out because the interface's own table gives that number a contrary meaning.
 */
const MESSAGE_STATE: Kinds = {
  0: 'sent',
  1: 'waiting',
  2: 'waiting',
  3: 'sent',
  4: 'sent',
  6: 'failed',
  10: 'delivered',
  11: 'failed',
  13: 'failed',
  14: 'blocked',
};

/** State of an entry of the status operation: an integer, or text that is kept as it is. */
export function statusState(raw: number | string, text: string): DeliveryState {
  return { raw, text, kind: kindIn(STATUS_OPERATION, raw) };
}

/** State in send, details, latest and listings. */
export function messageState(raw: number | string, text: string): DeliveryState {
  return { raw, text, kind: kindIn(MESSAGE_STATE, raw) };
}

/**
 * State of the status-by-number operation: an integer `status` with a `statustext`, and no word on which table it
 * is of. Where the two disagree the number stays unknown.
 */
export function numberedState(raw: number, text: string): DeliveryState {
  const kind = kindIn(STATUS_OPERATION, raw);
  const agreed = AGREED.has(raw) || kind === kindIn(MESSAGE_STATE, raw);
  return { raw, text, kind: agreed ? kind : 'unknown' };
}

/** Both tables say that it is under way; only one of them says how far. */
const AGREED: ReadonlySet<number> = new Set([1]);

function kindIn(kinds: Kinds, raw: number | string): DeliveryState['kind'] {
  return (typeof raw === 'number' ? kinds[raw] : undefined) ?? 'unknown';
}
