import { open, stat } from 'node:fs/promises';
import { setImmediate as otherWork } from 'node:timers/promises';
import { fromBufferPromise, openPromise, type ZipFile } from 'yauzl';

/** The bytes of a file, wherever they are. It holds nothing open: what opens the file closes it. */
export interface ByteSource {
  /** In bytes. */
  size(): Promise<number>;
  /**
   * The file from its beginning, in pieces of {@link PIECE_BYTES} of which only the last may be shorter, so that
   * what is found out about a file never hangs on how it was delivered. A piece is valid until the next is asked for.
   */
  pieces(): AsyncIterable<Uint8Array>;
  /** The file as a zip, to be closed. */
  zip(): Promise<ZipFile>;
}

export const PIECE_BYTES = 65_536;

export function sourceOfContent(content: Uint8Array): ByteSource {
  return {
    size: () => Promise.resolve(content.length),
    async *pieces() {
      for (let at = 0; at < content.length; at += PIECE_BYTES) {
        yield content.subarray(at, at + PIECE_BYTES);
        // Whoever else is waiting gets a turn between two pieces.
        await otherWork();
      }
    },
    zip: async () =>
      await fromBufferPromise(Buffer.from(content.buffer, content.byteOffset, content.byteLength), OPEN),
  };
}

export function sourceOfFile(path: string): ByteSource {
  return {
    size: async () => (await stat(path)).size,
    async *pieces() {
      await using file = await open(path);
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      for (;;) {
        let length = 0;
        for (let read = -1; read !== 0 && length < PIECE_BYTES; length += read) {
          ({ bytesRead: read } = await file.read(piece, length, PIECE_BYTES - length));
        }
        if (length > 0) yield piece.subarray(0, length);
        if (length < PIECE_BYTES) return;
      }
    },
    zip: async () => await openPromise(path, OPEN),
  };
}

const OPEN = { autoClose: false } as const;
