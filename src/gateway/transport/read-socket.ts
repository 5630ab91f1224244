import type { Socket } from 'node:net';

import { WireError } from './wire-error.ts';

/**
 * Reads from a raw socket until `complete` says how many of the bytes so far belong to the message; the
 * rest goes back to the socket for whoever reads next. Rejects with a WireError when the socket ends, the
 * signal fires, or the message passes `limit` bytes.
 */
export async function readSocket(
  socket: Socket,
  complete: (bytes: Buffer) => number | undefined,
  options: { readonly limit: number; readonly signal: AbortSignal },
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  let seen: Buffer = Buffer.alloc(0);
  const onReadable = (): void => {
    try {
      for (let chunk: unknown = socket.read(); Buffer.isBuffer(chunk); chunk = socket.read()) {
        seen = Buffer.concat([seen, chunk]);
        const length = complete(seen);
        if (length !== undefined) {
          socket.off('readable', onReadable);
          if (seen.length > length) socket.unshift(seen.subarray(length));
          resolve(seen.subarray(0, length));
          return;
        }
        if (seen.length > options.limit) throw new WireError('proxy');
      }
    } catch (error) {
      reject(error instanceof WireError ? error : new WireError('proxy'));
    }
  };
  const onEnd = (): void => reject(new WireError('proxy'));
  const onAbort = (): void => reject(options.signal.reason);
  socket.on('readable', onReadable);
  socket.once('end', onEnd);
  socket.once('close', onEnd);
  options.signal.addEventListener('abort', onAbort, { once: true });
  if (options.signal.aborted) onAbort();
  try {
    return await promise;
  } finally {
    socket.off('readable', onReadable);
    socket.off('end', onEnd);
    socket.off('close', onEnd);
    options.signal.removeEventListener('abort', onAbort);
  }
}
