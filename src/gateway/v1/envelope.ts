import { z } from 'zod';

import { codeInText, lookUpCode } from '../codes.ts';
import { readJson } from '../json.ts';
import type { Reading, UnreadableReason } from '../reading.ts';
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

/** Interface, User status: a trial account, which may use the service. */
const ON_TRIAL = 2;

/** An answer to a call about the account, whose code is the status of the user: that of a trial account stands beside its payload. */
export function v1AccountReading<T>(body: Uint8Array, pick: (result: unknown) => Reading<T>): Reading<T> {
  const envelope = readV1Envelope(body);
  if (envelope.kind === 'envelope' && envelope.status === SUCCESS && envelope.code === ON_TRIAL) {
    const payload = pick(envelope.result);
    if (payload.kind === 'read') return payload;
  }
  return v1Reading(body, pick);
}

/** An answer to a change: any result without a failure code. Success without a result is not what is shown. */
export function v1Done(body: Uint8Array): Reading<undefined> {
  return v1Changed(body, () => undefined);
}

/** The same, with what can be read of its result. */
export function v1Changed<T>(body: Uint8Array, tell: (result: unknown) => T): Reading<T> {
  return v1Reading(body, (result) =>
    result === undefined || result === null || result === false
      ? { kind: 'unreadable', reason: 'other_shape' }
      : { kind: 'read', value: tell(result) },
  );
}

/**
 * The code of an answer to a send. A bare number may as well be how many there were, or an id: only one of the table
 * of sending is taken for a code.
 */
export function sendCode({ code, result }: V1Envelope): number | undefined {
  const isBare = result !== undefined && typeof result !== 'object';
  return isBare && code !== undefined && lookUpCode(1, code).table !== 'sending' ? undefined : code;
}

function codeInResult(result: unknown): number | undefined {
  if (typeof result !== 'object' || result === null) return toInteger(result);
  return 'status' in result ? toInteger(result.status) : undefined;
}
