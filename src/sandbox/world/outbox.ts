import type { DeliveryPlan } from './delivery-plan.ts';

/** Whether a call for many recipients gets one message id, or each recipient its own. */
export type IdsMode = 'call' | 'recipient';

/** One accepted call. Recipients are ten digits, times are epoch ms, cost is rial for the whole call. */
export type SentMessage = {
  readonly firstId: bigint;
  readonly idsMode: IdsMode;
  readonly line: string;
  readonly text: string;
  readonly flash: boolean;
  readonly recipients: readonly string[];
  readonly sentAt: number;
  readonly parts: number;
  readonly cost: number;
  /** When the call was accepted, if that is not when it is sent: a scheduled one. */
  readonly acceptedAt?: number;
  /** The text as lists show it, when the gateway changed it. */
  readonly listedText?: string;
  /** How it ends for its recipients, where the account has a plan for that. */
  readonly delivery?: DeliveryPlan;
  /** The call that sent it; none for what somebody else sent from the account. */
  readonly origin?: { readonly version: number; readonly operation: string };
  /** Recipients that stood on the line's blacklist: they get nothing. */
  readonly blocked?: ReadonlySet<string>;
};

/** One recipient of one accepted call, as reports list it. */
export type SentRow = {
  readonly messageId: bigint;
  readonly recipient: string;
  readonly message: SentMessage;
};

export type Outbox = {
  add(message: SentMessage): void;
  /** The rows of a message id; none when the id is unknown, another account's, too old to be kept, or a text. */
  find(messageId: bigint | string): SentRow[];
  latest(): SentMessage | undefined;
  /** Oldest first. */
  all(): readonly SentMessage[];
};

/** Ids grow by two from an odd start: an odd id above 2^53 never survives a reader that uses doubles. */
export const ID_STEP = 2n;

/** Every message id of a call, in the order of its recipients (a single one in `call` mode). */
export function messageIds(message: SentMessage): bigint[] {
  if (message.idsMode === 'call') return [message.firstId];
  return message.recipients.map((_, index) => message.firstId + BigInt(index) * ID_STEP);
}

/** One row for each recipient of a call, in their order. */
export function rowsOf(message: SentMessage): SentRow[] {
  const [first = message.firstId, ...rest] = messageIds(message);
  return message.recipients.map((recipient, index) => ({
    messageId: index === 0 ? first : (rest[index - 1] ?? first),
    recipient,
    message,
  }));
}

/** Keeps the newest calls of one account, at most `keepMessages` of them and `keepRecipients` rows in all. */
export function createOutbox(limits: { keepMessages: number; keepRecipients: number }): Outbox {
  const messages: SentMessage[] = [];
  let rows = 0;

  function prune(): void {
    let drop = 0;
    while (
      drop < messages.length - 1 &&
      (messages.length - drop > limits.keepMessages || rows > limits.keepRecipients)
    ) {
      rows -= messages[drop]?.recipients.length ?? 0;
      drop += 1;
    }
    if (drop > 0) messages.splice(0, drop);
  }

  return {
    add(message) {
      messages.push(message);
      rows += message.recipients.length;
      prune();
    },
    find(messageId) {
      if (typeof messageId === 'string') return [];
      const message = lastStartingAtOrBefore(messages, messageId);
      if (message === undefined) return [];
      return rowsOf(message).filter((row) => row.messageId === messageId);
    },
    latest: () => messages.at(-1),
    all: () => messages,
  };
}

/** Ids only grow, so the list is sorted and no index of a hundred thousand ids is needed. */
function lastStartingAtOrBefore(messages: readonly SentMessage[], id: bigint): SentMessage | undefined {
  let low = 0;
  let high = messages.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const candidate = messages[middle];
    if (candidate !== undefined && candidate.firstId <= id) low = middle + 1;
    else high = middle;
  }
  return messages[low - 1];
}
