import { lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** A socket's path is at most 107 bytes on Linux and 103 on macOS. */
const MAX_SOCKET_PATH = 103;
const PREFIX = 'peyk-pg-';

/**
 * Makes a private folder (0700) for the database's socket and library links. Its path is short, for
 * the socket's sake; the data directory's path need not be.
 * @param shared choose a place that every user can reach: the server runs as another user
 */
export function createRuntimeFolder(shared: boolean): string {
  const base = shared || socketPathLength(tmpdir()) > MAX_SOCKET_PATH ? '/tmp' : tmpdir();
  return mkdtempSync(join(base, PREFIX));
}

/** Removes a folder that {@link createRuntimeFolder} made; anything else is left alone. */
export function removeRuntimeFolder(folder: string): void {
  if (!/^peyk-pg-\w{6}$/.test(basename(folder))) return;
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) rmSync(folder, { recursive: true, force: true });
}

function socketPathLength(base: string): number {
  return Buffer.byteLength(join(base, `${PREFIX}XXXXXX`, '.s.PGSQL.5432'));
}
