import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { watchCores } from './resources.ts';

/** Watches from now on. @returns how many cores others than this process and its descendants have used since; NaN: unknown */
export function watchOthers(): () => number {
  const [began, own, cores] = [performance.now(), cpuMsOfTree(process.pid), watchCores()];
  return () => Math.max(0, cores() - (cpuMsOfTree(process.pid) - own) / (performance.now() - began));
}

/** Of Linux, whatever the machine. */
const TICK_MS = 10;

interface Process {
  readonly parent: number;
  readonly ms: number;
  /** Of its children that have ended. */
  readonly endedMs: number;
}

/**
 * Milliseconds of a core that a process and its descendants have used, also those that have ended; NaN where the system
 * does not tell.
 */
export function cpuMsOfTree(pid: number): number {
  const tree = processesOfTree(pid);
  if (tree.size === 0) return Number.NaN;
  return [...tree.values()].reduce((sum, { ms, endedMs }) => sum + ms + endedMs, 0);
}

/** A process and its descendants; empty where the system does not tell. */
export function pidsOfTree(pid: number): number[] {
  return [...processesOfTree(pid).keys()];
}

function processesOfTree(root: number): ReadonlyMap<number, Process> {
  if (!existsSync('/proc/self/stat')) return new Map();
  const all = new Map<number, Process>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/u.test(entry))) {
    const found = readProcess(name);
    if (found !== null) all.set(Number(name), found);
  }
  const isOurs = (pid: number): boolean => {
    if (pid === root) return true;
    const parent = all.get(pid)?.parent ?? 0;
    return parent > 1 && isOurs(parent);
  };
  return new Map([...all].filter(([pid]) => isOurs(pid)));
}

function readProcess(pid: string): Process | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in brackets, may have spaces; the numbers come after it.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
      (index) => fields[index],
    );
    const ms = Math.max((user + system) * TICK_MS, preciseMs(pid) ?? 0);
    return { parent, ms, endedMs: (endedUser + endedSystem) * TICK_MS };
  } catch {
    // It has ended meanwhile.
    return null;
  }
}

/** Of its first thread alone, but to the nanosecond, where the system keeps it. */
function preciseMs(pid: string): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
  } catch {
    return null;
  }
}
