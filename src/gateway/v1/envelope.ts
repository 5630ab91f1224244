import { z } from 'zod';

import { readJson } from '../json.ts';
import type { Reading, UnreadableReason } from '../reading.ts';
import { codeInText } from '../refusal-text.ts';
import { anything, integer, textIfAny, toInteger } from '../values.ts';

/** Version 1: `{status, result}` on success, `{status, message}` on failure. */
export interface V1Envelope {
  readonly kind: 'envelope';
  readonly status: number;
  readonly text: string;
  /** `result.status`, or the result itself where it is a bare integer; after a failure the code in its text. */
  readonly code: number | undefined;
  readonly result: unknown;
}

const shape = z.object({ status: integer, result: anything, message: textIfAny });
const SUCCESS = 200;

/** Reads an answer of version 1 as an envelope (interface, Version 1). Never throws. */
export function readV1Envelope(
  body: Uint8Array,
): V1Envelope | { readonly kind: 'unreadable'; readonly reason: UnreadableReason } {
  const json = readJson(body);
  if (!json.ok) return { kind: 'unreadable', reason: json.reason };
  const parsed = shape.safeParse(json.value);
  if (!parsed.success) return { kind: 'unreadable', reason: 'no_envelope' };
  const { status, result, message: text = '' } = parsed.data;
  const code = status === SUCCESS ? codeInResult(result) : codeInText(text);
  return { kind: 'envelope', status, text, code, result };
}

/** An answer to a read. A 200 with a code other than 0 inside is a refusal. */
export function v1Reading<T>(body: Uint8Array, pick: (result: unknown) => Reading<T>): Reading<T> {
  const envelope = readV1Envelope(body);
  if (envelope.kind === 'unreadable') return envelope;
  const { status, code = 0, text, result } = envelope;
  if (status !== SUCCESS) return { kind: 'refused', code: code === 0 ? status : code, text };
  return code === 0 ? pick(result) : { kind: 'refused', code, text };
}

/** An answer to a change: any result without a failure code. Success without a result is not what is shown. */
export function v1Done(body: Uint8Array): Reading<undefined> {
  return v1Reading(body, (result) =>
    result === undefined || result === null || result === false
      ? { kind: 'unreadable', reason: 'other_shape' }
      : { kind: 'read', value: undefined },
  );
}

function codeInResult(result: unknown): number | undefined {
  if (typeof result !== 'object' || result === null) return toInteger(result);
  return 'status' in result ? toInteger(result.status) : undefined;
}
