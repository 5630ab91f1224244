import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Secret } from '../../domain/secret.ts';
import { createMenuStore } from './menu-store.ts';
import { createTeamStore } from '../people/team-store.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';

let storage: TestStorage;
let menus: ReturnType<typeof createMenuStore>;

beforeAll(async () => {
  storage = await openTestStorage();
  menus = createMenuStore(storage.database);
});

afterAll(async () => {
  await storage.close();
});

describe('who is shown a menu', () => {
  test('in a group is everybody with a role, each with the own language, and what the account can do', async () => {
    const { chat, ownerId } = await storage.addPlace();
    const viewerId = await storage.addPerson(chat.id, 'viewer');
    await storage.addPerson(chat.id, null);
    await storage.identities.setPersonLang(viewerId, 'fa');
    await storage.identities.setChatLang(chat.id, 'en');
    expect(await menus.audience(chat.id)).toEqual({
      chat: { telegramId: chat.telegramId, type: 'supergroup', lang: 'en' },
      kinds: ['api_key'],
      people: [
        { id: ownerId, role: 'owner', lang: null },
        { id: viewerId, role: 'viewer', lang: 'fa' },
      ],
    });
  });

  test('when one person is asked for is that person, with or without a role', async () => {
    const { chat, ownerId } = await storage.addPlace();
    const nobody = await storage.addPerson(chat.id, null);
    const people = async (id: number) => (await menus.audience(chat.id, id))?.people;
    expect(await people(ownerId)).toEqual([{ id: ownerId, role: 'owner', lang: null }]);
    expect(await people(nobody)).toEqual([{ id: nobody, role: null, lang: null }]);
    // A role elsewhere is none here.
    const other = await storage.addPlace();
    expect(await people(other.ownerId)).toEqual([{ id: other.ownerId, role: null, lang: null }]);
    expect(await people(1)).toEqual([]);
  });

  test('in a private chat is the person whose chat it is', async () => {
    const id = storage.next();
    const seen = {
      chat: { telegramId: id, type: 'private', title: '' } as const,
      person: { id, name: 'Sara', username: null },
      formKey: String(id),
    };
    const { chat } = await storage.identities.identify(seen);
    const audience = {
      chat: { telegramId: id, type: 'private', lang: null },
      kinds: null,
      people: [{ id, role: null, lang: null }],
    };
    expect(await menus.audience(chat.id)).toEqual(audience);
    expect(await menus.audience(chat.id, id + 1)).toEqual(audience);
  });

  test('is nobody in a chat that is not there; an account that has ended counts for nothing', async () => {
    expect(await menus.audience('0b9d1f52-63a4-4a51-9a0c-0d6b6f1f2a10')).toBeNull();
    const { chat, ownerId } = await storage.addPlace();
    await storage.bindings.disconnect(chat.id, ownerId, storage.next());
    expect(await menus.audience(chat.id)).toMatchObject({ kinds: null, people: [{ role: 'owner' }] });
  });
});

describe('new menus are asked for', () => {
  beforeEach(async () => {
    await storage.emptyQueue();
  });

  const asked = async (): Promise<unknown[]> => {
    const rows = await storage.sql<{ payload: unknown }[]>`
      select payload from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id
      join graphile_worker._private_job_queues q on q.id = j.job_queue_id
      where t.identifier = 'menus' and q.queue_name = 'menus' order by j.id`;
    return rows.map(({ payload }) => payload);
  };

  test('when an account is linked and when it is unlinked, once for both', async () => {
    const { chat, ownerId } = await storage.addPlace();
    expect(await asked()).toEqual([{ chatId: chat.id }]);
    await storage.bindings.disconnect(chat.id, ownerId, storage.next());
    expect(await asked()).toEqual([{ chatId: chat.id }]);
    await storage.emptyQueue();
    // Nothing was linked any more.
    await storage.bindings.disconnect(chat.id, ownerId, storage.next());
    expect(await asked()).toEqual([]);
  });

  test('when an account was not linked after all: no', async () => {
    const { chat } = await storage.addPlace();
    await storage.emptyQueue();
    const stranger = await storage.addPerson(chat.id, null);
    const bindingId = await storage.bindings.savePending({
      chatId: chat.id,
      personId: stranger,
      credentials: { apiKey: new Secret('another-key-abcdefgh') },
      keyTail: 'efgh',
      accountName: 'Demo',
    });
    const activation = { bindingId, personId: stranger, updateId: storage.next() };
    expect(await storage.bindings.activate(activation)).toBeNull();
    expect(await asked()).toEqual([]);
  });

  test('when a person’s language changes, in every chat where there is a menu of theirs', async () => {
    const [first, second, other] = [
      await storage.addPlace(),
      await storage.addPlace(),
      await storage.addPlace(),
    ];
    const id = first.ownerId;
    await storage.sql`
      insert into member (chat_id, person_id, role, granted_by) values (${second.chat.id}, ${id}, 'viewer', ${id})`;
    const [own] = await storage.sql<{ id: string }[]>`
      insert into chat (telegram_id, type) values (${id}, 'private') returning id`;
    await storage.emptyQueue();
    await storage.identities.setPersonLang(id, 'fa');
    const chats = [first.chat.id, second.chat.id, own?.id].map((chatId) => ({ chatId, personId: id }));
    expect(new Set(await asked())).toEqual(new Set(chats));
    expect(await asked()).not.toContainEqual(expect.objectContaining({ chatId: other.chat.id }));
  });

  test('when a chat’s language changes, and when the chat gets a new id', async () => {
    const { chat } = await storage.addPlace();
    await storage.emptyQueue();
    await storage.identities.setChatLang(chat.id, 'fa');
    expect(await asked()).toEqual([{ chatId: chat.id }]);
    await storage.emptyQueue();
    await storage.identities.migrateChat(chat.telegramId, -storage.next());
    expect(await asked()).toEqual([{ chatId: chat.id }]);
  });

  test('when a role is given and when it is taken, for that person; not when it may not be given', async () => {
    const team = createTeamStore(storage.database);
    const { chat, ownerId } = await storage.addPlace();
    const personId = await storage.addPerson(chat.id, null);
    await storage.emptyQueue();
    const change = { chatId: chat.id, granterId: ownerId, personId, updateId: storage.next() };
    for (const role of ['operator', null] as const) {
      expect(await team.change({ ...change, role })).toMatchObject({ result: 'changed' });
      expect(await asked()).toEqual([{ chatId: chat.id, personId }]);
      await storage.emptyQueue();
    }
    expect(await team.change({ ...change, granterId: personId, role: 'owner' })).toMatchObject({
      result: 'not_allowed',
    });
    expect(await asked()).toEqual([]);
  });
});
