/**
 * Runs in a mount namespace of its own: `node full-disk-child.ts <folder>`. Mounts a small disk on the folder, starts a
 * database server on it, and obeys the words `fill` and `free` on standard input; at its end everything ends.
 */
import { execFileSync } from 'node:child_process';
import { rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/storage/embedded.ts';

/** Of util-linux, like what has started this. */
const [MOUNT, FALLOCATE] = ['mount', 'fallocate'] as const;
const SIZE = '240m';
const folder = process.argv[2]!;
const ballast = join(folder, 'ballast');

let server: EmbeddedPostgres;
try {
  execFileSync(MOUNT, ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'small-disk', folder], { stdio: 'pipe' });
  server = await startEmbeddedPostgres({ dataDir: folder });
  print({ ready: server.target });
  for await (const word of createInterface({ input: process.stdin })) {
    if (word === 'fill') fill();
    else rmSync(ballast);
    print({ done: word });
  }
  rmSync(ballast, { force: true });
  await server.stop();
} catch (error) {
  print({ refused: String(error) });
}

function fill(): void {
  const { bavail, bsize } = statfsSync(folder);
  execFileSync(FALLOCATE, ['-l', String(bavail * bsize), ballast]);
}

function print(line: unknown): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
