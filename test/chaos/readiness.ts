import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** For how long none of some processes said that it was ready, in milliseconds. */
export interface Gap {
  readonly totalMs: number;
  readonly longestMs: number;
}

export interface Readiness {
  /** Resolves to the milliseconds until this process says that it is ready; null: it did not within the time. */
  untilReady(index: number, patienceMs: number): Promise<number | null>;
  /** The gaps of each group so far. */
  stop(): Promise<ReadonlyMap<string, Gap>>;
}

const LOOK_MS = 100;
const ANSWER_MS = 2000;
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;

/** Asks `/readyz` of every port again and again. `groups`: by name, the places in the list whose gaps are wanted. */
export function watchReadiness(
  ports: readonly number[],
  groups: ReadonlyMap<string, readonly number[]>,
): Readiness {
  const done = new AbortController();
  const gaps = new Map([...groups.keys()].map((name) => [name, { totalMs: 0, longestMs: 0, nowMs: 0 }]));
  const watching = (async () => {
    for (let before = performance.now(); !done.signal.aborted;) {
      const ready = await Promise.all(ports.map(isReady));
      const now = performance.now();
      for (const [name, members] of groups) {
        const gap = gaps.get(name);
        if (gap === undefined) continue;
        gap.nowMs = members.some((index) => ready[index] === true) ? 0 : gap.nowMs + now - before;
        if (gap.nowMs > 0) gap.totalMs += now - before;
        gap.longestMs = Math.max(gap.longestMs, gap.nowMs);
      }
      before = now;
      await sleep(LOOK_MS, undefined, { signal: done.signal }).catch(() => undefined);
    }
  })();
  return {
    async untilReady(index, patienceMs) {
      const began = performance.now();
      const port = ports[index];
      if (port === undefined) throw new Error(`there is no process ${index}`);
      while (performance.now() - began < patienceMs) {
        if (await isReady(port)) return Math.round(performance.now() - began);
        await sleep(LOOK_MS);
      }
      return null;
    },
    async stop() {
      done.abort();
      await watching;
      return new Map(
        [...gaps].map(([name, { totalMs, longestMs }]) => [
          name,
          { totalMs: Math.round(totalMs), longestMs: Math.round(longestMs) },
        ]),
      );
    },
  };
}

/** So many ports on which nothing listens now, none of which the system gives out by itself. */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return await new Promise<boolean>((known) => {
    server.once('error', () => known(false));
    server.listen(port, '127.0.0.1', () => {
      server.close(() => known(true));
    });
  });
}

async function isReady(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}
