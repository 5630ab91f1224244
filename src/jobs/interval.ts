import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../ports/runtime.ts';
import { describeFailure } from './failure.ts';

export interface IntervalOptions {
  /** Pause between the end of one run and the start of the next, in seconds, give or take a tenth. */
  readonly seconds: number;
  readonly name: string;
  readonly run: (context: { log: Log; signal: AbortSignal }) => Promise<void>;
  readonly log: Log;
}

export interface Interval {
  /** Starts no further run, and waits for the one that is on. */
  stop(): Promise<void>;
}

/** Runs something now and then again and again, never twice at once. A run that throws is logged. */
export function startInterval(options: IntervalOptions): Interval {
  const log = options.log.child({ sweep: options.name });
  const stopping = new AbortController();
  const { signal } = stopping;

  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await options.run({ log, signal });
      } catch (error) {
        if (!signal.aborted) log.error({ failure: describeFailure(error) }, 'sweep failed');
      }
      // Unequal pauses, so that processes that were started together drift apart.
      const ms = options.seconds * 1000 * (0.9 + Math.random() * 0.2);
      await sleep(ms, undefined, { signal }).catch(() => undefined);
    }
  };
  const ended = loop();

  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
