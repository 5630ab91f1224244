import { afterAll, beforeAll, expect, test } from 'vitest';
import { rememberPerson } from './met-person.ts';
import { createTeamStore } from './team-store.ts';
import { openTestStorage, type TestStorage } from './testing.ts';

let storage: TestStorage;

beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage.close());

const nameOf = async (id: number): Promise<string | null> => {
  const [row] = await storage.sql<{ username: string | null }[]>`
    select username from person where telegram_id = ${id}`;
  return row?.username ?? null;
};

test('a user name is whoever’s was seen with it last, in whatever letters, and nobody else loses one', async () => {
  const [first, second, other] = [storage.next(), storage.next(), storage.next()];
  await rememberPerson(storage.sql, { id: first, name: 'First', username: 'The_Desk' });
  await rememberPerson(storage.sql, { id: second, name: 'Second', username: null });
  await rememberPerson(storage.sql, { id: other, name: 'Other', username: 'the_desk_2' });
  await rememberPerson(storage.sql, { id: second, name: 'Second', username: 'the_desk' });
  expect(await Promise.all([first, second, other].map(nameOf))).toEqual([null, 'the_desk', 'the_desk_2']);
  const chat = await storage.addChat();
  expect(await createTeamStore(storage.database).find(chat.id, 'THE_DESK')).toMatchObject({ id: second });
  // Back again, by the update of every message.
  await storage.identities.identify({
    chat: { telegramId: chat.telegramId, type: 'supergroup', title: 'Shop' },
    person: { id: first, name: 'First', username: 'The_Desk' },
    formKey: 'none',
  });
  expect(await Promise.all([first, second].map(nameOf))).toEqual(['The_Desk', null]);
});

test('somebody without a user name takes none from those without one', async () => {
  const [first, second] = [storage.next(), storage.next()];
  await rememberPerson(storage.sql, { id: first, name: 'First', username: null });
  await rememberPerson(storage.sql, { id: second, name: 'Second', username: null });
  const rows =
    await storage.sql`select name from person where telegram_id in ${storage.sql([first, second])}`;
  expect(rows).toHaveLength(2);
});

test('a user name is found by an index', async () => {
  const plan = await storage.sql.begin(async (tx) => {
    await tx`set local enable_seqscan = off`;
    return await tx<{ 'QUERY PLAN': string }[]>`
      explain select 1 from person where lower(username) = lower('the_desk')`;
  });
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('person_username');
});
