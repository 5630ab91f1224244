import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../../domain/errors.ts';

const FAST_MS = 30_000;
const IMMEDIATE_MS = 15_000;

/** What `postmaster.pid` says, the file in which a Postgres server keeps its own notes. */
export interface Postmaster {
  readonly pid: number;
  readonly ready: boolean;
}

/** Reads the server's notes; undefined when there are none. */
export function readPostmaster(cluster: string): Postmaster | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    return Number.isSafeInteger(pid) && pid > 0 ? { pid, ready: lines[7]?.trim() === 'ready' } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Ends the server that a killed Peyk left behind, in order, so that the next one starts with its
 * own settings and no session of the dead process lives on. The caller holds the data directory's
 * lock: nobody else may own that server. Notes that name a process which is no server of this
 * cluster are removed, as a process id is used again (always so in a container).
 * @returns whether there was one
 */
export async function stopOrphan(cluster: string): Promise<boolean> {
  const notes = readPostmaster(cluster);
  if (notes === undefined) return false;
  if (!isServerOf(notes.pid, cluster)) {
    if (isAlive(notes.pid)) rmSync(join(cluster, 'postmaster.pid'), { force: true });
    return false;
  }
  await endServer(notes.pid, cluster);
  return true;
}

/** Fast shutdown (sessions are ended, data is written); the immediate one when that takes too long. */
export async function endServer(pid: number, cluster: string): Promise<void> {
  for (const [signal, patience] of [
    ['SIGINT', FAST_MS],
    ['SIGQUIT', IMMEDIATE_MS],
  ] as const) {
    signalServer(pid, signal);
    const deadline = performance.now() + patience;
    while (performance.now() < deadline) {
      if (!isServerOf(pid, cluster)) return;
      await wait(10);
    }
  }
  throw new AppError('internal', `the embedded database (process ${pid}) does not stop`);
}

function signalServer(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (cause) {
    if (isAlive(pid))
      throw new AppError('config', `may not stop the server ${pid} of an earlier run`, { cause });
  }
}

/** Whether that process is a living Postgres server on that cluster; a zombie is not. */
function isServerOf(pid: number, cluster: string): boolean {
  if (!existsSync('/proc/self/cmdline')) return isServerByPs(pid, cluster);
  try {
    const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    if (basename(program) !== 'postgres') return false;
    return args[args.indexOf('-D') + 1] === cluster || workingFolder(pid) === cluster;
  } catch {
    return false;
  }
}

/** A server works in its cluster's folder, also after that was moved to another path. */
function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

function isServerByPs(pid: number, cluster: string): boolean {
  try {
    const line = execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return line.includes('postgres') && line.includes(`-D ${cluster} `);
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
