import { getEventListeners } from 'node:events';
import { connect } from 'node:net';

import { expect, test, vi } from 'vitest';

import { acceptance, gatewayOf, SEND, VERSIONS } from '../testing/accounts.ts';
import { answerJson, startRawServer } from '../testing/raw-server.ts';
import { createTlsTrusts } from './tls-trust.ts';
import { createTransport, DEFAULT_TIMEOUTS } from './transport.ts';

const PROBE = 'GET /probe HTTP/1.1\r\nhost: probe\r\n\r\n';

async function probe(port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(port, '127.0.0.1', () => socket.write(PROBE));
  socket.resume().once('end', resolve).once('error', reject);
  await promise;
  socket.destroy();
}

test.each(VERSIONS)('a send of version %i writes nothing before the fence has opened', async (version) => {
  const server = await startRawServer({ onRequest: answerJson(acceptance(version)) });
  const gateway = gatewayOf(version, server.url);
  const seen: number[] = [];
  const { signal } = new AbortController();

  const result = await gateway.use('sending').send(SEND, {
    signal,
    beforeWrite: async () => {
      await server.connected;
      // A whole exchange on another connection: whatever had been written before it would have arrived.
      await probe(server.port);
      seen.push(server.bytes() - PROBE.length);
      return true;
    },
  });
  await gateway.close();
  await server.close();

  expect(seen).toEqual([0]);
  expect(result.outcome).toBe('accepted');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  expect(server.requests()).toHaveLength(2);
});

test.each([
  ['says no', () => Promise.resolve(false)],
  ['fails', () => Promise.reject(new Error('commit unknown'))],
  [
    'throws at once',
    () => {
      throw new Error('no connection');
    },
  ],
])('a fence that %s leaves the connection unused, and closed', async (_title, beforeWrite) => {
  const closed = Promise.withResolvers<void>();
  const server = await startRawServer({ onSocket: (socket) => socket.once('close', () => closed.resolve()) });
  const gateway = gatewayOf(3, server.url);

  const result = await gateway.use('sending').send(SEND, { beforeWrite });
  await closed.promise;
  await gateway.close();
  await server.close();

  expect(result).toEqual({ outcome: 'not_sent', reason: 'fence' });
  expect(server.connections()).toBe(1);
  expect(server.bytes()).toBe(0);
});

test('a fence that opens too late leaves the connection unused, and the answer waits for it', async () => {
  const closed = Promise.withResolvers<void>();
  const settled = vi.fn<() => void>();
  const server = await startRawServer({
    onConnection: (socket) => socket.resume().once('close', () => closed.resolve()),
  });
  const gateway = gatewayOf(3, server.url, { timeouts: { fenceMs: 30 } });

  const result = await gateway.use('sending').send(SEND, {
    beforeWrite: async () => {
      // The server sees the connection end although the fence has not answered yet.
      await closed.promise;
      settled();
      return true;
    },
  });
  await gateway.close();
  await server.close();

  expect(settled).toHaveBeenCalledTimes(1);
  expect(result).toEqual({ outcome: 'not_sent', reason: 'fence' });
});

test('a gateway may take longer to answer than the fence', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const server = await startRawServer({
    onRequest(socket) {
      vi.advanceTimersByTime(DEFAULT_TIMEOUTS.fenceMs + 100);
      answerJson(acceptance(3))(socket);
    },
  });
  const gateway = gatewayOf(3, server.url);

  const result = await gateway
    .use('sending')
    .send(SEND, { beforeWrite: () => Promise.resolve(true) })
    .finally(() => vi.useRealTimers());
  await gateway.close();
  await server.close();

  expect(result.outcome).toBe('accepted');
});

test('what is over leaves no timer behind, be it a send or a read', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const server = await startRawServer({ onRequest: answerJson(acceptance(3)) });
  const gateway = gatewayOf(3, server.url);
  try {
    await gateway.use('sending').send(SEND, { beforeWrite: () => Promise.resolve(true) });
    await expect(gateway.use('credit').credit()).rejects.toMatchObject({ code: 'gateway_unreadable' });
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
    await gateway.close();
    await server.close();
  }
});

test('a process that is frozen between the yes of the fence and the first byte writes nothing when it goes on', async () => {
  const server = await startRawServer({ onRequest: answerJson(acceptance(3)) });
  const transport = createTransport({
    baseUrl: server.url,
    timeouts: DEFAULT_TIMEOUTS,
    trusts: createTlsTrusts(),
    isPrivateNetwork: true,
  });
  const freeze = vi.fn<() => string>(() => {
    // The whole thread stands still, as under SIGSTOP, until others may have taken the call for lost.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, DEFAULT_TIMEOUTS.fenceMs + 100);
    return 'frozen';
  });
  const call = {
    method: 'POST',
    path: '/send.json',
    body: '{}',
    // Headers are read when the fence has said yes, and before the library asks for the connection.
    headers: {
      get 'x-probe'() {
        return freeze();
      },
    },
  } as const;
  const beforeWrite = vi.fn<() => Promise<boolean>>(async () => {
    expect(freeze).not.toHaveBeenCalled();
    return true;
  });

  const result = await transport.write(call, { beforeWrite });
  await transport.close();
  await server.connected;
  await server.close();

  expect(beforeWrite).toHaveBeenCalledTimes(1);
  expect(freeze).toHaveBeenCalledTimes(1);
  expect(result).toMatchObject({ kind: 'failed', reason: 'fence', bytesMayHaveLeft: false });
  expect(server.bytes()).toBe(0);
});

test('the fence is not asked when no connection can be made', async () => {
  const server = await startRawServer({});
  await server.close();
  const gateway = gatewayOf(3, server.url);
  const beforeWrite = vi.fn<() => Promise<boolean>>(() => Promise.resolve(true));

  const result = await gateway.use('sending').send(SEND, { beforeWrite });
  await gateway.close();

  expect(result.outcome).toBe('not_sent');
  expect(beforeWrite).not.toHaveBeenCalled();
});

test('giving up is proven unsent before the write and unknown after it', async () => {
  const requested = Promise.withResolvers<void>();
  const server = await startRawServer({ onRequest: () => requested.resolve() });
  const gateway = gatewayOf(3, server.url);
  const early = new AbortController();
  const late = new AbortController();
  void requested.promise.then(() => late.abort());

  const before = await gateway.use('sending').send(SEND, {
    signal: early.signal,
    beforeWrite: async () => {
      early.abort();
      return true;
    },
  });
  const after = await gateway.use('sending').send(SEND, { signal: late.signal });
  await gateway.close();
  await server.close();

  expect(before).toEqual({ outcome: 'not_sent', reason: 'aborted' });
  expect(after).toMatchObject({ outcome: 'unknown', reason: 'aborted', stage: 'request' });
  expect(server.requests()).toHaveLength(1);
});

test('what was given up before it began is proven unsent, and says nothing, not even in TLS', async () => {
  const server = await startRawServer({});
  const gateway = gatewayOf(3, server.url.replace('http:', 'https:'));

  const result = await gateway.use('sending').send(SEND, { signal: AbortSignal.abort() });
  await gateway.close();
  await server.close();

  expect(result).toEqual({ outcome: 'not_sent', reason: 'aborted' });
  expect(server.bytes()).toBe(0);
});

test('what is given up while it dials closes what it has opened', async () => {
  const closed = Promise.withResolvers<void>();
  const server = await startRawServer({
    onConnection: (socket) => void socket.resume().once('close', () => closed.resolve()),
  });
  const gateway = gatewayOf(3, server.url.replace('http:', 'https:'));
  const giving = new AbortController();
  void server.connected.then(() => giving.abort());

  const result = await gateway.use('sending').send(SEND, { signal: giving.signal });
  await closed.promise;
  await gateway.close();
  await server.close();

  expect(result).toEqual({ outcome: 'not_sent', reason: 'aborted' });
});

test('closing the gateway cuts a send off as unknown', async () => {
  const server = await startRawServer({ onRequest: () => void gateway.close() });
  const gateway = gatewayOf(3, server.url);

  const result = await gateway.use('sending').send(SEND);
  await server.close();

  expect(result).toEqual({ outcome: 'unknown', reason: 'aborted', stage: 'request' });
});
