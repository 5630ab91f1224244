import { isIPv6 } from 'node:net';
import type { Socket } from 'node:net';

import type { Proxy } from './proxy.ts';
import { readSocket } from './read-socket.ts';
import { WireError } from './wire-error.ts';

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
