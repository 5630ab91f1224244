import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { adminEndpoints } from './admin-endpoints.ts';
import type { Sandbox } from './server.ts';
import { startSandbox } from './server.ts';
import { LINE, http, sendOn, v3, v4 } from './testing.ts';

let sandbox: Sandbox;
const NOW = 1_790_000_000_000;

beforeAll(async () => {
  sandbox = await startSandbox({ adminPort: 0, now: () => NOW });
});
beforeEach(() => post('/reset', {}));
afterAll(() => sandbox.close());

function get(path: string) {
  return http(`${sandbox.adminUrl}${path}`);
}
function post(path: string, body: unknown) {
  return http(`${sandbox.adminUrl}${path}`, { method: 'POST', body: JSON.stringify(body) });
}

test('the admin interface is off unless asked for, and then on a port of its own', async () => {
  const plain = await startSandbox();
  expect(plain).not.toHaveProperty('adminUrl');
  await plain.close();
  expect(new Set([sandbox.adminUrl, sandbox.baseUrl, sandbox.wsUrl]).size).toBe(3);
  expect((await http(`${sandbox.baseUrl}/state`)).json).toMatchObject({ return: { status: 404 } });
});

test('state tells accounts without any secret', async () => {
  const { json, text } = await get('/state');
  expect(json).toMatchObject({
    now: NOW,
    accounts: [
      { username: 'demo', lines: [LINE, '50001234'], credit: 10_000_000_000, userStatus: 0, received: 3 },
      { username: 'locked', userStatus: 3 },
    ],
  });
  for (const secret of ['sandbox-key', 'sandbox-token', 'demo-pass']) expect(text).not.toContain(secret);
});

test('state tells what an account keeps: unread messages, phonebooks, blocked numbers', async () => {
  await v4(sandbox, 'sms/receive.json', { number: '3000123456' });
  await v4(sandbox, 'line/blocked/add.json', { number: LINE, to: '09121111111' });
  expect((await get('/state')).json).toMatchObject({
    accounts: [
      {
        received: 3,
        unread: 0,
        blocked: 1,
        phonebooks: [
          { title: 'مشتریان', count: 3 },
          { title: 'Staff', count: 2 },
        ],
      },
      { unread: 0, blocked: 0, phonebooks: [] },
    ],
  });
});

test('the ledger lists sends and hits, filtered by kind, account and number', async () => {
  const before = sandbox.ledger.totals();
  await sendOn(3, sandbox, { message: 'یک' });
  await sendOn(1, sandbox, { message: 'دو' });
  const { json } = await get(`/ledger?kind=send&account=demo&after=${before.sends + 1}`);
  expect(json).toEqual({
    totals: sandbox.ledger.totals(),
    sends: [
      {
        kind: 'send',
        number: before.sends + 2,
        at: NOW,
        gatewayTime: NOW / 1000,
        account: 'demo',
        version: 1,
        operation: 'send',
        line: LINE,
        text: 'دو',
        flash: false,
        recipients: ['9121111111'],
        messageIds: [expect.stringMatching(/^\d{19}$/)],
        parts: 1,
        cost: 1420,
      },
    ],
  });
  expect((await get('/ledger?account=nobody')).json).toMatchObject({ sends: [], hits: [] });
  expect((await get('/ledger?kind=hit')).json).not.toHaveProperty('sends');
});

test('the clock can be moved, and deliveries with it', async () => {
  await sendOn(3, sandbox);
  expect((await post('/clock', { advanceMs: 10_000 })).json).toMatchObject({ now: NOW + 10_000 });
  expect((await v3(sandbox, 'sms/latest')).json).toMatchObject({ data: { state: 10, date: NOW / 1000 } });
});

test('credit, price, user status and ids can be set', async () => {
  await post('/credit', { account: 'demo', credit: 5000 });
  await post('/price', { account: 'demo', ucs2: 100 });
  await post('/ids', { mode: 'recipient' });
  await sendOn(3, sandbox, { recipients: ['09121111111', '09122222222'] });
  expect((await v4(sandbox, 'user/credit.json')).json).toMatchObject({ data: { credit: 4800 } });
  expect(sandbox.ledger.sends().at(-1)?.messageIds).toHaveLength(2);
  await post('/user-status', { account: 'demo', userStatus: 4 });
  expect((await v3(sandbox, 'my')).json).toMatchObject({
    return: { status: 401, message: expect.stringMatching(/کد 4$/) },
  });
});

test('a received message can be injected', async () => {
  const { json } = await post('/inbound', { account: 'demo', from: '09123334444', message: 'سلام' });
  expect(json).toEqual({ messageid: expect.any(BigInt) });
  expect(sandbox.world.account('demo')?.inbox.at(-1)).toMatchObject({
    from: '9123334444',
    line: LINE,
    text: 'سلام',
    read: false,
    receivedAt: NOW,
  });
  const wrong = await post('/inbound', { account: 'demo', from: '1', message: 'x', line: '999' });
  expect(wrong.json).toEqual({ error: 'account demo has no such line' });
});

test('an account can be created and used at once', async () => {
  const seed = { username: 'fresh', password: 'p', apiKey: 'fresh-key', lines: ['10001'], credit: 77 };
  expect((await post('/accounts', seed)).json).toMatchObject({ username: 'fresh', credit: 77 });
  expect((await v4(sandbox, 'user/credit.json', {}, 'fresh-key')).json).toMatchObject({
    data: { credit: 77 },
  });
  expect(await post('/accounts', seed)).toMatchObject({ httpStatus: 400 });
});

test('faults can be set, listed, removed and cleared', async () => {
  const { json } = await post('/faults', { kind: 'error', status: 409, operation: 'credit' });
  expect(json).toEqual({ id: expect.any(Number) });
  expect((await v3(sandbox, 'my/credit')).json).toMatchObject({ return: { status: 409 } });
  const { json: listed } = await get('/faults');
  expect(listed).toMatchObject({ faults: [{ kind: 'error', operation: 'credit', used: 1 }] });
  const { id } = z.object({ id: z.int() }).parse(json);
  const remove = (path: string) => http(`${sandbox.adminUrl}${path}`, { method: 'DELETE' });
  expect((await remove(`/faults?id=${id}`)).json).toEqual({ ok: true });
  expect(await remove(`/faults?id=${id}`)).toMatchObject({ httpStatus: 400 });
  await post('/faults', { kind: 'hang' });
  await remove('/faults');
  expect((await get('/faults')).json).toMatchObject({ faults: [] });
});

test('a reset restores the world and clears the faults', async () => {
  await sendOn(3, sandbox);
  await post('/faults', { kind: 'hang' });
  await post('/clock', { advanceMs: 1 });
  await post('/reset', {});
  expect((await get('/state')).json).toMatchObject({ now: NOW, faults: 0 });
  expect((await v3(sandbox, 'my/credit')).json).toMatchObject({ data: { credit: 10_000_000_000 } });
});

test.each([
  ['/faults', { kind: 'explode' }, 400],
  ['/faults', { kind: 'drop', whne: 'after' }, 400],
  ['/credit', { account: 'demo', credit: -1 }, 400],
  ['/credit', { account: 'nobody', credit: 1 }, 400],
  ['/clock', {}, 400],
  ['/nothing', {}, 404],
  ['/state', {}, 405],
])('a mistake at %s is explained (case %#)', async (path, body, status) => {
  const { httpStatus, json } = await post(path, body);
  expect(httpStatus).toBe(status);
  expect(json).toEqual({ error: expect.stringMatching(/\w/) });
});

test('what is not JSON is refused', async () => {
  const url = `${sandbox.adminUrl}/clock`;
  expect(await http(url, { method: 'POST', body: '{' })).toMatchObject({ httpStatus: 400 });
  expect(sandbox.world.now()).toBe(NOW);
});

test('what pages of other sites ask for is refused at every path, and changes nothing', async () => {
  const { world, ledger, journal, faults, adminUrl = '' } = sandbox;
  const { port } = new URL(adminUrl);
  const before = (await get('/state')).text;
  for (const headers of [
    { origin: 'https://example.com' },
    { origin: 'null' },
    { origin: `http://127.0.0.1:${Number(port) + 1}` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { host: `evil.example:${port}` },
    { host: `127.0.0.1.evil.example:${port}` },
    { host: `evil.example:${port}`, origin: `http://evil.example:${port}`, 'sec-fetch-site': 'same-origin' },
  ]) {
    for (const { method, path } of [
      ...adminEndpoints({ world, ledger, journal, faults }),
      ...['/', '/app.js', '/events', '/nothing'].map((path) => ({ method: 'GET', path })),
    ]) {
      const { httpStatus } = await http(`${adminUrl}${path}`, { method: wordOf(method), headers });
      expect(httpStatus, `${method} ${path} ${JSON.stringify(headers)}`).toBe(403);
    }
  }
  expect((await get('/state')).text).toBe(before);
  expect((await http(`${adminUrl}/state`, { headers: { host: `localhost:${port}` } })).httpStatus).toBe(200);
});

function wordOf(method: string): 'GET' | 'POST' | 'DELETE' {
  return method === 'POST' || method === 'DELETE' ? method : 'GET';
}
