import { request } from 'undici';
import { expect, test } from 'vitest';
import { createMemoryLog } from '../../test/support/memory-log.ts';
import { healthRoutes } from './health.ts';
import { startHttpServer } from './server.ts';

test('readiness names what is wrong, and liveness does not depend on it', async () => {
  let reason: string | null = 'does not answer';
  const server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    log: createMemoryLog(),
    routes: healthRoutes({
      database: async () => reason,
      queue: async () => {
        throw new Error('postgres://user:password@host');
      },
    }),
  });
  const get = async (path: string) => {
    const { statusCode, body } = await request(`http://127.0.0.1:${server.port}${path}`);
    return { statusCode, body: await body.json() };
  };
  try {
    expect(await get('/livez')).toEqual({ statusCode: 200, body: { live: true } });
    expect(await get('/readyz')).toEqual({
      statusCode: 503,
      body: { ready: false, reasons: ['database: does not answer', 'queue: the check itself failed'] },
    });
    reason = null;
    expect((await get('/readyz?x=1')).body).toEqual({
      ready: false,
      reasons: ['queue: the check itself failed'],
    });
    expect((await get('/nothing')).statusCode).toBe(404);
  } finally {
    await server.close();
  }
});
