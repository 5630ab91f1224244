import { closeSync, openSync, readSync, statSync } from 'node:fs';

const CHUNK = 8 * 1024 * 1024;

/** What was appended to a file that grows since it was `from` bytes long, whole lines only, and where to go on. */
export function readNew(file: string, from: number): { readonly text: string; readonly next: number } {
  const { size } = statSync(file);
  const fd = openSync(file, 'r');
  const parts: Buffer[] = [];
  for (let at = from; at < size;) {
    const part = Buffer.alloc(Math.min(CHUNK, size - at));
    const read = readSync(fd, part, 0, part.length, at);
    if (read === 0) break;
    parts.push(part.subarray(0, read));
    at += read;
  }
  closeSync(fd);
  const all = Buffer.concat(parts);
  const end = all.lastIndexOf(10) + 1;
  return { text: all.subarray(0, end).toString('utf8'), next: from + end };
}
