import { isIPv6, type Socket } from 'node:net';

import type { Proxy } from './proxy.ts';
import { unlessAborted } from './unless-aborted.ts';
import { WireError } from './wire-error.ts';

const VERSION = 5;
const NO_AUTHENTICATION = 0;
const USER_AND_PASSWORD = 2;
/** Bytes of a reply's address, after the four bytes of its head, by address type; a name carries its own length. */
const ADDRESS_BYTES: Readonly<Record<number, number>> = { 1: 4, 4: 16 };

/**
 * Opens a tunnel through a SOCKS5 proxy (RFC 1928, RFC 1929). The name goes to the proxy unresolved.
 * Rejects with WireError `proxy` when the proxy refuses.
 */
export async function openSocksTunnel(
  socket: Socket,
  proxy: Proxy,
  target: Pick<Proxy, 'host' | 'port'>,
  signal: AbortSignal,
): Promise<void> {
  const receive = (complete: (bytes: Buffer) => number | undefined): Promise<Buffer> =>
    readSocket(socket, complete, { limit: 512, signal });

  const method = proxy.username === undefined ? NO_AUTHENTICATION : USER_AND_PASSWORD;
  socket.write(Buffer.from([VERSION, 1, method]));
  const chosen = await receive(twoBytes);
  if (chosen[0] !== VERSION || chosen[1] !== method) throw new WireError('proxy');

  if (proxy.username !== undefined) {
    const user = withLength(proxy.username);
    const password = withLength(proxy.password?.reveal() ?? '');
    socket.write(Buffer.concat([Buffer.from([1]), user, password]));
    const answer = await receive(twoBytes);
    if (answer[1] !== 0) throw new WireError('proxy');
  }

  const port = Buffer.from([target.port >> 8, target.port & 0xff]);
  socket.write(Buffer.concat([Buffer.from([VERSION, 1, 0, 3]), withLength(target.host), port]));
  const reply = await receive(endOfReply);
  if (reply[0] !== VERSION || reply[1] !== 0) throw new WireError('proxy');
}

function withLength(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > 255) throw new WireError('proxy');
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

function endOfReply(bytes: Buffer): number | undefined {
  const [, , , type = 0, nameLength] = bytes;
  if (nameLength === undefined) return undefined;
  const address = type === 3 ? nameLength + 1 : ADDRESS_BYTES[type];
  if (address === undefined) throw new WireError('proxy');
  const end = 4 + address + 2;
  return bytes.length >= end ? end : undefined;
}

function twoBytes(bytes: Buffer): number | undefined {
  return bytes.length >= 2 ? 2 : undefined;
}

const HEAD_LIMIT = 16 * 1024;

/**
 * Asks an HTTP proxy for a tunnel with CONNECT, for plain and secure targets alike: inside a tunnel the
 * proxy cannot repeat a request, which a forwarding proxy may do. Rejects with WireError `proxy`.
 */
export async function openHttpTunnel(
  socket: Socket,
  proxy: Proxy,
  target: Pick<Proxy, 'host' | 'port'>,
  signal: AbortSignal,
): Promise<void> {
  const authority = `${isIPv6(target.host) ? `[${target.host}]` : target.host}:${target.port}`;
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`];
  if (proxy.username !== undefined) {
    const pair = `${proxy.username}:${proxy.password?.reveal() ?? ''}`;
    lines.push(`Proxy-Authorization: Basic ${Buffer.from(pair).toString('base64')}`);
  }
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const head = await readSocket(socket, endOfHead, { limit: HEAD_LIMIT, signal });
  if (!/^HTTP\/1\.[01] 2\d\d(?: |\r)/.test(head.toString('latin1'))) throw new WireError('proxy');
}

function endOfHead(bytes: Buffer): number | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  return end === -1 ? undefined : end + 4;
}

/**
 * Reads from a raw socket until `complete` says how many of the bytes so far belong to the message; the
 * rest goes back to the socket for whoever reads next. Rejects with a WireError when the socket ends, the
 * signal fires, or the message passes `limit` bytes.
 */
async function readSocket(
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
      reject(error);
    }
  };
  const onEnd = (): void => reject(new WireError('proxy'));
  socket.on('readable', onReadable);
  socket.once('end', onEnd);
  socket.once('close', onEnd);
  try {
    return await unlessAborted(promise, options.signal);
  } finally {
    socket.off('readable', onReadable);
    socket.off('end', onEnd);
    socket.off('close', onEnd);
  }
}
