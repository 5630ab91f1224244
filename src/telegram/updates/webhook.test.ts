import fc from 'fast-check';
import { request } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import { createMemoryLog } from '../../../test/support/memory-log.ts';
import { Secret } from '../../domain/secret.ts';
import { startHttpServer, type HttpServer } from '../../http/server.ts';
import type { HttpRequest } from '../../ports/http.ts';
import { createWebhook } from './webhook.ts';

const SECRET = 'x'.repeat(40);
const UPDATE = { update_id: 7, message: { text: 'hello' } };
const MEGABYTE = 1_048_576;

let server: HttpServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** The door, what came through it, and how writing it down goes. */
function door(write: () => Promise<void> = () => Promise.resolve(), isFull = () => Promise.resolve(false)) {
  const written: number[] = [];
  const sleeps: (() => void)[] = [];
  const log = createMemoryLog();
  const route = createWebhook({
    secret: new Secret(SECRET),
    intake: {
      isFull,
      async accept(updates) {
        await write();
        written.push(...updates.map(({ update_id: id }) => id));
      },
    },
    clock: {
      now: () => new Date(),
      monotonic: () => 0,
      sleep: async () => await new Promise<void>((wake) => sleeps.push(wake)),
    },
    log,
  });
  return { route, written, log, late: () => sleeps.forEach((wake) => wake()) };
}

/** As a request comes in over the network. */
async function post(
  { route, log }: Pick<ReturnType<typeof door>, 'route' | 'log'>,
  { method = 'POST', headers = {}, body = JSON.stringify(UPDATE) }: Partial<Parameters<typeof asked>[0]> = {},
) {
  server ??= await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    routes: new Map([['/hook', route]]),
    log,
  });
  const answer = await request(`http://127.0.0.1:${server.port}/hook?x=1`, {
    method: method as 'POST',
    headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': SECRET, ...headers },
    ...(method === 'GET' ? {} : { body }),
  });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

function asked({
  method,
  headers,
  body,
}: {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}): HttpRequest {
  const bytes = Buffer.from(body);
  return {
    method,
    header: (name) => headers[name],
    read: async (most) => (bytes.byteLength > most ? null : bytes),
  };
}

describe('an update that Telegram brings', () => {
  test('is answered with 200 when it is written down, not before', async () => {
    const held = Promise.withResolvers<void>();
    const here = door(() => held.promise);
    const answer = post(here);
    await expect.poll(() => server !== undefined).toBe(true);
    expect(here.written).toEqual([]);
    held.resolve();
    expect(await answer).toMatchObject({ status: 200, text: '' });
    expect(here.written).toEqual([7]);
  });

  test('that cannot be written down is to be brought again, and the answer says nothing of why', async () => {
    const here = door(() => Promise.reject(new Error('postgres://user:password@host is away')));
    const { status, headers, text } = await post(here);
    expect(status).toBe(503);
    expect(headers['retry-after']).toBe('2');
    expect(text).not.toContain('password');
    expect(here.log.lines.some(({ message }) => message.includes('could not be written down'))).toBe(true);
  });

  test('while too much is open stays with Telegram, and is taken when there is room', async () => {
    let isFull = true;
    const here = door(undefined, () => Promise.resolve(isFull));
    const { status, headers } = await post(here);
    expect([status, headers['retry-after'], here.written]).toEqual([503, '2', []]);
    isFull = false;
    expect([(await post(here)).status, here.written]).toEqual([200, [7]]);
  });

  test('that takes too long to write is to be brought again', async () => {
    const here = door(() => new Promise(() => undefined));
    const answer = here.route(
      asked({
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': SECRET },
        body: JSON.stringify(UPDATE),
      }),
    );
    await expect.poll(() => (here.late(), true)).toBe(true);
    expect((await answer).status).toBe(503);
  });
});

describe('what is no update of Telegram', () => {
  test.each([
    ['another method', { method: 'GET' }, 405],
    ['PUT', { method: 'PUT' }, 405],
    ['no secret', { headers: { 'x-telegram-bot-api-secret-token': '' } }, 401],
    ['a wrong secret', { headers: { 'x-telegram-bot-api-secret-token': `${SECRET}x` } }, 401],
    ['half of the secret', { headers: { 'x-telegram-bot-api-secret-token': SECRET.slice(1) } }, 401],
    ['a form', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415],
    ['a type that only begins so', { headers: { 'content-type': 'application/jsonp' } }, 415],
    ['broken JSON', { body: '{"update_id":7' }, 400],
    ['a list', { body: '[{"update_id":7}]' }, 400],
    ['nothing', { body: '' }, 400],
    ['an id that is no number', { body: '{"update_id":"7"}' }, 400],
    ['an id that is no whole number', { body: '{"update_id":7.5}' }, 400],
    ['more than a megabyte', { body: JSON.stringify({ ...UPDATE, x: 'x'.repeat(MEGABYTE) }) }, 413],
  ])('is refused: %s', async (_, given, status) => {
    const here = door();
    expect((await post(here, given)).status).toBe(status);
    expect(here.written).toEqual([]);
  });

  test('whatever comes without the secret, nothing is written down', async () => {
    const here = door();
    const headers = fc.dictionary(
      fc.constantFrom('content-type', 'x-telegram-bot-api-secret-token', 'content-length', 'host'),
      fc.oneof(fc.string(), fc.constant('application/json'), fc.constant(SECRET.toUpperCase())),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('POST', 'GET', 'post', ''),
        headers,
        fc.oneof(fc.string(), fc.json(), fc.constant(JSON.stringify(UPDATE))),
        async (method, given, body) => {
          const { status } = await here.route(asked({ method, headers: given, body }));
          expect([401, 405]).toContain(status);
        },
      ),
    );
    expect(here.written).toEqual([]);
  });

  test('whatever comes with the secret is an update or refused', async () => {
    const here = door();
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), fc.string(), fc.uint8Array()), async (body) => {
        const before = here.written.length;
        const { status } = await here.route(
          asked({
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': SECRET },
            body,
          }),
        );
        expect(status === 200).toBe(here.written.length > before);
        if (status !== 200) expect(status).toBe(400);
      }),
    );
  });
});
