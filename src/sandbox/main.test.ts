import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { http, LINE, PLAIN } from './testing.ts';

const SCRIPT = new URL('./main.ts', import.meta.url).pathname;
const readyLine = z.strictObject({ baseUrl: z.url(), wsUrl: z.url(), adminUrl: z.url().optional() });
const FREE = ['--port', '0', '--ws-port', '0'];

let folder: string;
let children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-main-'));
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  rmSync(folder, { recursive: true });
});

function run(argv: string[], runtime: string[] = []) {
  const child = spawn(process.execPath, [...runtime, SCRIPT, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  const seen = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (seen.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (seen.stderr += text));
  const ended = once(child, 'close').then(([code]: unknown[]) => code);
  return { child, seen, ended };
}

async function ready(argv: string[], runtime: string[] = []) {
  const started = run(argv, runtime);
  await once(started.child.stdout, 'data');
  return { ...started, urls: readyLine.parse(JSON.parse(started.seen.stdout)) };
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'prints one line when ready and ends with 0 on %s',
  async (signal) => {
    const { child, seen, ended, urls } = await ready(FREE);
    expect(Object.keys(urls)).toEqual(['baseUrl', 'wsUrl']);
    const { json } = await http(`${urls.baseUrl}/api/v4/sandbox-key-demo/user/credit.json`);
    expect(json).toMatchObject({ data: { credit: 10_000_000_000 } });
    child.kill(signal);
    expect(await ended).toBe(0);
    expect(seen.stdout.split('\n')).toHaveLength(2);
    expect(seen.stderr).toBe('');
  },
);

test('serves the accounts of a file, keeps a ledger file, and opens the admin port when asked', async () => {
  const accounts = join(folder, 'accounts.json');
  const ledger = join(folder, 'ledger.jsonl');
  const seed = { username: 'mine', password: 'p', token: 't', lines: [LINE], credit: 5000 };
  writeFileSync(accounts, JSON.stringify([seed]));
  const { urls, child, ended } = await ready([
    ...FREE,
    '--admin-port',
    '0',
    '--accounts',
    accounts,
    '--ledger',
    ledger,
  ]);
  const sent = await http(`${urls.wsUrl}/api/v1/rest/sms/send`, {
    method: 'POST',
    headers: { token: 't' },
    body: JSON.stringify({ from: LINE, recipients: [PLAIN], message: 'سلام' }),
  });
  expect(sent.json).toMatchObject({ status: 200, result: { status: 0 } });
  expect(readFileSync(ledger, 'utf8')).toContain('"text":"سلام"');
  expect((await http(`${urls.adminUrl}/state`)).json).toMatchObject({
    accounts: [{ username: 'mine', credit: 3580 }],
  });
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('with --log there is a line for each request on stderr, without secrets and with the reason', async () => {
  const { urls, seen, child, ended } = await ready([...FREE, '--log']);
  await http(`${urls.baseUrl}/api/v4/sandbox-key-demo/user/credit.json`);
  await http(
    `${urls.baseUrl}/api/v4/sandbox-key-demo/sms/send.json?from=${LINE}&recipient=${PLAIN}&message=x`,
  );
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  const [credit, send, ...rest] = seen.stderr.split('\n');
  expect(credit).toMatch(/^\S+ v4 demo credit GET \/api\/v4\/\*\*\*\/user\/credit\.json 200 \d+ms$/);
  expect(send).toMatch(/ refused: .*unknown parameter `recipient`: did you mean `recipients`\?$/);
  expect(rest).toEqual(['']);
});

test('begins with all that a configuration says, and serves health and version 1 on the base address', async () => {
  const file = join(folder, 'config.json');
  const account = {
    username: 'mine',
    password: 'p',
    apiKey: 'my-key',
    token: 'my-token',
    lines: [LINE],
    credit: 500_000,
    inbox: [{ from: '9121112222', line: LINE, message: 'hello', ageSeconds: 60 }],
    phonebooks: [{ title: 'book', flag: 'b', numbers: ['9121112222'] }],
    blacklist: [{ line: LINE, to: [PLAIN] }],
  };
  writeFileSync(
    file,
    JSON.stringify({
      accounts: [account],
      delivery: { returned: 100 },
      deliverySeconds: 0,
      switches: { textSuffix: ' (ad)' },
      faults: [{ kind: 'error', status: 409, operation: 'credit', account: 'mine', times: 1 }],
    }),
  );
  const { urls, seen } = await ready([...FREE, '--admin-port', '0', '--config', file]);
  for (const url of Object.values(urls)) expect((await http(`${url}/health`)).json).toEqual({ ok: true });
  const v3 = (path: string, body: unknown) =>
    http(`${urls.baseUrl}/api/v3/rest/${path}`, {
      method: 'POST',
      headers: { token: 'my-key' },
      body: JSON.stringify(body),
    });
  expect((await v3('my/credit', {})).json).toMatchObject({ return: { status: 409 } });
  expect((await v3('sms/inboxpaged', {})).json).toMatchObject({ entries: [{ message: 'hello' }] });
  expect((await v3('my/phonebook', {})).json).toMatchObject({ entries: [{ title: 'book', count: 1 }] });
  const recipients = [PLAIN, '09129999999'];
  await v3('sms/send', { from: LINE, recipients, message: 'x', type: 0 });
  expect((await v3('sms/latestoutbox', {})).json).toMatchObject({
    entries: [
      { message: 'x (ad)', state: 2 },
      { message: 'x (ad)', state: 6 },
    ],
  });
  const old = await http(`${urls.baseUrl}/api/v1/rest/my/credit`, { headers: { token: 'my-token' } });
  expect(old.json).toMatchObject({ status: 200, result: { status: 0, value: 500_000 - 2 * 2840 } });
  expect(seen.stderr).toBe('');
});

test('a host that others reach is warned of', async () => {
  const { urls, seen } = await ready([...FREE, '--host', '0.0.0.0']);
  expect(urls.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await http(`${urls.baseUrl}/health`)).httpStatus).toBe(200);
  expect(seen.stderr).toMatch(/^sandbox: listening on 0\.0\.0\.0: this is a test server/);
});

test('ends in order although a call hangs', async () => {
  const { urls, child, ended } = await ready([...FREE, '--admin-port', '0']);
  const rule = JSON.stringify({ kind: 'hang' });
  await http(`${urls.adminUrl}/faults`, { method: 'POST', body: rule });
  const cut = http(`${urls.baseUrl}/api/v4/k/user/credit.json`).then(
    () => 'answered',
    () => 'cut',
  );
  for (let used = 0; used === 0;) {
    const { text } = await http(`${urls.adminUrl}/faults`);
    used = Number(/"used":(\d+)/.exec(text)?.[1] ?? 0);
  }
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(await cut).toBe('cut');
});

test('bad arguments end with 2, a message and the usage on stderr, and nothing on stdout', async () => {
  const { seen, ended } = run(['--port', 'eighty']);
  expect(await ended).toBe(2);
  expect(seen.stdout).toBe('');
  expect(seen.stderr).toMatch(/--port must be a port[\s\S]*Usage:/);
});

test('a port that is taken ends with 1 and names it', async () => {
  const { urls } = await ready(FREE);
  const { port } = new URL(urls.baseUrl);
  const second = run(['--port', port, '--ws-port', '0']);
  expect(await second.ended).toBe(1);
  expect(second.seen.stderr).toContain(`EADDRINUSE: address already in use 127.0.0.1:${port}`);
});

test('reads long ids where the runtime shows no reviver the digits of a number, as Node 20 does', async () => {
  const older = `const parse = JSON.parse; JSON.parse = (text, revive) =>
    parse(text, revive && ((name, value) => revive(name, value)));`;
  const { urls } = await ready(FREE, ['--import', `data:text/javascript,${encodeURIComponent(older)}`]);
  const ask = (path: string, body: string) =>
    http(`${urls.baseUrl}/api/v3/rest/${path}`, {
      method: 'POST',
      headers: { token: 'sandbox-key-demo' },
      body,
    });
  const { text } = await ask(
    'sms/send',
    JSON.stringify({ from: LINE, recipients: [PLAIN], message: 'سلام', type: 0 }),
  );
  const id = /"messageid":(\d{19})/.exec(text)?.[1];
  const status = await ask('sms/status', `{"messageid":[${id}],"note":"${id}"}`);
  expect(status.json).toMatchObject({ return: { status: 200 } });
  expect(status.text).toContain(`"messageid":${id}`);
});

test('the demo account pays for a list of 4,000 numbers, and for a hundred times as many', async () => {
  const { urls } = await ready(FREE);
  const recipients = Array.from({ length: 200 }, (_, at) => `09121${String(at).padStart(6, '0')}`);
  const body = JSON.stringify({ from: LINE, recipients, message: 'Hello', type: 0 });
  for (let calls = 0; calls < 20; calls += 1) {
    const sent = await http(`${urls.baseUrl}/api/v3/rest/sms/send`, {
      method: 'POST',
      headers: { token: 'sandbox-key-demo' },
      body,
    });
    expect(sent.json).toMatchObject({ return: { status: 200 } });
  }
  const left = await http(`${urls.baseUrl}/api/v4/sandbox-key-demo/user/credit.json`);
  expect(left.json).toMatchObject({ data: { credit: 10_000_000_000 - 4_000 * 2840 } });
});
