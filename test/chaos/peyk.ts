import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { type Child, startChild } from './child.ts';

/** One place in the row of processes; whoever stands there is started again when it ends. */
export interface PeykSlot {
  readonly logFile: string;
  /** Of the process that stands there now. */
  pid(): number;
  /** kill -9, and a new one after so many milliseconds. */
  strike(downMs: number): Promise<void>;
  /**
   * SIGTERM, and a new one of `source` as soon as the old one is gone. What does not end by itself within the time is
   * killed. Resolves to how it ended, and after how long.
   */
  replace(withinMs: number, source?: string): Promise<{ how: number | NodeJS.Signals; ms: number }>;
  pause(): void;
  resume(): void;
  /** Wakes a process that is stopped, and starts one that is down now. */
  heal(): void;
  /** Ends that nobody here asked for, with the exit code. */
  readonly ownEnds: readonly (number | NodeJS.Signals)[];
  stop(): Promise<void>;
}

const RESTART_MS = 500;

export function createPeykSlot(options: {
  readonly index: number;
  /** The folder with `src` and `drizzle`. */
  readonly source: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}): PeykSlot {
  const { index, folder } = options;
  let { source } = options;
  const name = `peyk-${index}`;
  const logFile = join(folder, `${name}.log`);
  const ownEnds: (number | NodeJS.Signals)[] = [];
  const closing = new AbortController();
  let hurry = new AbortController();
  /** When the next one may be started. */
  let downMs = RESTART_MS;
  let struck = false;
  let current: Child | undefined;
  const ended = supervise();

  async function supervise(): Promise<void> {
    while (!closing.signal.aborted) {
      current = startChild({
        name,
        args: [join(source, 'src/main.ts')],
        env: { PORT: '0', ...options.env, CHAOS_SLOT: String(index) },
        cwd: folder,
        logFile,
      });
      const how = await current.ended;
      if (closing.signal.aborted) return;
      if (!struck) ownEnds.push(how);
      const wait = struck ? downMs : RESTART_MS;
      struck = false;
      const signal = AbortSignal.any([closing.signal, hurry.signal]);
      await sleep(wait, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    logFile,
    ownEnds,
    pid: () => current?.pid ?? 0,
    async strike(down) {
      if (current?.running() !== true) return;
      struck = true;
      downMs = down;
      await current.kill();
    },
    async replace(withinMs, next = source) {
      const old = current;
      if (old?.running() !== true) throw new Error(`${name} does not run`);
      source = next;
      struck = true;
      downMs = 0;
      const began = performance.now();
      old.signal('SIGTERM');
      const late = setTimeout(() => old.signal('SIGKILL'), withinMs);
      const how = await old.ended;
      clearTimeout(late);
      return { how, ms: Math.round(performance.now() - began) };
    },
    pause: () => current?.signal('SIGSTOP'),
    resume: () => current?.signal('SIGCONT'),
    heal() {
      current?.signal('SIGCONT');
      hurry.abort();
      hurry = new AbortController();
    },
    async stop() {
      closing.abort();
      await current?.kill();
      await ended;
    },
  };
}
