import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceFile } from './directions.ts';

/** The folder that holds package.json. */
export const ROOT = join(import.meta.dirname, '../..');

/** Files under the project's root by pattern, sorted, with their text. */
export function projectFiles(...patterns: string[]): SourceFile[] {
  return globSync(patterns, { cwd: ROOT, exclude: ['**/node_modules/**'] })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
    .map((path) => ({ path, text: readProjectFile(path) }));
}

export function readProjectFile(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/**
 * Every file that belongs to the project: what git tracks or would track; without git (an unpacked archive)
 * what lies in the folders of sources.
 */
export function trackedPaths(): string[] {
  try {
    const output = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return output.split('\0').filter((path) => path !== '' && existsSync(join(ROOT, path)));
  } catch {
    const folders = '{src,test,bench,docs,drizzle,.ci}/**/*.*';
    return globSync(['*.{md,json,ts}', 'LICENSE', 'Dockerfile', '.ci/run', folders], { cwd: ROOT });
  }
}
