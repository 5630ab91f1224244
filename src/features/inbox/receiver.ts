import { randomInt } from 'node:crypto';
import { failedChange, type FailedChange } from '../../domain/failed-change.ts';
import type { Inbox, ReceivedMessage } from '../../ports/gateway.ts';

/** What is known after one try; it is never made a second time by itself. */
export type Received =
  | { readonly kind: 'received'; readonly messages: readonly ReceivedMessage[] }
  /** As many messages as the gateway gives at once may be marked read where it may have acted. */
  | ({ readonly kind: 'failed' } & FailedChange);

/** Fetches unread messages, which the gateway marks read. What is no failure of the call is thrown. */
export async function receive(inbox: Inbox, line: string | null): Promise<Received> {
  try {
    const messages = await inbox.receive(line === null ? {} : { line });
    return { kind: 'received', messages: messages.toSorted((a, b) => (a.date ?? 0) - (b.date ?? 0)) };
  } catch (error) {
    const failed = failedChange(error);
    if (failed === null) throw error;
    return { kind: 'failed', ...failed };
  }
}

/**
 * A number under which a nonce is claimed, other than any update's: the store lets the same update claim
 * again after a crash, and a call that may have been made must not be made again even then.
 */
export function unrepeatable(): number {
  return -randomInt(1, 2 ** 47);
}
