import { createServer } from 'node:net';

let tried = 0;

/**
 * A port of the loopback that nobody listens on, for a process that cannot say which one it was given. It is below those that
 * the system hands out by itself, and others for each process of tests: nobody takes it before it is used.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    tried += 1;
    const port = 12_000 + (process.pid % 200) * 100 + (tried % 100);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return await new Promise((told) => {
    server.once('error', () => told(false));
    server.listen(port, '127.0.0.1', () => server.close(() => told(true)));
  });
}
