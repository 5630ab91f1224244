import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

export interface TestProxy {
  readonly port: number;
  /** What clients asked for: `host:port`, after their credentials if they gave any. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** A CONNECT proxy. With `refusal` it answers that and closes. */
export function startHttpProxy(refusal?: string): Promise<TestProxy> {
  const asked: string[] = [];
  return listen(asked, (socket) => {
    let head = '';
    const onData = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', onData);
      socket.pause();
      const credentials = /\r\nproxy-authorization: Basic (\S+)/i.exec(head)?.[1];
      const target = head.split(' ')[1] ?? '';
      const pair = credentials === undefined ? '' : `${Buffer.from(credentials, 'base64').toString()}@`;
      asked.push(`${pair}${target}`);
      if (refusal === undefined) tunnel(socket, target, 'HTTP/1.1 200 Connection established\r\n\r\n');
      else socket.end(refusal);
    };
    socket.on('data', onData);
  });
}

/** A SOCKS5 proxy that wants user name and password when `pair` is given. */
export function startSocksProxy(pair?: string): Promise<TestProxy> {
  const asked: string[] = [];
  return listen(asked, (socket) => {
    let step: 'greeting' | 'login' | 'request' = 'greeting';
    let login = '';
    const onData = (bytes: Buffer): void => {
      if (step === 'greeting') {
        step = pair === undefined ? 'request' : 'login';
        socket.write(Buffer.from([5, pair === undefined ? 0 : 2]));
      } else if (step === 'login') {
        step = 'request';
        const userLength = bytes[1] ?? 0;
        login = `${bytes.toString('utf8', 2, 2 + userLength)}:${bytes.toString('utf8', 3 + userLength)}`;
        socket.write(Buffer.from([1, login === pair ? 0 : 1]));
      } else {
        socket.off('data', onData);
        socket.pause();
        const nameLength = bytes[4] ?? 0;
        const host = bytes.toString('latin1', 5, 5 + nameLength);
        const target = `${host}:${bytes.readUInt16BE(5 + nameLength)}`;
        asked.push(login === '' ? target : `${login}@${target}`);
        tunnel(socket, target, Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
      }
    };
    socket.on('data', onData);
  });
}

/** `localhost` and test names lead to this machine: names are the proxy's to resolve. */
function tunnel(client: Socket, target: string, greeting: string | Buffer): void {
  const upstream = connect(Number(target.split(':').at(-1)), '127.0.0.1', () => {
    client.write(greeting);
    client.pipe(upstream).pipe(client);
  });
  upstream.on('error', () => client.destroy());
  upstream.on('close', () => client.destroy());
  client.on('close', () => upstream.destroy());
}

async function listen(asked: readonly string[], serve: (socket: Socket) => void): Promise<TestProxy> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    serve(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    asked,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
