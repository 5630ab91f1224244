import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

import { unlessAborted } from './unless-aborted.ts';

/** No server that is known closes a connection so soon because no request has come. */
const STANDS_MS = 2_000;
/** After one that did not last, or a call that failed: what the other side does not bear is not done to it for a while. */
const REST_MS = 60_000;
/** Before it is known how long anything takes. */
const AT_FIRST = 2;

/** Connections that are made before their call is, each for one call. */
export interface DialAhead {
  /** So many calls are to come soon. Makes connections for some of them. */
  expect(calls: number): void;
  /** The connection for a call: one that was made ahead and is as good as new, or a new one. Rejects as the dialling does. */
  take(signal: AbortSignal): Promise<Socket>;
  /** Makes none ahead for a while. */
  rest(): void;
  /** Closes what nobody has taken. */
  close(): void;
}

interface Spare {
  readonly dialled: Promise<Socket>;
  socket: Socket | null;
  stoodAt: number;
  late?: NodeJS.Timeout;
}

/**
 * Makes twice as many connections ahead as calls use up in the time that it takes to make one, because calls do not end
 * evenly, and never more than twice as many as calls are out. None where a connection would wait for its call longer
 * than it may stand.
 */
export function createDialAhead(dial: (signal: AbortSignal) => Promise<Socket>): DialAhead {
  const closing = new AbortController();
  const spares: Spare[] = [];
  let [out, dialMs, callMs, restsUntil] = [0, 0, 0, 0];

  return {
    expect(calls) {
      if (closing.signal.aborted || performance.now() < restsUntil) return;
      for (let missing = Math.min(calls, wanted()) - spares.length; missing > 0; missing -= 1) make();
    },
    async take(signal) {
      const socket = await (taken(signal) ?? timed(signal));
      const since = performance.now();
      out += 1;
      socket.once('close', () => {
        out -= 1;
        callMs = smoothed(callMs, performance.now() - since);
      });
      return socket;
    },
    rest,
    close() {
      closing.abort();
      for (const spare of spares.toReversed()) drop(spare);
    },
  };

  function wanted(): number {
    if (out === 0 || callMs === 0) return AT_FIRST;
    return callMs / out > STANDS_MS / 2 ? 0 : Math.ceil(2 * out * Math.min(1, dialMs / callMs));
  }

  async function timed(signal: AbortSignal): Promise<Socket> {
    const began = performance.now();
    const socket = await dial(signal);
    dialMs = smoothed(dialMs, performance.now() - began);
    return socket;
  }

  function make(): void {
    const spare: Spare = { dialled: timed(closing.signal), socket: null, stoodAt: 0 };
    spares.push(spare);
    spare.dialled.then(
      (socket) => {
        if (!spares.includes(spare)) return;
        spare.socket = socket;
        spare.stoodAt = performance.now();
        spare.late = setTimeout(() => drop(spare), STANDS_MS).unref();
        socket.once('close', () => lose(spare));
      },
      () => lose(spare),
    );
  }

  /** One of those made ahead, even if it does not stand yet; null where there is none. */
  function taken(signal: AbortSignal): Promise<Socket> | null {
    for (let spare = next(); spare !== undefined; spare = next()) {
      const { dialled, socket, stoodAt } = spare;
      if (socket === null) {
        remove(spare);
        return unlessAborted(dialled, signal).catch((error: unknown) => {
          drop(spare);
          throw error;
        });
      }
      if (!isUntouched(socket)) lose(spare);
      else if (performance.now() - stoodAt >= STANDS_MS) drop(spare);
      else {
        remove(spare);
        return dialled;
      }
    }
    return null;
  }

  function next(): Spare | undefined {
    return spares.find(({ socket }) => socket !== null) ?? spares[0];
  }

  function remove(spare: Spare): boolean {
    const at = spares.indexOf(spare);
    if (at === -1) return false;
    spares.splice(at, 1);
    clearTimeout(spare.late);
    return true;
  }

  function drop(spare: Spare): void {
    remove(spare);
    spare.dialled.then(
      (socket) => socket.destroy(),
      () => undefined,
    );
  }

  /** It has ended, or something has come on it, before there was a call. */
  function lose(spare: Spare): void {
    if (!remove(spare)) return;
    drop(spare);
    rest();
  }

  function rest(): void {
    restsUntil = performance.now() + REST_MS;
  }
}

/** Whether a connection stands on which nothing has come, neither bytes nor an end. */
export function isUntouched(socket: Socket): boolean {
  return socket.readyState === 'open' && socket.readableLength === 0;
}

function smoothed(before: number, ms: number): number {
  return before === 0 ? ms : before + (ms - before) / 8;
}
