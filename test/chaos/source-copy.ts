import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A change of one place in the source. */
export interface Patch {
  /** One that is not there is passed over where there are several: it is in one of them. */
  readonly file: string | readonly string[];
  /** Must be found exactly once. */
  readonly find: RegExp;
  readonly put: string;
}

/** The parts of Peyk that run, in a folder of their own. */
export interface SourceCopy {
  readonly source: string;
  has(file: string): boolean;
  /** Rewrites one file. */
  rewrite(file: string, change: (text: string) => string): void;
  remove(): void;
}

/** Copies what runs of Peyk, and other folders; the packages are shared. */
export function copySource(root: string, also: readonly string[] = []): SourceCopy {
  const source = mkdtempSync(join(tmpdir(), 'peyk-copy-'));
  for (const name of ['src', 'drizzle', 'package.json', ...also])
    cpSync(join(root, name), join(source, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'));
  return {
    source,
    has: (file) => existsSync(join(source, file)),
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
    const files = typeof file === 'string' ? [file] : file.filter((each) => copy.has(each));
    let found = 0;
    for (const each of files) {
      copy.rewrite(each, (text) => {
        found += [...text.matchAll(find)].length;
        return text.replace(find, put);
      });
    }
    if (found !== 1)
      throw new Error(`${name} does not fit ${files.join(', ')} any more: ${found} places instead of one`);
  }
}
