import { once } from 'node:events';
import { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';

import { afterEach, expect, test, vi } from 'vitest';

import { until } from '../../../test/support/until.ts';
import type { SendHooks, SmsGateway } from '../../ports/gateway.ts';
import { acceptance, gatewayOf, SEND } from '../testing/accounts.ts';
import { answerJson, startRawServer } from '../testing/raw-server.ts';
import { createDialAhead } from './dial-ahead.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A gateway that accepts whatever comes, and an account there. `onConnection` is told of each connection, and of which it is. */
async function stage(onConnection: (socket: Socket, number: number) => void = () => undefined) {
  const sockets: Socket[] = [];
  const server = await startRawServer({
    onSocket: (socket) => onConnection(socket, sockets.push(socket)),
    onRequest: answerJson(acceptance(3)),
  });
  closers.push(() => server.close());
  const gateway = gatewayOf(3, server.url);
  closers.push(() => gateway.close());
  return { server, sockets, gateway };
}

async function send(gateway: SmsGateway, beforeWrite = () => Promise.resolve(true)) {
  return await gateway.use('sending').send(SEND, { beforeWrite });
}

/** Makes one connection ahead, which stands. */
async function ahead({ server, sockets, gateway }: Awaited<ReturnType<typeof stage>>): Promise<Socket> {
  const before = server.connections();
  gateway.expect('sending', 1);
  await until(() => expect(server.connections()).toBe(before + 1));
  const made = sockets.at(-1);
  if (made === undefined) throw new Error('no connection');
  return made;
}

/** Sends by an account of its own: what has happened before on other connections is known when that is over. */
async function pass(url: string): Promise<void> {
  const other = gatewayOf(3, url);
  await send(other);
  await other.close();
}

async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await once(socket, 'close');
}

test('a call that was expected finds its connection there, and nobody else has it afterwards', async () => {
  const all = await stage();
  const { server, gateway } = all;
  const made = await ahead(all);
  const seen: number[] = [];

  const first = await send(gateway, async () => {
    seen.push(server.connections(), server.bytes());
    return await Promise.resolve(true);
  });
  expect(first.outcome).toBe('accepted');
  expect(seen).toEqual([1, 0]);
  expect(made.bytesRead).toBe(server.bytes());

  await ahead(all);
  expect((await send(gateway)).outcome).toBe('accepted');
  expect((await send(gateway)).outcome).toBe('accepted');
  expect([server.connections(), server.requests().length]).toEqual([3, 3]);
});

test('calls that come before their connection stands wait for that one', async () => {
  const { server, gateway } = await stage();
  gateway.expect('sending', 2);
  const answers = await Promise.all([send(gateway), send(gateway)]);
  expect(answers.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
  expect(server.connections()).toBe(2);
});

test.each<[string, (socket: Socket) => void]>([
  ['closed', (socket) => socket.end()],
  ['spoken on', (socket) => socket.write('HTTP/1.1 408 Late\r\n\r\n')],
])(
  'one that the gateway has %s carries no call, and for a minute none is made ahead',
  async (_title, harm) => {
    const all = await stage((socket, number) => void (number === 1 && harm(socket)));
    const { server, gateway } = all;
    const now = performance.now.bind(performance);
    await ahead(all);
    await pass(server.url);

    expect((await send(gateway)).outcome).toBe('accepted');
    expect([server.connections(), server.requests().length]).toEqual([3, 2]);

    gateway.expect('sending', 1);
    await pass(server.url);
    expect(server.connections()).toBe(4);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
    await ahead(all);
  },
);

test.each<[string, (socket: Socket) => Promise<unknown>]>([
  [
    'closed',
    async (socket) => {
      socket.end();
      await closed(socket);
    },
  ],
  ['reset', async (socket) => await Promise.resolve(socket.resetAndDestroy())],
  [
    'spoken on',
    async (socket) => await new Promise((resolve) => socket.write('HTTP/1.1 408 Late\r\n\r\n', resolve)),
  ],
])('one that is %s while the fence is asked is not written to', async (_title, harm) => {
  const all = await stage();
  const { server, gateway, sockets } = all;
  const made = await ahead(all);

  const answer = await send(gateway, async () => {
    await harm(made);
    await pass(server.url);
    return true;
  });

  expect(answer).toEqual({ outcome: 'not_sent', reason: 'reset' });
  expect(sockets[0]?.bytesRead).toBe(0);
  expect(server.requests()).toHaveLength(1);
});

test('one that has stood for two seconds is closed unused', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const all = await stage();
  const { server, gateway } = all;
  gateway.expect('sending', 1);
  await server.connected;
  const [made] = all.sockets;
  // Its two seconds begin when the client knows that it stands.
  const end = once(made ?? expect.fail(), 'close').then(() => true);
  const turn = async (): Promise<false> => {
    await new Promise(setImmediate);
    vi.advanceTimersByTime(2_000);
    return false;
  };
  while (!(await Promise.race([end, turn()])));
  expect(server.bytes()).toBe(0);

  vi.useRealTimers();
  expect((await send(gateway)).outcome).toBe('accepted');
  expect([server.connections(), server.requests().length]).toEqual([2, 1]);
});

test('one that is older when its call comes is not used, whatever timers say', async () => {
  const all = await stage();
  const { server, gateway } = all;
  const made = await ahead(all);
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 2_000);

  expect((await send(gateway)).outcome).toBe('accepted');
  expect([server.connections(), server.requests().length, made.bytesRead]).toEqual([2, 1, 0]);
});

test('what changes something without a fence has a connection of its own', async () => {
  const all = await stage();
  const { server, gateway } = all;
  const made = await ahead(all);
  await gateway
    .use('inbox')
    .receive()
    .catch(() => undefined);
  expect([server.connections(), made.bytesRead]).toEqual([2, 0]);
});

test('no more are made than calls are out twice over, and two before there are any', async () => {
  const held: Socket[] = [];
  let isHeld = false;
  const server = await startRawServer({
    onRequest: (socket) => (isHeld ? void held.push(socket) : answerJson(acceptance(3))(socket)),
  });
  closers.push(() => server.close());
  const gateway = gatewayOf(3, server.url);
  closers.push(() => gateway.close());
  gateway.expect('sending', 50);
  expect((await Promise.all([send(gateway), send(gateway)])).map(({ outcome }) => outcome)).toEqual([
    'accepted',
    'accepted',
  ]);
  expect(server.connections()).toBe(2);

  isHeld = true;
  const out = Array.from({ length: 4 }, () => send(gateway));
  await until(() => expect(held).toHaveLength(4));
  for (let time = 0; time < 50; time += 1) gateway.expect('sending', 50);
  isHeld = false;
  await pass(server.url);
  expect(server.connections()).toBeGreaterThan(2 + 4 + 1);
  expect(server.connections()).toBeLessThanOrEqual(2 + 4 + 8 + 1);
  for (const socket of held) answerJson(acceptance(3))(socket);
  await Promise.all(out);
});

test('closing the gateway closes what nobody has used, and none is made any more', async () => {
  const all = await stage();
  const { server, gateway } = all;
  const made = await ahead(all);
  await gateway.close();
  await closed(made);
  gateway.expect('sending', 1);
  await pass(server.url);
  expect(server.connections()).toBe(2);
});

test('a gateway that cannot be reached is found out by the call', async () => {
  const server = await startRawServer({});
  await server.close();
  const gateway = gatewayOf(3, server.url);
  closers.push(() => gateway.close());
  gateway.expect('sending', 3);
  gateway.expect('phonebookSend', 3);
  expect(await send(gateway)).toEqual({ outcome: 'not_sent', reason: 'refused' });
  expect(await send(gateway)).toEqual({ outcome: 'not_sent', reason: 'refused' });
});

test('after a call that failed none is made ahead, but after one that was given up', async () => {
  const server = await startRawServer({ onRequest: (socket) => socket.resetAndDestroy() });
  closers.push(() => server.close());
  const gateway = gatewayOf(3, server.url);
  closers.push(() => gateway.close());
  const giving = new AbortController();
  const madeAfter = async (reason: string, hooks: SendHooks): Promise<number> => {
    expect(await gateway.use('sending').send(SEND, hooks)).toMatchObject({ reason });
    const before = server.connections();
    gateway.expect('sending', 1);
    await pass(server.url);
    return server.connections() - before - 1;
  };
  const given = async (): Promise<boolean> => {
    giving.abort();
    return true;
  };

  expect(await madeAfter('fence', { beforeWrite: () => Promise.resolve(false) })).toBe(1);
  expect(await madeAfter('aborted', { beforeWrite: given, signal: giving.signal })).toBe(1);
  expect(await madeAfter('reset', { beforeWrite: () => Promise.resolve(true) })).toBe(0);
});

/** By a clock of its own: how many are made while so many calls are out, when each took so long to be dialled, and those before so long to end. */
async function madeBeside(out: number, dialMs: number, callMs: readonly number[]) {
  let ms = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => ms);
  let made = 0;
  const ahead = createDialAhead(async () => {
    ms += dialMs;
    made += 1;
    return new Socket();
  });
  const { signal } = new AbortController();
  const taken: { readonly socket: Socket; readonly at: number }[] = [];
  while (taken.length < callMs.length + out) taken.push({ socket: await ahead.take(signal), at: ms });
  for (const [nth, took] of callMs.entries()) {
    const { socket, at } = taken[nth] ?? expect.fail();
    ms = at + took;
    await once(socket.destroy(), 'close');
  }
  const before = made;
  for (let time = 0; time < 2; time += 1) ahead.expect(50);
  ahead.close();
  return made - before;
}

test.each([
  ['two before any has ended', 3, 100, [], 2],
  ['two when none is out', 0, 100, [400], 2],
  ['twice those that end in the time of a dial', 5, 100, [400], 3],
  ['twice those that are out where a dial takes longer', 3, 800, [400], 6],
  ['where one ends each second', 4, 100, [4000], 1],
  ['none where fewer do', 4, 100, [4004], 0],
  ['by an eighth of what the last call took', 9, 100, [400, 1200], 4],
])('so many are made ahead: %s', async (_title, out, dialMs, callMs, made) => {
  expect(await madeBeside(out, dialMs, callMs)).toBe(made);
});

test.each(['before it stands', 'when it stands'])(
  'one that is taken %s is not closed by the time that it may stand unused',
  async (when) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const ahead = createDialAhead(async () => new Socket());
    ahead.expect(1);
    if (when === 'when it stands') await turn();
    const socket = await ahead.take(new AbortController().signal);
    await turn();
    vi.advanceTimersByTime(2_000);
    await turn();
    expect(socket.destroyed).toBe(false);
  },
);

test('one that stands goes before one that does not yet', async () => {
  const [late, there] = [Promise.withResolvers<Socket>(), new Socket()];
  const dials = [late.promise, Promise.resolve(there)];
  const ahead = createDialAhead(() => dials.shift() ?? expect.fail());
  ahead.expect(2);
  await turn();
  expect(await ahead.take(new AbortController().signal)).toBe(there);
});

test('one whose call was given up before it stood is closed when it does', async () => {
  const late = Promise.withResolvers<Socket>();
  const ahead = createDialAhead(() => late.promise);
  const giving = new AbortController();
  ahead.expect(1);
  const taking = ahead.take(giving.signal);
  giving.abort(new Error('given up'));
  await expect(taking).rejects.toThrow('given up');
  const socket = new Socket();
  late.resolve(socket);
  await closed(socket);
});

/** Connections that are made by turns, and how many have been asked for. */
function dialled(...dials: readonly (() => Promise<Socket>)[]) {
  const left = [...dials];
  const dial = vi.fn<() => Promise<Socket>>(() => (left.shift() ?? expect.fail())());
  const ahead = createDialAhead(dial);
  const { signal } = new AbortController();
  return { dial, ahead, take: async () => await ahead.take(signal) };
}

test.each<[string, (socket: Socket) => Promise<Socket>]>([
  ['closed', async (socket) => socket.destroy()],
  ['refused', async () => await Promise.reject(new Error('refused'))],
])('after one that was %s before its call came none is made for a while', async (_title, harm) => {
  const second = new Socket();
  const { dial, ahead, take } = dialled(
    async () => await harm(new Socket()),
    async () => second,
  );
  ahead.expect(1);
  await turn();
  ahead.expect(2);
  expect(dial).toHaveBeenCalledTimes(1);
  expect(await take()).toBe(second);
});

test('a call that ends takes none from those that wait, nor does it keep others from being made', async () => {
  const sockets = [new Socket(), new Socket(), new Socket()];
  const { dial, ahead, take } = dialled(...sockets.map((socket) => async () => socket));
  ahead.expect(2);
  await turn();
  await once((await take()).destroy(), 'close');
  expect(await take()).toBe(sockets[1]);
  expect(dial).toHaveBeenCalledTimes(2);
  ahead.expect(1);
  expect(dial).toHaveBeenCalledTimes(3);
  await turn();
  ahead.close();
  await turn();
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, false, true]);
});

test('one on which something has come is closed', async () => {
  const [spoken, other] = [new Socket(), new Socket()];
  const { ahead, take } = dialled(
    async () => spoken,
    async () => other,
  );
  ahead.expect(1);
  await turn();
  spoken.unshift(Buffer.from('HTTP/1.1 408 Late'));
  expect(await take()).toBe(other);
  await closed(spoken);
});
