import { execFileSync } from 'node:child_process';
import { pidsOfTree } from './process-tree.ts';

/** Cores of each side, as `taskset` names them. */
export interface Apart {
  readonly processes: string;
  readonly database: string;
  readonly standIns: string;
}

const PROCESSES = 4;
const ENOUGH = 8;

/** Four cores for as many processes of the bot, the others for the database and the stand-ins; null: too few for that. */
export function coresApart(cores: number): Apart | null {
  if (cores < ENOUGH) return null;
  const half = PROCESSES + Math.floor((cores - PROCESSES) / 2);
  return {
    processes: `0-${PROCESSES - 1}`,
    database: `${PROCESSES}-${half - 1}`,
    standIns: `${half}-${cores - 1}`,
  };
}

/** Keeps a process, its threads and what it has started on these cores, and what it starts from now on. */
export function pin(pid: number, cores: string): void {
  for (const each of pidsOfTree(pid)) execFileSync('taskset', ['-a', '-c', '-p', cores, String(each)]);
}
