import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestStorage, type TestStorage } from './testing.ts';

let storage: TestStorage;

beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage.close());

test('keeps who, where, what and the update of it', async () => {
  const chat = await storage.addChat();
  await storage.audits.add({
    chatId: chat.id,
    personId: 5,
    updateId: 9_007_199_254,
    action: 'key_exposed',
    details: { deleted: true, nested: { 'quote"': "it's" } },
  });
  await storage.audits.add({ chatId: chat.id, personId: null, updateId: null, action: 'swept' });
  expect(await storage.audit(chat.id)).toEqual([
    {
      action: 'key_exposed',
      person_id: 5,
      update_id: 9_007_199_254,
      details: { deleted: true, nested: { 'quote"': "it's" } },
    },
    { action: 'swept', person_id: null, update_id: null, details: {} },
  ]);
});

test.each([
  ['changed', "update audit set action = 'nothing happened'"],
  ['changed to what they are', 'update audit set action = action'],
  ['deleted', 'delete from audit'],
  ['emptied', 'truncate audit, audit_link'],
  ['given another link', "update audit_link set hash = ''"],
  ['taken out of their chain', 'delete from audit_link'],
  [
    'changed on insertion',
    `insert into audit (id, action, details) overriding system value
     select id, 'other', '{}' from audit on conflict (id) do update set action = 'other'`,
  ],
])('rows cannot be %s', async (_what, statement) => {
  const chat = await storage.addChat();
  await storage.audits.add({ chatId: chat.id, personId: 5, updateId: 1, action: 'kept' });
  await expect(storage.sql.unsafe(statement)).rejects.toThrow('only ever added');
  expect((await storage.audit(chat.id)).map((row) => row.action)).toEqual(['kept']);
});

test('a chat’s entries come newest first, in pages that later entries do not move', async () => {
  const [chat, other] = [await storage.addChat(), await storage.addChat()];
  const personId = await storage.addPerson(chat.id, 'owner', 'Olga');
  const add = async (n: number) =>
    await storage.audits.add({
      chatId: chat.id,
      personId: n % 2 === 0 ? personId : null,
      updateId: n,
      action: `act_${n}`,
      details: { n },
    });
  for (let n = 1; n <= 5; n += 1) await add(n);
  await storage.audits.add({ chatId: other.id, personId, updateId: 9, action: 'elsewhere' });
  const newest = await storage.audits.newest({ chatId: chat.id, limit: 2 });
  expect(newest).toMatchObject([
    { person: null, action: 'act_5', details: { n: 5 } },
    { person: { id: personId, name: 'Olga' }, action: 'act_4', details: { n: 4 } },
  ]);
  expect(newest[0]?.at.getTime()).toBeGreaterThan(Date.now() - 3_600_000);
  const upTo = newest[0]?.id;
  await add(6);
  expect(await storage.audits.count({ chatId: chat.id })).toBe(6);
  expect(await storage.audits.count({ chatId: chat.id, upTo })).toBe(5);
  const next = await storage.audits.newest({ chatId: chat.id, upTo, skip: 2, limit: 2 });
  expect(next.map(({ action }) => action)).toEqual(['act_3', 'act_2']);
  expect((await storage.audits.newest({ chatId: other.id, limit: 9 })).map(({ action }) => action)).toEqual([
    'elsewhere',
  ]);
});
