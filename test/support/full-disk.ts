import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { SocketTarget } from '../../src/storage/database/database.ts';
import { MOUNTING } from './small-disk.ts';

const NODE = join(import.meta.dirname, '../../node_modules/.bin/node');
const CHILD = join(import.meta.dirname, 'full-disk-child.ts');

/** A Postgres server of its own on a small disk of its own. */
export interface SmallDisk {
  readonly target: SocketTarget;
  /** Takes all the room that is left. */
  fill(): Promise<void>;
  /** Gives it back. */
  free(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts it in a mount namespace; a sentence where there is none to be had. */
export async function startOnSmallDisk(folder: string): Promise<SmallDisk | string> {
  const [unshare, flags] = MOUNTING;
  const child = spawn(unshare, [flags, NODE, CHILD, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const failed = once(child, 'error').then(([error]) => String(error));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const hear = async (): Promise<Said> => {
    const { value, done } = await lines.next();
    return done === true ? { refused: 'it ended' } : (JSON.parse(value) as Said);
  };
  const first = await Promise.race([hear(), failed.then((refused): Said => ({ refused }))]);
  if (first.ready === undefined) return first.refused ?? 'it said nothing';
  const tell = async (word: string): Promise<void> => {
    child.stdin.write(`${word}\n`);
    const { refused } = await hear();
    if (refused !== undefined) throw new Error(refused);
  };
  return {
    target: first.ready,
    fill: async () => await tell('fill'),
    free: async () => await tell('free'),
    stop: async () => await ended(child),
  };
}

interface Said {
  readonly ready?: SocketTarget;
  readonly refused?: string;
  readonly done?: string;
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = once(child, 'close');
  child.stdin?.end();
  await gone;
}
