import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { creditLevel } from '../../domain/credit-alarm.ts';
import type { Condition } from '../../ports/alerts.ts';
import { createAlarmStore } from './alarm-store.ts';
import { openDatabase } from '../database/database.ts';
import { createNotificationStore } from './notification-store.ts';
import { createDestinationStore } from '../inbox/destination-store.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';

let storage: TestStorage;
let alarms: ReturnType<typeof createAlarmStore>;
let notifications: ReturnType<typeof createNotificationStore>;
let destinations: ReturnType<typeof createDestinationStore>;

beforeAll(async () => {
  storage = await openTestStorage();
  alarms = createAlarmStore(storage.database, 'Asia/Tehran');
  notifications = createNotificationStore(storage.database, 'Asia/Tehran');
  destinations = createDestinationStore(storage.database, 'Asia/Tehran');
});
afterAll(() => storage.close());

const by = (personId: number) => ({ personId, updateId: storage.next() });
const condition = (chatId: string, level: number, more: Partial<Condition> = {}): Condition => ({
  chatId,
  accountId: null,
  kind: 'credit',
  subject: '',
  level,
  facts: { level },
  ...more,
});

async function notificationsOf(chatId: string) {
  return await storage.sql<
    { sink_id: string; alarm_id: string; kind: string; facts: unknown; state: string }[]
  >`
    select n.sink_id, n.alarm_id, n.kind, n.facts, n.state from notice n join sink s on s.id = n.sink_id
    where s.chat_id = ${chatId} order by n.id`;
}

describe('an alarm', () => {
  test('is told once in every place where its kind is on, again when it rises, and ends by an edit', async () => {
    const { chat, ownerId } = await storage.addPlace();
    await destinations.add({
      chatId: chat.id,
      telegramId: -5_000_000 - storage.next(),
      threadId: null,
      title: 'Channel',
      kinds: ['credit'],
      ...by(ownerId),
    });
    await destinations.add({
      chatId: chat.id,
      telegramId: -5_000_000 - storage.next(),
      threadId: null,
      title: 'Not for this',
      kinds: ['job'],
      ...by(ownerId),
    });
    await storage.emptyQueue();
    expect(await alarms.find(condition(chat.id, 0))).toBe('same');
    expect(await alarms.find(condition(chat.id, 1))).toBe('risen');
    expect(await alarms.find(condition(chat.id, 1))).toBe('same');
    expect(await notificationsOf(chat.id)).toHaveLength(2);
    expect([...(await storage.queued()).keys()].filter((key) => key.startsWith('notify:'))).toHaveLength(2);
    const [open] = await alarms.open(chat.id);
    await alarms.ack(open?.id ?? '', by(ownerId));
    expect(await alarms.find(condition(chat.id, 2))).toBe('risen');
    expect(await alarms.find(condition(chat.id, 1))).toBe('same');
    expect(await notificationsOf(chat.id)).toHaveLength(4);
    // What has become worse wants somebody anew.
    expect((await alarms.get(open?.id ?? ''))?.ackedBy).toBe(null);
    expect(await alarms.find(condition(chat.id, 0, { facts: { credit: 9 } }))).toBe('ended');
    expect(await alarms.find(condition(chat.id, 0))).toBe('same');
    expect(await notificationsOf(chat.id)).toHaveLength(4);
    expect((await storage.queued()).has(`renotice:${open?.id ?? ''}`)).toBe(true);
    expect(await alarms.get(open?.id ?? '')).toMatchObject({
      level: 2,
      facts: { level: 2, ended: { credit: 9 } },
      endedAt: expect.any(Date) as Date,
    });
  });

  test('is taken on by one person, and not once it is over', async () => {
    const { chat, ownerId } = await storage.addPlace();
    const ada = await storage.addPerson(chat.id, 'operator', 'Ada');
    await alarms.find(condition(chat.id, 1));
    const [open] = await alarms.open(chat.id);
    const acks = await Promise.all([ownerId, ada].map((id) => alarms.ack(open?.id ?? '', by(id))));
    expect(acks.filter((ack) => ack !== null)).toHaveLength(1);
    await alarms.find(condition(chat.id, 0));
    await alarms.find(condition(chat.id, 1));
    const [next] = await alarms.open(chat.id);
    await alarms.find(condition(chat.id, 0));
    expect(await alarms.ack(next?.id ?? '', by(ada))).toBe(null);
    expect((await storage.audit(chat.id)).filter(({ action }) => action === 'alert_acked')).toHaveLength(1);
  });

  test('of a muted kind is told when the mute is over, if it still stands', async () => {
    const { chat, ownerId } = await storage.addPlace();
    await alarms.mute(chat.id, 'credit', new Date(Date.now() + 3_600_000), by(ownerId));
    await alarms.find(condition(chat.id, 1));
    expect(await notificationsOf(chat.id)).toHaveLength(0);
    expect(await alarms.settings(chat.id)).toMatchObject([{ kind: 'credit', mutedBy: 'Sara' }]);
    await storage.sql`update alarm set remind_at = now() - interval '1 second' where chat_id = ${chat.id}`;
    await storage.sql`update alert_setting set muted_until = now() - interval '1 second' where chat_id = ${chat.id}`;
    await Promise.all([alarms.remind(), alarms.remind(), alarms.remind()]);
    expect(await notificationsOf(chat.id)).toMatchObject([{ kind: 'credit', facts: { again: true } }]);
    await alarms.find(condition(chat.id, 0));
    await alarms.remind();
    expect(await notificationsOf(chat.id)).toHaveLength(1);
  });

  test('is brought up again hours after somebody took it on', async () => {
    const { chat, ownerId } = await storage.addPlace();
    await alarms.find(condition(chat.id, 1));
    const [open] = await alarms.open(chat.id);
    const acked = await alarms.ack(open?.id ?? '', by(ownerId));
    expect((acked?.remindAt?.getTime() ?? 0) - (acked?.ackedAt?.getTime() ?? 0)).toBe(4 * 3_600_000);
    await storage.sql`update alarm set remind_at = now() where id = ${open?.id ?? ''}`;
    await alarms.remind();
    expect(await notificationsOf(chat.id)).toHaveLength(2);
    expect((await alarms.get(open?.id ?? ''))?.ackedBy).toBe(null);
  });
});

describe('a credit that crosses its threshold up and down', () => {
  test('100 times, found by several processes at once that end and start again, is told once for each crossing', async () => {
    const { chat } = await storage.addPlace();
    const limit = 1000;
    let stores = await Promise.all([0, 1].map(() => open()));
    const wavers = [1.05, 1.19, 1, 1.1];
    for (let crossing = 0; crossing < 100; crossing += 1) {
      if (crossing % 10 === 9) {
        // Both processes end and others take their place.
        await Promise.all(stores.map(({ close }) => close()));
        stores = await Promise.all([0, 1].map(() => open()));
      }
      await evaluateAll(stores, 700);
      await evaluateAll(stores, limit * (wavers[crossing % 4] ?? 1));
      await evaluateAll(stores, 650);
      await evaluateAll(stores, limit * 1.2);
    }
    await Promise.all(stores.map(({ close }) => close()));
    const told = await notificationsOf(chat.id);
    expect(told).toHaveLength(100);
    expect(new Set(told.map((notification) => notification.alarm_id)).size).toBe(100);
    const [left] = await storage.sql<{ open: number; all: number }[]>`
      select count(*) filter (where ended_at is null)::int as open, count(*)::int as all from alarm where chat_id = ${chat.id}`;
    expect(left).toEqual({ open: 0, all: 100 });

    async function open() {
      const database = openDatabase({ target: storage.database.target, max: 3 });
      return {
        store: createAlarmStore(database, 'Asia/Tehran'),
        close: async () => await database.close(),
      };
    }

    /** Each process looks twice, and all of them at the same time. */
    async function evaluateAll(all: readonly { store: typeof alarms }[], credit: number): Promise<void> {
      const level = creditLevel(credit, limit, true);
      if (level === null) return;
      await Promise.all(
        [...all, ...all].map(({ store }) => store.find(condition(chat.id, level, { facts: { credit } }))),
      );
    }
  });

  test('in any way at all is told as a model of one process says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 25 }), async (levels) => {
        const { chat } = await storage.addPlace();
        let standing = 0;
        let told = 0;
        for (const level of levels) {
          if (level > standing) told += 1;
          standing = level === 0 ? 0 : Math.max(standing, level);
          await Promise.all([1, 2].map(() => alarms.find(condition(chat.id, level))));
        }
        expect(await notificationsOf(chat.id)).toHaveLength(told);
        expect(await alarms.open(chat.id)).toHaveLength(standing === 0 ? 0 : 1);
      }),
      { numRuns: 15 },
    );
  });
});

describe('digests', () => {
  test('come once a day to each place whose time has come, whoever asks, and on its day that of the week', async () => {
    const { chat, ownerId } = await storage.addPlace();
    const [itself] = await destinations.of(chat.id);
    const destinationId = itself?.id ?? '';
    await destinations.change(chat.id, destinationId, { kinds: ['digest'], digestAt: 0 }, by(ownerId));
    // Its time of today was over when it was switched on: tomorrow is its first day.
    await alarms.digests();
    expect(await notificationsOf(chat.id)).toHaveLength(0);
    await storage.sql`update sink set digested_on = '2000-01-01',
      digest_day = (extract(dow from now() at time zone 'Asia/Tehran')::int + 1) % 7 where id = ${destinationId}`;
    await Promise.all([1, 2, 3].map(() => alarms.digests()));
    await alarms.digests();
    const told = await notificationsOf(chat.id);
    expect(told.map(({ facts }) => (facts as { span: string }).span).toSorted()).toEqual(['day', 'week']);
    const { from, to } = (told[0]?.facts ?? {}) as { from: number; to: number };
    expect([86_400_000, 7 * 86_400_000]).toContain(to - from);
    expect(new Date(to).toISOString()).toContain('20:30:00.000Z');
  });

  test('do not come where the kind is off, or before their time', async () => {
    const { chat, ownerId } = await storage.addPlace();
    const [itself] = await destinations.of(chat.id);
    await destinations.change(chat.id, itself?.id ?? '', { kinds: ['credit'], digestAt: 0 }, by(ownerId));
    await storage.sql`update sink set digested_on = '2000-01-01' where chat_id = ${chat.id}`;
    await alarms.digests();
    expect(await notificationsOf(chat.id)).toHaveLength(0);
    expect(await notifications.wakeAll()).toBeTypeOf('number');
  });
});
