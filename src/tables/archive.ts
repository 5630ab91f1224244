import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { isAppError } from '../domain/errors.ts';
import type { ByteSource } from './byte-source.ts';
import { FIXED_LIMITS } from './limits.ts';
import { tableProblem } from './table-problem.ts';

export interface Archive extends Disposable {
  has(path: string): boolean;
  /**
   * The bytes of a part while they unpack, at most `limit` of them. All parts that are read count together
   * against the limit of the file. Throws `too_large`, `encrypted` and `damaged`, the latter also for an absent part.
   */
  part(path: string, limit?: number): AsyncIterable<Uint8Array>;
}

/**
 * Opens a zip, of which at most `most` bytes will unpack. Throws `damaged` for one that is not whole or in which
 * files overlap, `too_large` for one with too many files.
 */
export async function openArchive(source: ByteSource, most: number): Promise<Archive> {
  const { zip, entries } = await open(source);
  let unpacked = 0;

  async function* unpack(path: string, limit: number): AsyncGenerator<Uint8Array> {
    const entry = entries.get(path.toLowerCase());
    if (entry === undefined) throw tableProblem('damaged');
    if (entry.isEncrypted()) throw tableProblem('encrypted');
    let [size, sum] = [0, 0];
    try {
      const stream: AsyncIterable<Uint8Array> = await zip.openReadStreamPromise(entry);
      for await (const chunk of stream) {
        size += chunk.length;
        unpacked += chunk.length;
        if (size > limit || unpacked > most) throw tableProblem('too_large');
        sum = crc32(chunk, sum);
        yield chunk;
      }
    } catch (error) {
      throw problemOf(error);
    }
    if (sum !== entry.crc32) throw tableProblem('damaged');
  }

  return {
    has: (path) => entries.has(path.toLowerCase()),
    part: (path, limit = most) => unpack(path, limit),
    [Symbol.dispose]: () => {
      zip.close();
    },
  };
}

async function open(source: ByteSource): Promise<{ zip: ZipFile; entries: ReadonlyMap<string, Entry> }> {
  let zip: ZipFile | null = null;
  try {
    zip = await source.zip();
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) {
      const path = entry.fileName.toLowerCase();
      // Two parts of one name: which of them counts is where readers differ, and what they can be made to miss.
      if (entries.has(path)) throw tableProblem('damaged');
      if (entries.size >= FIXED_LIMITS.entries) throw tableProblem('too_large');
      entries.set(path, entry);
    }
    refuseOverlaps([...entries.values()]);
    return { zip, entries };
  } catch (error) {
    zip?.close();
    throw problemOf(error);
  }
}

/** Files that share their bytes: how a small zip becomes a large one without any of it being too dense. */
function refuseOverlaps(entries: readonly Entry[]): void {
  let end = 0;
  for (const { relativeOffsetOfLocalHeader: start, compressedSize } of entries.toSorted(
    (left, right) => left.relativeOffsetOfLocalHeader - right.relativeOffsetOfLocalHeader,
  )) {
    if (start < end) throw tableProblem('damaged');
    end = start + LOCAL_HEADER + compressedSize;
  }
}

/** Its name, and what else it may say, aside. */
const LOCAL_HEADER = 30;

/** Whatever the unzipping finds wrong is the file's fault. */
function problemOf(error: unknown): Error {
  return isAppError(error) ? error : tableProblem('damaged', { cause: error });
}
