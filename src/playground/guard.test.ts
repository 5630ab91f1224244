import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMON_FOLDER, COMMON_PATH } from '../pages/page-files.ts';
import { createControlServer } from './control/control-http.ts';
import { methods } from './bot-api/methods/table.ts';
import { startPlayground, type Playground } from './server.ts';

let pg: Playground;
let routes: readonly { readonly method: string; readonly path: string }[] = [];
beforeAll(async () => {
  pg = await startPlayground({ seedWorld: true });
  const { emulator: em, control, token } = pg;
  const both = (path: string) => ['GET', 'POST'].map((method) => ({ method, path }));
  routes = [
    ...[...methods.keys()].flatMap((name) => both(`/bot${token}/${name}`)),
    ...both(`/bot${token}/test/getMe`),
    ...both(`/file/bot${token}/documents/file_1.txt`),
    ...createControlServer(em, control).routes.flatMap((name) => both(`/_control/${name}`)),
    { method: 'DELETE', path: '/_control/faults' },
    ...['', ...readdirSync(join(import.meta.dirname, 'page'))].flatMap((name) => both(`/${name}`)),
    ...readdirSync(COMMON_FOLDER).flatMap((name) => both(COMMON_PATH + name)),
    ...both('/nothing'),
  ];
});
afterAll(async () => {
  await pg.close();
});

/** The status, of whatever a browser could be made to ask. */
async function ask(
  path: string,
  method: string,
  headers: Record<string, string>,
  at: { readonly pageUrl: string } = pg,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const call = request(new URL(path, at.pageUrl), { method, headers }, (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
    // An event stream has no end.
    call.destroy();
  });
  call.on('error', reject);
  call.end();
  return await promise;
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const foreign = (): readonly Record<string, string>[] => {
  const { port } = new URL(pg.pageUrl);
  return [
    ...[
      `evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      `localhost.evil.example`,
      '0.0.0.0',
      '10.0.0.1',
    ].map((host) => ({ host })),
    ...[
      'http://evil.example',
      'null',
      `http://127.0.0.1:${Number(port) + 1}`,
      `http://localhost:${port}`,
    ].map((origin) => ({ origin, ...FORM })),
    ...['cross-site', 'same-site'].map((site) => ({ 'sec-fetch-site': site })),
    // By a name of its own that was made to lead here, a page is of the same origin and site.
    { host: `evil.example:${port}`, origin: `http://evil.example:${port}`, 'sec-fetch-site': 'same-origin' },
  ];
};

describe('pages of other sites', () => {
  it('get nothing from any route, and change nothing', async () => {
    const before = pg.control.state();
    const calls = pg.calls.list().length;
    const passed: string[] = [];
    for (const { method, path } of routes)
      for (const headers of foreign())
        if ((await ask(path, method, headers)) !== 403)
          passed.push(`${method} ${path} ${JSON.stringify(headers)}`);
    expect(passed).toEqual([]);
    expect(pg.calls.list()).toHaveLength(calls);
    expect(pg.control.state()).toEqual(before);
    expect(routes.length).toBeGreaterThan(150);
  });

  it('are refused, not whoever comes by another address of this machine or from the page', async () => {
    const { port, origin } = new URL(pg.pageUrl);
    for (const headers of [
      {},
      { host: `localhost:${port}` },
      { host: `[::1]:${port}` },
      { origin, 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ]) {
      expect(await ask(`/bot${pg.token}/getMe`, 'GET', headers)).toBe(200);
      expect(await ask('/_control/state', 'GET', headers)).toBe(200);
      expect(await ask('/', 'GET', headers)).toBe(200);
    }
  });

  it('are no other containers, which come to an address of their network by the name that it has there', async () => {
    await using open = await disposable(startPlayground({ host: '0.0.0.0' }));
    const { port } = new URL(open.pageUrl);
    // Any address but the one that a browser here would come by.
    const network = { pageUrl: `http://127.0.0.2:${port}/` };
    const statuses = async (at: { readonly pageUrl: string }): Promise<number[]> =>
      Promise.all(
        ['telegram', 'peyk_telegram', 'telegram.example', '2130706433', '0x7f000001', 'telegram.'].map(
          (name) => ask(`/bot${open.token}/getMe`, 'GET', { host: `${name}:${port}` }, at),
        ),
      );
    expect(await statuses(network)).toEqual([200, 200, 403, 403, 403, 403]);
    expect(await statuses(open)).toEqual([403, 403, 403, 403, 403, 403]);
  });

  it('of this machine may lead to the page, and to nothing else', async () => {
    const link = {
      'sec-fetch-site': 'same-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    expect(await ask('/?lang=fa', 'GET', link)).toBe(200);
    const passed: string[] = [];
    for (const { method, path } of routes)
      if ((await ask(path, method, link)) !== 403) passed.push(`${method} ${path}`);
    expect(passed).toEqual(['GET /']);
    for (const [name, value] of [
      ['sec-fetch-site', 'cross-site'],
      ['sec-fetch-mode', 'no-cors'],
      ['sec-fetch-dest', 'iframe'],
      ['host', 'evil.example'],
    ] as const)
      expect(await ask('/', 'GET', { ...link, [name]: value }), `${name}: ${value}`).toBe(403);
  });

  it('cannot know the token, which is another at each start, of the same bot', async () => {
    await using other = await disposable(startPlayground());
    expect(other.token).not.toBe(pg.token);
    expect(other.token.split(':')[0]).toBe(pg.token.split(':')[0]);
    expect(await ask(`/bot${other.token}/getMe`, 'GET', {})).toBe(401);
    expect(await ask(`/file/bot${other.token}/documents/file_1.txt`, 'GET', {})).toBe(401);
  });
});

async function disposable(starting: Promise<Playground>): Promise<Playground & AsyncDisposable> {
  const started = await starting;
  return { ...started, [Symbol.asyncDispose]: () => started.close() };
}
