import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { z } from 'zod';

/** A part of a benchmark in a process of its own, so that its cost is not counted in another's. */
export interface Child {
  readonly pid: number;
  /** Runs a command there and reads its result. Rejects when the process ends or the command fails. */
  ask<S extends z.ZodType>(command: string, payload: unknown, result: S): Promise<z.output<S>>;
  /** Ends the process and resolves when it is gone. */
  stop(): Promise<void>;
}

/** What has not ended in order by then ends without. */
const LONGEST_END_MS = 60_000;

interface Open {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: Error) => void;
}

/** Starts `bench/<file>`, which calls {@link serve}. It ends when this process does. */
export function startChild(file: string, env: Readonly<Record<string, string>> = {}): Child {
  const child = fork(join(import.meta.dirname, file), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...env },
  });
  const open = new Map<number, Open>();
  let last = 0;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      for (const { reject } of open.values()) reject(new Error(`${file} has ended`));
      open.clear();
      resolve();
    });
  });
  child.on('message', (message: Answer) => {
    const asked = open.get(message.id);
    open.delete(message.id);
    if (message.error === undefined) asked?.resolve(message.result);
    else asked?.reject(new Error(`${file}: ${message.error}`));
  });

  if (child.pid === undefined) throw new Error(`${file} does not start`);
  return {
    pid: child.pid,
    async ask(command, payload, result) {
      const id = (last += 1);
      const answer = await new Promise<unknown>((resolve, reject) => {
        open.set(id, { resolve, reject });
        child.send({ id, command, payload } satisfies Question);
      });
      return result.parse(answer);
    },
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** The other side: answers commands until the starting process lets go, then cleans up and ends. */
export function serve(
  commands: Readonly<Record<string, (payload: unknown) => unknown>>,
  close: () => Promise<void> = async () => undefined,
): void {
  process.on('message', (question: Question) => {
    const reply = (answer: Omit<Answer, 'id'>): void => {
      if (process.connected) process.send?.({ id: question.id, ...answer });
    };
    Promise.try(async () => await commands[question.command]?.(question.payload)).then(
      (result) => reply({ result }),
      (error: unknown) => reply({ error: error instanceof Error ? String(error.stack) : String(error) }),
    );
  });
  const end = (): void => {
    setTimeout(() => process.exit(1), LONGEST_END_MS);
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  // Also when the starting process was killed: nothing that a benchmark starts outlives it.
  process.once('disconnect', end);
  process.once('SIGTERM', () => {
    process.removeListener('disconnect', end);
    end();
  });
  // A Ctrl-C reaches the whole group; the starting process then lets go in its own order.
  process.on('SIGINT', () => undefined);
}

/** Milliseconds of a clock that all processes of the machine share. */
export function machineTime(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

interface Question {
  readonly id: number;
  readonly command: string;
  readonly payload: unknown;
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}
