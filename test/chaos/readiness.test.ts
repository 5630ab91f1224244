import { createServer, type Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { freePorts, watchReadiness } from './readiness.ts';

const open: Server[] = [];

afterEach(async () => {
  for (const server of open.splice(0)) await end(server);
});

async function serve(port: number, status: number): Promise<Server> {
  const server = createServer((_, response) => response.writeHead(status).end('{}'));
  await new Promise<void>((listening) => {
    server.listen(port, '127.0.0.1', () => listening());
  });
  open.push(server);
  return server;
}

async function end(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((closed) => {
    server.close(() => closed());
  });
}

test('a process is ready when it says so, and not because it answers', async () => {
  const [port = 0, other = 0] = await freePorts(2);
  expect(other).not.toBe(port);
  const readiness = watchReadiness([port], new Map());
  expect(await readiness.untilReady(0, 0)).toBeNull();
  const unready = await serve(port, 503);
  expect(await readiness.untilReady(0, 1)).toBeNull();
  await end(unready);
  open.pop();
  await serve(port, 200);
  expect(await readiness.untilReady(0, 30_000)).toBeGreaterThanOrEqual(0);
  await readiness.stop();
});

test('a gap is when none of a group is ready, and it is counted for each group', async () => {
  const [up = 0, down = 0] = await freePorts(2);
  await serve(up, 200);
  const groups = new Map([
    ['process', [0, 1]],
    ['poller', [1]],
  ]);
  const readiness = watchReadiness([up, down], groups);
  await readiness.untilReady(0, 30_000);
  const gaps = await readiness.stop();
  expect(gaps.get('process')).toEqual({ totalMs: 0, longestMs: 0 });
  expect(gaps.get('poller')?.totalMs).toBeGreaterThan(0);
  expect(gaps.get('poller')?.longestMs).toBe(gaps.get('poller')?.totalMs);
});
