import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { COMMON_FOLDER, COMMON_PATH } from '../pages/page-files.ts';
import type { Sandbox } from './server.ts';
import { startSandbox } from './server.ts';
import { LINE, http, sendOn, v3, v4 } from './testing.ts';
import { sendForeign } from './world/send.ts';

/* What the page asks for, and the page as it is served. */

const NOW = 1_790_000_000_000;
const message = z.looseObject({
  id: z.string().regex(/^\d+$/),
  kind: z.enum(['sent', 'received']),
  text: z.string(),
});
const listed = z.object({ messages: z.array(message), more: z.boolean() });

let sandbox: Sandbox;
beforeAll(async () => {
  const beside = () => ({
    url: 'http://127.0.0.1:8080/',
    icon: 'chat' as const,
    name: { en: 'Chat', fa: 'گفتگو' },
  });
  sandbox = await startSandbox({ adminPort: 0, now: () => NOW, beside });
});
beforeEach(() => sandbox.world.reset());
afterAll(() => sandbox.close());

async function messages(query: Record<string, string> = {}) {
  const { json } = await http(`${sandbox.adminUrl}/messages?${new URLSearchParams(query).toString()}`);
  return listed.parse(json);
}
async function texts(query: Record<string, string>): Promise<string[]> {
  return (await messages(query)).messages.map(({ text }) => text);
}

test('a sent message is told with its call, its price and how far its recipients are', async () => {
  await sendOn(3, sandbox, {
    recipients: ['09121234567', '09351112200', '09121110901', '09121110902'],
    message: 'سلام',
  });
  const [sent] = (await messages()).messages;
  const common = {
    kind: 'sent',
    account: 'demo',
    line: LINE,
    text: 'سلام',
    at: NOW,
    encoding: 'ucs2',
    parts: 1,
    cost: 5680,
  };
  expect(sent).toMatchObject({
    ...common,
    flash: false,
    recipients: ['09121234567', '09351112200', '09121110901'],
    recipientCount: 4,
    origin: { version: 3, operation: 'send' },
    states: { queued: 4 },
  });
  sandbox.world.advance(10_000);
  const { json } = await http(`${sandbox.adminUrl}/message?id=${sent?.id}`);
  expect(json).toMatchObject({
    ...common,
    states: { delivered: 1, not_delivered: 1, not_sent: 1, returned: 1 },
    rows: [
      { number: '09121234567', state: 'delivered', id: sent?.id },
      { number: '09351112200', state: 'not_delivered' },
      { number: '09121110901', state: 'not_sent' },
      { number: '09121110902', state: 'returned' },
    ],
  });
  const one = await http(`${sandbox.adminUrl}/message?id=12`);
  expect([one.httpStatus, one.json]).toEqual([400, { error: 'no message 12' }]);
});

test('what waits for its time, and what no call has sent, say so', async () => {
  const account = sandbox.world.account('demo');
  if (account === undefined) throw new Error('no demo account');
  sendForeign(sandbox.world, account, {
    from: LINE,
    recipients: ['09121234567'],
    message: 'by hand',
    flash: true,
  });
  await v4(sandbox, 'sms/send.json', { from: LINE, recipients: '09121234567', message: 'by call' });
  expect((await messages({ kind: 'sent' })).messages).toMatchObject([
    { text: 'by call', origin: { version: 4, operation: 'send' } },
    { text: 'by hand', origin: null, flash: true },
  ]);
});

test('messages of both directions are found by what they are, in any letters and digits, and in pages', async () => {
  await sendOn(3, sandbox, { recipients: ['09121234567', '09351112200'], message: 'کد شما ۱۲۳ است' });
  await sendOn(3, sandbox, { recipients: ['09121234567'], message: 'Second' });
  const write = (body: unknown) =>
    http(`${sandbox.adminUrl}/inbound`, { method: 'POST', body: JSON.stringify(body) });
  await write({ account: 'demo', from: '09121234567', message: 'I will be there' });

  expect(await texts({ phone: '09121234567' })).toEqual(['I will be there', 'Second', 'کد شما ۱۲۳ است']);
  expect(await texts({ phone: '9121234567', kind: 'received' })).toEqual(['I will be there']);
  expect(await texts({ search: 'كد 123' })).toEqual([]);
  expect(await texts({ search: 'كد شما 123' })).toEqual(['کد شما ۱۲۳ است']);
  expect(await texts({ search: '+989351112' })).toEqual(['کد شما ۱۲۳ است']);
  expect(await texts({ search: 'WILL be' })).toEqual(['I will be there']);
  expect(await texts({ state: 'queued' })).toEqual(['Second', 'کد شما ۱۲۳ است']);
  expect(await texts({ state: 'delivered' })).toEqual([]);
  expect(await texts({ account: 'locked' })).toEqual([]);

  const first = await messages({ limit: '2' });
  expect(first).toMatchObject({ messages: [{ text: 'I will be there' }, { text: 'Second' }], more: true });
  const rest = await messages({ before: first.messages[1]?.id ?? '' });
  expect(rest.messages.map(({ text }) => text)).toEqual([
    'کد شما ۱۲۳ است',
    'Thanks, got it',
    '11',
    'سلام، ساعت کاری شما چیست؟',
  ]);
  expect(rest.more).toBe(false);
  // Each phone has its own state.
  sandbox.world.advance(10_000);
  expect((await messages({ phone: '09351112200' })).messages).toMatchObject([
    { states: { not_delivered: 1 } },
  ]);
});

test('whoever listens is told when something has changed, a delivery too, and not when nothing has', async () => {
  const stream = await fetch(`${sandbox.adminUrl}/events`);
  expect(stream.headers.get('content-type')).toContain('text/event-stream');
  const reader = (stream.body ?? new ReadableStream<Uint8Array>()).getReader();
  const next = async (): Promise<string> => Buffer.from((await reader.read()).value ?? []).toString();
  expect(await next()).toBe(': ready\n\n');
  await v3(sandbox, 'my/credit');
  await sendOn(3, sandbox);
  expect(await next()).toBe('data: {}\n\n');
  expect((await messages()).messages[0]).toMatchObject({ states: { queued: 1 } });
  sandbox.world.advance(10_000);
  expect(await next()).toBe('data: {}\n\n');
  sandbox.world.setSwitches({ shuffled: true });
  expect(await next()).toBe('data: {}\n\n');
  await reader.cancel();
});

test('the page comes with all its files, asks for nothing of other servers, and names the page beside it', async () => {
  const files = ['', ...readdirSync(join(import.meta.dirname, 'phone'))].map((name) => `/${name}`);
  const all = [...files, ...readdirSync(COMMON_FOLDER).map((name) => COMMON_PATH + name)];
  for (const path of all) {
    const answer = await fetch(sandbox.adminUrl + path);
    expect([path, answer.status]).toEqual([path, 200]);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect((await answer.text()).replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:\/\//u);
  }
  expect(all.length).toBeGreaterThan(20);
  for (const path of ['/phone/app.js', '/..%2fserver.ts', '/pages/common/../guard.ts', '/server.ts'])
    expect((await http(sandbox.adminUrl + path)).httpStatus, path).toBe(404);
  for (const path of ['/state', '/nowhere', '/events?limit=x&odd=1']) {
    const { headers } = await fetch(sandbox.adminUrl + path);
    expect([headers.get('x-content-type-options'), headers.get('cache-control')]).toEqual([
      'nosniff',
      'no-store',
    ]);
  }
  const { json } = await http(`${sandbox.adminUrl}/state`);
  expect(json).toMatchObject({ beside: { url: 'http://127.0.0.1:8080/', icon: 'chat' } });
});
