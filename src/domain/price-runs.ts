import type { Encoding } from './message.ts';
import type { Operator } from './operator.ts';
import type { MixedSecond } from './operator-prices.ts';

/** A message that has left, as a list of the gateway tells it. */
export interface SeenMessage {
  /** Epoch seconds. */
  readonly at: number;
  readonly encoding: Encoding;
  readonly parts: number;
  /** Of its recipient; absent: the list names none. */
  readonly operator?: Operator | undefined;
}

/** A time in which only messages of one encoding left: what was paid in it is the price of that encoding. */
export interface Run {
  readonly encoding: Encoding;
  readonly from: number;
  readonly to: number;
  readonly parts: number;
}

/**
 * The run with the most parts of each encoding. Both ends are within; a second in which both encodings left belongs
 * to none. That the list was whole is for the caller to check, by counting the parts of the run's time.
 */
export function longestRuns(messages: readonly SeenMessage[]): Run[] {
  const longest = new Map<Encoding, Run>();
  let run: Run | null = null;
  for (const second of bySecond(messages)) {
    const { encoding } = second;
    run = encoding === null ? null : joined(run, { ...second, encoding });
    if (run !== null && run.parts > (longest.get(run.encoding)?.parts ?? 0)) longest.set(run.encoding, run);
  }
  return [...longest.values()];
}

/** The seconds of a run with their parts by operator; null where the list does not name every recipient. */
export function mixedSeconds(messages: readonly SeenMessage[], { from, to }: Run): MixedSecond[] | null {
  const seconds = new Map<number, Record<Operator, number>>();
  for (const { at, operator, parts } of messages) {
    if (at < from || at > to) continue;
    if (operator === undefined) return null;
    const mix = seconds.get(at) ?? { mci: 0, irancell: 0, rightel: 0, other: 0 };
    mix[operator] += parts;
    seconds.set(at, mix);
  }
  return [...seconds].map(([at, mix]) => ({ at, mix }));
}

interface Second {
  readonly at: number;
  /** Null: both. */
  readonly encoding: Encoding | null;
  readonly parts: number;
}

function bySecond(messages: readonly SeenMessage[]): Second[] {
  const seconds = new Map<number, Second>();
  for (const { at, encoding, parts } of messages) {
    const known = seconds.get(at);
    seconds.set(at, {
      at,
      encoding: known === undefined || known.encoding === encoding ? encoding : null,
      parts: parts + (known?.parts ?? 0),
    });
  }
  return [...seconds.values()].toSorted((left, right) => left.at - right.at);
}

function joined(run: Run | null, { at, encoding, parts }: Second & { readonly encoding: Encoding }): Run {
  return run?.encoding === encoding
    ? { ...run, to: at, parts: run.parts + parts }
    : { encoding, from: at, to: at, parts };
}
