import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAlarmStore } from '../alerts/alarm-store.ts';
import { createDestinationStore } from './destination-store.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';

let storage: TestStorage;
let destinations: ReturnType<typeof createDestinationStore>;

beforeAll(async () => {
  storage = await openTestStorage();
  destinations = createDestinationStore(storage.database, 'Asia/Tehran');
});
afterAll(() => storage.close());

const by = (personId: number) => ({ personId, updateId: storage.next() });

async function placeWithChannel() {
  const place = await storage.addPlace();
  const channel = -1_000_000 - storage.next();
  const id = await destinations.add({
    chatId: place.chat.id,
    telegramId: channel,
    threadId: null,
    title: 'Ops channel',
    type: 'channel',
    kinds: ['credit'],
    ...by(place.ownerId),
  });
  return { ...place, channel, id };
}

describe('places for alerts', () => {
  test('are the chat itself from the moment an account is linked, and once whatever is linked after', async () => {
    const { chat, ownerId } = await storage.addPlace();
    const [itself, ...others] = await destinations.of(chat.id);
    expect(others).toEqual([]);
    expect(itself).toMatchObject({
      isChatItself: true,
      telegramId: chat.telegramId,
      homeTelegramId: chat.telegramId,
      placeId: chat.id,
      title: 'Shop',
      kinds: ['inbound', 'credit', 'job', 'gateway', 'inbox'],
      offAt: null,
    });
    await storage.link(chat.id, ownerId);
    expect(await destinations.of(chat.id)).toHaveLength(1);
  });

  test('are told once of an alarm that begins while its kind is switched on, or they are added', async () => {
    const alarms = createAlarmStore(storage.database, 'Asia/Tehran');
    const notificationsIn = async (destinationId: string): Promise<number> => {
      const rows =
        await storage.sql`select 1 from notice where sink_id = ${destinationId} and kind = 'account'`;
      return rows.length;
    };
    for (let round = 0; round < 25; round += 1) {
      const { chat, ownerId } = await storage.addPlace();
      const [itself] = await destinations.of(chat.id);
      const begins = { chatId: chat.id, accountId: null, kind: 'account', subject: 'expiry' } as const;
      const [, , added] = await Promise.all([
        alarms.find({ ...begins, level: 1, facts: {} }),
        destinations.change(chat.id, itself?.id ?? '', { kinds: ['account'] }, by(ownerId)),
        destinations.add({
          chatId: chat.id,
          telegramId: -2_000_000 - storage.next(),
          threadId: null,
          title: 'Ops channel',
          type: 'channel',
          kinds: ['account'],
          ...by(ownerId),
        }),
      ]);
      expect([await notificationsIn(itself?.id ?? ''), await notificationsIn(added)]).toEqual([1, 1]);
    }
  });

  test('can be elsewhere, each once, and become chats of their own for the buttons there', async () => {
    const { chat, ownerId, channel, id } = await placeWithChannel();
    const again = await destinations.add({
      chatId: chat.id,
      telegramId: channel,
      threadId: null,
      title: 'Other',
      kinds: [],
      ...by(ownerId),
    });
    expect(again).toBe(id);
    const all = await destinations.of(chat.id);
    expect(all.map((destination) => destination.isChatItself)).toEqual([true, false]);
    const [row] = await storage.sql<{ id: string; type: string }[]>`
      select id, type from chat where telegram_id = ${channel}`;
    expect(row?.type).toBe('channel');
    expect(all[1]).toMatchObject({ placeId: row?.id, homeTelegramId: chat.telegramId, telegramId: channel });
    expect(
      (await storage.audit(chat.id)).filter(({ action }) => action === 'alerts_place_added'),
    ).toHaveLength(1);
  });

  test('change only for the chat that they belong to', async () => {
    const { chat, ownerId, id } = await placeWithChannel();
    const other = await storage.addPlace();
    expect(await destinations.change(other.chat.id, id, { kinds: ['job'] }, by(ownerId))).toBe(null);
    expect(await destinations.remove(other.chat.id, id, by(ownerId))).toBe(false);
    const changed = await destinations.change(
      chat.id,
      id,
      { kinds: ['job', 'digest'], quiet: { from: 1320, to: 480 }, lang: 'fa', digestAt: 540, digestDay: 0 },
      by(ownerId),
    );
    expect(changed).toMatchObject({
      kinds: ['job', 'digest'],
      quietFrom: 1320,
      quietTo: 480,
      lang: 'fa',
      digestAt: 540,
      digestDay: 0,
    });
    expect(await destinations.change(chat.id, id, { quiet: null }, by(ownerId))).toMatchObject({
      quietFrom: null,
      quietTo: null,
      digestAt: 540,
    });
    expect(await destinations.remove(chat.id, id, by(ownerId))).toBe(true);
    expect(await destinations.get(id)).toBe(null);
  });

  test('that are out of reach are told of once, alone, and come back by their Telegram id', async () => {
    const { chat, channel, id } = await placeWithChannel();
    await storage.emptyQueue();
    expect(await destinations.off(id, 'kicked')).toBe(true);
    expect(await destinations.off(id, 'kicked')).toBe(false);
    expect([...(await storage.queued()).keys()]).toEqual([`sink-off:${id}`]);
    const [itself, there] = await destinations.of(chat.id);
    expect([itself?.offReason, there?.offReason]).toEqual([null, 'kicked']);
    expect(await destinations.on(chat.telegramId)).toEqual([]);
    expect((await destinations.on(channel)).map((destination) => destination.id)).toEqual([id]);
    expect((await storage.queued()).has(`notify:${id}`)).toBe(true);
    expect((await destinations.get(id))?.offAt).toBe(null);
  });

  test('follow a group that becomes a supergroup: its own place by itself, those of others by the id', async () => {
    const home = await storage.addPlace();
    const target = await storage.addChat('group');
    const id = await destinations.add({
      chatId: home.chat.id,
      telegramId: target.telegramId,
      threadId: null,
      title: 'Group',
      type: 'group',
      kinds: ['credit'],
      ...by(home.ownerId),
    });
    const [itself] = await destinations.of(home.chat.id);
    const [newTarget, newHome] = [-2_000_000 - storage.next(), -2_000_000 - storage.next()];
    await storage.identities.migrateChat(target.telegramId, newTarget);
    await storage.identities.migrateChat(home.chat.telegramId, newHome);
    expect(await destinations.get(id)).toMatchObject({ telegramId: newTarget, placeId: target.id });
    expect(await destinations.get(itself?.id ?? '')).toMatchObject({
      telegramId: newHome,
      isChatItself: true,
    });
    // The second service message of the same move finds nothing to do.
    await storage.identities.migrateChat(target.telegramId, newTarget);
    expect(await destinations.get(id)).toMatchObject({ telegramId: newTarget });
  });
});
