import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';

export interface Child {
  readonly name: string;
  readonly pid: number;
  /** Everything that it wrote, to both outputs. */
  readonly logFile: string;
  readonly running: () => boolean;
  signal(name: NodeJS.Signals): void;
  /** How it ended: the exit code, or the signal. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** Ends it as a crash does, whatever state it is in, and resolves when it is gone. */
  kill(): Promise<void>;
}

export interface ChildOptions {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly logFile: string;
}

const living = new Set<ChildProcess>();
// Whatever happens to this process, nothing that it started outlives it.
process.on('exit', () => {
  for (const child of living) child.kill('SIGKILL');
});

/** Starts a program of Node that writes to a log file of its own. */
export function startChild(options: ChildOptions): Child {
  const log = openSync(options.logFile, 'a', 0o600);
  const child = launch(options, ['ignore', log, log]);
  closeSync(log);
  return watch(child, options);
}

/** Starts a program that prints one line of JSON on its standard output when it is ready. */
export async function startServant(options: ChildOptions): Promise<{ child: Child; ready: unknown }> {
  const log = openSync(options.logFile, 'a', 0o600);
  const spawned = launch(options, ['ignore', 'pipe', log]);
  closeSync(log);
  const child = watch(spawned, options);
  const { stdout } = spawned;
  if (stdout === null) throw new Error(`${options.name} has no output`);
  const first = once(createInterface({ input: stdout }), 'line').then(([line]: unknown[]) => String(line));
  const line = await Promise.race([
    first,
    child.ended.then((how) => {
      throw new Error(`${options.name} ended with ${how}: see ${options.logFile}`);
    }),
  ]);
  const ready: unknown = JSON.parse(line);
  return { child, ready };
}

function launch(options: ChildOptions, stdio: ('ignore' | 'pipe' | number)[]): ChildProcess {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [...options.args], {
    cwd: options.cwd,
    env: { PATH, HOME, ...options.env },
    stdio,
  });
  living.add(child);
  return child;
}

function watch(child: ChildProcess, { name, logFile }: ChildOptions): Child {
  const { pid } = child;
  if (pid === undefined) throw new Error(`${name} could not be started`);
  const ended = once(child, 'exit').then(([code, signal]: unknown[]) => {
    living.delete(child);
    if (typeof code === 'number') return code;
    return (signal ?? 'SIGKILL') as NodeJS.Signals;
  });
  return {
    name,
    pid,
    logFile,
    running: () => living.has(child),
    signal: (which) => void child.kill(which),
    ended,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
