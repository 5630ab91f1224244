import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from './checks.ts';
import { hasten } from './hasten.ts';
import { CALLS, SCENES, within } from './scenes.ts';
import { copySource } from './source-copy.ts';
import type { Stand } from './stand.ts';
import { startTrials } from './trial.ts';

export interface SyscallOptions {
  readonly root: string;
  readonly keep: boolean;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** What came of a send whose process was killed at its Nth system call that writes. */
export interface Cut {
  readonly at: number;
  readonly accepted: number;
  readonly unknown: number;
  readonly findings: readonly Finding[];
}

/** Not among the packages: where it is missing, this is skipped. */
const TRACER = 'strace';
const WRITES = 'write,writev,sendto,sendmsg';
const MOST = 3000;
const REACH_MS = 12_000;
/** From the last call to the last word on the card. */
const OVER_MS = 2500;
const ATTACH_MS = 5000;
/** So many runs in a row that end unkilled: what a process writes beside the send varies a little. */
const UNKILLED = 3;

/** Whether this machine lets a process be traced. */
export function canTrace(): boolean {
  return spawnSync(TRACER, ['-qq', '-o', '/dev/null', 'true']).status === 0;
}

/**
 * Kills the process at every system call that writes, one after the other, from the press until its send of three
 * calls is over: one send for each of them, until none is left to be killed at.
 */
export async function runSyscalls({ root, keep, signal, say }: SyscallOptions): Promise<Cut[]> {
  const [scene] = SCENES;
  if (scene === undefined) return [];
  const copy = copySource(root);
  hasten(copy);
  const trials = await startTrials({ source: copy.source, processes: 1, signal, say });
  const cuts: Cut[] = [];
  let clean = false;
  try {
    const [peyk] = trials.stand.peyks;
    if (peyk === undefined) return [];
    for (let at = 1, unkilled = 0; at <= MOST && unkilled < UNKILLED; at += 1) {
      signal.throwIfAborted();
      const before = peyk.ownEnds.length;
      const killed = (): boolean => peyk.ownEnds.length > before;
      let release = async (): Promise<void> => {};
      const arm = async (): Promise<void> => {
        release = await trace(peyk.pid(), at);
      };
      const isOver = watchSend(trials.stand);
      const { accepted, unknown, findings } = await trials.run(scene, CALLS, arm, {
        // A process at rest writes as well, and would never run out of writes to be killed at.
        until: () => killed() || isOver(),
        patienceMs: REACH_MS,
      });
      await release();
      for (const { kind, what } of findings) say(`  ${kind}: ${what}`);
      unkilled = killed() ? 0 : unkilled + 1;
      if (!killed()) {
        say(`write ${at}: nobody was killed`);
        continue;
      }
      cuts.push({ at, accepted, unknown, findings });
      if (at % 10 === 0) say(`write ${at}: ${accepted} accepted, ${unknown} unknown`);
    }
    clean = cuts.every(({ findings }) => findings.length === 0);
  } finally {
    await trials.close(keep || !clean);
    copy.remove();
  }
  return cuts;
}

/** Whether all calls of the next send have been accepted, and time has gone by in which the rest is written. */
function watchSend({ gateway }: Stand): () => boolean {
  const taken = (): number =>
    gateway.acceptances().reduce((sum, { recipients }) => sum + recipients.length, 0);
  const before = taken();
  let since: number | null = null;
  return () => {
    if (since === null && taken() - before >= CALLS) since = performance.now();
    return since !== null && performance.now() - since > OVER_MS;
  };
}

/** Attaches to a running process, to kill it at its Nth write from now on; what is returned lets it go. */
async function trace(pid: number, at: number): Promise<() => Promise<void>> {
  const child = spawn(
    TRACER,
    [
      '-f',
      '-qq',
      '-o',
      '/dev/null',
      '-e',
      `trace=${WRITES}`,
      '-e',
      `inject=${WRITES}:signal=KILL:when=${at}`,
      '-p',
      String(pid),
    ],
    { stdio: 'ignore' },
  );
  const ended = once(child, 'exit');
  const traced = (): boolean => {
    try {
      return !/^TracerPid:\s+0$/mu.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      // It wrote something else at once, and is gone.
      return true;
    }
  };
  if (!(await within(ATTACH_MS, traced))) throw new Error('strace does not get hold of the process');
  await sleep(100);
  return async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
  };
}
