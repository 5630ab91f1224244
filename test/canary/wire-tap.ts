import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

/** The bytes of one connection, in both directions. */
interface Heard {
  readonly up: Buffer[];
  readonly down: Buffer[];
}

export interface WireTap {
  readonly port: number;
  readonly heard: readonly Heard[];
  close(): Promise<void>;
}

/** A TCP port on loopback that leads elsewhere and keeps all that passes. */
export async function startWireTap(to: NetConnectOpts): Promise<WireTap> {
  const heard: Heard[] = [];
  const open = new Set<Socket>();
  const pass = (from: Socket, into: Socket, kept: Buffer[]): void => {
    open.add(from);
    from.on('data', (bytes: Buffer) => {
      kept.push(bytes);
      into.write(bytes);
    });
    from.on('end', () => into.end());
    from.on('error', () => into.destroy());
    from.on('close', () => {
      open.delete(from);
      into.destroy();
    });
  };
  const server = createServer((client) => {
    const own: Heard = { up: [], down: [] };
    heard.push(own);
    const target = connect(to);
    pass(client, target, own.up);
    pass(target, client, own.down);
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(0, '127.0.0.1', () => listening());
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    heard,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((closed) => {
        server.close(() => closed());
      });
    },
  };
}
