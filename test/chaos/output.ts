import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, cpus, release, type } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const ROOT = join(import.meta.dirname, '../..');
/** Where the results lie, for the document and for whoever looks into them. */
export const OUTPUT = join(ROOT, 'test-output');

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Writes a result with all that it takes to judge it: when, of which commit, where, how long. */
export function writeResult(name: string, began: number, result: object): void {
  mkdirSync(OUTPUT, { recursive: true });
  const circumstances = {
    at: new Date().toISOString(),
    commit: commitNow(),
    node: process.version,
    machine: `${type()} ${release()} ${arch()}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
    seconds: Math.round((performance.now() - began) / 1000),
  };
  writeFileSync(join(OUTPUT, name), `${JSON.stringify({ ...circumstances, ...result }, null, 2)}\n`);
  say(`written to test-output/${name}`);
}

/** The commit that the files are of, with a mark where they have been changed since; null without one. */
function commitNow(): string | null {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return `${git('rev-parse', '--short=12', 'HEAD')}${git('status', '--porcelain', 'src', 'drizzle') === '' ? '' : ' (changed)'}`;
  } catch {
    return null;
  }
}
