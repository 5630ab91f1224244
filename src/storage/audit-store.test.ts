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
      person_id: '5',
      update_id: '9007199254',
      details: { deleted: true, nested: { 'quote"': "it's" } },
    },
    { action: 'swept', person_id: null, update_id: null, details: {} },
  ]);
});

test.each([
  ['changed', "update audit set action = 'nothing happened'"],
  ['changed to what they are', 'update audit set action = action'],
  ['deleted', 'delete from audit'],
  ['emptied', 'truncate audit'],
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
