import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import { afterEach, describe, expect, test } from 'vitest';

import { isAppError } from '../../domain/errors.ts';
import { acceptance, gatewayOf, SEND } from '../testing/accounts.ts';
import { CERTIFICATE, CERTIFICATE_KEY } from '../testing/certificate.ts';
import { startHttpProxy, startSocksProxy } from '../testing/proxies.ts';
import { answerJson, startRawServer } from '../testing/raw-server.ts';
import { parseProxy } from './proxy.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

function closing<T extends { close(): Promise<unknown> }>(started: T): T {
  closers.push(() => started.close());
  return started;
}

const CREDIT = { return: { status: 200, message: '' }, data: { credit: 5000 } };

async function startTarget() {
  const server = await startRawServer({
    onRequest: (socket, request) => answerJson(request.includes('/send') ? acceptance(3) : CREDIT)(socket),
  });
  return closing(server);
}

async function startTlsTarget() {
  const requests: string[] = [];
  const server = createServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (request, response) => {
    requests.push(request.url ?? '');
    request.resume();
    response.end(request.url?.endsWith('/send') ? acceptance(3) : JSON.stringify(CREDIT));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, requests };
}

describe.each([
  ['http', 'http://', () => startHttpProxy()],
  ['http with credentials', 'http://me:p%40ss@', () => startHttpProxy()],
  ['socks5', 'socks5://', () => startSocksProxy()],
  ['socks5 with credentials', 'socks5://me:p%40ss@', () => startSocksProxy('me:p@ss')],
])('through a proxy of kind %s', (kind, prefix, start) => {
  const pair = kind.endsWith('credentials') ? 'me:p@ss@' : '';
  /** The proxy resolves, and nobody else. */
  const resolve = async (): Promise<never> => await Promise.reject(new Error('asked for the name'));

  test('sends and reads go to the plain target, by its name', async () => {
    const target = await startTarget();
    const proxy = closing(await start());
    const url = `http://gateway.test:${target.port}`;
    const gateway = closing(
      gatewayOf(3, url, { proxy: `${prefix}127.0.0.1:${proxy.port}`, isPrivateNetwork: true, resolve }),
    );

    const bytesAtFence: number[] = [];
    const sent = await gateway.use('sending').send(SEND, {
      beforeWrite: async () => {
        bytesAtFence.push(target.bytes());
        return true;
      },
    });
    const credit = await gateway.use('credit').credit();

    expect(sent.outcome).toBe('accepted');
    expect(credit).toBe(5000);
    expect(bytesAtFence).toEqual([0]);
    expect(target.requests()).toHaveLength(2);
    expect(new Set(proxy.asked)).toEqual(new Set([`${pair}gateway.test:${target.port}`]));
  });

  test('the proxy’s own name may lead anywhere', async () => {
    const target = await startTarget();
    const proxy = closing(await start());
    const address = `${prefix}localhost:${proxy.port}`;
    const gateway = closing(gatewayOf(3, target.url, { proxy: address, resolve }));

    expect((await gateway.use('sending').send(SEND)).outcome).toBe('accepted');
    expect(await gateway.use('credit').credit()).toBe(5000);
  });

  test('TLS is made with the target itself', async () => {
    const target = await startTlsTarget();
    const proxy = closing(await start());
    const url = `https://gateway.test:${target.port}`;
    const gateway = closing(
      gatewayOf(3, url, { proxy: `${prefix}127.0.0.1:${proxy.port}`, ca: CERTIFICATE, resolve }),
    );

    expect((await gateway.use('sending').send(SEND)).outcome).toBe('accepted');
    expect(await gateway.use('credit').credit()).toBe(5000);
    expect(target.requests).toHaveLength(2);
  });
});

test.each(['http://gateway.test:80', 'https://gateway.test:443'])(
  '%s needs no port in its address',
  async (url) => {
    const proxy = closing(await startHttpProxy('HTTP/1.1 403 No\r\n\r\n'));
    const address = `http://127.0.0.1:${proxy.port}`;
    const options = { proxy: address, isPrivateNetwork: true };
    const gateway = closing(gatewayOf(3, url.replace(/:\d+$/, ''), options));

    expect(await gateway.use('sending').send(SEND)).toEqual({ outcome: 'not_sent', reason: 'proxy' });
    expect(proxy.asked).toEqual([url.replace(/^\w+:\/\//, '')]);
  },
);

test('an address of version 6 stands in brackets', async () => {
  const target = await startTarget();
  const proxy = closing(await startHttpProxy());
  const host = `[fd00::7]:${target.port}`;
  const address = `http://127.0.0.1:${proxy.port}`;
  const gateway = closing(gatewayOf(3, `http://${host}`, { proxy: address, isPrivateNetwork: true }));

  expect((await gateway.use('sending').send(SEND)).outcome).toBe('accepted');
  expect(await gateway.use('credit').credit()).toBe(5000);
  expect(proxy.asked).toEqual([host, host]);
  for (const request of target.requests()) expect(request).toContain(`\r\nhost: ${host}\r\n`);
});

test('a send over TLS without a proxy is one request', async () => {
  const target = await startTlsTarget();
  const gateway = closing(gatewayOf(3, `https://127.0.0.1:${target.port}`, { ca: CERTIFICATE }));

  expect((await gateway.use('sending').send(SEND)).outcome).toBe('accepted');
  expect(target.requests).toHaveLength(1);
});

test.each([
  ['an unknown certificate', async () => `https://127.0.0.1:${(await startTlsTarget()).port}`],
  ['a server that does not speak TLS', async () => `https://127.0.0.1:${(await startTarget()).port}`],
])('a send to %s is proven unsent', async (_title, urlOf) => {
  const gateway = closing(gatewayOf(3, await urlOf(), { timeouts: { dialMs: 400 } }));

  const result = await gateway.use('sending').send(SEND);

  expect(result.outcome).toBe('not_sent');
});

test.each([
  ['refuses', () => startHttpProxy('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'), 'http'],
  ['answers nonsense', () => startHttpProxy('200 OK\r\n\r\n'), 'http'],
  ['wants a password', () => startSocksProxy('me:secret'), 'socks5'],
] as const)('a proxy that %s leaves the send proven unsent', async (_title, start, scheme) => {
  const target = await startTarget();
  const proxy = closing(await start());
  const gateway = closing(gatewayOf(3, target.url, { proxy: `${scheme}://127.0.0.1:${proxy.port}` }));

  expect(await gateway.use('sending').send(SEND)).toEqual({ outcome: 'not_sent', reason: 'proxy' });
  expect(target.connections()).toBe(0);
});

test.each([
  ['http://proxy', { kind: 'http', host: 'proxy', port: 80 }],
  ['https://proxy', { kind: 'https', host: 'proxy', port: 443 }],
  ['socks5://proxy', { kind: 'socks5', host: 'proxy', port: 1080 }],
  ['socks5h://proxy:7', { kind: 'socks5', host: 'proxy', port: 7 }],
  ['socks://[::1]:7', { kind: 'socks5', host: '::1', port: 7 }],
  ['http://me@proxy', { kind: 'http', host: 'proxy', port: 80, username: 'me' }],
])('the proxy address %s is read', (address, expected) => {
  expect(parseProxy(address)).toEqual(expected);
});

test.each(['ftp://proxy:1', 'not an address', 'user:hunter2@proxy'])(
  'a proxy address that cannot be used is refused without being repeated: %s',
  (address) => {
    const act = () => parseProxy(address);
    expect(act).toThrow(expect.toSatisfy((error: unknown) => isAppError(error, 'config')));
    expect(act).not.toThrow(/hunter2/);
  },
);
