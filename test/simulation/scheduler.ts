import type { Clock } from '../../src/ports/runtime.ts';

/** Something that comes to pass at its time, unless whoever it happens to is dead by then. */
interface Event {
  readonly at: number;
  readonly order: number;
  /** Null: it happens to nobody in particular, and comes to pass whoever has died. */
  readonly owner: string | null;
  readonly name: string;
  readonly act: () => void;
}

/** Decides what happens next. Nothing in the simulated world has another clock, and nothing goes on but by it. */
export interface Scheduler {
  /** In ms since the simulation began. */
  now(): number;
  /** Has something come to pass after so many ms. */
  after(owner: string | null, ms: number, name: string, act: () => void): void;
  /** Waits so long in the name of somebody; never comes back to one who is dead. */
  wait(owner: string, ms: number, name: string): Promise<void>;
  /** Nothing of it goes on any more. */
  kill(owner: string): void;
  /** Nothing of it goes on before that time. */
  freeze(owner: string, until: number): void;
  /** Until when nothing of it goes on. */
  frozenUntil(owner: string): number;
  isDead(owner: string): boolean;
  /** When the next thing comes to pass; Infinity: nothing does. */
  next(): number;
  /** Carries the next thing out, and lets everybody go on whom it concerns as far as they come. Its name. */
  step(): Promise<string>;
  /** The clock of a process, that may be wrong about the date. */
  clock(owner: string, skewMs: () => number): Clock;
}

/** The simulation begins at this date. */
export const EPOCH_MS = Date.UTC(2030, 0, 5, 7, 0);

export function createScheduler(): Scheduler {
  const events = createHeap();
  const dead = new Set<string>();
  const frozen = new Map<string, number>();
  let [now, order] = [0, 0];

  const after: Scheduler['after'] = (owner, ms, name, act) => {
    if (!(ms < Infinity)) throw new Error(`${name} cannot come after ${ms} ms`);
    order += 1;
    events.push({ at: now + Math.max(0, ms), order, owner, name, act });
  };

  const wait = async (owner: string, ms: number, name: string): Promise<void> =>
    await new Promise((resolve) => after(owner, ms, name, resolve));

  return {
    now: () => now,
    after,
    wait,
    kill: (owner) => void dead.add(owner),
    freeze: (owner, until) => void frozen.set(owner, until),
    frozenUntil: (owner) => frozen.get(owner) ?? 0,
    isDead: (owner) => dead.has(owner),
    next: () => events.first()?.at ?? Infinity,

    async step() {
      const event = events.pop();
      if (event === undefined) return '';
      now = Math.max(now, event.at);
      const { owner } = event;
      if (owner !== null) {
        if (dead.has(owner)) return '';
        const thaws = frozen.get(owner) ?? 0;
        if (thaws > now) {
          events.push({ ...event, at: thaws });
          return '';
        }
      }
      event.act();
      // All that can go on by itself has gone on once the queue of microtasks is empty.
      if (owner !== null) await new Promise((resolve) => setImmediate(resolve));
      return event.name;
    },

    clock: (owner, skewMs) => ({
      now: () => new Date(EPOCH_MS + now + skewMs()),
      monotonic: () => now,
      async sleep(ms, signal) {
        signal?.throwIfAborted();
        await new Promise<void>((resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
          after(owner, ms, 'sleep', resolve);
        });
      },
    }),
  };
}

/** A binary heap by time, then by the order in which events were asked for. */
function createHeap() {
  const heap: Event[] = [];
  const isBefore = (one: Event, other: Event): boolean =>
    one.at < other.at || (one.at === other.at && one.order < other.order);
  return {
    first: (): Event | undefined => heap[0],
    push(event: Event): void {
      let at = heap.length;
      heap.push(event);
      while (at > 0) {
        const up = (at - 1) >> 1;
        const parent = heap[up];
        if (parent === undefined || isBefore(parent, event)) break;
        heap[at] = parent;
        at = up;
      }
      heap[at] = event;
    },
    pop(): Event | undefined {
      const [top] = heap;
      const last = heap.pop();
      if (last === undefined || heap.length === 0) return top;
      let at = 0;
      for (;;) {
        let down = 2 * at + 1;
        let child = heap[down];
        const right = heap[down + 1];
        if (child !== undefined && right !== undefined && isBefore(right, child))
          [child, down] = [right, down + 1];
        if (child === undefined || isBefore(last, child)) break;
        heap[at] = child;
        at = down;
      }
      heap[at] = last;
      return top;
    },
  };
}
