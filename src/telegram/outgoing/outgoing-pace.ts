import { SurelyUnsent } from './errors.ts';
import type { CancelSignal } from './http.ts';

/** Time, so that tests need none. Milliseconds; only differences of `now` matter. */
export interface PaceClock {
  now(): number;
  /** Resolves after `ms`; ends early, resolved or rejected, when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** At most `count` in any `windowMs`, and after `burst` at once only one every `windowMs / count`. */
export interface PaceLimit {
  readonly count: number;
  readonly windowMs: number;
  readonly burst: number;
}

/** A wait that ends early, with {@link SurelyUnsent}, when its caller or the whole kit gives up. */
export interface Waiting {
  sleep(ms: number, signal: CancelSignal | undefined): Promise<void>;
  until(promise: Promise<unknown>, signal: CancelSignal | undefined): Promise<void>;
  stop(): void;
  stopped(): boolean;
}

export function createWaiting(clock: PaceClock): Waiting {
  const giveUps = new Set<() => void>();
  let stopped = false;

  async function interruptible(
    signal: CancelSignal | undefined,
    wait: (cancel: AbortSignal) => Promise<unknown>,
  ): Promise<void> {
    if (stopped) throw new SurelyUnsent('CLOSED');
    if (signal?.aborted === true) throw new SurelyUnsent('ABORTED');
    const cancel = new AbortController();
    const { promise: cancelled, reject } = Promise.withResolvers<never>();
    const giveUp = (): void => {
      reject(new SurelyUnsent(stopped ? 'CLOSED' : 'ABORTED'));
      cancel.abort();
    };
    giveUps.add(giveUp);
    signal?.addEventListener('abort', giveUp);
    try {
      await Promise.race([cancelled, wait(cancel.signal)]);
    } finally {
      giveUps.delete(giveUp);
      signal?.removeEventListener('abort', giveUp);
    }
  }

  return {
    sleep: (ms, signal) =>
      interruptible(signal, (cancel) =>
        clock.sleep(ms, cancel).catch((error: unknown) => {
          if (!cancel.aborted) throw error;
        }),
      ),
    until: (promise, signal) => interruptible(signal, () => promise),
    stop() {
      stopped = true;
      for (const giveUp of giveUps) giveUp();
    },
    stopped: () => stopped,
  };
}

/** A first-come-first-served way through which only so much passes in a time. */
export interface Gate {
  pass(cost: number, signal: CancelSignal | undefined): Promise<void>;
  /**
   * When somebody who will not stand and wait is to come back, in milliseconds; 0: now, it may stand in line. Each is given
   * a time of its own, after those who stand here (`before`) and those who were told a time already. Whoever comes again
   * before it is told the same, and whoever comes at it is sent away no more, while there is `room` to stand: else those who
   * stand would always be before it.
   */
  turnMs(who: string, before: number, room: boolean): number;
  /** How long nobody passes yet, in milliseconds, since Telegram asks to slow down. */
  blockedMs(): number;
  /** Nobody passes for so many milliseconds. */
  block(ms: number): void;
  /** Half of the pace is free: what is said now holds up nobody. */
  hasRoom(): boolean;
  /** How long whoever comes now has to wait at least, in milliseconds; null: not at all. */
  shutMs(): number | null;
  /** Nothing waits and nothing is remembered that could hold up the next. */
  idle(): boolean;
}

/** Whoever was told a time and comes later than so much after it is told another. */
const LATE_MS = 60_000;

export function createGate(limit: PaceLimit | null, clock: PaceClock, waiting: Waiting): Gate {
  const passed: number[] = [];
  const queue = createQueue(waiting);
  const told = new Map<string, number>();
  const spacing = limit === null ? 0 : limit.windowMs / limit.count;
  let blockedUntil = Number.NEGATIVE_INFINITY;
  // The time at which all that has passed would have passed at an even pace.
  let evenly = Number.NEGATIVE_INFINITY;

  function openAt(now: number, before = 0): number {
    if (limit === null) return blockedUntil;
    while ((passed[0] ?? now) <= now - limit.windowMs) passed.shift();
    const over = passed.length + before - limit.count;
    const oldest = over >= 0 ? passed[Math.min(over, passed.length - 1)] : undefined;
    return Math.max(
      blockedUntil,
      Math.max(evenly, now) + (before - limit.burst + 1) * spacing,
      oldest === undefined ? now : oldest + limit.windowMs,
    );
  }

  return {
    pass: (cost, signal) =>
      queue.run(signal, async () => {
        for (let left = cost; left > 0; left -= 1) {
          for (let now = clock.now(); openAt(now) > now; now = clock.now()) {
            await waiting.sleep(openAt(now) - now, signal);
          }
          if (limit === null) return;
          const now = clock.now();
          passed.push(now);
          evenly = Math.max(evenly, now) + spacing;
        }
      }),
    turnMs(who, before, room) {
      const now = clock.now();
      for (const [each, at] of told) if (at <= now - LATE_MS) told.delete(each);
      const mine = told.get(who);
      const mayStand = room && mine !== undefined && mine <= now;
      if (blockedUntil <= now && (openAt(now, before) <= now || mayStand)) {
        told.delete(who);
        return 0;
      }
      const at =
        mine !== undefined && mine > now ? mine : Math.max(openAt(now, before + told.size), ...told.values());
      told.set(who, at);
      return at - now;
    },
    blockedMs: () => Math.max(0, blockedUntil - clock.now()),
    block(ms) {
      blockedUntil = Math.max(blockedUntil, clock.now() + ms);
    },
    shutMs() {
      const left = openAt(clock.now()) - clock.now();
      return left > 0 || !queue.empty() ? Math.max(left, 0) : null;
    },
    hasRoom() {
      const now = clock.now();
      // Who stands in line waits until then too; who only passes just now takes nobody's room.
      if (openAt(now) > now) return false;
      return (
        limit === null || (passed.length < limit.count / 2 && evenly - now < (limit.burst / 2) * spacing)
      );
    },
    idle() {
      const now = clock.now();
      return queue.empty() && openAt(now) <= now && passed.length === 0;
    },
  };
}

/** Runs one piece of work at a time, in the order in which it came; what is urgent goes before what only waits so far. */
export interface Queue {
  run<T>(signal: CancelSignal | undefined, work: () => Promise<T>, urgent?: boolean): Promise<T>;
  empty(): boolean;
}

export function createQueue(waiting: Waiting): Queue {
  const line: { readonly urgent: boolean; readonly go: () => void }[] = [];
  let isBusy = false;

  function passOn(): void {
    const next = line.shift();
    isBusy = next !== undefined;
    next?.go();
  }

  async function wait(signal: CancelSignal | undefined, urgent: boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const place = { urgent, go: resolve };
    const ordinary = urgent ? line.findIndex((each) => !each.urgent) : -1;
    line.splice(ordinary === -1 ? line.length : ordinary, 0, place);
    try {
      await waiting.until(promise, signal);
    } catch (error) {
      const at = line.indexOf(place);
      // Whoever gave up in the moment of its turn still has to hand it on.
      if (at === -1) passOn();
      else line.splice(at, 1);
      throw error;
    }
  }

  return {
    async run(signal, work, urgent = false) {
      if (isBusy) await wait(signal, urgent);
      isBusy = true;
      try {
        return await work();
      } finally {
        passOn();
      }
    },
    empty: () => !isBusy,
  };
}
