import { createServer, type IncomingMessage, request as ask, type ServerResponse } from 'node:http';

/** A request as it came over the wire. */
export interface Asked {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names and values, as they were written. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** What is answered in place of the other side: the bytes of a whole HTTP answer, or of something that is none. */
export type Instead = (asked: Asked) => string | undefined;

export interface HttpTap {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Has this answer what it wants to, until the returned function is called. */
  answer(instead: Instead): () => void;
  close(): Promise<void>;
}

/** A door before an HTTP server that writes down each request, and may answer it itself. */
export async function startHttpTap(to: string): Promise<HttpTap> {
  const asked: Asked[] = [];
  const rules = new Set<Instead>();
  const server = createServer((request, response) => {
    void take(request, response).catch(() => request.socket.destroy());
  });

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(Buffer.from(piece as Buffer));
    const raw = request.rawHeaders;
    const own: Asked = {
      method: request.method ?? '',
      target: request.url ?? '',
      headers: raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as const] : [])),
      body: Buffer.concat(pieces),
    };
    asked.push(own);
    for (const rule of rules) {
      const text = rule(own);
      if (text === undefined) continue;
      request.socket.end(text);
      return;
    }
    const onward = ask(new URL(own.target, to), { method: own.method, headers: raw, agent: false });
    response.once('close', () => onward.destroy());
    onward.on('error', () => request.socket.destroy());
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.on('error', () => request.socket.destroy());
      answer.on('aborted', () => request.socket.destroy());
      answer.pipe(response);
    });
    onward.end(own.body);
  }

  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(0, '127.0.0.1', () => listening());
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    asked,
    answer(instead) {
      rules.add(instead);
      return () => rules.delete(instead);
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((closed) => {
        server.close(() => closed());
      });
    },
  };
}

/** The bytes of an answer with this body. */
export function httpAnswer(
  status: string,
  type: string,
  body: string,
  headers: readonly string[] = [],
): string {
  const head = [`HTTP/1.1 ${status}`, `content-type: ${type}`, `content-length: ${Buffer.byteLength(body)}`];
  return `${[...head, 'connection: close', ...headers].join('\r\n')}\r\n\r\n${body}`;
}
