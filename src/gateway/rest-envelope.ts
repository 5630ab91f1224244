import { z } from 'zod';

import { readJson } from './json.ts';
import type { Reading, UnreadableReason } from './reading.ts';
import { codeInText } from './codes.ts';
import { anything, integer, textIfAny } from './values.ts';

/** The envelope of versions 4 and 3: `return`, and `data` or `entries`, and `current` on paged lists. */
export interface RestEnvelope {
  readonly kind: 'envelope';
  readonly status: number;
  readonly text: string;
  /** The table code that the text of a refusal names. */
  readonly code: number | undefined;
  readonly data: unknown;
  readonly entries: unknown;
  readonly current: unknown;
}

const shape = z.object({
  return: z.object({ status: integer, message: textIfAny }),
  data: anything,
  entries: anything,
  current: anything,
});

const SUCCESS = 200;

/** Reads an answer of version 4 or 3 as an envelope (interface, Common response envelope). Never throws. */
export function readRestEnvelope(
  body: Uint8Array,
): RestEnvelope | { readonly kind: 'unreadable'; readonly reason: UnreadableReason } {
  const json = readJson(body);
  if (!json.ok) return { kind: 'unreadable', reason: json.reason };
  const parsed = shape.safeParse(json.value);
  if (!parsed.success) return { kind: 'unreadable', reason: 'no_envelope' };
  const { status, message: text = '' } = parsed.data.return;
  const { data, entries, current } = parsed.data;
  const code = status === SUCCESS ? undefined : codeInText(text);
  return { kind: 'envelope', status, text, code, data, entries, current };
}

/** An answer to a read: what `pick` makes of a successful envelope, a refusal, or unreadable. */
export function restReading<T>(body: Uint8Array, pick: (envelope: RestEnvelope) => Reading<T>): Reading<T> {
  const envelope = readRestEnvelope(body);
  if (envelope.kind === 'unreadable') return envelope;
  if (envelope.status === SUCCESS) return pick(envelope);
  return { kind: 'refused', code: envelope.code ?? envelope.status, text: envelope.text };
}

/**
 * The rows of a list. `null` is a list without rows; a list that is absent is `undefined`, which no schema
 * of a list accepts. A list under `data`, or a single row, is taken as well.
 */
export function rowsOf(envelope: RestEnvelope): unknown {
  const { entries, data } = envelope;
  const rows = entries === undefined ? data : entries;
  if (rows === null) return [];
  return typeof rows === 'object' && !Array.isArray(rows) ? [rows] : rows;
}

/** The rows of a list of sent messages: one that has a list of numbers stands for each of these. */
export function rowsByRecipient(envelope: RestEnvelope): unknown {
  const rows = rowsOf(envelope);
  return Array.isArray(rows) ? rows.flatMap(byRecipient) : rows;
}

function byRecipient(row: unknown): unknown {
  if (typeof row !== 'object' || row === null) return [row];
  const name = 'number' in row ? 'number' : 'to';
  const numbers: unknown = Reflect.get(row, name);
  return Array.isArray(numbers) && numbers.length > 0
    ? numbers.map((number: unknown) => ({ ...row, [name]: number }))
    : [row];
}

/** The one row of a result, under `data` or as the only element of a list. */
export function rowOf({ data, entries }: RestEnvelope): unknown {
  const found = data ?? entries;
  return Array.isArray(found) && found.length === 1 ? found[0] : found;
}

/** For operations whose answer is `return` alone. */
export function nothingMore(): Reading<undefined> {
  return { kind: 'read', value: undefined };
}
