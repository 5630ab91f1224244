import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { Resources } from './resources.ts';
import type { Stage } from './stage.ts';

/** What has been used up so far, or in a span of time. */
export interface Cost {
  /** Executed for the bot. */
  readonly statements: number;
  /** Pages of tables and indices that Postgres looked at for its clients. */
  readonly pages: number;
  /** Calls of the gateway. */
  readonly calls: number;
  /** Milliseconds of a core in the bot's process, and in those of Postgres; NaN where the system does not tell. */
  readonly botMs: number;
  readonly postgresMs: number;
}

/** What the work costs, beside how long it takes in seconds. */
export async function costOf(
  stage: Stage,
  work: () => Promise<unknown>,
): Promise<{ readonly cost: Cost; readonly seconds: number }> {
  const before = await read(stage);
  const began = performance.now();
  await work();
  const after = await read(stage);
  return { cost: add(after, before, -1), seconds: (performance.now() - began) / 1000 };
}

/** The one and so many times the other. */
export function add(one: Cost, other: Cost, times: number): Cost {
  return combine((name) => one[name] + other[name] * times);
}

export function divided(cost: Cost, by: number): Cost {
  return combine((name) => cost[name] / by);
}

function combine(value: (name: keyof Cost) => number): Cost {
  return {
    statements: value('statements'),
    pages: value('pages'),
    calls: value('calls'),
    botMs: value('botMs'),
    postgresMs: value('postgresMs'),
  };
}

async function read({ bot, gateway, database, postgresPid }: Stage): Promise<Cost> {
  const [row] = await database.sql<{ pages: number }[]>`
    select sum(coalesce(hits, 0) + coalesce(reads, 0))::float8 as pages from pg_stat_io
    where backend_type = 'client backend' and object = 'relation'`;
  const { cpuMs } = await bot.ask('resources', {}, Resources);
  return {
    statements: await bot.ask('statements', {}, z.number()),
    calls: await gateway.ask('requests', {}, z.number()),
    pages: row?.pages ?? 0,
    botMs: cpuMs,
    postgresMs: cpuMsOfTree(postgresPid),
  };
}

/** Of Linux, whatever the machine. */
const TICK_MS = 10;

interface Process {
  readonly parent: number;
  readonly ms: number;
  /** Of its children that have ended. */
  readonly endedMs: number;
}

/** Milliseconds of a core that a process and its descendants have used, also those that have ended. */
function cpuMsOfTree(pid: number): number {
  const processes = new Map<number, Process>();
  try {
    for (const name of readdirSync('/proc').filter((entry) => /^\d+$/u.test(entry))) {
      const found = readProcess(name);
      if (found !== null) processes.set(Number(name), found);
    }
  } catch {
    return Number.NaN;
  }
  const isOurs = (each: number): boolean => {
    if (each === pid) return true;
    const parent = processes.get(each)?.parent ?? 0;
    return parent > 1 && isOurs(parent);
  };
  return [...processes].reduce(
    (sum, [each, { ms, endedMs }]) => (isOurs(each) ? sum + ms + endedMs : sum),
    0,
  );
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
    const ms = preciseMs(pid) ?? (user + system) * TICK_MS;
    return { parent, ms, endedMs: (endedUser + endedSystem) * TICK_MS };
  } catch {
    // It has ended meanwhile.
    return null;
  }
}

/** To the nanosecond, where the system keeps it. */
function preciseMs(pid: string): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
  } catch {
    return null;
  }
}
