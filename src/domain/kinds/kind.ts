import { RECIPIENTS_PER_CALL } from '../interface-limits.ts';
import { measureMessage, type Encoding } from '../message.ts';
import { countByOperator, type Operator } from '../operator.ts';

/** One message of a call that carries several. */
export interface OutgoingRow {
  readonly line: string;
  readonly recipient: string;
  readonly text: string;
  readonly flash: boolean;
}

/** One call: each recipient once. `messages` where each has a message of its own. */
export interface Call {
  readonly recipients: readonly string[];
  readonly messages: readonly OutgoingRow[] | null;
}

/** A message by where it would leave and to whom. */
export interface Addressed {
  readonly line: string;
  readonly recipient: string;
}

/** How many of the messages of a send are of which length. */
export type Lengths = readonly {
  readonly encoding: Encoding;
  readonly parts: number;
  readonly messages: number;
  /** Absent where it is not known to whom they go. */
  readonly operator?: Operator | undefined;
}[];

/** What is about to leave, by a way of its own. */
export interface PayloadOf<O> {
  readonly outgoing: O;
  readonly line: string;
  readonly text: string;
  readonly flash: boolean;
  readonly recipients: readonly string[];
}

/** What a send says on one of its lines. */
export interface Said {
  readonly line: string;
  readonly text: string;
  /** Nothing else stands in the message; of others only so much is known. */
  readonly isWhole: boolean;
  /** What was found in the messages themselves, where they were made from it and looked through. */
  readonly merged?: MergedFindings | undefined;
}

/** What messages that were made from a text say against the rule of their line. */
export interface MergedFindings {
  /** What they had to say when they were looked through, and how many do not. */
  readonly required: string | null;
  readonly lacking: number;
  readonly words: readonly string[];
  /** The words that were looked for; absent: nobody knows. */
  readonly lookedFor?: readonly string[] | undefined;
}

/** One text for all, by Send SMS: what every other kind can fall back to. */
export interface TextSend {
  readonly kind: 'text';
}

/** Rows with a line, a recipient and a text each, by Send many. */
export interface MultiSend {
  readonly kind: 'multi';
  readonly rows: readonly OutgoingRow[];
  /** Its calls travel in an address (version 4), which must not be cut on the way. */
  readonly inAddress?: true | undefined;
}

/** What a kind of send tells the rules: one module for each, and no rule asks for a kind by its name. */
export interface SendKind<O> {
  /** The text of the draft is what its messages say, or what they are made from. */
  readonly hasText: boolean;
  /** One recipient may get several messages. */
  readonly repeatsRecipients: boolean;
  /** The gateway's lists show its messages as they were handed over, so that a lost answer can be looked for. */
  readonly isListed: boolean;
  /** Its messages are listed at the moment of their call, by which the gateway's clock can be told. */
  readonly tellsClock: boolean;
  /** How long a draft of it can be confirmed from its last step on, in seconds. */
  readonly openSeconds: number;
  /** The calls that carry it, every message in exactly one of them; none where they lie in storage. */
  readonly calls: (payload: PayloadOf<O>) => readonly Call[];
  /** Of one text to these recipients, or to so many, or of its own texts; null: the gateway keeps the text. */
  readonly lengths: (outgoing: O, text: string, to: readonly string[] | number) => Lengths | null;
  /** Messages in all. */
  readonly messages: (payload: Pick<PayloadOf<O>, 'outgoing' | 'recipients'>) => number;
  /** People: somebody who gets several messages counts once. */
  readonly people: (payload: Pick<PayloadOf<O>, 'outgoing' | 'recipients'>) => number;
  /** What the rules of a line are held against. */
  readonly says: (payload: PayloadOf<O>) => readonly Said[];
  /** By which text its messages are recognised as the same. */
  readonly identity: (outgoing: O, text: string) => string;
  /** What a confirmation stands for, beside line, text and kind of display. */
  readonly canonical: (payload: PayloadOf<O>) => readonly unknown[];
  /** The same for one call of it. */
  readonly ofCall: (outgoing: O, call: Call) => O;
  /** Without the messages that do not stay; itself when all do. */
  readonly only: (payload: PayloadOf<O>, stays: (message: Addressed) => boolean) => PayloadOf<O>;
  /** The same by calls that name each of their recipients. */
  readonly numbered: (outgoing: O) => O;
  /** Until when the gateway keeps it, in epoch seconds; null: it delivers at once. */
  readonly keptUntil: (outgoing: O) => number | null;
  /** Whether it is counted, so that there is something to say yes to. */
  readonly isReady: (outgoing: O) => boolean;
  /** The same way again for those who got nothing, whose messages are given where they had their own. */
  readonly toMissed: (
    outgoing: O,
    now: { readonly seconds: number; readonly messages: () => readonly OutgoingRow[] },
  ) => O | TextSend;
  /** The same way again for those alone whose outcome is in doubt. */
  readonly toDoubted: (outgoing: O, messages: readonly OutgoingRow[]) => O | TextSend | MultiSend;
}

/** A call that names a time needs to arrive before it. */
const LEAST_AHEAD_SECONDS = 120;

/** Whether a time of the gateway's keeping is too near for a call that names it. */
export function isTooNearTime(atSeconds: number, nowSeconds: number): boolean {
  return atSeconds - nowSeconds < LEAST_AHEAD_SECONDS;
}

/** What the kinds have in common whose recipients all get one text; each says for itself what differs. */
export function toRecipients<O>(): SendKind<O> {
  return {
    hasText: true,
    repeatsRecipients: false,
    isListed: true,
    tellsClock: true,
    openSeconds: 900,
    calls: ({ recipients }) => chunked(recipients),
    lengths: (_outgoing, text, to) =>
      typeof to === 'number'
        ? [lengthOf(text, to)]
        : countByOperator(to).map(({ operator, count }) => lengthOf(text, count, operator)),
    messages: ({ recipients }) => recipients.length,
    people: ({ recipients }) => recipients.length,
    says: ({ line, text }) => [{ line, text, isWhole: true }],
    identity: (_outgoing, text) => text,
    canonical: ({ outgoing, line, text, flash, recipients }) => [
      sorted(outgoing),
      line,
      text,
      flash,
      recipients,
    ],
    ofCall: (outgoing) => outgoing,
    only: onlyRecipients,
    numbered: (outgoing) => outgoing,
    keptUntil: () => null,
    isReady: () => true,
    toMissed: (outgoing) => outgoing,
    toDoubted: (outgoing) => outgoing,
  };
}

/** The same payload when everybody stays. */
export function onlyRecipients<P extends PayloadOf<unknown>>(
  payload: P,
  stays: (message: Addressed) => boolean,
): P {
  const { line } = payload;
  const recipients = payload.recipients.filter((recipient) => stays({ line, recipient }));
  return recipients.length === payload.recipients.length ? payload : { ...payload, recipients };
}

/** Calls of at most so many recipients, in their order. */
export function chunked(recipients: readonly string[], size = RECIPIENTS_PER_CALL): Call[] {
  const calls: Call[] = [];
  for (let start = 0; start < recipients.length; start += size) {
    calls.push({ recipients: recipients.slice(start, start + size), messages: null });
  }
  return calls;
}

/** So many messages of one text. */
export function lengthOf(text: string, messages: number, operator?: Operator): Lengths[number] {
  const { encoding, parts } = measureMessage(text);
  return { encoding, parts, messages, operator };
}

/** Members in the order of their names, however deep. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  );
}
