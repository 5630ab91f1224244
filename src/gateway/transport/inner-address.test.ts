import { createServer } from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import net, { type AddressInfo, type Socket, type TcpNetConnectOpts } from 'node:net';

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { acceptance, gatewayOf, SEND, VERSIONS } from '../testing/accounts.ts';
import type { GatewayLogRecord } from '../calls.ts';
import { CERTIFICATE, CERTIFICATE_KEY } from '../testing/certificate.ts';
import { failureOf } from '../testing/exchange.ts';
import { answerJson, startRawServer } from '../testing/raw-server.ts';
import type { Resolve } from './checked-lookup.ts';

/** Stands for the internet: whoever is let through to it arrives at the server of the test. */
const PUBLIC = '5.6.7.8';
const NAME = 'gateway.test';
const INNER = '127.0.0.1';

const { connect } = net;
beforeAll(() => {
  dialBy((options) => {
    const { lookup } = options;
    if (lookup === undefined) return connect(options);
    return connect({
      ...options,
      lookup: (name, asked, callback) =>
        lookup(name, asked, (error, found, family) => {
          const isHere = (address: string): string => (address === PUBLIC ? INNER : address);
          if (typeof found === 'string') callback(error, isHere(found), family);
          else
            callback(
              error,
              found.map((each) => ({ ...each, address: isHere(each.address) })),
            );
        }),
    });
  });
});
afterAll(() => dialBy(connect));

/** Whoever has imported Node's function dials so from now on. */
function dialBy(way: (options: TcpNetConnectOpts) => Socket): void {
  Object.assign(net, { connect: way });
  syncBuiltinESMExports();
}

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A gateway on this machine, with a certificate for {@link NAME}, that counts who comes. */
async function startServer() {
  const sockets: Socket[] = [];
  const requests: string[] = [];
  const server = createServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (request, response) => {
    requests.push(request.url ?? '');
    request.resume();
    const version = /\/api\/v1\//.test(request.url ?? '') ? 1 : 3;
    const credit =
      version === 1
        ? '{"status":200,"result":{"status":0,"value":5}}'
        : '{"return":{"status":200},"data":{"credit":5}}';
    response.setHeader('connection', 'close');
    response.end(/\/sms\/send/.test(request.url ?? '') ? acceptance(version) : credit);
  });
  server.on('connection', (socket: Socket) => sockets.push(socket));
  await new Promise<void>((resolve) => {
    server.listen(0, INNER, resolve);
  });
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    seen: () => ({
      connections: sockets.length,
      bytes: sockets.reduce((sum, socket) => sum + socket.bytesRead, 0),
      requests: requests.length,
    }),
  };
}

/** Each answer once, the last one for ever. */
function resolving(...answers: readonly (readonly string[])[]) {
  const left = [...answers];
  return vi.fn<Resolve>(async () => {
    const found = (left.length > 1 ? left.shift() : left[0]) ?? [];
    return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  });
}

const UNSEEN = { connections: 0, bytes: 0, requests: 0 };

describe.each(VERSIONS)('version %i at a name', (version) => {
  async function start(resolve: Resolve, isPrivateNetwork = false, name = NAME) {
    const server = await startServer();
    const records: GatewayLogRecord[] = [];
    const gateway = gatewayOf(version, `https://${name}:${server.port}`, {
      ca: CERTIFICATE,
      resolve,
      isPrivateNetwork,
      random: () => 0,
      timeouts: { dialMs: 2_000 },
      log: (record) => records.push(record),
    });
    closers.push(() => gateway.close());
    return { server, gateway, records };
  }

  test('that leads outside is dialled where its one answer said', async () => {
    const resolve = resolving([PUBLIC]);
    const { server, gateway } = await start(resolve);

    expect((await gateway.use('sending').send(SEND)).outcome).toBe('accepted');
    expect(resolve.mock.calls).toEqual([[NAME]]);
    expect(await gateway.use('credit').credit()).toBe(5);
    expect(resolve).toHaveBeenCalledTimes(2);
    expect(server.seen()).toMatchObject({ connections: 2, requests: 2 });
  });

  test.each([
    ['this machine', [INNER]],
    ['this machine in other letters', [`::ffff:${INNER}`]],
    ['the metadata of a cloud', ['169.254.169.254']],
    ['a private network', ['10.10.34.35']],
    ['outside, and to this machine as well', [PUBLIC, INNER]],
  ])(
    'that leads to %s is not dialled: sends are proven unsent, reads and changes unmade',
    async (_to, found) => {
      const { server, gateway, records } = await start(resolving(found));
      const beforeWrite = vi.fn<() => Promise<boolean>>(async () => true);

      expect(await gateway.use('sending').send(SEND, { beforeWrite })).toEqual({
        outcome: 'not_sent',
        reason: 'inner_address',
      });
      const read = await failureOf(gateway.use('credit').credit());
      expect(read).toMatchObject({ code: 'gateway_no_answer', params: { reason: 'inner_address' } });
      const write = gateway.has('blacklist')
        ? gateway.use('blacklist').add(SEND.line, SEND.recipients)
        : gateway.use('phonebookWrite').remove('1');
      expect((await failureOf(write)).params).toMatchObject({ reason: 'inner_address', mayHaveActed: false });

      expect(beforeWrite).not.toHaveBeenCalled();
      expect(server.seen()).toEqual(UNSEEN);
      expect(records.map(({ reason }) => reason)).toEqual(Array(3).fill('inner_address'));
    },
  );

  test('that led outside and then leads inside gets nothing more, and again something when it is right', async () => {
    const resolve = resolving([PUBLIC], [INNER], [INNER], [INNER], [INNER], [PUBLIC]);
    const { server, gateway } = await start(resolve);

    expect((await gateway.use('sending').send(SEND)).outcome).toBe('accepted');
    const before = server.seen();
    expect(await gateway.use('sending').send(SEND)).toEqual({ outcome: 'not_sent', reason: 'inner_address' });
    // A read asks three times.
    const read = await failureOf(gateway.use('credit').credit());
    expect(read.params).toMatchObject({ reason: 'inner_address' });
    expect(resolve).toHaveBeenCalledTimes(5);
    expect(server.seen()).toEqual(before);

    expect((await gateway.use('sending').send(SEND)).outcome).toBe('accepted');
    expect(server.seen()).toMatchObject({ connections: 2, requests: 2 });
  });

  test('on a private network may lead inside, but not to what has no gateway', async () => {
    const { server, gateway } = await start(resolving([INNER], ['169.254.169.254']), true);

    expect((await gateway.use('sending').send(SEND)).outcome).toBe('accepted');
    expect(await gateway.use('sending').send(SEND)).toEqual({ outcome: 'not_sent', reason: 'inner_address' });
    expect(server.seen()).toMatchObject({ connections: 1, requests: 1 });
  });

  test.each([[[PUBLIC]], [[INNER, PUBLIC]], [['10.0.0.1']]])(
    'localhost is this machine alone, whatever a resolver says: %j',
    async (found) => {
      const { server, gateway } = await start(resolving(found), false, 'localhost');

      expect(await gateway.use('sending').send(SEND)).toEqual({
        outcome: 'not_sent',
        reason: 'inner_address',
      });
      expect(server.seen()).toEqual(UNSEEN);
    },
  );

  test('that nobody knows is proven unsent for that', async () => {
    const unknown = Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
    const { gateway } = await start(async () => await Promise.reject(unknown));
    const { gateway: empty } = await start(resolving([]));
    const { gateway: odd } = await start(async () => await Promise.reject(new Error('odd')));

    expect(await gateway.use('sending').send(SEND)).toEqual({ outcome: 'not_sent', reason: 'dns' });
    expect(await empty.use('sending').send(SEND)).toEqual({ outcome: 'not_sent', reason: 'dns' });
    expect(await odd.use('sending').send(SEND)).toEqual({ outcome: 'not_sent', reason: 'dns' });
  });

  test('is asked about; an IP address is the word of the settings', async () => {
    const resolve = resolving([]);
    const { gateway } = await start(resolve, false, INNER);

    expect((await gateway.use('sending').send(SEND)).outcome).toBe('accepted');
    expect(resolve).not.toHaveBeenCalled();
  });
});

test('localhost is reached by the resolver of the runtime', async () => {
  const server = await startRawServer({ onRequest: answerJson(acceptance(3)) });
  const gateway = gatewayOf(3, `http://localhost:${server.port}`);
  closers.push(server.close, gateway.close);

  expect((await gateway.use('sending').send(SEND)).outcome).toBe('accepted');
  expect([server.connections(), server.requests().length]).toEqual([1, 1]);
});

test('a name is resolved once for a connection also where the runtime dials one address alone', async () => {
  const { createCheckedLookup } = await import('./checked-lookup.ts');
  const lookup = createCheckedLookup({ isPrivateNetwork: false, resolve: resolving([PUBLIC], [INNER]) });
  const ask = async (): Promise<unknown[]> =>
    await new Promise((resolve) => {
      lookup(NAME, {}, (...answer) => resolve(answer));
    });

  expect(await ask()).toEqual([null, PUBLIC, 4]);
  expect(await ask()).toMatchObject([{ reason: 'inner_address' }, []]);
});
