import { afterEach, expect, test } from 'vitest';
import { gatewayOf, SEND, VERSIONS } from '../../src/gateway/testing/accounts.ts';
import { answer, startRawServer } from '../../src/gateway/testing/raw-server.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const STATUSES = [301, 302, 303, 307, 308];

test.each(VERSIONS.flatMap((version) => STATUSES.map((status) => ({ version, status }))))(
  'a gateway of version $version that answers $status leads no call, and no credential, to another address',
  async ({ version, status }) => {
    const elsewhere = await startRawServer({ onConnection: (socket) => void socket.end() });
    const server = await startRawServer({
      onRequest: (socket, request) => {
        const path = request.split(' ')[1] ?? '/';
        answer(status, '', { location: `${elsewhere.url}${path}` })(socket);
      },
    });
    const gateway = gatewayOf(version, server.url, { timeouts: { readMs: 2000 }, random: () => 0 });
    closers.push(elsewhere.close, server.close, gateway.close);

    await expect(gateway.use('credit').credit()).rejects.toMatchObject({ name: 'AppError' });
    await expect(gateway.use('reports').latest()).rejects.toMatchObject({ name: 'AppError' });
    expect(await gateway.use('sending').send(SEND)).toMatchObject({ outcome: 'unknown' });
    expect(elsewhere.connections()).toBe(0);
  },
);
