import { FAILURE_REASONS, type FailureReason } from '../../domain/delivery-codes.ts';
import { failureReason } from '../../domain/failure-reason.ts';
import type { DeliveryState } from '../../ports/gateway.ts';

/** Why some did not arrive. */
export interface Misses {
  /** Together as many as failed or are blocked. */
  readonly reasons: readonly { readonly reason: FailureReason; readonly count: number }[];
  /** The gateway's words for those whose reason is another, most frequent first. */
  readonly words: readonly { readonly word: string; readonly count: number }[];
}

/** Adds up those that did not arrive; it leaves out all others. */
export function createMisses() {
  const reasons = new Map<FailureReason, number>();
  const words = new Map<string, number>();
  return {
    add({ kind, raw, text }: Pick<DeliveryState, 'kind' | 'raw' | 'text'>, count = 1): void {
      if (kind !== 'failed' && kind !== 'blocked') return;
      const reason = failureReason({ kind, raw, text });
      add(reasons, reason, count);
      if (reason === 'other' && text !== '') add(words, text, count);
    },
    found: (): Misses => ({
      reasons: FAILURE_REASONS.flatMap((reason) => {
        const count = reasons.get(reason) ?? 0;
        return count === 0 ? [] : [{ reason, count }];
      }),
      words: mostFirst(words).map(([word, count]) => ({ word, count })),
    }),
  };
}

/** Adds to the count of a key. */
export function add<K>(counts: Map<K, number>, key: K, count = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** Orders counts from the greatest down. */
export function mostFirst(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].toSorted(([one, left], [other, right]) => right - left || compare(one, other));
}

/** Orders texts by their code units. */
export function compare(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
