import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Secret } from '../../domain/secret.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';

let storage: TestStorage;
let bot: number;

beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage.close());

function fresh(): void {
  bot = storage.next();
}

function update(id: number, text = `update ${id}`) {
  return { id, payload: Buffer.from(text) };
}

describe('updates', () => {
  test('are accepted once, in whatever batch they come, and by bot', async () => {
    fresh();
    const accept = (...ids: number[]) =>
      storage.updates.accept(
        bot,
        ids.map((id) => update(id)),
      );
    expect(await accept()).toEqual([]);
    expect(await accept(12, 10, 11)).toEqual([10, 11, 12]);
    expect(await accept(11, 12, 13, 13)).toEqual([13]);
    expect(await storage.updates.accept(bot + 100_000, [update(11)])).toEqual([11]);
    await storage.updates.done(bot, [10, 11, 12, 13]);
    expect(await accept(10, 13)).toEqual([]);
  });

  test('accepted by many at the same moment belong to one of them', async () => {
    fresh();
    const batch = Array.from({ length: 20 }, (_, n) => update(n + 1));
    const taken = await Promise.all(Array.from({ length: 10 }, () => storage.updates.accept(bot, batch)));
    expect(taken.flat().toSorted((a, b) => a - b)).toEqual(batch.map(({ id }) => id));
  });

  test('are reopened in their order with what was written, but for those in hand, each time one more try', async () => {
    fresh();
    const bytes = Buffer.from([0, 255, 39, 92, 10, 0]);
    await storage.updates.accept(bot, [{ id: 5, payload: bytes }, update(3), update(4)]);
    await storage.updates.done(bot, [4]);
    const first = await storage.updates.reopen(bot, [], 10);
    expect(first.map(({ id, tries }) => [id, tries])).toEqual([
      [3, 1],
      [5, 1],
    ]);
    expect(Buffer.from(first[1]?.payload ?? [])).toEqual(bytes);
    expect((await storage.updates.reopen(bot, [3], 10)).map(({ id, tries }) => [id, tries])).toEqual([
      [5, 2],
    ]);
    expect((await storage.updates.reopen(bot, [], 10)).map(({ id, tries }) => [id, tries])).toEqual([
      [3, 2],
      [5, 3],
    ]);
    expect(await storage.updates.reopen(bot + 100_000, [], 10)).toEqual([]);
  });

  test('are reopened no more than asked for, the oldest ones, of which the others are no try', async () => {
    fresh();
    await storage.updates.accept(
      bot,
      [7, 5, 6, 8].map((id) => update(id)),
    );
    const open = async (most: number) => await storage.updates.open(bot, most);
    expect([await open(3), await open(9), await storage.updates.open(bot + 100_000, 9)]).toEqual([3, 4, 0]);
    const reopened = async (except: number[], most: number) =>
      (await storage.updates.reopen(bot, except, most)).map(({ id, tries }) => [id, tries]);
    expect(await reopened([], 2)).toEqual([
      [5, 1],
      [6, 1],
    ]);
    expect(await reopened([5], 2)).toEqual([
      [6, 2],
      [7, 1],
    ]);
    await storage.updates.done(bot, [5, 6, 7]);
    expect([await open(9), await reopened([], 2)]).toEqual([1, [[8, 1]]]);
  });

  test('that are done keep nothing of what was in them', async () => {
    fresh();
    await storage.updates.accept(bot, [update(1), update(2)]);
    await storage.updates.done(bot, [1]);
    const rows = await storage.sql`
      select update_id, payload is null as emptied, done_at is not null as done from update
      where bot_id = ${bot} order by 1`;
    expect(rows).toEqual([
      { update_id: 1, emptied: true, done: true },
      { update_id: 2, emptied: false, done: false },
    ]);
  });
});

test('of a form that nobody answers in time stays what may stay, and the others are left as they are', async () => {
  const { forms, sql } = storage;
  for (const key of ['kept', 'gone', 'open']) await forms.write(key, 7, Buffer.from(`all of ${key}`));
  await sql`update form set updated_at = now() - interval '12 minutes' where key in ('kept', 'gone')`;
  await sql`update form set updated_at = now() - interval '10 minutes' where key = 'open'`;
  const rest = (key: string, state: Uint8Array) =>
    key === 'gone' ? null : Buffer.from(`${Buffer.from(state).toString()}, less`);
  await forms.sweep(rest);
  await forms.sweep(rest);
  const left = await sql<{ key: string; state: Buffer; update_id: number }[]>`
    select key, state, update_id from form where key in ('kept', 'gone', 'open') order by key`;
  expect(left.map(({ key, state, update_id: id }) => [key, state.toString(), id])).toEqual([
    ['kept', 'all of kept, less', 7],
    ['open', 'all of open', 7],
  ]);
  await sql`delete from form`;
});

test('the purge forgets what is old and done, and keeps what could still matter', async () => {
  fresh();
  const { sql } = storage;
  await storage.updates.accept(
    bot,
    [1, 2, 3, 4].map((id) => update(id)),
  );
  await storage.updates.done(bot, [1, 2]);
  await sql`update update set received_at = now() - interval '7 days 12 hours' where bot_id = ${bot} and update_id = 2`;
  await sql`update update set received_at = now() - interval '9 days' where bot_id = ${bot} and update_id in (1, 3)`;
  const chat = await storage.addChat();
  const spec = { action: 'x', payload: {}, minRank: -1, ttlSeconds: 60 };
  await storage.buttons.mint(chat.id, [spec, { ...spec, ttlSeconds: -8 * 86_400 }]);
  const link = { purpose: 'x', chatId: chat.id, personId: 1 };
  await storage.links.mint({ ...link, ttlSeconds: 60 });
  await storage.links.mint({ ...link, ttlSeconds: -8 * 86_400 });
  await storage.forms.write('new', 1, Buffer.from('x'));
  await storage.forms.write('old', 1, Buffer.from('x'));
  await sql`update form set updated_at = now() - interval '25 hours' where key = 'old'`;
  await storage.purge();
  const left = await sql<{ update_id: number }[]>`
    select update_id from update where bot_id = ${bot} order by update_id`;
  expect(left.map((row) => row.update_id)).toEqual([2, 3, 4]);
  expect(await sql`select 1 from button where chat_id = ${chat.id}`).toHaveLength(1);
  expect(await sql`select 1 from deep_link where chat_id = ${chat.id}`).toHaveLength(1);
  expect(await sql`select key from form`).toEqual([{ key: 'new' }]);
});

test('the purge wipes credentials that nobody confirmed within a day, and no others', async () => {
  const place = await storage.addPlace();
  const pending = () =>
    storage.bindings.savePending({
      chatId: place.chat.id,
      personId: place.ownerId,
      credentials: { apiKey: new Secret('key') },
      keyTail: '',
      accountName: '',
    });
  const [old, fresh] = [await pending(), await pending()];
  await storage.sql`
    update binding set created_at = now() - interval '25 hours' where id in (${old}, ${place.bindingId})`;
  await storage.purge();
  const rows = await storage.sql`
    select id, state, credentials is null as wiped from binding where chat_id = ${place.chat.id}`;
  expect(new Map(rows.map(({ id, ...row }) => [id, row]))).toEqual(
    new Map([
      [place.bindingId, { state: 'live', wiped: false }],
      [old, { state: 'gone', wiped: true }],
      [fresh, { state: 'pending', wiped: false }],
    ]),
  );
});
