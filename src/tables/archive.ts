import { crc32 } from 'node:zlib';
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { isAppError } from '../domain/errors.ts';
import { LIMITS } from './limits.ts';
import { tableProblem } from './table-problem.ts';

export interface Archive {
  has(path: string): boolean;
  /**
   * The bytes of a part while they unpack, at most `limit` of them. All parts that are read count together
   * against the limit of the file. Throws `too_large` and `damaged`, the latter also for an absent part.
   */
  part(path: string, limit?: number): AsyncIterable<Uint8Array>;
}

/** Opens a zip in memory. Throws `damaged` for one that is not whole, `too_large` for one with too many files. */
export async function openArchive(content: Uint8Array): Promise<Archive> {
  const { zip, entries } = await open(content);
  let unpacked = 0;

  async function* unpack(path: string, limit: number): AsyncGenerator<Uint8Array> {
    const entry = entries.get(path.toLowerCase());
    if (entry === undefined) throw tableProblem('damaged');
    let [size, sum] = [0, 0];
    try {
      const stream: AsyncIterable<Uint8Array> = await zip.openReadStreamPromise(entry);
      for await (const chunk of stream) {
        size += chunk.length;
        unpacked += chunk.length;
        if (size > limit || unpacked > LIMITS.unpacked) throw tableProblem('too_large');
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
    part: (path, limit = LIMITS.unpacked) => unpack(path, limit),
  };
}

async function open(content: Uint8Array): Promise<{ zip: ZipFile; entries: ReadonlyMap<string, Entry> }> {
  const entries = new Map<string, Entry>();
  try {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    const zip = await fromBufferPromise(bytes);
    for await (const entry of zip.eachEntry()) {
      const path = entry.fileName.toLowerCase();
      // Two parts of one name: which of them counts is where readers differ, and what they can be made to miss.
      if (entries.has(path)) throw tableProblem('damaged');
      if (entries.size >= LIMITS.entries) throw tableProblem('too_large');
      entries.set(path, entry);
    }
    return { zip, entries };
  } catch (error) {
    throw problemOf(error);
  }
}

/** Whatever the unzipping finds wrong is the file's fault. */
function problemOf(error: unknown): Error {
  return isAppError(error) ? error : tableProblem('damaged', { cause: error });
}
