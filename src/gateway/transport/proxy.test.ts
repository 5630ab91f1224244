import { createServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';

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
  ['an unknown certificate', async () => `https://127.0.0.1:${(await startTlsTarget()).port}`, 'tls'],
  [
    'a server that does not speak TLS',
    async () => `https://127.0.0.1:${(await startTarget()).port}`,
    'timeout',
  ],
])('a send to %s is proven unsent', async (_title, urlOf, reason) => {
  const gateway = closing(gatewayOf(3, await urlOf(), { timeouts: { dialMs: 400 } }));

  const result = await gateway.use('sending').send(SEND);

  expect(result).toEqual({ outcome: 'not_sent', reason });
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

/** A proxy that says one of these whenever something comes, in pieces where it is short; behind it a gateway that accepts. */
async function startScript(replies: readonly (string | readonly number[])[], ends = false) {
  const heard: string[] = [];
  const left = replies.map((reply) => (typeof reply === 'string' ? Buffer.from(reply) : Buffer.from(reply)));
  const say = async (socket: Socket, said: Buffer): Promise<void> => {
    const length = said.length > 100 ? said.length : 1;
    for (let at = 0; at < said.length; at += length) {
      socket.write(said.subarray(at, at + length));
      await setImmediate();
    }
    if (ends && left.length === 0) socket.end();
  };
  const server = await startRawServer({
    onConnection: (socket) =>
      socket.on('data', (bytes) => {
        heard.push(bytes.toString('latin1'));
        const said = left.shift();
        if (said === undefined) answerJson(acceptance(3))(socket);
        else void say(socket, said);
      }),
  });
  return { ...closing(server), heard };
}

/** What becomes of a send through a proxy of this kind, with what stands before its address. */
async function sendBy(prefix: string, { port }: { readonly port: number }) {
  const options = { proxy: `${prefix}127.0.0.1:${port}`, isPrivateNetwork: true };
  return await closing(gatewayOf(3, 'http://gateway.test:8080', options))
    .use('sending')
    .send(SEND);
}

const TARGET = 'gateway.test:8080';
const ASKED = `\x05\x01\0\x03\x0cgateway.test${String.fromCodePoint(8080 >> 8, 8080 & 255)}`;
const OPEN = [5, 0, 0, 1, 127, 0, 0, 1, 0, 80];

test.each([
  ['an address', OPEN],
  ['an address of version 6', [5, 0, 0, 4, ...Buffer.alloc(16), 0, 80]],
  ['a name', [5, 0, 0, 3, 2, 104, 105, 0, 80]],
])('a SOCKS proxy is told the name and may answer in pieces, with %s', async (_title, reply) => {
  const proxy = await startScript([[5, 0], reply]);
  expect((await sendBy('socks5://', proxy)).outcome).toBe('accepted');
  expect(proxy.heard.slice(0, 2)).toEqual(['\x05\x01\0', ASKED]);
});

test.each([
  ['socks5://me@', [[5, 2], [1, 0], OPEN], ['\x05\x01\x02', '\x01\x02me\0', ASKED]],
  [
    'http://me@',
    ['HTTP/1.0 200\r\n\r\n'],
    [`CONNECT ${TARGET} HTTP/1.1\r\nHost: ${TARGET}\r\nProxy-Authorization: Basic bWU6\r\n\r\n`],
  ],
  [
    'http://',
    ['HTTP/1.1 200 Connection established\r\nvia: x\r\n\r\n'],
    [`CONNECT ${TARGET} HTTP/1.1\r\nHost: ${TARGET}\r\n\r\n`],
  ],
])('what %s is told, to the byte', async (prefix, replies, told) => {
  const proxy = await startScript(replies);
  expect((await sendBy(prefix, proxy)).outcome).toBe('accepted');
  expect(proxy.heard.slice(0, told.length)).toEqual(told);
});

test.each<[string, string, (string | number[])[], boolean?]>([
  ['speaks another version', 'socks5://', [[4, 0]]],
  ['wants another method', 'socks5://', [[5, 255]]],
  [
    'wants another password',
    'socks5://me:x@',
    [
      [5, 2],
      [1, 1],
    ],
  ],
  [
    'answers in another version',
    'socks5://',
    [
      [5, 0],
      [4, ...OPEN.slice(1)],
    ],
  ],
  [
    'does not let through',
    'socks5://',
    [
      [5, 0],
      [5, 5, ...OPEN.slice(2)],
    ],
  ],
  [
    'answers with no kind of address',
    'socks5://',
    [
      [5, 0],
      [5, 0, 0, 2, ...OPEN.slice(4)],
    ],
  ],
  ['does not begin with its version', 'http://', ['x HTTP/1.1 200 OK\r\n\r\n']],
  ['never ends its head', 'http://', [`HTTP/1.1 200 ${'x'.repeat(16 * 1024)}`]],
  ['closes before its method is whole', 'socks5://', [[5]], true],
  ['closes before its answer is whole', 'socks5://', [[5, 0], OPEN.slice(0, 9)], true],
  ['closes before its head is whole', 'http://', ['HTTP/1.1 200 OK\r\n'], true],
])('nothing goes through a proxy that %s', async (_title, prefix, replies, ends = false) => {
  const proxy = await startScript(replies, ends);
  expect(await sendBy(prefix, proxy)).toEqual({ outcome: 'not_sent', reason: 'proxy' });
  expect(proxy.heard).toHaveLength(replies.length);
});

test('a proxy that this machine may not dial is unreachable', async () => {
  const gateway = closing(gatewayOf(3, 'http://127.0.0.1:1', { proxy: 'http://255.255.255.255:1' }));
  expect(await gateway.use('sending').send(SEND)).toEqual({ outcome: 'not_sent', reason: 'unreachable' });
});

test('names and passwords are as long as a SOCKS proxy can be told, and no longer', async () => {
  const [name, password] = ['n'.repeat(255), 'p'.repeat(255)];
  const login = [
    [5, 2],
    [1, 0],
  ];
  const proxy = await startScript([...login, OPEN]);
  expect((await sendBy(`socks5://${name}:${password}@`, proxy)).outcome).toBe('accepted');
  expect(proxy.heard[1]).toBe(`\x01\xff${name}\xff${password}`);

  const other = await startScript([...login, OPEN]);
  const refused = await sendBy(`socks5://${name}:${password}p@`, other);
  expect(refused).toEqual({ outcome: 'not_sent', reason: 'proxy' });
});

test('what a proxy says beyond its answer is no answer of the gateway: nothing is written', async () => {
  const proxy = await startScript([`HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n${acceptance(3)}`]);
  expect(await sendBy('http://', proxy)).toEqual({ outcome: 'not_sent', reason: 'reset' });
  expect(proxy.heard).toHaveLength(1);
});

test('a proxy of kind https is asked over TLS, and has to show whom the runtime trusts', async () => {
  const proxy = closing(await startHttpProxy());
  const shield = createTlsServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (socket) => {
    const inner = connect(proxy.port, '127.0.0.1');
    socket.on('error', () => inner.destroy());
    inner.on('error', () => socket.destroy());
    socket.pipe(inner).pipe(socket);
  });
  await new Promise<void>((resolve) => {
    shield.listen(0, '127.0.0.1', resolve);
  });
  closers.push(async () => shield.close());
  const target = await startTarget();
  const address = `https://127.0.0.1:${(shield.address() as AddressInfo).port}`;
  const gateway = closing(gatewayOf(3, target.url, { proxy: address }));

  expect(await gateway.use('sending').send(SEND)).toEqual({ outcome: 'not_sent', reason: 'tls' });
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, CERTIFICATE]);
  closers.push(async () => setDefaultCACertificates(trusted));
  expect((await gateway.use('sending').send(SEND)).outcome).toBe('accepted');
  expect([proxy.asked, target.requests().length]).toEqual([[target.url.replace('http://', '')], 1]);
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

test.each(['ftp://proxy:1', 'socks5:///', 'not an address', 'user:hunter2@proxy'])(
  'a proxy address that cannot be used is refused without being repeated: %s',
  (address) => {
    const act = () => parseProxy(address);
    expect(act).toThrow(expect.toSatisfy((error: unknown) => isAppError(error, 'config')));
    expect(act).not.toThrow(/hunter2/);
  },
);
