import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startHttpProxy } from '../../src/gateway/testing/proxies.ts';
import { startPlayground } from '../../src/playground/server.ts';
import { freePort } from '../support/free-port.ts';
import { spawnPeyk } from '../support/peyk-process.ts';
import { runTool } from '../support/run-tool.ts';

/* What whoever runs Peyk is told while it starts, and what by its tools where it does not run. */

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'peyk-told-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const REAL = {
  TELEGRAM_BOT_TOKEN: '7700000001:abcdefghijklmnopqrstuvwxyz012345678',
  GATEWAY_BASE_URL: 'http://127.0.0.1:9',
  GATEWAY_WS_URL: 'http://127.0.0.1:9',
  PORT: '0',
};

const READY = 'Peyk is ready';

/** What stood on the screen before it was ready, a step each. */
async function stepsOf(port: string): Promise<{ readonly steps: string[]; readonly screen: string }> {
  await using peyk = spawnPeyk({ DATA_DIR: join(folder, 'data'), PORT: port }, folder);
  await peyk.line(READY);
  await peyk.line('Ctrl-C');
  expect(await peyk.stop()).toBe(0);
  const lines = peyk.lines.map((line) => line.trim());
  return {
    steps: lines
      .slice(
        0,
        lines.findIndex((line) => line.startsWith(READY)),
      )
      .filter((line) => line !== ''),
    screen: lines.join('\n'),
  };
}

describe('with no settings at all', () => {
  test('one Ctrl-C that comes twice, as npm passes it on, is one, however late the second is heard', async () => {
    const busy =
      'process.on("SIGINT", () => process.nextTick(() => { const at = Date.now(); while (Date.now() - at < 1000); }))';
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(busy)}`;
    await using peyk = spawnPeyk({ DATA_DIR: join(folder, 'data'), PORT: '0', NODE_OPTIONS }, folder);
    await peyk.line('Ctrl-C');
    process.kill(peyk.pid, 'SIGINT');
    process.kill(peyk.pid, 'SIGTERM');
    expect(await peyk.ended).toBe(0);
  });

  test('the screen says what the start does, and that a database is made the first time alone', async () => {
    const port = await freePort();
    const rest = ['· bringing its tables up to date', `· asking 127.0.0.1:${port} who the bot is`];
    const first = await stepsOf(String(port));
    expect(first.steps).toEqual([
      'Peyk starts. Nothing is installed or downloaded.',
      '· starting the sandbox gateway and the chat page',
      '· making the embedded database: the first time takes some seconds',
      ...rest,
    ]);
    expect(first.screen).not.toContain('another program');
    const later = await stepsOf(String(port));
    expect(later.steps.slice(2)).toEqual(['· starting the embedded database', ...rest]);
  });

  test('a port that is taken is named beside the address that the page has instead', async () => {
    const other = await startPlayground();
    const { port } = new URL(other.apiRoot);
    const { screen } = await stepsOf(port);
    await other.close();
    expect(screen).toContain(`Not on port ${port} as usual: another program has it.`);
    expect(screen).not.toContain(`http://127.0.0.1:${port}/`);
  });

  test('beyond loopback it warns, is found by another address, and says that it is alive', async () => {
    const [PORT, HOST] = [String(await freePort()), '0.0.0.0'];
    await using peyk = spawnPeyk({ DATA_DIR: join(folder, 'data'), PORT, HOST }, folder);
    await peyk.line('Ctrl-C');
    const screen = peyk.lines.join('\n');
    const [chat = '', phones = ''] = screen.match(/http:\/\/127\.0\.0\.1:\d+\//g) ?? [];
    expect(chat).toBe(`http://127.0.0.1:${PORT}/`);
    const warning = `HOST is 0.0.0.0, and these are test servers without a password: let no strangers reach ports ${PORT} and ${new URL(phones).port}.`;
    expect(screen.split(warning)).toHaveLength(2);
    // As through a published port of a container: by a loopback name, to another address.
    for (const [page, path, part] of [
      [chat, '/', 'html'],
      [chat, '/livez', '"live":true'],
      [phones, '/', 'html'],
    ] as const)
      expect(await bodyOf(`${page.replace('127.0.0.1', '127.0.0.2')}${path.slice(1)}`, page)).toContain(part);
    // And by its own address, which no name can be made to be.
    expect(await bodyOf('http://127.0.0.2:' + PORT, 'http://127.0.0.2')).toContain('html');
    expect(await bodyOf(chat, 'http://evil.example')).toContain('loopback host names');
    expect(await peyk.stop()).toBe(0);
  });
});

/** What a server says to who asks for it by the name of another address. */
async function bodyOf(url: string, named: string): Promise<string> {
  const [answer]: IncomingMessage[] = await once(
    get(url, { headers: { host: new URL(named).host } }),
    'response',
  );
  return answer === undefined ? '' : await text(answer);
}

describe('with a token', () => {
  // One database for all: what is told here comes after it was opened.
  let data: string;
  beforeAll(() => {
    data = mkdtempSync(join(tmpdir(), 'peyk-told-data-'));
  });
  afterAll(() => rmSync(data, { recursive: true, force: true }));

  test('a port that is taken is named, with code 78', async () => {
    const playground = await startPlayground();
    const { port } = new URL(playground.apiRoot);
    const env = { ...REAL, TELEGRAM_BOT_TOKEN: playground.token, TELEGRAM_API_ROOT: playground.apiRoot };
    await using peyk = spawnPeyk({ ...env, DATA_DIR: data, PORT: port }, folder);
    expect(await peyk.ended).toBe(78);
    await playground.close();
    expect(peyk.complaints()).toContain(`PORT: another program has port ${port} of 127.0.0.1 already`);
  });

  test.each([
    {
      what: 'a name that leads nowhere',
      env: { TELEGRAM_API_ROOT: 'https://telegram.invalid' },
      host: 'telegram.invalid',
      reason: /^the name cannot be resolved \(E[A-Z_]+\)$/,
      hint: 'TELEGRAM_API_ROOT',
    },
    {
      what: 'a port where nobody listens',
      env: { TELEGRAM_API_ROOT: 'http://127.0.0.1:9' },
      host: '127.0.0.1:9',
      reason: /^the connection is refused: nothing listens there \(ECONNREFUSED\)$/,
      hint: 'TELEGRAM_API_ROOT',
    },
    {
      what: 'a proxy that is not there',
      env: { PROXY_URL: 'http://user:nobody-sees-this@127.0.0.1:9' },
      host: 'api.telegram.org, by the proxy 127.0.0.1:9',
      reason: /^the connection is refused: nothing listens there \(PROXY_ECONNREFUSED\)$/,
      hint: 'PROXY_URL',
    },
  ])(
    'of a Telegram behind $what the log says where, why and what to try',
    async ({ env, host, reason, hint }) => {
      await using peyk = spawnPeyk({ ...REAL, ...env, DATA_DIR: data }, folder);
      const record: unknown = JSON.parse(await peyk.line('Telegram does not answer yet'));
      expect(record).toMatchObject({
        level: 'warn',
        host,
        reason: expect.stringMatching(reason),
        hint: expect.stringContaining(hint),
      });
      expect(await peyk.stop()).toBe(0);
      expect(peyk.lines.join('\n')).toContain(`asking ${host.split(',')[0]} who the bot is`);
      expect(peyk.lines.join('\n')).not.toContain('nobody-sees-this');
    },
  );

  test.each([
    { url: 'postgres://peyk:not-to-be-seen@127.0.0.1:9/peyk', why: '127.0.0.1:9: nothing listens there' },
    { url: 'postgres://peyk:not-to-be-seen@db.invalid/peyk', why: 'db.invalid: the name cannot be resolved' },
  ])('a database that cannot be reached is named, with why: $why', async ({ url, why }) => {
    const keys = { MASTER_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}` };
    await using peyk = spawnPeyk({ ...REAL, ...keys, DATABASE_URL: url }, folder);
    // It may be started a little later than Peyk: a service tries again, as it does not after 78.
    expect(await peyk.ended).toBe(69);
    expect(peyk.complaints()).toContain(`DATABASE_URL: the database at ${why}`);
    expect(`${peyk.lines.join('\n')}${peyk.complaints()}`).not.toContain('not-to-be-seen');
  });

  test('a proxy that lets nobody through is told from one that is not there', async () => {
    const proxy = await startHttpProxy('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    await using peyk = spawnPeyk(
      { ...REAL, PROXY_URL: `http://127.0.0.1:${proxy.port}`, DATA_DIR: data },
      folder,
    );
    const line = await peyk.line('Telegram does not answer yet');
    expect(line).toContain('the proxy refuses: it may want another user or password');
    expect(await peyk.stop()).toBe(0);
    await proxy.close();
    expect(proxy.asked).toContain('api.telegram.org:443');
  });
});

test.each([
  ['halt', 'on'],
  ['halt', 'status'],
  ['audit', 'verify'],
  ['keys', 'status'],
  ['keys', 'rotate'],
] as const)('%s %s says that there is no Peyk here, and makes no database', async (name, command) => {
  const told = await runTool([name, command], {}, folder);
  expect(told).toMatchObject({ code: 78 });
  expect(told.text).toContain('has no database: run this in the folder in which Peyk is started');
  expect(readdirSync(folder)).toEqual([]);
});
