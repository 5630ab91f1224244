import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { applyPatches, copySource } from '../chaos/source-copy.ts';
import { createDraws } from './draws.ts';
import { MUTANTS } from './mutants.ts';
import { play } from './play.ts';
import { drawScript } from './script.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Plays broken copies of the send path, each until it is caught or its time is over.
 * @returns the names of those that were not caught
 */
export async function playControls(
  seconds: number,
  only: string | undefined,
  say: (line: string) => void,
): Promise<readonly string[]> {
  const missed: string[] = [];
  for (const { name, patches } of MUTANTS.filter((each) => only === undefined || each.name.includes(only))) {
    const copy = copySource(root, ['test']);
    try {
      applyPatches(copy, name, patches);
      const began = performance.now();
      const said = await run(copy.source, ['--seconds', String(seconds), '--first', '1']);
      const tookSeconds = ((performance.now() - began) / 1000).toFixed(1);
      say(`${said === null ? 'MISSED' : 'caught'} after ${tookSeconds} s: ${name}`);
      if (said === null) missed.push(name);
      else say(`  ${said}`);
      // What the product itself does wrong catches nothing.
      if (said !== null) await playsWell(Number(/^seed (\d+)/u.exec(said)?.[1]));
    } finally {
      copy.remove();
    }
  }
  return missed;
}

async function playsWell(seed: number): Promise<void> {
  const { wrong } = await play(drawScript(seed, createDraws(seed)));
  if (wrong !== null) throw new Error(`what is not broken goes wrong too: seed ${seed}: ${wrong}`);
}

/** What went wrong in a copy, in a line; null: nothing. */
async function run(source: string, given: readonly string[]): Promise<string | null> {
  const main = join(source, 'test/simulation/main.ts');
  try {
    await promisify(execFile)(process.execPath, [main, ...given], { cwd: source, maxBuffer: 64 << 20 });
    return null;
  } catch (error) {
    const told = typeof error === 'object' && error !== null && 'stdout' in error ? String(error.stdout) : '';
    const line = told.split('\n').find((each) => each.startsWith('seed '));
    if (line === undefined) throw error;
    return line.slice(0, 200);
  }
}
