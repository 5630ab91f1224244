import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sending } from './sending.ts';
import type { Readiness } from './readiness.ts';
import { readNew } from './read-new.ts';
import type { Stand } from './stand.ts';

/** One process that was told to end, and the one that took its place. */
export interface Restart {
  readonly turn: number;
  readonly process: number;
  /** The exit code, or the signal that it took. */
  readonly how: number | NodeJS.Signals;
  readonly stopMs: number;
  /** From the end of the old one until the new one was ready; null: it never was. */
  readonly readyMs: number | null;
  /** Whether the job was under way from the signal until the new one was ready. */
  readonly inJob: boolean;
  /** Calls on the wire at the signal, of all processes. */
  readonly onWire: number;
  /** Of these, those that the process itself brought to an end before its own. */
  readonly broughtHome: number;
}

/** What an installation gives a process to stop in, and what it gives a new one to begin in. */
const STOP_MS = 90_000;
const READY_MS = 120_000;
/** Between a process that is ready and the next one that ends. */
const REST_MS = 1500;

/**
 * Has the processes end by SIGTERM, one after the other, each when the one before it is replaced and ready. `source` is
 * what the new ones run; absent: the same.
 */
export async function takeTurns(
  stand: Stand,
  readiness: Readiness,
  of: {
    readonly turns: number;
    readonly job: Sending;
    readonly source?: string | undefined;
    /** Awaited before the last of the first processes is told to end. */
    readonly beforeLast: () => Promise<unknown>;
  },
  signal: AbortSignal,
  onRestart: (restart: Restart) => void,
): Promise<void> {
  for (let turn = 1; turn <= of.turns; turn += 1) {
    for (const [index, peyk] of stand.peyks.entries()) {
      if (turn === 1 && index === stand.peyks.length - 1) await of.beforeLast();
      signal.throwIfAborted();
      const before = await look(stand, of.job);
      const { size } = statSync(peyk.logFile);
      const { how, ms: stopMs } = await peyk.replace(STOP_MS, of.source);
      const { text } = readNew(peyk.logFile, size);
      const readyMs = await readiness.untilReady(index, READY_MS);
      const after = await look(stand, of.job);
      onRestart({
        turn,
        process: index,
        how,
        stopMs,
        readyMs,
        inJob: before.isRunning && after.isRunning,
        onWire: before.onWire.length,
        broughtHome: before.onWire.filter((id) => text.includes(`"${id}"`)).length,
      });
      await sleep(REST_MS, undefined, { signal });
    }
  }
}

/** The calls that are on the wire, and whether the job is under way. */
async function look(
  { postgres }: Stand,
  { wanted }: Sending,
): Promise<{ readonly onWire: readonly string[]; readonly isRunning: boolean }> {
  return await postgres.ask(async (sql) => {
    const calls = await sql<{ id: string }[]>`select id from attempt where state = 'on_wire'`;
    const jobs = await sql`
      select from job j join draft d on d.id = j.draft_id
      where d.text = ${wanted[0]?.text ?? ''} and j.state in ('holding', 'running')`;
    return { onWire: calls.map(({ id }) => id), isRunning: jobs.length > 0 };
  });
}
