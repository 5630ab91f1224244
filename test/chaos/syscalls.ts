import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareSend } from './book-send.ts';
import type { Finding } from './checks.ts';
import { readFacts } from './facts.ts';
import { hasten } from './hasten.ts';
import { within } from './patience.ts';
import { linkPlaces } from './people.ts';
import { untilQuiet } from './quiet.ts';
import { judge, openRound, type RoundContext, secondsSince } from './round.ts';
import type { Mode, Played } from './run.ts';
import type { Stand } from './stand.ts';

/** Not among the packages: where it is missing, this is skipped. */
const TRACER = 'strace';
const WRITES = 'write,writev,sendto,sendmsg';
const MOST = 5000;
const REACH_MS = 30_000;
/** From the last call to the last word on the card. */
const OVER_MS = 2500;
const ATTACH_MS = 5000;
/** So many runs in a row that end unkilled: what a process writes beside the send varies a little. */
const UNKILLED = 3;
/** A phonebook of three calls. */
const CALLS = 401;

/** Whether this machine lets a process be traced. */
export function canTrace(): boolean {
  return spawnSync(TRACER, ['-qq', '-o', '/dev/null', 'true']).status === 0;
}

/** At which write each process is killed. */
export const WRITE_NUMBERS: readonly number[] = Array.from({ length: MOST }, (_, index) => index + 1);

/**
 * Kills the process at every system call that writes, one after the other, from the command until its send of three calls,
 * for which Send is pressed twice at once, is over: one send for each of them, until none is left to be killed at.
 */
export const SYSCALLS: Mode<number, RoundContext & { unkilled: number }> = {
  judges: ['lost', 'doubled', 'wrong', 'card', 'silent', 'dead', 'stuck'],
  hasten,
  async open(stand, { signal }) {
    // Whose phonebooks are sent to number by number.
    const places = (await linkPlaces(stand)).filter(({ account }) => account.apiKey !== undefined);
    return { ...(await openRound(stand, signal, places)), unkilled: 0 };
  },
  play: cutAt,
};

async function cutAt(context: RoundContext & { unkilled: number }, at: number): Promise<Played> {
  const { stand, places, prober, signal } = context;
  const began = performance.now();
  const place = places[at % places.length];
  const [peyk] = stand.peyks;
  if (place === undefined || peyk === undefined) throw new Error('there is nobody to be killed');
  const first = (await stand.telegram.updates()).at(-1)?.id ?? 0;
  const collecting = stand.telegram.collecting();
  try {
    const before = peyk.ownEnds.length;
    const killed = (): boolean => peyk.ownEnds.length > before;
    const isOver = watchSend(stand);
    const release = await trace(peyk.pid(), at);
    const { sending, press } = await prepareSend(stand, place, `chaos r${at} s0 trial`, CALLS);
    await Promise.all([press(), press().catch(() => undefined)]);
    // A process at rest writes as well, and would never run out of writes to be killed at.
    await within(REACH_MS, () => killed() || isOver());
    const findings: Finding[] = [];
    let stuck = await untilQuiet(stand, prober, signal);
    const isConfirmed = async (): Promise<boolean> =>
      (await readFacts(stand, [at])).every(({ job }) => job !== null);
    if (!(await isConfirmed())) {
      // Whatever became of the first press, the next one works.
      await press().catch(() => undefined);
      stuck = await untilQuiet(stand, prober, signal);
      if (!(await isConfirmed()))
        findings.push({ kind: 'dead', count: 1, what: 'another press does nothing' });
    }
    await release();
    if (stuck !== null) findings.push({ kind: 'stuck', count: 1, what: JSON.stringify(stuck) });
    const judged = await judge(context, at, [sending], first);
    const { accepted, unknown } = judged.tally;
    context.unkilled = killed() ? 0 : context.unkilled + 1;
    return {
      round: at,
      seconds: secondsSince(began),
      // It has ended because it was told to.
      findings: [...findings, ...judged.findings.filter(({ kind }) => kind !== 'crash')],
      counts: {
        'processes killed, each at another write': Number(killed()),
        'recipients accepted': accepted,
        'recipients unknown': unknown,
      },
      times: {},
      told: `${killed() ? 'killed' : 'nobody was killed'}, ${accepted} accepted, ${unknown} unknown`,
      isLast: context.unkilled === UNKILLED,
    };
  } finally {
    clearInterval(collecting);
  }
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
  const inject = `inject=${WRITES}:signal=KILL:when=${at}`;
  const flags = ['-f', '-qq', '-o', '/dev/null', '-e', `trace=${WRITES}`, '-e', inject, '-p', String(pid)];
  const child = spawn(TRACER, flags, { stdio: 'ignore' });
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
