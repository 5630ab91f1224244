import type { TransactionSql } from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../test/support/until.ts';
import { rememberPerson } from './identity-store.ts';
import { createTeamStore } from './team-store.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';

let storage: TestStorage;

beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage.close());

function seen(
  telegramId: number,
  personId: number,
  more: { title?: string; name?: string; threadId?: number } = {},
) {
  return {
    chat: { telegramId, type: 'group' as const, title: more.title ?? 'Shop' },
    person: { id: personId, name: more.name ?? 'Sara', username: null },
    formKey: `${telegramId}:${more.threadId ?? 0}:${personId}`,
    threadId: more.threadId,
  };
}

describe('identifying', () => {
  test('writes whom it has not met, and knows them the next time', async () => {
    const [chatId, personId] = [-storage.next(), storage.next()];
    const first = await storage.identities.identify(seen(chatId, personId));
    expect(first).toEqual({
      chat: {
        id: first.chat.id,
        telegramId: chatId,
        type: 'group',
        title: 'Shop',
        lang: null,
        timeZone: null,
        showsNumbers: null,
      },
      person: { id: personId, name: 'Sara', lang: null, mobile: null, username: null },
      role: null,
      binding: null,
      form: null,
      isShut: false,
    });
    expect(await storage.identities.identify(seen(chatId, personId))).toEqual(first);
  });

  test('is not needed to look a chat up, and looking up writes nothing', async () => {
    const [chatId, personId] = [-storage.next(), storage.next()];
    const { identities } = storage;
    expect(await identities.lookUp(chatId, personId)).toEqual({ chatId: null, lang: null });
    const { sql } = storage.database;
    expect(await sql`select 1 from person where telegram_id = ${personId}`).toHaveLength(0);
    const { chat } = await identities.identify(seen(chatId, personId));
    await identities.setChatLang(chat.id, 'en');
    expect(await identities.lookUp(chatId, personId)).toEqual({ chatId: chat.id, lang: 'en' });
    await identities.setPersonLang(personId, 'fa');
    expect(await identities.lookUp(chatId, personId)).toEqual({ chatId: chat.id, lang: 'fa' });
    expect(await identities.lookUp(chatId, null)).toEqual({ chatId: chat.id, lang: 'en' });
    expect(await identities.lookUp(-storage.next(), personId)).toEqual({ chatId: null, lang: 'fa' });
  });

  test('together gives each update its own chat, person, role and topic, met before or not', async () => {
    const [owned, other, owner, guest] = [-storage.next(), -storage.next(), storage.next(), storage.next()];
    const known = await storage.identities.identify(seen(owned, owner, { name: 'Owner' }));
    const { sql } = storage.database;
    await sql`
      insert into member (chat_id, person_id, role, granted_by) values (${known.chat.id}, ${owner}, 'owner', ${owner})`;
    const asked = [
      seen(owned, guest, { name: 'Guest' }),
      seen(owned, owner, { name: 'Owner' }),
      seen(other, owner, { name: 'Owner' }),
      seen(owned, owner, { name: 'Owner', threadId: 7 }),
      seen(other, guest, { name: 'Guest' }),
    ];
    for (let round = 1; round <= 2; round += 1) {
      const got = await Promise.all(asked.map((each) => storage.identities.identify(each)));
      expect(got.map(({ chat, person, role }) => [chat.telegramId, person.id, role])).toEqual([
        [owned, guest, null],
        [owned, owner, 'owner'],
        [other, owner, null],
        [owned, owner, 'owner'],
        [other, guest, null],
      ]);
    }
  });

  test('by many updates at once makes one chat and one person', async () => {
    const [chatId, personId] = [-storage.next(), storage.next()];
    const found = await Promise.all(
      Array.from({ length: 20 }, () => storage.identities.identify(seen(chatId, personId))),
    );
    expect(new Set(found.map(({ chat }) => chat.id)).size).toBe(1);
  });

  test('takes over new names and titles, and keeps what people chose', async () => {
    const [chatId, personId] = [-storage.next(), storage.next()];
    const { chat } = await storage.identities.identify(seen(chatId, personId));
    await storage.identities.setPersonLang(personId, 'fa');
    await storage.identities.setChatLang(chat.id, 'en');
    await storage.identities.setMobile(personId, '989120000001');
    const renamed = await storage.identities.identify({
      chat: { telegramId: chatId, type: 'supergroup', title: 'فروشگاه' },
      person: { id: personId, name: 'سارا', username: 'sara' },
      formKey: 'x',
    });
    expect(renamed.chat).toMatchObject({ id: chat.id, type: 'supergroup', title: 'فروشگاه', lang: 'en' });
    expect(renamed.person).toMatchObject({ name: 'سارا', lang: 'fa', mobile: '989120000001' });
    const [row] = await storage.sql`select username from person where telegram_id = ${personId}`;
    expect(row).toEqual({ username: 'sara' });
    await storage.identities.identify({
      chat: { telegramId: chatId, type: 'supergroup', title: 'فروشگاه' },
      person: { id: personId, name: 'سارا', username: 'sara_of_the_shop' },
      formKey: 'x',
    });
    const [later] = await storage.sql`select username from person where telegram_id = ${personId}`;
    expect(later).toEqual({ username: 'sara_of_the_shop' });
  });

  test('gives the role in this chat, and the account that is live here', async () => {
    const [here, there] = [await storage.addPlace(), await storage.addPlace()];
    const identity = await storage.identities.identify(seen(here.chat.telegramId, here.ownerId));
    expect(identity).toMatchObject({ role: 'owner', binding: { id: here.bindingId, kinds: ['api_key'] } });
    const stranger = await storage.identities.identify(seen(there.chat.telegramId, here.ownerId));
    expect(stranger).toMatchObject({ role: null, binding: { id: there.bindingId } });
    await storage.sql`update member set role = 'viewer' where person_id = ${here.ownerId}`;
    await storage.bindings.disconnect(here.chat.id, here.ownerId, 1);
    expect(await storage.identities.identify(seen(here.chat.telegramId, here.ownerId))).toMatchObject({
      role: 'viewer',
      binding: null,
    });
  });

  test('gives a topic its own line, and the others the chat’s', async () => {
    const place = await storage.addPlace();
    const set = (line: string, threadId?: number) =>
      storage.bindings.setLine({
        bindingId: place.bindingId,
        line,
        threadId,
        personId: place.ownerId,
        updateId: 1,
      });
    await set('3000111');
    await set('3000222', 7);
    const lineAt = async (threadId?: number) => {
      const more = threadId === undefined ? {} : { threadId };
      const { binding } = await storage.identities.identify(seen(place.chat.telegramId, place.ownerId, more));
      return binding?.line;
    };
    expect([await lineAt(), await lineAt(7), await lineAt(8)]).toEqual(['3000111', '3000222', '3000111']);
  });

  test('brings the form along that is under this key', async () => {
    const [chatId, personId] = [-storage.next(), storage.next()];
    const who = seen(chatId, personId);
    await storage.forms.write(who.formKey, 5, Buffer.from('first'));
    await storage.forms.write(who.formKey, 6, Buffer.from('second'));
    await storage.forms.write('other', 7, Buffer.from('other'));
    const { form } = await storage.identities.identify(who);
    expect(form?.updateId).toBe(6);
    expect(Buffer.from(form?.state ?? []).toString()).toBe('second');
    await storage.forms.remove(who.formKey);
    expect((await storage.identities.identify(who)).form).toBe(null);
  });

  test('keeps ids exact to the largest that Telegram gives', async () => {
    const [chatId, personId] = [-(2 ** 52) + 1, 2 ** 52 - 1];
    const { chat, person } = await storage.identities.identify(seen(chatId, personId));
    expect([chat.telegramId, person.id]).toEqual([chatId, personId]);
  });
});

describe('a group that becomes a supergroup', () => {
  async function group() {
    const place = await storage.addPlace();
    await storage.sql`update chat set type = 'group' where id = ${place.chat.id}`;
    return { ...place, newId: -1_001_000_000_000 - storage.next() };
  }

  function under(telegramId: number, personId: number) {
    return storage.identities.identify(seen(telegramId, personId));
  }

  /** A transaction that has done this, and ends when it is told to. */
  async function holding(work: (tx: TransactionSql) => PromiseLike<unknown>) {
    const done = Promise.withResolvers<void>();
    const told = Promise.withResolvers<void>();
    const all = storage.sql.begin(async (tx) => {
      await work(tx);
      done.resolve();
      await told.promise;
    });
    await done.promise;
    return { end: () => (told.resolve(), all) };
  }

  async function waits(): Promise<number> {
    const found = await storage.sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return found.length;
  }

  const waiting = async (count: number): Promise<void> =>
    await until(async () => expect(await waits()).toBe(count));

  test('keeps its row: roles, account, drafts and buttons come along', async () => {
    const { chat, ownerId, bindingId, newId } = await group();
    const [token] = await storage.buttons.mint(chat.id, [
      { action: 'x', payload: {}, minRank: 4, ttlSeconds: 60 },
    ]);
    await storage.identities.migrateChat(chat.telegramId, newId);
    const [row] = await storage.sql`select type from chat where telegram_id = ${newId}`;
    expect(row).toEqual({ type: 'supergroup' });
    expect(await under(newId, ownerId)).toMatchObject({
      chat: { id: chat.id },
      role: 'owner',
      binding: { id: bindingId },
    });
    expect(await storage.bindings.credentials(bindingId)).not.toBe(null);
    const press = { token: token ?? '', personId: ownerId, updateId: storage.next() };
    expect(await storage.buttons.claim({ ...press, chatTelegramId: chat.telegramId })).toMatchObject({
      reason: 'other_chat',
    });
    expect((await storage.buttons.claim({ ...press, chatTelegramId: newId })).ok).toBe(true);
  });

  test('told of twice, also at the same moment, has moved once', async () => {
    const { chat, ownerId, newId } = await group();
    await Promise.all(
      Array.from({ length: 4 }, () => storage.identities.migrateChat(chat.telegramId, newId)),
    );
    await storage.identities.migrateChat(chat.telegramId, newId);
    expect((await under(newId, ownerId)).chat.id).toBe(chat.id);
    expect(await storage.sql`select 1 from chat where telegram_id = ${chat.telegramId}`).toHaveLength(0);
  });

  test('forgets no card that was sent in the new chat, however late it is told of again', async () => {
    const { chat, ownerId, bindingId, newId } = await group();
    const { sql } = storage;
    const { id } = await storage.drafts.create(storage.draftIn({ chat, bindingId, ownerId }));
    const chatRow = await holding((tx) => tx`select 1 from chat where id = ${chat.id} for update`);
    const first = storage.identities.migrateChat(chat.telegramId, newId);
    await waiting(1);
    let isSent = false;
    const card = holding(async (tx) => {
      await tx`update draft set card_message_id = 7 where id = ${id}`;
      isSent = true;
    });
    await until(async () => expect(isSent || (await waits()) === 2).toBe(true));
    const again = storage.identities.migrateChat(chat.telegramId, newId);
    await waiting(isSent ? 2 : 3);
    await chatRow.end();
    await first;
    await (await card).end();
    await again;
    expect(await sql`select card_message_id from draft where id = ${id}`).toEqual([{ card_message_id: 7 }]);
  });

  test('told of after an update of the new chat: the empty row gives way, what it offered goes on working', async () => {
    const { chat, ownerId, newId } = await group();
    const early = await under(newId, ownerId);
    const token = await storage.links.mint({
      purpose: 'connect',
      chatId: early.chat.id,
      personId: ownerId,
      ttlSeconds: 60,
    });
    const [button] = await storage.buttons.mint(early.chat.id, [
      { action: 'x', payload: {}, minRank: -1, ttlSeconds: 60 },
    ]);
    const stray = await storage.link(early.chat.id, ownerId);
    const { jobId } = await storage.addRunningJob({ chat: early.chat, bindingId: stray, ownerId });
    const reserved = await storage.jobs.reserve(jobId, 'process-1');
    const [call] = reserved.ok ? reserved.attempts : [];
    await storage.identities.migrateChat(chat.telegramId, newId);
    expect(call).toMatchObject({ jobId });
    // What was begun there by an account that is nobody's now does not leave.
    expect(await storage.jobs.goOnWire(call?.id ?? '', call?.epoch ?? 0)).toBe(false);
    const now = await under(newId, ownerId);
    expect(now).toMatchObject({ chat: { id: chat.id }, role: 'owner' });
    expect((await storage.links.claim(token, ownerId, 1))?.chat).toMatchObject({
      id: chat.id,
      telegramId: newId,
    });
    const press = { token: button ?? '', chatTelegramId: newId, personId: ownerId, updateId: 2 };
    expect((await storage.buttons.claim(press)).ok).toBe(true);
    expect(await storage.bindings.credentials(stray)).toBe(null);
    const [aside] = await storage.sql<{ telegram_id: number }[]>`
      select telegram_id from chat where id = ${early.chat.id}`;
    expect(Number.isSafeInteger(aside?.telegram_id)).toBe(true);
    expect(aside?.telegram_id).toBeLessThan(-8e15);
  });

  test('told of at the very moment of the first update of the new chat has moved all the same', async () => {
    const { chat, ownerId, newId } = await group();
    // The update writes the row of the new chat after the move has looked for one, and before it takes the id.
    const update = await holding(
      (tx) => tx`insert into chat (telegram_id, type) values (${newId}, 'supergroup')`,
    );
    const moved = storage.identities.migrateChat(chat.telegramId, newId);
    await waiting(1);
    await update.end();
    await moved;
    expect(await under(newId, ownerId)).toMatchObject({ chat: { id: chat.id }, role: 'owner' });
  });

  test('is not moved back by a straggler under the old id', async () => {
    const { chat, ownerId, bindingId, newId } = await group();
    await storage.identities.migrateChat(chat.telegramId, newId);
    const straggler = await under(chat.telegramId, ownerId);
    expect(straggler).toMatchObject({ role: null, binding: null });
    await storage.identities.migrateChat(chat.telegramId, newId);
    await storage.identities.migrateChat(chat.telegramId, newId);
    expect(await under(newId, ownerId)).toMatchObject({
      chat: { id: chat.id },
      role: 'owner',
      binding: { id: bindingId },
    });
  });

  test('of which nothing is known is no matter', async () => {
    const newId = -1_001_000_000_000 - storage.next();
    await storage.identities.migrateChat(-storage.next(), newId);
    expect(await storage.sql`select 1 from chat where telegram_id = ${newId}`).toHaveLength(0);
  });
});

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
