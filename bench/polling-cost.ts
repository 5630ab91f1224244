import { z } from 'zod';
import { cpuMsOfTree } from './process-tree.ts';
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
