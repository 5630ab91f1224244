import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Figure } from './benchmark.ts';
import { loopOf, type Calibration, type Loop } from './calibration.ts';
import { GOAL_NAMES } from './goals.ts';
import { watchOthers } from './process-tree.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(import.meta.dirname, 'results');
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
  /** Cores that others used meanwhile, on average; null: unknown. */
  othersCores: z.number().nullable(),
  /** What the fixed loop took: see {@link Loop}. */
  loop: z.object({ ms: z.number(), beforeMs: z.number(), afterMs: z.number() }),
  figures: z.array(
    z.object({
      what: z.string(),
      measure: z.string(),
      /** Null: there was nothing to measure. */
      figure: z.number().nullable(),
      digits: z.int().optional(),
      unit: z.string().optional(),
      pairs: z.object({ count: z.int(), lowest: z.number(), highest: z.number() }).optional(),
      note: z.string().optional(),
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
  return (othersCores ?? 0) > BUSY_CORES;
}

/** Runs a benchmark and writes what it found into `bench/results/<name>.json`. */
export async function recorded(
  name: string,
  calibration: Calibration,
  run: () => Promise<Figure[]>,
): Promise<{ readonly figures: Figure[]; readonly loop: Loop; readonly othersCores: number }> {
  const others = watchOthers();
  const before = await calibration.measure();
  const began = performance.now();
  const figures = await run();
  const seconds = Math.round((performance.now() - began) / 1000);
  const loop = loopOf(before, await calibration.measure());
  const result = {
    at: new Date().toISOString(),
    commit: commitNow(),
    node: process.version,
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? 'unknown',
    seconds,
    othersCores: Math.round(others() * 100) / 100,
    loop,
    figures,
  };
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  return result;
}

/** What a benchmark found the last time; null: it has not been run since its results look as they do. */
export function readResult(name: string): Result | null {
  const path = join(FOLDER, `${name}.json`);
  if (!existsSync(path)) return null;
  const { success, data } = Result.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  return success ? data : null;
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
