import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inTime } from './patience.ts';
import { surroundings } from './surroundings.ts';

const ROOT = join(import.meta.dirname, '../..');

export interface PeykProcess extends AsyncDisposable {
  readonly pid: number;
  /** Every line of the log so far. */
  readonly lines: readonly string[];
  /** What went to standard error so far. */
  readonly complaints: () => string;
  /** Resolves with the first line that has this text, there already or coming; rejects when the process ends first, or in the end. */
  line(part: string): Promise<string>;
  signal(name: 'SIGTERM' | 'SIGKILL'): void;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** Ends it as a crash does and resolves when it is gone. */
  kill(): Promise<void>;
  /** Ends it in order and resolves with its exit code. */
  stop(): Promise<number | NodeJS.Signals>;
}

/** Runs the application as a process of its own, with these settings and no others, and without limits on what people ask. */
export function spawnPeyk(
  env: Readonly<Record<string, string>>,
  cwd: string,
  args: readonly string[] = [],
): PeykProcess {
  const child: ChildProcess = spawn(
    join(ROOT, 'node_modules/.bin/node'),
    [join(ROOT, 'src/main.ts'), ...args],
    {
      cwd,
      // Stories say more in a second than people do in a minute.
      env: { ...surroundings(), RATE_LIMIT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const lines: string[] = [];
  const watching = new Set<() => void>();
  let complaints = '';
  createInterface({ input: child.stdout! }).on('line', (line) => {
    lines.push(line);
    for (const look of watching) look();
  });
  child.stderr!.on('data', (bytes: Buffer) => {
    complaints += bytes.toString('utf8');
  });
  // 'close' comes after the last byte of the output, 'exit' may come before it.
  const ended = once(child, 'close').then(
    ([code, signal]: (number | NodeJS.Signals | null)[]) => code ?? signal ?? 'SIGKILL',
  );

  return {
    pid: child.pid!,
    lines,
    complaints: () => complaints,
    line: async (part) => {
      const coming = new Promise<string>((resolve, reject) => {
        const look = (): void => {
          const found = lines.find((line) => line.includes(part));
          if (found === undefined) return;
          watching.delete(look);
          resolve(found);
        };
        watching.add(look);
        look();
        void ended.then((how) => {
          watching.delete(look);
          reject(
            new Error(
              `it ended with ${how} before it wrote ${part}\n${lines.slice(-5).join('\n')}\n${complaints}`,
            ),
          );
        });
      });
      return await inTime(coming, () => `the line «${part}» after\n${lines.slice(-5).join('\n')}`);
    },
    signal: (name) => void child.kill(name),
    ended,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      child.kill('SIGTERM');
      return await inTime(ended, () => `its end after\n${lines.slice(-5).join('\n')}`);
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
    },
  };
}
