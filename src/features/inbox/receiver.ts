import { randomInt } from 'node:crypto';
import { isAppError } from '../../domain/errors.ts';
import type { Inbox, ReceivedMessage } from '../../ports/gateway.ts';

/** What is known after one try; it is never made a second time by itself. */
export type Received =
  | { readonly kind: 'received'; readonly messages: readonly ReceivedMessage[] }
  | {
      readonly kind: 'failed';
      readonly why: 'refused' | 'no_answer' | 'unreadable';
      /** The RefusalName of a refusal, else ''. */
      readonly name: string;
      /** Up to {@link RECEIVE_LIMIT} messages may be marked read. */
      readonly mayHaveActed: boolean;
      readonly error: unknown;
    };

/** The gateway's own: as many as this may mean that there are more. */
export const RECEIVE_LIMIT = 50;

/** Fetches unread messages, which the gateway marks read. What is no failure of the call is thrown. */
export async function receive(inbox: Inbox, line: string | null): Promise<Received> {
  try {
    const messages = await inbox.receive(line === null ? {} : { line });
    return { kind: 'received', messages: messages.toSorted((a, b) => (a.date ?? 0) - (b.date ?? 0)) };
  } catch (error) {
    const why = reasonOf(error);
    if (why === null || !isAppError(error)) throw error;
    const name = String(error.params['name'] ?? '');
    return { kind: 'failed', why, name, mayHaveActed: error.params['mayHaveActed'] !== false, error };
  }
}

function reasonOf(error: unknown): 'refused' | 'no_answer' | 'unreadable' | null {
  if (isAppError(error, 'gateway_refused')) return 'refused';
  if (isAppError(error, 'gateway_no_answer')) return 'no_answer';
  return isAppError(error, 'gateway_unreadable') ? 'unreadable' : null;
}

/**
 * A number under which a one-time permit is claimed, other than any update's: the store lets the same update claim
 * again after a crash, and a call that may have been made must not be made again even then.
 */
export function unrepeatable(): number {
  return -randomInt(1, 2 ** 47);
}
