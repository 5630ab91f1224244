import { createServer } from 'node:http';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDriver, type Driver, type Person } from './control/driver.ts';
import { startPlayground, type Playground } from './server.ts';
import { callApi, getUpdates, readUpdate, type AnyUpdate } from './test-api.ts';

let pg: Playground;
let driver: Driver;
let sara: Person;

beforeEach(async () => {
  pg = await startPlayground({ webhookRetryMs: 5 });
  driver = createDriver(pg);
  sara = driver.user({ first_name: 'Sara' });
});
afterEach(async () => {
  driver.close();
  await pg.close();
});

const ids = (updates: AnyUpdate[]): number[] => updates.map(({ update_id }) => update_id);
const say = (count: number): void => {
  for (let i = 1; i <= count; i++) sara.send(sara, `text ${i}`);
};

describe('getUpdates', () => {
  it('gives updates again until they are acknowledged by the offset', async () => {
    say(3);
    const first = await getUpdates(pg);
    expect(first).toHaveLength(3);
    expect(ids(await getUpdates(pg))).toEqual(ids(first));
    const [, second, third] = ids(first);
    expect(ids(await getUpdates(pg, { offset: second }))).toEqual([second, third]);
    expect(ids(await getUpdates(pg, { offset: (third ?? 0) + 1 }))).toEqual([]);
    expect(ids(await getUpdates(pg))).toEqual([]);
  });

  it('cuts the batch to the limit, and the limit to 1-100', async () => {
    say(120);
    expect(await getUpdates(pg, { limit: 7 })).toHaveLength(7);
    expect(await getUpdates(pg, { limit: 1000 })).toHaveLength(100);
    expect(await getUpdates(pg, { limit: -5 })).toHaveLength(1);
  });

  it('forgets all but the last n for a negative offset', async () => {
    say(5);
    const all = ids(await getUpdates(pg));
    expect(ids(await getUpdates(pg, { offset: -2 }))).toEqual(all.slice(-2));
    expect(ids(await getUpdates(pg))).toEqual(all.slice(-2));
  });

  it('waits for the first update, and answers a lonely poll with nothing at its timeout', async () => {
    const waiting = getUpdates(pg, { timeout: 30 });
    await driver.whenPolled();
    sara.send(sara, 'now');
    expect(await waiting).toMatchObject([{ message: { text: 'now' } }]);
    const [update] = await getUpdates(pg);
    expect(await getUpdates(pg, { offset: (update?.update_id ?? 0) + 1, timeout: 1 })).toEqual([]);
  });

  it('fails the older of two waiting polls with 409', async () => {
    const older = callApi(pg, 'getUpdates', { timeout: 30 });
    await driver.whenPolled();
    const newer = callApi(pg, 'getUpdates', { timeout: 30 });
    expect(await older).toMatchObject({
      status: 409,
      description:
        'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
    });
    sara.send(sara, 'hello');
    expect((await newer).result).toHaveLength(1);
  });

  it('refuses to poll while a webhook is set', async () => {
    await callApi(pg, 'setWebhook', { url: 'https://127.0.0.1:1/' });
    expect(await callApi(pg, 'getUpdates')).toMatchObject({
      status: 409,
      description:
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    });
    await callApi(pg, 'deleteWebhook');
    expect((await callApi(pg, 'getUpdates')).ok).toBe(true);
  });

  it('ends a waiting poll when a webhook is set', async () => {
    const waiting = callApi(pg, 'getUpdates', { timeout: 30 });
    await driver.whenPolled();
    await callApi(pg, 'setWebhook', { url: 'https://127.0.0.1:1/' });
    expect(await waiting).toMatchObject({
      status: 409,
      description: 'Conflict: terminated by setWebhook request',
    });
  });

  it('leaves chat_member out unless it is asked for, and remembers what was asked', async () => {
    const nima = driver.user({ first_name: 'Nima' });
    const group = driver.group({ creator: sara, bot: 'administrator' });
    const join = () => pg.control.member({ chat_id: group, user_id: nima.id, status: 'member' });
    const leave = () => pg.control.member({ chat_id: group, user_id: nima.id, status: 'left' });
    const kinds = async (params: Record<string, unknown>) =>
      (await getUpdates(pg, params)).flatMap((update) =>
        Object.keys(update).filter((key) => key !== 'update_id'),
      );
    join();
    expect(await kinds({})).toEqual(['my_chat_member', 'message', 'message']);
    await kinds({ offset: -1, allowed_updates: ['chat_member'] });
    leave();
    expect((await kinds({ limit: 100 })).at(-1)).toBe('chat_member');
    const info = await callApi(pg, 'getWebhookInfo');
    expect(info.result).toMatchObject({ allowed_updates: ['chat_member'] });
  });

  it('delivers an old update once more when told to', async () => {
    say(1);
    const [update] = await getUpdates(pg);
    const id = update?.update_id ?? 0;
    expect(await getUpdates(pg, { offset: id + 1 })).toEqual([]);
    pg.control.resendUpdate(id);
    expect(await getUpdates(pg, { offset: id + 1 })).toEqual([update]);
    expect(await getUpdates(pg, { offset: id + 1 })).toEqual([]);
  });

  it('keeps order and loses nothing in a flood of 5,000', async () => {
    pg.control.flood(5000, { userIds: [sara.id] });
    const seen: number[] = [];
    for (let offset = 0; ; offset = (seen.at(-1) ?? 0) + 1) {
      const batch = await getUpdates(pg, { offset });
      if (batch.length === 0) break;
      seen.push(...ids(batch));
    }
    expect(seen).toHaveLength(5000);
    expect(seen.every((id, index) => index === 0 || id === (seen[index - 1] ?? 0) + 1)).toBe(true);
  });
});

/** A receiver that answers by the queue of statuses (then 200) and tells of every request. */
async function receiver(statuses: number[], answer = '') {
  const got: { secret: string | undefined; update: AnyUpdate }[] = [];
  const waiters: (() => void)[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const secret = request.headers['x-telegram-bot-api-secret-token'];
      got.push({ secret: String(secret), update: readUpdate(body) });
      response.writeHead(statuses.shift() ?? 200, { 'content-type': 'application/json' });
      response.end(answer);
      for (const wake of waiters) wake();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const until = (count: number): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (got.length >= count) resolve();
      };
      waiters.push(check);
      check();
    });
  return { url: `http://127.0.0.1:${port}/hook`, got, until, close: () => server.close() };
}

describe('the webhook', () => {
  it('delivers with the secret, repeats after an error, and keeps the order of a chat', async () => {
    const hook = await receiver([500, 503]);
    await callApi(pg, 'setWebhook', { url: hook.url, secret_token: 'se-cret_1' });
    say(3);
    await hook.until(5);
    expect(hook.got.every(({ secret }) => secret === 'se-cret_1')).toBe(true);
    const [first, second, third, fourth, fifth] = hook.got.map(({ update }) => update.update_id);
    expect([first, second]).toEqual([third, third]);
    expect([fourth, fifth]).toEqual([(third ?? 0) + 1, (third ?? 0) + 2]);
    const info = await callApi(pg, 'getWebhookInfo');
    expect(info.result).toMatchObject({
      url: hook.url,
      last_error_message: 'Wrong response from the webhook: 503 Service Unavailable',
    });
    expect(pg.control.updates().at(-3)?.delivery).toMatchObject({
      by: 'webhook',
      times: 3,
      error: undefined,
    });
    hook.close();
  });

  it('runs the method call in the answer', async () => {
    const answer = JSON.stringify({ method: 'sendMessage', chat_id: sara.id, text: 'from the answer' });
    const hook = await receiver([], answer);
    await callApi(pg, 'setWebhook', { url: hook.url });
    sara.send(sara, 'hello');
    const message = await driver.waitForMessage(sara, ({ text }) => text === 'from the answer');
    expect(message.from?.is_bot).toBe(true);
    hook.close();
  });

  it('drops pending updates when asked', async () => {
    say(2);
    await callApi(pg, 'deleteWebhook', { drop_pending_updates: true });
    expect(await getUpdates(pg)).toEqual([]);
  });
});
