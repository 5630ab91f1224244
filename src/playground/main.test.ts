import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';

const SCRIPT = new URL('./main.ts', import.meta.url).pathname;
const TOKEN = `42:${'a'.repeat(35)}`;
const readyLine = z.strictObject({ apiRoot: z.url(), pageUrl: z.url(), token: z.string() });

let children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
});

function run(...argv: string[]) {
  const child = spawn(process.execPath, [SCRIPT, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  const seen = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (seen.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (seen.stderr += text));
  const ended = once(child, 'close').then(([code]: unknown[]) => code);
  return { child, seen, ended };
}

async function ready(...argv: string[]) {
  const started = run('--port', '0', ...argv);
  await once(started.child.stdout, 'data');
  return { ...started, ...readyLine.parse(JSON.parse(started.seen.stdout)) };
}

const json = async (url: string): Promise<unknown> => (await fetch(url)).json();

test.each(['SIGTERM', 'SIGINT'] as const)(
  'prints one line when ready and ends with 0 on %s, though a bot waits for updates',
  async (signal) => {
    const { child, seen, ended, apiRoot, pageUrl, token } = await ready('--token', TOKEN);
    expect(token).toBe(TOKEN);
    expect(await json(`${apiRoot}/health`)).toEqual({ ok: true });
    expect(await (await fetch(pageUrl)).text()).toContain('<!doctype html>');
    expect(await json(`${apiRoot}/bot${TOKEN}/getMe`)).toMatchObject({ result: { id: 42, is_bot: true } });
    expect(await json(`${apiRoot}/bot43${TOKEN.slice(2)}/getMe`)).toMatchObject({ result: { id: 43 } });
    const polled = fetch(`${apiRoot}/bot${TOKEN}/getUpdates?timeout=50`).catch(() => undefined);
    child.kill(signal);
    expect(await ended).toBe(0);
    await polled;
    expect(seen.stdout.split('\n')).toHaveLength(2);
    expect(seen.stderr).toBe('');
  },
);

test('a host that others reach is warned of', async () => {
  const { apiRoot, seen } = await ready('--host', '0.0.0.0');
  expect(apiRoot).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await json(`${apiRoot}/health`)).toEqual({ ok: true });
  expect(seen.stderr).toMatch(/^telegram: listening on 0\.0\.0\.0: this is a test server/);
});

test.each([
  [['--port', '65536'], '--port must be a port'],
  [['--prot', '1'], '--prot'],
  [['stray'], 'stray'],
  [['--token', TOKEN, '--token', 'secret'], '--token must be <digits>'],
])('%j ends with 2, what is wrong and the usage', async (argv, name) => {
  const { seen, ended } = run(...argv);
  expect(await ended).toBe(2);
  expect(seen.stdout).toBe('');
  expect(seen.stderr).toContain(name);
  expect(seen.stderr).toContain('Usage: ');
});

test('--help tells of every option, and a taken port ends with 1 and is named', async () => {
  const help = run('--help');
  expect(await help.ended).toBe(0);
  for (const option of ['--port', '--host', '--token', '--limiter'])
    expect(help.seen.stdout).toContain(option);
  const { apiRoot } = await ready();
  const { port } = new URL(apiRoot);
  const second = run('--port', port);
  expect(await second.ended).toBe(1);
  expect(second.seen.stderr).toContain(`EADDRINUSE: address already in use 127.0.0.1:${port}`);
});
