import { createServer } from 'node:http';
import { AppError } from './domain/errors.ts';

/** Null when all is well; otherwise why not, in plain words without secrets or versions. */
export type Check = () => Promise<string | null>;

export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * `/livez`: the process answers. `/readyz`: it can do its work; 503 with the reasons when it cannot.
 * Rejects when the port is taken.
 */
export async function startHealthServer(options: {
  readonly host: string;
  readonly port: number;
  readonly checks: Readonly<Record<string, Check>>;
}): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    void answer(path).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      failed(
        error.code === 'EADDRINUSE'
          ? new AppError('config', 'the port is taken', {
              params: { PORT: 'another program listens there already' },
            })
          : error,
      );
    });
    server.listen(options.port, options.host, () => listening());
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  return {
    port,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((closed) => {
        server.close(() => closed());
      });
    },
  };

  async function answer(path: string | undefined): Promise<{ status: number; body: object }> {
    if (path === '/livez') return { status: 200, body: { live: true } };
    if (path !== '/readyz') return { status: 404, body: { error: 'there are only /livez and /readyz' } };
    const found = await Promise.all(
      Object.entries(options.checks).map(async ([name, check]) => {
        const reason = await check().catch(() => 'the check itself failed');
        return reason === null ? null : `${name}: ${reason}`;
      }),
    );
    const reasons = found.filter((reason) => reason !== null);
    return { status: reasons.length === 0 ? 200 : 503, body: { ready: reasons.length === 0, reasons } };
  }
}
