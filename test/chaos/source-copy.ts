import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A change of one place in the source. */
export interface Patch {
  readonly file: string;
  /** Must be found exactly once. */
  readonly find: RegExp;
  readonly put: string;
}

/** The parts of Peyk that run, in a folder of their own. */
export interface SourceCopy {
  readonly source: string;
  /** Rewrites one file. */
  rewrite(file: string, change: (text: string) => string): void;
  remove(): void;
}

/** Copies what runs of Peyk; the packages are shared. */
export function copySource(root: string): SourceCopy {
  const source = mkdtempSync(join(tmpdir(), 'peyk-copy-'));
  for (const name of ['src', 'drizzle', 'package.json'])
    cpSync(join(root, name), join(source, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'));
  return {
    source,
    rewrite(file, change) {
      const path = join(source, file);
      writeFileSync(path, change(readFileSync(path, 'utf8')));
    },
    remove: () => rmSync(source, { recursive: true, force: true }),
  };
}

/** Throws when a patch does not fit: the code has changed, and whoever changes it here has to look again. */
export function applyPatches(copy: SourceCopy, name: string, patches: readonly Patch[]): void {
  for (const { file, find, put } of patches) {
    copy.rewrite(file, (text) => {
      const found = [...text.matchAll(find)].length;
      if (found !== 1)
        throw new Error(`${name} does not fit ${file} any more: ${found} places instead of one`);
      return text.replace(find, put);
    });
  }
}
