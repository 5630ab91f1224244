import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { z } from 'zod';
import { CERTIFICATE, CERTIFICATE_KEY } from '../src/gateway/testing/certificate.ts';
import { serve } from './child.ts';

/* TLS before the stand-in of the gateway, as far away as one likes. */

const Listen = z.object({ to: z.int(), roundTripMs: z.number() });
const opened: Server[] = [];
const sockets = new Set<Socket>();

serve(
  {
    /** Gives the port. What comes there has been on its way for half of the round trip, and so has what goes back. */
    listen: async (payload) => {
      const { to, roundTripMs } = Listen.parse(payload);
      const secure = await listening(
        createTlsServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (socket) => join(socket, to, 0)),
      );
      if (roundTripMs === 0) return secure;
      return await listening(createServer((socket) => join(socket, secure, roundTripMs)));
    },
  },
  async () => {
    for (const server of opened) server.close();
    for (const socket of sockets) socket.destroy();
    await Promise.resolve();
  },
);

async function listening(server: Server): Promise<number> {
  opened.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return z.custom<AddressInfo>().parse(server.address()).port;
}

function join(client: Socket, port: number, roundTripMs: number): void {
  const server = connect(port, '127.0.0.1');
  for (const socket of [client, server]) {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  }
  // A real connection would not stand before a whole round trip, in which nothing could be written.
  carry(client, server, roundTripMs / 2, performance.now() + roundTripMs);
  carry(server, client, roundTripMs / 2, 0);
}

/** Hands on what comes, so many milliseconds late and not before a moment, in its order. */
function carry(from: Socket, to: Socket, lateMs: number, notBefore: number): void {
  const under: (Buffer | null)[] = [];
  const later = (what: Buffer | null): void => {
    const ms = Math.max(0, notBefore - performance.now()) + lateMs;
    if (ms === 0) return arrive(what);
    under.push(what);
    setTimeout(() => arrive(under.shift() ?? null), ms);
  };
  const arrive = (what: Buffer | null): void => {
    if (what === null) to.end();
    else if (!to.destroyed) to.write(what);
  };
  from.on('data', (bytes: Buffer) => later(bytes));
  from.on('close', () => later(null));
  from.on('end', () => later(null));
}
