import { FAILURE_REASONS, type FailureReason } from '../../domain/delivery-codes.ts';
import { failureReason } from '../../domain/failure-reason.ts';
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
  /** Why the others did not arrive; together as many as failed or are blocked. */
  readonly reasons: readonly { readonly reason: FailureReason; readonly messages: number }[];
  /** What the gateway says of those whose reason is another, most frequent first. */
  readonly words: readonly { readonly word: string; readonly messages: number }[];
  /** By the quarter of an hour in which they left, those with a date; oldest first. */
  readonly shape: readonly { readonly at: number; readonly kind: Kind; readonly messages: number }[];
}

/** A quarter of an hour: whatever clocks show, their hours begin with one. */
export const QUARTER_SECONDS = 900;

/** Adds up rows of the outbox as they come; each row is one recipient of one message. */
export function createTally() {
  const kinds = { waiting: 0, sent: 0, delivered: 0, failed: 0, blocked: 0, unknown: 0 };
  const numbers = new Set<string>();
  const lines = new Map<string, number>();
  const reasons = new Map<FailureReason, number>();
  const words = new Map<string, number>();
  const shape = new Map<number, Map<Kind, number>>();
  let messages = 0;

  return {
    add(rows: readonly SentMessage[]): void {
      for (const { recipient, line, state, date } of rows) {
        messages += 1;
        kinds[state.kind] += 1;
        if (recipient !== undefined) numbers.add(recipient);
        if (line !== undefined) count(lines, parseLine(line) ?? line);
        if (date !== undefined) {
          const at = date - (date % QUARTER_SECONDS);
          const kindsThen = shape.get(at) ?? new Map<Kind, number>();
          count(kindsThen, state.kind);
          shape.set(at, kindsThen);
        }
        const { kind, raw, text } = state;
        if (kind !== 'failed' && kind !== 'blocked') continue;
        const reason = failureReason({ kind, raw, text });
        count(reasons, reason);
        if (reason === 'other' && text !== '') count(words, text);
      }
    },
    totals: (): OutboxTotals => ({
      messages,
      recipients: numbers.size,
      kinds: { ...kinds },
      lines: mostFirst(lines).map(([line, found]) => ({ line, messages: found })),
      reasons: FAILURE_REASONS.flatMap((reason) => {
        const found = reasons.get(reason);
        return found === undefined ? [] : [{ reason, messages: found }];
      }),
      words: mostFirst(words).map(([word, found]) => ({ word, messages: found })),
      shape: [...shape]
        .toSorted(([one], [other]) => one - other)
        .flatMap(([at, kindsThen]) => [...kindsThen].map(([kind, found]) => ({ at, kind, messages: found }))),
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

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function mostFirst(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].toSorted(([a, left], [b, right]) => right - left || compare(a, b));
}
