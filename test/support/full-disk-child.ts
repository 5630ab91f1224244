/**
 * Runs in a mount namespace of its own: `node full-disk-child.ts <folder>`. Mounts a small disk on the folder, starts a
 * database server on it, and obeys the words `fill` and `free` on standard input; at its end everything ends.
 */
import { createInterface } from 'node:readline';
import { startEmbeddedPostgres } from '../../src/storage/database/embedded.ts';
import { mountSmallDisk } from './small-disk.ts';

const MEGABYTES = 240;
const folder = process.argv[2]!;

try {
  const disk = mountSmallDisk(folder, MEGABYTES);
  const server = await startEmbeddedPostgres({ dataDir: folder });
  print({ ready: server.target });
  for await (const word of createInterface({ input: process.stdin })) {
    if (word === 'fill') disk.fill();
    else disk.free();
    print({ done: word });
  }
  disk.free();
  await server.stop();
} catch (error) {
  print({ refused: String(error) });
}

function print(line: unknown): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
