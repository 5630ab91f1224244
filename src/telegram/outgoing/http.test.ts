import busboy from 'busboy';
import { Api, InputFile } from 'grammy';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { connect as connectTcp, createServer as createTcpServer, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { LostAnswer, SurelyUnsent, telegramFailure } from './errors.ts';
import { createTelegramFetch, type TelegramFetchOptions } from './http.ts';

const TOKEN = '7700000001:AAcanary-token-that-must-not-leak_00';
const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function listen(server: ReturnType<typeof createTcpServer>): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  cleanups.push(async () => {
    const closed = new Promise((resolve) => {
      server.close(resolve);
    });
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

async function startTelegram(
  listener: RequestListener,
): Promise<{ root: string; port: number; hits: () => number }> {
  let hits = 0;
  const port = await listen(
    createServer((request, response) => {
      hits += 1;
      listener(request, response);
    }),
  );
  return { root: `http://127.0.0.1:${port}`, port, hits: () => hits };
}

function client(options: TelegramFetchOptions = {}): ReturnType<typeof createTelegramFetch> {
  const made = createTelegramFetch(options);
  cleanups.push(() => made.close());
  return made;
}

function api(root: string, options: TelegramFetchOptions = {}): Api {
  return new Api(TOKEN, { apiRoot: root, fetch: client(options).fetch });
}

function answerOk(response: ServerResponse, result: unknown = true): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ ok: true, result }));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

async function caught(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it should have failed');
}

/** The failure's kind, after looking for the token in everything that hangs on the error. */
async function kindOf(promise: Promise<unknown>): Promise<string> {
  const error = await caught(promise);
  const everything = inspect(error, { depth: 20, showHidden: true }) + JSON.stringify(error);
  expect(everything).not.toContain('canary');
  expect(everything).not.toContain('/bot');
  return telegramFailure(error).kind;
}

describe('a call', () => {
  it('sends JSON and reads the result', async () => {
    const telegram = await startTelegram((request, response) => {
      void bodyOf(request).then((body) => answerOk(response, { url: request.url, body: JSON.parse(body) }));
    });
    expect(await api(telegram.root).raw.sendMessage({ chat_id: 5, text: 'سلام <b>' })).toEqual({
      url: `/bot${TOKEN}/sendMessage`,
      body: { chat_id: 5, text: 'سلام <b>' },
    });
  });

  it('uploads a file as it is', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
    const telegram = await startTelegram((request, response) => {
      const parts: Record<string, string | number> = {};
      const form = busboy({ headers: request.headers });
      form.on('field', (name, value) => {
        parts[name] = value;
      });
      form.on('file', (_name, stream, info) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          parts[String(info.filename)] = Buffer.concat(chunks).equals(bytes) ? bytes.length : -1;
        });
      });
      form.on('close', () => answerOk(response, parts));
      request.pipe(form);
    });
    expect(await api(telegram.root).sendDocument(5, new InputFile(bytes, 'list.csv'))).toMatchObject({
      chat_id: '5',
      'list.csv': bytes.length,
    });
  });

  it('reads a file of at most so many bytes, and names no address when it cannot', async () => {
    const telegram = await startTelegram((request, response) => {
      if (request.url === '/file/bot1:secret/gone.csv') response.statusCode = 404;
      response.end(Buffer.alloc(1000, 7));
    });
    const http = createTelegramFetch();
    onTestFinished(() => http.close());
    const at = (path: string) => `${telegram.root}/file/bot1:secret/${path}`;
    expect(await http.download(at('list.csv'), 1000)).toEqual(Buffer.alloc(1000, 7));
    const errors = [
      await caught(http.download(at('list.csv'), 999)),
      await caught(http.download(at('gone.csv'), 1000)),
    ];
    expect(errors[1]).toMatchObject({ code: 'bad_input', params: { field: 'file', reason: 'gone' } });
    for (const error of errors) expect(inspect(error)).not.toContain('secret');
  });

  it('hands over a refusal as Telegram worded it', async () => {
    const telegram = await startTelegram((_request, response) => {
      response.statusCode = 429;
      response.end(
        '{"ok":false,"error_code":429,"description":"Too Many Requests","parameters":{"retry_after":7}}',
      );
    });
    expect(telegramFailure(await caught(api(telegram.root).sendMessage(5, 'x')))).toMatchObject({
      kind: 'too_many',
      retryAfter: 7,
    });
  });

  it('gives a long poll the time that the poll asks for, beyond the time of other calls', async () => {
    // The time of a call is enough to connect on a machine that does other work, and over before the poll's answer.
    const telegram = await startTelegram((request, response) => {
      if (request.url?.endsWith('/getUpdates') === true) setTimeout(() => answerOk(response, []), 2000);
    });
    const short = api(telegram.root, { timeouts: { call: 1000, poll: 20 } });
    expect(await short.getUpdates({ timeout: 50 })).toEqual([]);
    expect(await kindOf(short.getMe())).toBe('lost_answer');
  });

  it('opens no more sockets than it may', async () => {
    const peers = new Set<number>();
    const telegram = await startTelegram((request, response) => {
      peers.add(request.socket.remotePort ?? 0);
      setImmediate(() => answerOk(response));
    });
    const capped = api(telegram.root, { connections: 3 });
    await Promise.all(Array.from({ length: 40 }, () => capped.deleteMessage(5, 1)));
    expect(telegram.hits()).toBe(40);
    expect(peers.size).toBe(3);
  });
});

describe('a call that fails', () => {
  it('is surely unsent when nobody listens', async () => {
    const port = await listen(createTcpServer());
    await cleanups.pop()?.();
    expect(await kindOf(api(`http://127.0.0.1:${port}`).sendMessage(5, 'x'))).toBe('surely_unsent');
  });

  it('is surely unsent when the name does not resolve', async () => {
    expect(await kindOf(api('http://telegram.invalid').sendMessage(5, 'x'))).toBe('surely_unsent');
  });

  it('is surely unsent when TLS fails', async () => {
    const telegram = await startTelegram((_request, response) => answerOk(response));
    expect(await kindOf(api(`https://127.0.0.1:${telegram.port}`).sendMessage(5, 'x'))).toBe('surely_unsent');
    expect(telegram.hits()).toBe(0);
  });

  it('is surely unsent when the connection never comes about in time', async () => {
    const port = await listen(createTcpServer());
    const slow = api(`https://127.0.0.1:${port}`, { timeouts: { call: 50 } });
    expect(await kindOf(slow.sendMessage(5, 'x'))).toBe('surely_unsent');
  });

  it.each([
    ['resets before it answers', (request: IncomingMessage) => request.socket.resetAndDestroy()],
    [
      'closes in the middle of the answer',
      (request: IncomingMessage, response: ServerResponse) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('{"ok":true', () => request.socket.destroy());
      },
    ],
    [
      'answers with a page of its proxy',
      (request: IncomingMessage, response: ServerResponse) => {
        response.statusCode = 502;
        response.end(`<html>bad gateway for ${request.url}</html>`);
      },
    ],
    [
      'answers with JSON of somebody else',
      (_request: IncomingMessage, response: ServerResponse) => response.end('[]'),
    ],
  ])('is lost, and sent once, when the server %s', async (_title, listener) => {
    const telegram = await startTelegram(listener);
    expect(await kindOf(api(telegram.root).sendMessage(5, 'x'))).toBe('lost_answer');
    expect(telegram.hits()).toBe(1);
  });

  it.each([301, 302, 307, 308])('does not follow a redirect with %i', async (status) => {
    const telegram = await startTelegram((_request, response) => {
      response.writeHead(status, { location: '/elsewhere' }).end();
    });
    expect(await kindOf(api(telegram.root).sendMessage(5, 'x'))).toBe('lost_answer');
    expect(telegram.hits()).toBe(1);
  });

  it('is not repeated after 421', async () => {
    const telegram = await startTelegram((_request, response) => {
      response.writeHead(421).end();
    });
    await caught(api(telegram.root).sendMessage(5, 'x'));
    expect(telegram.hits()).toBe(1);
  });

  it('is lost when it is called off after it was sent', async () => {
    const controller = new AbortController();
    const telegram = await startTelegram(() => controller.abort());
    const error = await caught(
      client().fetch(`${telegram.root}/bot${TOKEN}/sendMessage`, { body: '{}', signal: controller.signal }),
    );
    expect(error).toBeInstanceOf(LostAnswer);
  });

  it('is surely unsent when it is called off while it waits for a socket', async () => {
    const controller = new AbortController();
    const held: ServerResponse[] = [];
    const arrived = Promise.withResolvers<void>();
    const telegram = await startTelegram((_request, response) => {
      held.push(response);
      arrived.resolve();
    });
    const { fetch } = client({ connections: 1 });
    const url = `${telegram.root}/bot${TOKEN}/sendMessage`;
    const first = fetch(url, { method: 'POST', body: '{}' });
    await arrived.promise;
    const second = caught(fetch(url, { method: 'POST', body: '{}', signal: controller.signal }));
    controller.abort();
    expect(await second).toBeInstanceOf(SurelyUnsent);
    for (const response of held.splice(0)) answerOk(response);
    await first;
    const third = fetch(url, { method: 'POST', body: '{}' });
    await expect.poll(() => held.length).toBe(1);
    for (const response of held) answerOk(response);
    await third;
    expect(telegram.hits()).toBe(2);
  });

  it('does not tell the address when it cannot be read', async () => {
    expect(await kindOf(client().fetch(`nonsense/bot${TOKEN}/x y`))).toBe('surely_unsent');
  });
});

async function startHttpProxy(answer: string | null): Promise<{ url: URL; targets: string[] }> {
  const targets: string[] = [];
  const server = createServer();
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    targets.push(`${request.url} ${request.headers['proxy-authorization']}`);
    if (answer === null) {
      socket.destroy();
      return;
    }
    socket.write(answer);
    if (!answer.includes(' 200 ')) return;
    const upstream = connectTcp(Number(request.url?.split(':')[1]), '127.0.0.1');
    upstream.on('error', () => {});
    upstream.pipe(socket).pipe(upstream);
  });
  return { url: new URL(`http://user:pass@127.0.0.1:${await listen(server)}`), targets };
}

/** The least of RFC 1928: no authentication, CONNECT by address or by name. */
async function startSocksProxy(reply: number): Promise<{ url: URL; connections: () => number }> {
  let connections = 0;
  const server = createTcpServer((socket) => {
    connections += 1;
    socket.once('data', () => {
      socket.write(Buffer.from([5, 0]));
      socket.once('data', (request: Buffer) => {
        const port = request.readUInt16BE(request.length - 2);
        socket.write(Buffer.from([5, reply, 0, 1, 127, 0, 0, 1, 0, 0]));
        if (reply !== 0) return;
        const upstream = connectTcp(port, '127.0.0.1');
        upstream.on('error', () => {});
        upstream.pipe(socket).pipe(upstream);
      });
    });
  });
  return { url: new URL(`socks5://127.0.0.1:${await listen(server)}`), connections: () => connections };
}

describe('through a proxy', () => {
  it('tunnels over an http proxy', async () => {
    const telegram = await startTelegram((_request, response) => answerOk(response));
    const proxy = await startHttpProxy('HTTP/1.1 200 Connection Established\r\n\r\n');
    expect(await api(telegram.root, { proxy: proxy.url }).deleteMessage(5, 1)).toBe(true);
    expect(proxy.targets).toEqual([
      `127.0.0.1:${telegram.port} Basic ${Buffer.from('user:pass').toString('base64')}`,
    ]);
  });

  it.each([
    ['refuses', 'HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n'],
    ['closes', null],
  ])('is surely unsent when the http proxy %s', async (_title, answer) => {
    const telegram = await startTelegram((_request, response) => answerOk(response));
    const proxy = await startHttpProxy(answer);
    const proxied = api(telegram.root, { proxy: proxy.url, timeouts: { call: 2000 } });
    expect(await kindOf(proxied.sendMessage(5, 'x'))).toBe('surely_unsent');
    expect(telegram.hits()).toBe(0);
    expect(proxy.targets.length).toBe(1);
  });

  it('tunnels over a socks5 proxy, with its sockets capped', async () => {
    const telegram = await startTelegram((_request, response) => answerOk(response));
    const proxy = await startSocksProxy(0);
    const proxied = api(telegram.root, { proxy: proxy.url, connections: 2 });
    await Promise.all(Array.from({ length: 12 }, () => proxied.deleteMessage(5, 1)));
    expect(telegram.hits()).toBe(12);
    expect(proxy.connections()).toBe(2);
  });

  it('is surely unsent when the socks5 proxy refuses', async () => {
    const telegram = await startTelegram((_request, response) => answerOk(response));
    const proxy = await startSocksProxy(2);
    const proxied = api(telegram.root, { proxy: proxy.url, timeouts: { call: 2000 } });
    expect(await kindOf(proxied.sendMessage(5, 'x'))).toBe('surely_unsent');
    expect(telegram.hits()).toBe(0);
    expect(proxy.connections()).toBe(1);
  });

  it('knows no other kind of proxy', () => {
    expect(() => createTelegramFetch({ proxy: new URL('ftp://127.0.0.1:1') })).toThrow(TypeError);
  });
});
