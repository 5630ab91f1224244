import { operatorOf, type Operator } from '../../domain/operator.ts';
import { measureMessage, type Encoding } from '../../domain/message.ts';
import { parseLine } from '../../domain/phone.ts';
import type { EncodedParts } from '../../domain/price.ts';
import type { DeliveryState, SentMessage } from '../../ports/gateway.ts';
import { add, compare, createMisses, mostFirst, type Misses } from './misses.ts';

type Kind = DeliveryState['kind'];

export interface OutboxTotals extends Misses {
  /** One for each recipient of each send, as the gateway lists and charges them. */
  readonly messages: number;
  /** Different numbers. */
  readonly recipients: number;
  readonly kinds: Readonly<Record<Kind, number>>;
  /** Most used first. */
  readonly lines: readonly { readonly line: string; readonly messages: number }[];
  /** By the operator of the recipient, those with one. */
  readonly operators: readonly {
    readonly operator: Operator;
    readonly kind: Kind;
    readonly messages: number;
  }[];
  /** Of those with a recipient, by operator. */
  readonly parts: EncodedParts;
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
  const misses = createMisses();
  const shape = new Map<number, Map<Kind, number>>();
  const operators = new Map<Operator, Map<Kind, number>>();
  const parts = new Map<Operator, Map<Encoding, number>>();
  // Messages of a send follow each other, and have one text as a rule.
  let measured = { text: '', ...measureMessage('') };
  let messages = 0;

  return {
    add(rows: readonly SentMessage[]): void {
      for (const { recipient, line, state, date, text } of rows) {
        messages += 1;
        kinds[state.kind] += 1;
        if (recipient !== undefined) {
          numbers.add(recipient);
          const operator = operatorOf(recipient);
          addIn(operators, operator, state.kind);
          if (text !== measured.text) measured = { text, ...measureMessage(text) };
          addIn(parts, operator, measured.encoding, measured.parts);
        }
        if (line !== undefined) add(lines, parseLine(line) ?? line);
        if (date !== undefined) addIn(shape, date - (date % QUARTER_SECONDS), state.kind);
        misses.add(state);
      }
    },
    totals: (): OutboxTotals => ({
      messages,
      recipients: numbers.size,
      kinds: { ...kinds },
      lines: mostFirst(lines).map(([line, found]) => ({ line, messages: found })),
      ...misses.found(),
      parts: [...parts].flatMap(([operator, counts]) =>
        [...counts].map(([encoding, found]) => ({ operator, encoding, parts: found })),
      ),
      operators: [...operators].flatMap(([operator, counts]) =>
        [...counts].map(([kind, found]) => ({ operator, kind, messages: found })),
      ),
      shape: [...shape]
        .toSorted(([one], [other]) => one - other)
        .flatMap(([at, kindsThen]) => [...kindsThen].map(([kind, found]) => ({ at, kind, messages: found }))),
    }),
  };
}

function addIn<K, V>(counts: Map<K, Map<V, number>>, key: K, value: V, count = 1): void {
  const own = counts.get(key) ?? new Map<V, number>();
  add(own, value, count);
  counts.set(key, own);
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
