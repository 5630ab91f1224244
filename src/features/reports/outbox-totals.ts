import { parseLine } from '../../domain/phone.ts';
import type { DeliveryState, SentMessage } from '../../ports/gateway.ts';

type Kind = DeliveryState['kind'];

export interface OutboxTotals {
  /** One for each recipient of each send, as the gateway lists and charges them. */
  readonly messages: number;
  /** Different numbers. */
  readonly recipients: number;
  readonly kinds: Readonly<Record<Kind, number>>;
  /** Most used first. */
  readonly lines: readonly { readonly line: string; readonly messages: number }[];
  /** What the gateway says of those that did not arrive, most frequent first. */
  readonly words: readonly { readonly word: string; readonly messages: number }[];
}

/** Adds up rows of the outbox as they come; each row is one recipient of one message. */
export function createTally() {
  const kinds = { waiting: 0, sent: 0, delivered: 0, failed: 0, blocked: 0, unknown: 0 };
  const numbers = new Set<string>();
  const lines = new Map<string, number>();
  const words = new Map<string, number>();
  let messages = 0;

  return {
    add(rows: readonly SentMessage[]): void {
      for (const { recipient, line, state } of rows) {
        messages += 1;
        kinds[state.kind] += 1;
        if (recipient !== undefined) numbers.add(recipient);
        if (line !== undefined) count(lines, parseLine(line) ?? line);
        if ((state.kind === 'failed' || state.kind === 'blocked') && state.text !== '')
          count(words, state.text);
      }
    },
    totals: (): OutboxTotals => ({
      messages,
      recipients: numbers.size,
      kinds: { ...kinds },
      lines: mostFirst(lines).map(([line, found]) => ({ line, messages: found })),
      words: mostFirst(words).map(([word, found]) => ({ word, messages: found })),
    }),
  };
}

/**
 * The rows that are not there yet, by id, recipient and text, and the keys of all of them for the next call. A row
 * without a recipient is never left out: nothing tells it from the other recipients of its call.
 */
export function withoutRepeats(
  rows: readonly SentMessage[],
  known: ReadonlySet<string>,
): { readonly rows: SentMessage[]; readonly keys: ReadonlySet<string> } {
  const keys = new Set<string>();
  const fresh = rows.filter((row) => {
    if (row.recipient === undefined) return true;
    const key = `${row.id} ${row.recipient} ${row.text}`;
    const isNew = !known.has(key) && !keys.has(key);
    keys.add(key);
    return isNew;
  });
  return { rows: fresh, keys };
}

/** Newest first; a row without a date comes last. Ids are compared as numbers, which they are too long for. */
export function newestFirst(left: SentMessage, right: SentMessage): number {
  return (
    (right.date ?? -1) - (left.date ?? -1) ||
    right.id.length - left.id.length ||
    compare(right.id, left.id) ||
    compare(left.recipient ?? '', right.recipient ?? '')
  );
}

function compare(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function mostFirst(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].toSorted(([a, left], [b, right]) => right - left || compare(a, b));
}
