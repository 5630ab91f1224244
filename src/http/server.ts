import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { AppError } from '../domain/errors.ts';
import type { HttpAnswer, HttpRequest, HttpRoute } from '../ports/http.ts';
import type { Log } from '../ports/runtime.ts';

export interface HttpServer {
  readonly port: number;
  /** Takes no more requests and lets those that are being answered end. */
  close(): Promise<void>;
}

/** A body that comes in drops must not hold a connection for ever. */
const REQUEST_MS = 30_000;
const LAST_ANSWER_MS = 5000;
const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/**
 * Listens on one port and answers by the path alone; a query is nobody's business. Rejects with `config` when the
 * port is taken.
 */
export async function startHttpServer(options: {
  readonly host: string;
  readonly port: number;
  /** By path, beginning with `/`. */
  readonly routes: ReadonlyMap<string, HttpRoute>;
  readonly log: Log;
}): Promise<HttpServer> {
  const { host, port, routes, log } = options;
  const server = createServer({ requestTimeout: REQUEST_MS }, (request, response) => {
    void answer(request).then((given) => send(response, given));
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      failed(
        error.code === 'EADDRINUSE'
          ? new AppError('config', 'the port is taken', {
              params: {
                PORT: `another program has port ${port} of ${host} already: end that one, or set another port`,
              },
            })
          : error,
      );
    });
    server.listen(port, host, () => listening());
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async close() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeIdleConnections();
      const late = setTimeout(() => server.closeAllConnections(), LAST_ANSWER_MS);
      await closed;
      clearTimeout(late);
    },
  };

  async function answer(request: IncomingMessage): Promise<HttpAnswer> {
    const path = request.url?.split('?')[0] ?? '/';
    const route = routes.get(path);
    if (route === undefined) return { status: 404, body: { error: 'there is nothing here' } };
    try {
      return await route(toRequest(request));
    } catch (error) {
      log.error({ err: error }, 'a request could not be answered');
      return { status: 500, body: { error: 'something went wrong here' } };
    }
  }
}

function toRequest(request: IncomingMessage): HttpRequest {
  return {
    method: request.method ?? 'GET',
    header: (name) => {
      const value = request.headers[name];
      return typeof value === 'string' ? value : value?.join(', ');
    },
    async read(mostBytes) {
      if (Number(request.headers['content-length'] ?? 0) > mostBytes) return null;
      const pieces: Buffer[] = [];
      let size = 0;
      for await (const piece of request) {
        if (!Buffer.isBuffer(piece)) continue;
        size += piece.byteLength;
        if (size > mostBytes) return null;
        pieces.push(piece);
      }
      return Buffer.concat(pieces);
    },
  };
}

function send(response: ServerResponse, { status, body, headers }: HttpAnswer): void {
  const isText = typeof body === 'string';
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json';
  // What was not read of a refused body is not waited for.
  const unread = response.req.complete ? {} : { connection: 'close' };
  response.writeHead(status, { ...HEADERS, 'content-type': type, ...unread, ...headers });
  response.end(isText ? body : JSON.stringify(body));
}
