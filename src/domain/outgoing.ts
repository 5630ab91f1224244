import { bulkParts, type Bulk } from './bulk.ts';
import { measureMessage } from './message.ts';

/** One message of a call that carries several. */
export interface OutgoingRow {
  readonly line: string;
  readonly recipient: string;
  readonly text: string;
  readonly flash: boolean;
}

/**
 * How a draft leaves, with what that needs beside its text and recipients:
 * - `text`: one text for all, by Send SMS;
 * - `multi`: rows with a line, a recipient and a text each, by Send many;
 * - `pattern`: a text that the gateway keeps, filled with values;
 * - `future`: one text, kept by the gateway until `at` (epoch seconds), which it is told as a Jalali time in Iran;
 * - `book`: one text to a phonebook, in one call that names the book, or to the numbers that were read from it;
 * - `bulk`: the rows of a file, by Send SMS where all get the same text, else by Send many.
 */
export type Outgoing =
  | { readonly kind: 'text' }
  | {
      readonly kind: 'multi';
      readonly rows: readonly OutgoingRow[];
      /** Its calls travel in an address (version 4), which must not be cut on the way. */
      readonly inAddress?: true | undefined;
    }
  | {
      readonly kind: 'pattern';
      readonly patternId: string;
      readonly variables: Readonly<Record<string, string>>;
      /** Recipients that one call takes. */
      readonly perCall: number;
    }
  | { readonly kind: 'future'; readonly at: number; readonly local: JalaliTime }
  | {
      readonly kind: 'book';
      readonly bookId: string;
      readonly title: string;
      readonly way: 'call' | 'expanded';
    }
  | Bulk;

export type OutgoingKind = Outgoing['kind'];

/** Parts as text, as the gateway takes them. */
export interface JalaliTime {
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly hour: string;
  readonly minute: string;
}

/** What is about to leave. */
export interface Payload {
  readonly outgoing: Outgoing;
  readonly line: string;
  readonly text: string;
  readonly flash: boolean;
  readonly recipients: readonly string[];
}

/** One call: each recipient once. `messages` where each has a message of its own. */
export interface Call {
  readonly recipients: readonly string[];
  readonly messages: readonly OutgoingRow[] | null;
}

/** The interface allows at most 200 recipients in one send call. */
export const RECIPIENTS_PER_CALL = 200;
/** For Send many no limit is stated. */
export const MESSAGES_PER_CALL = 100;
/** Of an address of 7,500 units: the rest is for host, key and names. */
export const ADDRESS_UNITS = 6_800;
/** A line, a recipient, a kind, and the commas between them. */
const ADDRESS_UNITS_BESIDE_TEXT = 40;
/** A call that names a time needs to arrive before it. */
export const LEAST_AHEAD_SECONDS = 120;

/**
 * The calls that carry a payload: every message in exactly one of them, in order where nothing stands against it. Those
 * of a file are none of these: they lie in storage from the moment in which they were counted.
 */
export function callsOf({ outgoing, recipients }: Payload): Call[] {
  switch (outgoing.kind) {
    case 'multi':
      return multiCalls(
        outgoing.rows,
        outgoing.inAddress === true ? ADDRESS_UNITS : Number.POSITIVE_INFINITY,
      );
    case 'bulk':
      return [];
    case 'pattern':
      return chunked(recipients, Math.min(outgoing.perCall, RECIPIENTS_PER_CALL));
    case 'book':
      if (outgoing.way === 'call') return [{ recipients, messages: null }];
      return chunked(recipients, RECIPIENTS_PER_CALL);
    default:
      return chunked(recipients, RECIPIENTS_PER_CALL);
  }
}

/** What each recipient of a call gets, and from which line: by this a message is recognised as the same. */
export function messagesOf(
  payload: Payload,
  call: Call,
): { line: string; recipient: string; text: string }[] {
  if (call.messages !== null) {
    return call.messages.map(({ line, recipient, text }) => ({ line, recipient, text }));
  }
  const text = identityOf(payload);
  return call.recipients.map((recipient) => ({ line: payload.line, recipient, text }));
}

/** Parts in all; null for a pattern, whose text the gateway keeps. */
export function partsOf({ outgoing, text, recipients }: Payload): number | null {
  if (outgoing.kind === 'pattern') return null;
  if (outgoing.kind === 'bulk') return bulkParts(outgoing);
  if (outgoing.kind !== 'multi') return measureMessage(text).parts * recipients.length;
  return outgoing.rows.reduce((sum, row) => sum + measureMessage(row.text).parts, 0);
}

/** How many messages leave in all. */
export function messageCount({ outgoing, recipients }: Payload): number {
  if (outgoing.kind === 'bulk') return outgoing.summary?.recipients ?? 0;
  return outgoing.kind === 'multi' ? outgoing.rows.length : recipients.length;
}

/** Everything that a confirmation stands for, as one text that is the same for the same payload and no other. */
export function canonicalPayload({ outgoing, line, text, flash, recipients }: Payload): string {
  if (outgoing.kind === 'bulk')
    return JSON.stringify(['bulk', outgoing.summary?.digest ?? '', line, text, flash]);
  return JSON.stringify([sorted(outgoing), line, text, flash, recipients]);
}

function identityOf({ outgoing, text }: Payload): string {
  if (outgoing.kind !== 'pattern') return text;
  return `pattern ${JSON.stringify(sorted({ id: outgoing.patternId, variables: outgoing.variables }))}`;
}

/** Whether a message fits into the address of a call at all. The text is well-formed Unicode. */
export function fitsAddress(row: OutgoingRow): boolean {
  return addressUnits(row) <= ADDRESS_UNITS;
}

/** What a message takes of the address that carries its call. The text is well-formed Unicode. */
export function addressUnits({ text }: Pick<OutgoingRow, 'text'>): number {
  return encodeURIComponent(text).length + ADDRESS_UNITS_BESIDE_TEXT;
}

/** A recipient's second message goes into a later call: an outcome is known by call and recipient. */
function multiCalls(rows: readonly OutgoingRow[], mostUnits: number): Call[] {
  const calls: { readonly rows: Map<string, OutgoingRow>; units: number; closed: boolean }[] = [];
  for (const row of rows) {
    const units = mostUnits === Number.POSITIVE_INFINITY ? 0 : addressUnits(row);
    let call: (typeof calls)[number] | undefined;
    for (const each of calls) {
      if (each.closed || each.rows.has(row.recipient)) continue;
      if (each.rows.size < MESSAGES_PER_CALL && each.units + units <= mostUnits) {
        call = each;
        break;
      }
      // What has once refused a message takes none after it, or a shorter one would overtake an earlier one of its recipient.
      each.closed = true;
    }
    if (call === undefined) {
      call = { rows: new Map(), units: 0, closed: false };
      calls.push(call);
    }
    call.rows.set(row.recipient, row);
    call.units += units;
  }
  return calls.map((call) => ({ recipients: [...call.rows.keys()], messages: [...call.rows.values()] }));
}

function chunked(recipients: readonly string[], size: number): Call[] {
  const calls: Call[] = [];
  for (let start = 0; start < recipients.length; start += size) {
    calls.push({ recipients: recipients.slice(start, start + size), messages: null });
  }
  return calls;
}

/** Members in the order of their names, however deep. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  );
}
