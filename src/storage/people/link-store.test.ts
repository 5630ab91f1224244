import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestStorage, type TestStorage } from '../testing.ts';

let storage: TestStorage;
let chat: Awaited<ReturnType<TestStorage['addChat']>>;

beforeAll(async () => {
  storage = await openTestStorage();
  chat = await storage.addChat('group');
});
afterAll(() => storage.close());

const SARA = 5;

function mint(ttlSeconds = 600): Promise<string> {
  return storage.links.mint({
    purpose: 'connect',
    chatId: chat.id,
    personId: SARA,
    messageId: 12,
    ttlSeconds,
  });
}

test('a link opens once for its person, and says for what and for which chat', async () => {
  const token = await mint();
  const claimed = await storage.links.claim(token, SARA, 100);
  expect(claimed).toEqual({
    purpose: 'connect',
    messageId: 12,
    chat: {
      id: chat.id,
      telegramId: chat.telegramId,
      type: 'group',
      title: 'Shop',
      lang: null,
      timeZone: null,
    },
  });
  expect(await storage.links.claim(token, SARA, 101)).toBe(null);
});

test('the update that used a link up may use it again, also when its time has passed', async () => {
  const token = await mint();
  await storage.links.claim(token, SARA, 200);
  await storage.sql`update deep_link set expires_at = now() - interval '1 day'`;
  expect(await storage.links.claim(token, SARA, 200)).not.toBe(null);
  expect(await storage.links.claim(token, SARA, 201)).toBe(null);
});

test('a link is nothing to another person, and stays whole', async () => {
  const token = await mint();
  expect(await storage.links.claim(token, SARA + 1, 300)).toBe(null);
  expect(await storage.links.claim(token, SARA, 301)).not.toBe(null);
});

test('a link that has expired, or was never made, opens nothing', async () => {
  expect(await storage.links.claim(await mint(0), SARA, 400)).toBe(null);
  expect(await storage.links.claim('A'.repeat(22), SARA, 401)).toBe(null);
});

test('a link used by many updates at once opens for one', async () => {
  const token = await mint();
  const claims = await Promise.all(
    Array.from({ length: 30 }, (_, n) => storage.links.claim(token, SARA, 500 + n)),
  );
  expect(claims.filter((claim) => claim !== null).length).toBe(1);
});

test('tokens differ, fit into a deep link, and are kept as hashes', async () => {
  const tokens = await Promise.all(Array.from({ length: 20 }, () => mint()));
  expect(new Set(tokens).size).toBe(20);
  for (const token of tokens) expect(`c_${token}`).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  const rows = await storage.sql<{ row: string }[]>`select deep_link::text as row from deep_link`;
  for (const { row } of rows) for (const token of tokens) expect(row).not.toContain(token);
});
