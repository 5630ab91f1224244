import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** What the server does with a connection once it has seen a whole request, or with the bare connection. */
export interface Behaviour {
  /** Is told of each connection, besides. */
  readonly onSocket?: (socket: Socket) => void;
  readonly onConnection?: (socket: Socket) => void;
  readonly onRequest?: (socket: Socket, request: string) => void;
}

/** A server that counts what really arrives, below HTTP: connections, bytes, request heads. */
export interface RawServer {
  readonly url: string;
  readonly port: number;
  readonly connections: () => number;
  readonly bytes: () => number;
  readonly requests: () => readonly string[];
  /** Resolves once a connection has been accepted. */
  readonly connected: Promise<void>;
  close(): Promise<void>;
}

export async function startRawServer(behaviour: Behaviour): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const { promise: connected, resolve: onConnected } = Promise.withResolvers<void>();
  let connections = 0;
  let bytes = 0;

  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    onConnected();
    behaviour.onSocket?.(socket);
    if (behaviour.onConnection !== undefined) {
      behaviour.onConnection(socket);
      return;
    }
    let buffered = '';
    socket.on('data', (chunk) => {
      bytes += chunk.length;
      buffered += chunk.toString('latin1');
      for (let length = requestLength(buffered); length > 0; length = requestLength(buffered)) {
        const request = buffered.slice(0, length);
        buffered = buffered.slice(length);
        requests.push(request);
        behaviour.onRequest?.(socket, request);
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    connections: () => connections,
    bytes: () => bytes,
    requests: () => requests,
    connected,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** Length of the first complete request in the text, or 0. */
function requestLength(text: string): number {
  const head = text.indexOf('\r\n\r\n');
  if (head === -1) return 0;
  const declared = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head + 2))?.[1];
  const length = head + 4 + Number(declared ?? 0);
  return text.length >= length ? length : 0;
}

/** Answers with a status and a body of the right length, and closes. */
export function answer(
  status: number,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): (socket: Socket) => void {
  const bytes = Buffer.from(body);
  const extra = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} Status\r\ncontent-length: ${bytes.length}\r\n${extra.join('')}connection: close\r\n\r\n`;
  return (socket) => {
    socket.end(Buffer.concat([Buffer.from(head, 'latin1'), bytes]));
  };
}

/** Answers with JSON and status 200. */
export function answerJson(value: unknown): (socket: Socket) => void {
  return answer(200, typeof value === 'string' ? value : JSON.stringify(value), {
    'content-type': 'application/json',
  });
}
