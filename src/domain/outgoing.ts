import type { MissReason } from './job.ts';
import { kindOf, type Outgoing } from './kinds/index.ts';
import { isTooNearTime, type Addressed, type Call, type Lengths, type PayloadOf } from './kinds/kind.ts';

/** What is about to leave. */
export type Payload = PayloadOf<Outgoing>;

/** A recipient on the blacklist of the line that would write to them. */
export type Blocked = Addressed;

/** A line of whose blacklist nothing is known. */
export interface UntoldLine {
  readonly line: string;
  /** The gateway says that the account has no such line. */
  readonly isNone: boolean;
}

/**
 * The calls that carry a payload: every message in exactly one of them, in order where nothing stands against it. Those
 * of a file are none of these: they lie in storage from the moment in which they were counted.
 */
export function callsOf(payload: Payload): readonly Call[] {
  return kindOf(payload.outgoing).calls(payload);
}

/** What leaves of a payload once those are left out who are blocked on the line that would write to them. */
export function withoutBlocked(payload: Payload, blocked: readonly Blocked[]): Payload {
  const out = new Set(blocked.map(keyOf));
  return kindOf(payload.outgoing).only(payload, (each) => !out.has(keyOf(each)));
}

/** What does not leave of it for that reason, as the calls that would have carried it. */
export function callsOfBlocked(payload: Payload, blocked: readonly Blocked[]): readonly Call[] {
  if (blocked.length === 0) return [];
  const out = new Set(blocked.map(keyOf));
  return callsOf(kindOf(payload.outgoing).only(payload, (each) => out.has(keyOf(each))));
}

/** What each recipient of a call gets, and from which line: by this a message is recognised as the same. */
export function messagesOf(
  { outgoing, line, text: written }: Payload,
  { recipients, messages }: Call,
): { line: string; recipient: string; text: string }[] {
  if (messages !== null)
    return messages.map((each) => ({ line: each.line, recipient: each.recipient, text: each.text }));
  const text = kindOf(outgoing).identity(outgoing, written);
  return recipients.map((recipient) => ({ line, recipient, text }));
}

/** How many messages of which length leave; null for a pattern, whose text the gateway keeps. */
export function lengthsOf({
  outgoing,
  text,
  recipients,
}: Pick<Payload, 'outgoing' | 'text' | 'recipients'>): Lengths | null {
  return kindOf(outgoing).lengths(outgoing, text, recipients);
}

/** Parts in all; null for a pattern. */
export function partsOf(payload: Pick<Payload, 'outgoing' | 'text' | 'recipients'>): number | null {
  const lengths = lengthsOf(payload);
  return lengths === null ? null : lengths.reduce((sum, { parts, messages }) => sum + parts * messages, 0);
}

/** How many messages leave in all. */
export function messageCount(payload: Pick<Payload, 'outgoing' | 'recipients'>): number {
  return kindOf(payload.outgoing).messages(payload);
}

/** Everything that a confirmation stands for, as one text that is the same for the same payload and no other. */
export function canonicalPayload(payload: Payload): string {
  return JSON.stringify(kindOf(payload.outgoing).canonical(payload));
}

/** What one call stands for: what the confirmation does, but for the recipients and messages of the others. */
export function canonicalCall(payload: Payload, call: Call): string {
  const outgoing = kindOf(payload.outgoing).ofCall(payload.outgoing, call);
  return canonicalPayload({ ...payload, outgoing, recipients: call.recipients });
}

/** Whether the time until which the gateway shall keep it is too near for a call to arrive before it. */
export function isTooNear(outgoing: Outgoing, nowSeconds: number): boolean {
  const keptUntil = kindOf(outgoing).keptUntil(outgoing);
  return keptUntil !== null && isTooNearTime(keptUntil, nowSeconds);
}

/**
 * Whether Peyk itself may keep it until a time: not what the gateway keeps, and not what sends again whose outcome nobody
 * knows, as by then it may be known.
 */
export function takesTime(outgoing: Outgoing, isResentUnknown: boolean): boolean {
  return kindOf(outgoing).keptUntil(outgoing) === null && !isResentUnknown;
}

/**
 * Whether a send that was missed can leave at all, when somebody says so: not one to nobody, nor what sends again whose outcome
 * nobody knew, once the answer to that is there.
 */
export function canStillLeave(
  reason: MissReason | null,
  { messages, isResentUnknown }: { readonly messages: number; readonly isResentUnknown: boolean },
): boolean {
  return messages > 0 && !(reason === 'answered' && isResentUnknown);
}

function keyOf({ line, recipient }: Blocked): string {
  return `${line} ${recipient}`;
}
