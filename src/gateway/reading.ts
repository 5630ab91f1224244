import type { z } from 'zod';

/**
 * What an answer to a read turned out to be. `code` is the number that explains a refusal best: the one
 * inside if there is one, else the envelope's own. `reason` is a closed word for the log.
 */
export type Reading<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'refused'; readonly code: number; readonly text: string }
  | { readonly kind: 'unreadable'; readonly reason: UnreadableReason };

export type UnreadableReason = 'empty' | 'not_utf8' | 'too_deep' | 'not_json' | 'no_envelope' | 'other_shape';

/** Interface, Errors, reports: no report available. */
const NO_REPORT = 31;

/** A group of ids of which the gateway knows none: none are told of, and the other groups hold. */
export function noneIfUnknown<T>(reading: Reading<readonly T[]>): Reading<readonly T[]> {
  return reading.kind === 'refused' && reading.code === NO_REPORT ? { kind: 'read', value: [] } : reading;
}

/** Takes the payload of a successful answer to a value, or to `other_shape`. */
export function readShape<T>(schema: z.ZodType<T>, payload: unknown): Reading<T> {
  const parsed = schema.safeParse(payload);
  return parsed.success
    ? { kind: 'read', value: parsed.data }
    : { kind: 'unreadable', reason: 'other_shape' };
}
