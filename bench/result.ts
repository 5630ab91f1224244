import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Figure } from './benchmark.ts';
import { GOAL_NAMES } from './goals.ts';
import { watchCores } from './resources.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(import.meta.dirname, 'results');
const SAMPLE_MS = 2000;
/** More than this of a core, used by others, and a run says something about them as well. */
const BUSY_CORES = 0.2;

/** What a benchmark found the last time, with all that it takes to judge it. */
export const Result = z.object({
  at: z.string(),
  /** With a mark where the product was not as committed; null: unknown. */
  commit: z.string().nullable(),
  node: z.string(),
  cores: z.int(),
  cpu: z.string(),
  seconds: z.number(),
  /** Cores that others used, before and after: the larger. */
  othersCores: z.number(),
  figures: z.array(
    z.object({
      what: z.string(),
      measure: z.string(),
      /** Null: there was nothing to measure. */
      figure: z.number().nullable(),
      digits: z.int().optional(),
      unit: z.string().optional(),
      goal: z
        .string()
        .refine((name) => GOAL_NAMES.includes(name))
        .optional(),
      isTold: z.boolean().optional(),
    }),
  ),
});
export type Result = z.output<typeof Result>;

/** Whether others used the machine so much that the figures are not to be kept. */
export function wasBusy({ othersCores }: Pick<Result, 'othersCores'>): boolean {
  return othersCores > BUSY_CORES;
}

/** Runs a benchmark and writes what it found into `bench/results/<name>.json`. */
export async function recorded(name: string, run: () => Promise<Figure[]>): Promise<Figure[]> {
  const before = await coresInUse();
  const began = performance.now();
  const figures = await run();
  const seconds = Math.round((performance.now() - began) / 1000);
  const result = {
    at: new Date().toISOString(),
    commit: commitNow(),
    node: process.version,
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? 'unknown',
    seconds,
    othersCores: Math.max(before, await coresInUse()),
    figures,
  };
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  return figures;
}

/** What a benchmark found the last time; null: it has not been run since its results look as they do. */
export function readResult(name: string): Result | null {
  const path = join(FOLDER, `${name}.json`);
  if (!existsSync(path)) return null;
  const { success, data } = Result.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  return success ? data : null;
}

/** Cores at work on this machine, while this process waits. */
async function coresInUse(): Promise<number> {
  const cores = watchCores();
  await sleep(SAMPLE_MS);
  return Math.round(cores() * 100) / 100;
}

function commitNow(): string | null {
  const git = (...words: string[]): string =>
    execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    const isChanged = git('status', '--porcelain', 'src', 'drizzle') !== '';
    return `${git('rev-parse', '--short=12', 'HEAD')}${isChanged ? ' (changed)' : ''}`;
  } catch {
    return null;
  }
}
