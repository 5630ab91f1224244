import type { Socket } from 'node:net';

import type { Proxy } from './proxy.ts';
import { readSocket } from './read-socket.ts';
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

  if (method === USER_AND_PASSWORD) {
    const user = withLength(proxy.username ?? '');
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
  const [, , , type, nameLength] = bytes;
  if (type === undefined || nameLength === undefined) return undefined;
  const address = type === 3 ? nameLength + 1 : ADDRESS_BYTES[type];
  if (address === undefined) throw new WireError('proxy');
  const end = 4 + address + 2;
  return bytes.length >= end ? end : undefined;
}

function twoBytes(bytes: Buffer): number | undefined {
  return bytes.length >= 2 ? 2 : undefined;
}
