import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createPlainServer } from 'node:net';
import { performance } from 'node:perf_hooks';
import { rootCertificates } from 'node:tls';
import type { SecureVersion, TlsOptions } from 'node:tls';

import { afterEach, expect, test, vi } from 'vitest';

import type { GatewayOptions } from '../compose.ts';
import { acceptance, gatewayOf, SEND } from '../testing/accounts.ts';
import { CERTIFICATE, CERTIFICATE_KEY } from '../testing/certificate.ts';
import { createTlsTrusts } from './tls-trust.ts';

const [OTHER_CA = ''] = rootCertificates;

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A gateway behind TLS that notes of each handshake whether it resumed a session. */
async function startTls(options: TlsOptions = {}, port = 0) {
  const resumed: boolean[] = [];
  const told: unknown[] = [];
  const sockets = new Set<Socket>();
  const server = createServer(
    { cert: CERTIFICATE, key: CERTIFICATE_KEY, ...options },
    (request, response) => void request.resume().once('end', () => response.end(acceptance(3))),
  );
  server.on('secureConnection', (socket) => {
    resumed.push(socket.isSessionReused());
    told.push([socket.servername, socket.alpnProtocol]);
  });
  server.on('connection', (socket: Socket) => void sockets.add(socket));
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
  closers.push(close);
  return { port: (server.address() as AddressInfo).port, resumed, told, close };
}

/** Sends by an account of its own. @returns what became of it */
async function send(port: number, options: Partial<GatewayOptions>): Promise<string> {
  const gateway = gatewayOf(3, `https://127.0.0.1:${port}`, options);
  const { outcome } = await gateway.use('sending').send(SEND);
  await gateway.close();
  return outcome;
}

test.each<SecureVersion>(['TLSv1.3', 'TLSv1.2'])(
  'a connection by %s resumes the session of one before it, of whichever account',
  async (maxVersion) => {
    const { port, resumed } = await startTls({ maxVersion });
    const options = { ca: CERTIFICATE, trusts: createTlsTrusts() };

    for (let time = 0; time < 3; time += 1) expect(await send(port, options)).toBe('accepted');

    expect(resumed).toEqual([false, true, true]);
  },
);

test('no session is resumed under other authorities, nor for another host', async () => {
  const { port, resumed } = await startTls();
  const trusts = createTlsTrusts();

  expect(await send(port, { trusts, ca: CERTIFICATE })).toBe('accepted');
  expect(await send(port, { trusts, ca: `${OTHER_CA}\n${CERTIFICATE}` })).toBe('accepted');
  expect(resumed).toEqual([false, false]);
  expect(await send(port, { trusts, ca: OTHER_CA })).toBe('not_sent');
  expect(await send(port, { trusts })).toBe('not_sent');
  expect(resumed).not.toContain(true);

  const elsewhere = gatewayOf(3, `https://localhost:${port}`, { trusts, ca: CERTIFICATE });
  expect(await elsewhere.use('sending').send(SEND)).toEqual({ outcome: 'not_sent', reason: 'tls' });
  await elsewhere.close();
});

test('a host is told by its name, an address is not, and both are asked for HTTP/1.1', async () => {
  const { port, told } = await startTls();
  expect(await send(port, { ca: CERTIFICATE })).toBe('accepted');
  const named = gatewayOf(3, `https://gateway.test:${port}`, {
    ca: CERTIFICATE,
    isPrivateNetwork: true,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  expect((await named.use('sending').send(SEND)).outcome).toBe('accepted');
  await named.close();
  expect(told).toEqual([
    [false, 'http/1.1'],
    ['gateway.test', 'http/1.1'],
  ]);
});

test('each way to a host has a trust of its own', () => {
  const trusts = createTlsTrusts();
  const host = { host: 'gateway.test', port: 443 };
  const proxy = { kind: 'http', host: 'proxy', port: 80 } as const;
  const ways = [{}, { proxy }, { proxy: { ...proxy, port: 81 } }, { proxy: { ...proxy, username: 'me' } }];
  expect(new Set(ways.map((way) => trusts(host, way))).size).toBe(ways.length);
  expect(trusts(host, { proxy: { ...proxy } })).toBe(trusts(host, { proxy }));
});

test('ten minutes after a certificate was looked at it is looked at again', async () => {
  const { port, resumed } = await startTls();
  const options = { ca: CERTIFICATE, trusts: createTlsTrusts() };
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now');
  for (const minutes of [0, 6, 11, 12]) {
    clock.mockImplementation(() => now() + minutes * 60_000);
    expect(await send(port, options)).toBe('accepted');
  }
  expect(resumed).toEqual([false, true, false, true]);
});

test('however many tickets came meanwhile', () => {
  let minutes = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => minutes * 60_000);
  const trust = createTlsTrusts()({ host: 'gateway.test', port: 443 }, {});
  const [first, second, third] = [Buffer.from('1'), Buffer.from('2'), Buffer.from('3')];
  trust.keep(first, null);
  minutes = 6;
  const begun = trust.session();
  trust.keep(second, begun);
  expect([begun?.ticket, trust.session()?.ticket]).toEqual([first, second]);
  minutes = 10;
  expect(trust.session()).toBeNull();
  trust.keep(third, null);
  // A connection that was begun earlier speaks late.
  trust.keep(second, begun);
  expect(trust.session()?.ticket).toBe(third);
});

test('what a handshake that failed has tried to resume is tried no more', async () => {
  const ticketKeys = Buffer.alloc(48, 1);
  const options = { ca: CERTIFICATE, trusts: createTlsTrusts() };
  const first = await startTls({ ticketKeys });
  expect(await send(first.port, options)).toBe('accepted');
  await first.close();

  const broken = createPlainServer((socket) => void socket.resume().end('no TLS here'));
  await new Promise<void>((resolve) => {
    broken.listen(first.port, '127.0.0.1', resolve);
  });
  expect(await send(first.port, options)).toBe('not_sent');
  await new Promise((resolve) => {
    broken.close(resolve);
  });

  const again = await startTls({ ticketKeys }, first.port);
  expect(await send(first.port, options)).toBe('accepted');
  expect(await send(first.port, options)).toBe('accepted');
  expect(again.resumed).toEqual([false, true]);
});
