import { request } from 'node:http';
import { z } from 'zod';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDriver, type Driver, type Person } from './driver.ts';
import { startPlayground, type Playground } from '../server.ts';
import { callApi, getUpdates } from '../test-api.ts';

let now = 1_795_000_000_000;
let pg: Playground;
let driver: Driver;
let sara: Person;

beforeEach(async () => {
  pg = await startPlayground({ seedWorld: true, now: () => now });
  driver = createDriver(pg);
  sara = driver.user({ first_name: 'Sara' });
  sara.start();
});
afterEach(async () => {
  driver.close();
  await pg.close();
});

interface Answer {
  status: number;
  body: string;
  headers: Record<string, unknown>;
}

/** A raw request, so that Host, Origin and content type can be anything. */
function raw(path: string, headers: Record<string, string>, method = 'GET', body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(new URL(path, pg.pageUrl), { method, headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }),
      );
    });
    call.on('error', reject);
    call.end(body);
  });
}

const namedChat = z.object({ title: z.string().optional(), first_name: z.string().optional() });
const sentMessage = z.object({ message_id: z.number(), chat: z.object({ id: z.number() }) });
const eventShape = z.object({ type: z.string(), chat_id: z.number().optional() });
const documentShape = z.object({ file_id: z.string(), file_name: z.string() });
const uploaded = z.object({ messages: z.array(z.object({ document: documentShape })) });
const json = { 'content-type': 'application/json' };

async function control(
  path: string,
  body?: unknown,
): Promise<{ status: number; value: Record<string, unknown> }> {
  const answer = await raw(
    `/_control/${path}`,
    body === undefined ? {} : json,
    body === undefined ? 'GET' : 'POST',
    JSON.stringify(body),
  );
  return { status: answer.status, value: z.looseObject({}).parse(JSON.parse(answer.body)) };
}

describe('guards', () => {
  const body = JSON.stringify({ first_name: 'Eve' });
  it.each([
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['plain text', { 'content-type': 'text/plain' }, 415],
    ['JSON from here', json, 200],
  ])('a change with %s gets %i', async (_, headers, status) => {
    const people = pg.control.state().users.length;
    const answer = await raw('/_control/user', headers, 'POST', body);
    expect(answer.status).toBe(status);
    expect(pg.control.state().users).toHaveLength(people + (status === 200 ? 1 : 0));
  });

  it('send the security policy with the page and serve nothing outside its folder', async () => {
    const page = await raw('/', {});
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toContain(
      "default-src 'self'; img-src 'self' blob: data:",
    );
    for (const path of ['/../server.ts', '/%2e%2e/server.ts', '/server.ts', '/page/index.html']) {
      expect((await raw(path, {})).status).toBe(404);
    }
  });

  it('explain a mistake without changing anything', async () => {
    expect(await control('user', { first_name: '' })).toMatchObject({ status: 400 });
    expect(await control('message', { user_id: 1, chat_id: 1, text: 'x' })).toMatchObject({
      status: 400,
      value: { error: 'unknown user 1' },
    });
    expect((await control('nothing', {})).status).toBe(404);
    expect((await raw('/_control/user', json, 'POST', '{')).status).toBe(400);
  });
});

describe('the control API', () => {
  it('shows a person their own chats only', async () => {
    const seeded = pg.control.state().users.find(({ first_name }) => first_name === 'Nima');
    const titles = async (id: number) => {
      const { value } = await control(`state?user=${id}`);
      return z
        .array(namedChat)
        .parse(value['chats'])
        .map((chat) => chat.title ?? chat.first_name);
    };
    expect(await titles(seeded?.id ?? 0)).toEqual([
      'Nik Shop – Ops',
      'Nik Shop – Support',
      'Nik Shop – Alerts',
    ]);
    expect(await titles(sara.id)).toEqual(['PeykSandbox']);
    const { value } = await control('state');
    expect(value['bots']).toEqual([
      { id: pg.control.state().bots[0]?.id, username: 'PeykSandboxBot', first_name: 'PeykSandbox' },
    ]);
  });

  it('speaks, lists messages, edits and deletes', async () => {
    const botId = pg.control.state().bots[0]?.id;
    const said = await control('message', { user_id: sara.id, chat_id: botId, text: 'hi' });
    const message = sentMessage.parse(said.value['message']);
    expect(message.chat.id).toBe(sara.id);
    const target = { user_id: sara.id, chat_id: sara.id, message_id: message.message_id };
    await control('edit', { ...target, text: 'ho' });
    await control('delete', target);
    const { value } = await control(`messages?chat=${sara.id}&user=${sara.id}&after=1`);
    expect(value['messages']).toMatchObject([{ text: 'ho', deleted: true, edit_date: expect.any(Number) }]);
  });

  it('takes files from a form and gives the same bytes back', async () => {
    const form = new FormData();
    form.set('user_id', String(sara.id));
    form.set('chat_id', String(sara.id));
    form.set('caption', 'two');
    form.append('file', new Blob(['a,b']), 'شماره‌ها.csv');
    form.append('file', new Blob(['c']), 'c.txt');
    const response = await fetch(new URL('/_control/upload', pg.pageUrl), { method: 'POST', body: form });
    const { messages } = uploaded.parse(await response.json());
    expect(messages.map(({ document }) => document.file_name)).toEqual(['شماره‌ها.csv', 'c.txt']);
    const file = await raw(`/_control/file?file_id=${messages[0]?.document.file_id ?? ''}`, {});
    expect(file.body).toBe('a,b');
    expect(file.headers['content-disposition']).toContain('attachment');
  });

  it('streams events to those who may see them', async () => {
    const nima = driver.user({ first_name: 'Nima' });
    let open = 0;
    const bothOpen = Promise.withResolvers<undefined>();
    const read = async (user: number, count: number): Promise<string[]> => {
      const response = await fetch(new URL(`/_control/events?user=${user}`, pg.pageUrl));
      const types: string[] = [];
      const decoder = new TextDecoder();
      open++;
      if (open === 2) bothOpen.resolve(undefined);
      for await (const chunk of response.body ?? []) {
        for (const [, data] of decoder.decode(chunk).matchAll(/^data: (.*)$/gm)) {
          const event = eventShape.parse(JSON.parse(data ?? ''));
          types.push(`${event.type} ${event.chat_id ?? ''}`.trim());
        }
        if (types.length >= count) break;
      }
      return types;
    };
    const seenBySara = read(sara.id, 3);
    const seenByNima = read(nima.id, 1);
    await bothOpen.promise;
    sara.send(sara, 'secret');
    await callApi(pg, 'sendMessage', { chat_id: sara.id, text: 'x' });
    expect(await seenByNima).toEqual(['call']);
    expect(await seenBySara).toEqual([`message ${sara.id}`, `message ${sara.id}`, 'call']);
  });

  it('empties the world with reset, and keeps the bot with its settings', async () => {
    await callApi(pg, 'setMyCommands', { commands: [{ command: 'a', description: 'b' }] });
    const before = (await getUpdates(pg)).at(-1)?.update_id ?? 0;
    await control('reset', {});
    expect((await callApi(pg, 'getMyCommands')).result).toHaveLength(1);
    expect(pg.control.state().users.map(({ first_name }) => first_name)).toEqual(['Sara', 'رضا', 'Nima']);
    const updates = await getUpdates(pg);
    expect(updates[0]?.update_id).toBeGreaterThan(before);
  });
});

const send = (text = 'x') => callApi(pg, 'sendMessage', { chat_id: sara.id, text });
const count = () => driver.messages(sara).length;

describe('faults', () => {
  it('answer in place of the method, once unless told otherwise, where the parameters fit', async () => {
    await control('faults', {
      method: 'sendMessage',
      code: 500,
      description: 'Internal Server Error',
      match: { text: 'b' },
    });
    expect((await send('a')).ok).toBe(true);
    expect(await send('b')).toMatchObject({ status: 500, description: 'Internal Server Error' });
    expect((await send('b')).ok).toBe(true);
    pg.control.fault({ method: '*', code: 400, times: 0 });
    expect([(await send()).ok, (await send()).ok]).toEqual([false, false]);
    expect((await callApi(pg, 'getUpdates')).ok).toBe(true);
    await raw('/_control/faults', {}, 'DELETE');
    expect((await send()).ok).toBe(true);
  });

  it('cut the connection before or after the effect, or answer with a page', async () => {
    const before = count();
    pg.control.fault({ method: 'sendMessage', drop: 'before' });
    await expect(send()).rejects.toThrow('fetch failed');
    expect(count()).toBe(before);
    pg.control.fault({ method: 'sendMessage', drop: 'after' });
    await expect(send()).rejects.toThrow('fetch failed');
    expect(count()).toBe(before + 1);
    pg.control.fault({ method: 'sendMessage', html502: true });
    const page = await fetch(`${pg.apiRoot}/bot${pg.token}/sendMessage`, { method: 'POST' });
    expect([page.status, await page.text()]).toEqual([502, expect.stringContaining('<html>')]);
    expect(count()).toBe(before + 1);
  });

  it('delay a call, which keeps its effect when the caller hangs up', async () => {
    pg.control.fault({ method: 'sendMessage', delay_ms: 600_000 });
    const arrived = Promise.withResolvers<undefined>();
    const { faults } = pg.emulator;
    const take = faults.take.bind(faults);
    vi.spyOn(faults, 'take').mockImplementation((method, params) => {
      arrived.resolve(undefined);
      return take(method, params);
    });
    const hangUp = new AbortController();
    const call = fetch(`${pg.apiRoot}/bot${pg.token}/sendMessage`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ chat_id: sara.id, text: 'late' }),
      signal: hangUp.signal,
    });
    await arrived.promise;
    const before = count();
    hangUp.abort();
    await expect(call).rejects.toThrow('aborted');
    await driver.waitForMessage(sara, ({ text }) => text === 'late');
    expect(count()).toBe(before + 1);
  });
});

describe('the limiter', () => {
  it('allows one message a second in a chat and 20 a minute in a group', async () => {
    const limited = await startPlayground({ limiter: true, now: () => now });
    const other = createDriver(limited);
    const reza = other.user({});
    reza.start();
    const group = other.group({ creator: reza });
    const send = (chat_id: number) => callApi(limited, 'sendMessage', { chat_id, text: 'x' });
    expect((await send(reza.id)).ok).toBe(true);
    expect(await send(reza.id)).toMatchObject({
      status: 429,
      description: 'Too Many Requests: retry after 1',
      parameters: { retry_after: 1 },
    });
    for (let i = 0; i < 20; i++) {
      now += 1000;
      expect((await send(group)).ok).toBe(true);
    }
    now += 1000;
    expect((await send(group)).parameters?.retry_after).toBe(40);
    now += 40_000;
    expect((await send(group)).ok).toBe(true);
    other.close();
    await limited.close();
  });
});

describe('the call log', () => {
  it('keeps parameters, files and answers, and counts beyond its ring', async () => {
    await callApi(pg, 'sendMessage', { chat_id: sara.id, text: 'x', nothing_we_know: 1 });
    await callApi(pg, 'sendMessage', { chat_id: 0, text: 'x' });
    const { value } = await control('calls?method=sendmessage');
    expect(value['calls']).toMatchObject([
      { method: 'sendMessage', ok: true, params: { chat_id: sara.id, text: 'x' }, result: { text: 'x' } },
      { method: 'sendMessage', ok: false, error_code: 400, description: 'Bad Request: chat not found' },
    ]);
    expect(pg.calls.counts().get('sendmessage')).toBe(2);
  });
});

describe('the trace of a message', () => {
  const trace = (chat: number, message: number, user = sara.id) =>
    control(`trace?chat=${chat}&message=${message}&user=${user}`);

  it('has the update it made, when the bot got it, and the calls about it; no other message and no token', async () => {
    const asked = sara.send(sara, `/send is ${pg.token} safe?`);
    sara.send(sara, 'something else');
    const waiting = (await trace(sara.id, asked.message_id)).value;
    expect(waiting).toMatchObject({
      updates: [{ kind: 'message', update: { message: { text: expect.stringContaining('safe?') } } }],
      calls: [],
    });
    const [update] = await getUpdates(pg, { offset: -2, limit: 1 });
    now += 5000;
    await getUpdates(pg, { offset: (update?.update_id ?? 0) + 1, limit: 1 });
    const { value } = await trace(sara.id, asked.message_id);
    const delivery = { by: 'polling', at: now - 5000, times: 1, heardAt: now };
    expect(value['updates']).toMatchObject([{ update: { update_id: update?.update_id }, delivery }]);
    expect(JSON.stringify(value)).not.toContain(pg.token.slice(11));
    expect(JSON.stringify(value)).toContain('•••');
  });

  it('has what the bot did with its own message: made, edited, pressed, answered', async () => {
    const reply_markup = { inline_keyboard: [[{ text: 'Go', callback_data: 'go' }]] };
    const sent = await callApi(pg, 'sendMessage', { chat_id: sara.id, text: 'Draft', reply_markup });
    const card = sentMessage.parse(sent.result);
    await callApi(pg, 'sendMessage', { chat_id: sara.id, text: 'Another' });
    const target = { chat_id: sara.id, message_id: card.message_id };
    const query = pg.control.tap({ ...target, user_id: sara.id, data: 'go' }).callback_query_id;
    await callApi(pg, 'answerCallbackQuery', { callback_query_id: query, text: 'Gone' });
    await callApi(pg, 'editMessageText', { ...target, text: 'Sent' });
    await callApi(pg, 'editMessageText', { ...target, text: 'Sent' });
    await callApi(pg, 'setWebhook', { url: 'http://127.0.0.1:9/', secret_token: 'hush' });
    const { value } = await trace(sara.id, card.message_id);
    expect(value['updates']).toMatchObject([
      { kind: 'callback_query', update: { callback_query: { data: 'go' } } },
    ]);
    expect(value['calls']).toMatchObject([
      { method: 'sendMessage', ok: true, params: { text: 'Draft', reply_markup } },
      { method: 'answerCallbackQuery', ok: true, params: { text: 'Gone' } },
      { method: 'editMessageText', ok: true, params: { text: 'Sent' } },
      { method: 'editMessageText', ok: false, error_code: 400 },
    ]);
    const log = JSON.stringify((await control('calls?method=setWebhook')).value);
    expect(log).toContain('•••');
    expect(log).not.toContain('hush');
  });

  it('is nobody’s who is not in the chat, and a copy is its own message', async () => {
    const group = driver.group({ creator: sara });
    const said = sara.send(group, '/credit');
    const copied = await callApi(pg, 'copyMessage', {
      chat_id: sara.id,
      from_chat_id: group,
      message_id: said.message_id,
    });
    const { message_id: copy } = z.object({ message_id: z.number() }).parse(copied.result);
    const calls = [{ method: 'copyMessage' }];
    expect((await trace(group, said.message_id)).value['calls']).toMatchObject(calls);
    expect((await trace(sara.id, copy)).value['calls']).toMatchObject(calls);
    const stranger = driver.user({}).id;
    expect((await trace(group, said.message_id, stranger)).status).toBe(400);
  });
});
