import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../test/support/until.ts';
import { createAlarmStore } from './alarm-store.ts';
import { createAlertReads } from './alert-reads.ts';
import { enqueueNotify } from '../enqueue.ts';
import { createNotificationStore } from './notification-store.ts';
import { createDestinationStore } from '../inbox/destination-store.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';

let storage: TestStorage;
let notifications: ReturnType<typeof createNotificationStore>;
let alarms: ReturnType<typeof createAlarmStore>;
let destinations: ReturnType<typeof createDestinationStore>;

beforeAll(async () => {
  storage = await openTestStorage();
  notifications = createNotificationStore(storage.database, 'Asia/Tehran');
  alarms = createAlarmStore(storage.database, 'Asia/Tehran');
  destinations = createDestinationStore(storage.database, 'Asia/Tehran');
});
afterAll(() => storage.close());

const by = (personId: number) => ({ personId, updateId: storage.next() });

/** A chat whose destination has so much to say. */
async function place(count: number) {
  const made = await storage.addPlace();
  const [destination] = await destinations.of(made.chat.id);
  const destinationId = destination?.id ?? '';
  for (let n = 0; n < count; n += 1)
    await alarms.tell({ chatId: made.chat.id, kind: 'gateway', facts: { n } });
  return { ...made, destinationId };
}

const at = { messageId: 7, threadId: null, folded: false };

const minutesOf = async () => {
  const [row] = await storage.sql<{ m: number }[]>`
    select (extract(hour from t) * 60 + extract(minute from t))::int as m from (select now() at time zone 'Asia/Tehran' as t) x`;
  return row?.m ?? 0;
};

describe('what is said next in a place', () => {
  test('is the oldest, one at a time, whoever asks, until nothing waits', async () => {
    const { destinationId } = await place(3);
    const seen: unknown[] = [];
    for (let n = 0; n < 3; n += 1) {
      const all = await Promise.all([1, 2, 3, 4].map(() => notifications.next(destinationId)));
      const say = all.flatMap((turn) => (turn.kind === 'say' ? [turn.notification] : []));
      expect(say).toHaveLength(1);
      for (const turn of all) if (turn.kind === 'wait') expect(turn.ms).toBeGreaterThan(50_000);
      seen.push(say[0]?.facts['n']);
      await notifications.said([say[0]?.id ?? 0], at);
    }
    expect(seen).toEqual([0, 1, 2]);
    expect(await notifications.next(destinationId)).toEqual({ kind: 'wait', ms: null });
  });

  test('that a dead process was saying is said again after a minute, and counted', async () => {
    const { destinationId } = await place(1);
    const first = await notifications.next(destinationId);
    expect(first.kind).toBe('say');
    await storage.sql`update notice set not_before = now() - interval '1 second' where sink_id = ${destinationId}`;
    const again = await notifications.next(destinationId);
    expect(again).toMatchObject({ kind: 'say', notification: { tries: 2 } });
    const [row] = await storage.sql<
      { doubtful: number }[]
    >`select doubtful from notice where sink_id = ${destinationId}`;
    expect(row?.doubtful).toBe(1);
  });

  test('stays with whoever is saying it for as long as that holds it', async () => {
    const { destinationId } = await place(1);
    const first = await notifications.next(destinationId);
    const ids = first.kind === 'say' ? [first.notification.id] : [];
    await storage.sql`update notice set not_before = now() where sink_id = ${destinationId}`;
    await notifications.hold(ids);
    expect(await notifications.next(destinationId)).toMatchObject({
      kind: 'wait',
      ms: expect.any(Number) as number,
    });
    await notifications.notSaid(ids, { afterMs: 0, doubtful: true });
    expect((await notifications.next(destinationId)).kind).toBe('say');
    await notifications.drop(ids);
    expect(await notifications.next(destinationId)).toEqual({ kind: 'wait', ms: null });
  });

  test('waits for the end of quiet hours, also through midnight, by the clocks of the chat', async () => {
    const { destinationId, chat, ownerId } = await place(1);
    const now = await minutesOf();
    await destinations.change(
      chat.id,
      destinationId,
      { quiet: { from: (now + 1430) % 1440, to: (now + 90) % 1440 } },
      by(ownerId),
    );
    const turn = await notifications.next(destinationId);
    expect(turn.kind === 'wait' && turn.ms !== null && turn.ms > 88 * 60_000 && turn.ms <= 91 * 60_000).toBe(
      true,
    );
    await destinations.change(
      chat.id,
      destinationId,
      { quiet: { from: (now + 90) % 1440, to: (now + 180) % 1440 } },
      by(ownerId),
    );
    expect((await notifications.next(destinationId)).kind).toBe('say');
  });

  test('is nothing while the place is out of reach, or its kind muted: what was muted is not told later', async () => {
    const { destinationId, chat, ownerId } = await place(1);
    await destinations.off(destinationId, 'kicked');
    expect((await notifications.next(destinationId)).kind).toBe('wait');
    await destinations.on(chat.telegramId);
    await alarms.mute(chat.id, 'gateway', new Date(Date.now() + 60_000), by(ownerId));
    expect(await notifications.next(destinationId)).toEqual({ kind: 'wait', ms: null });
    await alarms.mute(chat.id, 'gateway', null, by(ownerId));
    expect(await notifications.next(destinationId)).toEqual({ kind: 'wait', ms: null });
  });

  test.each([
    { offFor: '0 seconds', triedFor: '0 seconds', waits: 15 },
    { offFor: '10 minutes', triedFor: '0 seconds', waits: 600 },
    { offFor: '10 minutes', triedFor: '4 minutes', waits: 120 },
    { offFor: '9 hours', triedFor: '10 minutes', waits: 1200 },
    { offFor: '9 hours', triedFor: '31 minutes', waits: 0 },
  ])('is tried after as long as the place has been out of reach: $offFor, $triedFor ago', async (each) => {
    const { destinationId } = await place(1);
    const first = await notifications.next(destinationId);
    await notifications.notSaid(first.kind === 'say' ? [first.notification.id] : [], {
      afterMs: 0,
      doubtful: false,
    });
    await destinations.off(destinationId, 'blocked');
    await storage.sql`
      update sink set off_at = now() - ${each.offFor}::text::interval where id = ${destinationId}`;
    await destinations.off(destinationId, 'blocked');
    await storage.sql`
      update notice set sent_at = now() - ${each.triedFor}::text::interval where sink_id = ${destinationId}`;
    const next = await notifications.next(destinationId);
    const seconds = next.kind === 'wait' ? (next.ms ?? Number.POSITIVE_INFINITY) / 1000 : 0;
    expect(seconds).toBeGreaterThan(each.waits * 0.8 - 5);
    expect(seconds).toBeLessThan(each.waits + 5);
  });

  test('of what waited long is one message, but for alarms that stand, which have their buttons', async () => {
    const { destinationId, chat } = await place(1);
    for (let n = 0; n < 3; n += 1) await alarms.tell({ chatId: chat.id, kind: 'job', facts: {} });
    const finding = { chatId: chat.id, accountId: null, subject: '', facts: {} } as const;
    for (const level of [1, 0, 1]) await alarms.find({ ...finding, kind: 'credit', level });
    await storage.sql`insert into notice (sink_id, kind) values (${destinationId}, 'digest')`;
    await storage.sql`
      update notice set created_at = now() - case kind when 'digest' then interval '1 day' else interval '1 hour' end
      where sink_id = ${destinationId}`;
    const fold = await notifications.next(destinationId);
    const folded = fold.kind === 'fold' ? fold.notifications : [];
    expect(folded.map(({ kind }) => kind)).toEqual(['job', 'job', 'job', 'credit']);
    await notifications.said(
      folded.map(({ id }) => id),
      { ...at, folded: true },
    );
    // What stands is told by itself, and a digest of yesterday not at all.
    for (const kind of ['gateway', 'credit']) {
      const turn = await notifications.next(destinationId);
      expect(turn).toMatchObject({ kind: 'say', notification: { kind } });
      if (turn.kind === 'say') await notifications.said([turn.notification.id], at);
    }
    expect(await notifications.next(destinationId)).toEqual({ kind: 'wait', ms: null });
  });

  test('is by itself where it tells of many received messages at once', async () => {
    const { destinationId, chat } = await place(0);
    for (let n = 0; n < 4; n += 1) await alarms.tell({ chatId: chat.id, kind: 'job', facts: {} });
    await storage.sql`insert into notice (sink_id, kind, facts) values (${destinationId}, 'inbound', '{"count": 1240}')`;
    await storage.sql`update notice set created_at = now() - interval '1 hour' where sink_id = ${destinationId}`;
    const fold = await notifications.next(destinationId);
    const folded = fold.kind === 'fold' ? fold.notifications : [];
    expect(folded.map(({ kind }) => kind)).toEqual(['job', 'job', 'job', 'job']);
    await notifications.said(
      folded.map(({ id }) => id),
      { ...at, folded: true },
    );
    expect(await notifications.next(destinationId)).toMatchObject({
      kind: 'say',
      notification: { facts: { count: 1240 } },
    });
  });
});

describe('what was said', () => {
  test('is found by what it shows and by its message, and until then is known to be under way', async () => {
    const { destinationId, chat } = await place(0);
    const finding = { chatId: chat.id, accountId: null, kind: 'credit', subject: '', facts: {} } as const;
    await alarms.find({ ...finding, level: 1 });
    const [alarm] = await alarms.open(chat.id);
    const alarmId = alarm?.id ?? '';
    // What is said later is said by what holds then.
    expect(await notifications.isBeingSaid({ alarmId })).toBe(false);
    const turn = await notifications.next(destinationId);
    const id = turn.kind === 'say' ? turn.notification.id : 0;
    expect(await notifications.shown({ alarmId })).toEqual([]);
    expect(await notifications.isBeingSaid({ alarmId })).toBe(true);
    await notifications.said([id], at);
    expect(await notifications.isBeingSaid({ alarmId })).toBe(false);
    expect(await notifications.shown({ alarmId })).toMatchObject([{ id, messageId: 7, destinationId }]);
    expect(await notifications.byMessage(chat.telegramId, 7)).toMatchObject({ id });
    expect(await notifications.byMessage(chat.telegramId, 8)).toBe(null);
    expect(await notifications.byMessage(chat.telegramId - 1, 7)).toBe(null);
    expect(await notifications.isOfAnother(chat, 7)).toBe(false);
  });

  test('is not waited for where whoever was saying it has been gone for long', async () => {
    const { destinationId, chat } = await place(0);
    await alarms.find({ chatId: chat.id, accountId: null, kind: 'credit', subject: '', facts: {}, level: 1 });
    const [alarm] = await alarms.open(chat.id);
    const alarmId = alarm?.id ?? '';
    await notifications.next(destinationId);
    await storage.sql`
      update notice set not_before = now() - interval '61 seconds' where sink_id = ${destinationId}`;
    expect(await notifications.isBeingSaid({ alarmId })).toBe(false);
  });

  test('is looked for again when the queue has lost the task that would say it', async () => {
    const { destinationId } = await place(1);
    await storage.emptyQueue();
    await storage.sql`update notice set not_before = now() - interval '1 minute' where sink_id = ${destinationId}`;
    await notifications.wakeAll();
    expect((await storage.queued()).has(`notify:${destinationId}`)).toBe(true);
    const before = (await storage.queued()).size;
    await notifications.wakeAll();
    expect((await storage.queued()).size).toBe(before);
  });
});

describe('another look at a place', () => {
  const lookIn = async (destinationId: string) =>
    (await storage.queued()).get(`notify:${destinationId}`)?.in_ms;

  test('comes at the nearest of the times that it was asked for', async () => {
    const { destinationId } = await place(0);
    await storage.emptyQueue();
    for (const ms of [60_000, 5000, 30_000]) await notifications.wake(destinationId, ms);
    expect(await lookIn(destinationId)).toBeLessThanOrEqual(5000);
  });

  test('that somebody with news asks for is not put off by one who has found nothing in the same moment', async () => {
    const { destinationId } = await place(0);
    await storage.emptyQueue();
    let waking: Promise<void> = Promise.resolve();
    await storage.sql.begin(async (tx) => {
      await enqueueNotify(tx, [destinationId]);
      waking = notifications.wake(destinationId, 60_000);
      await isHeldUp('enqueue_job');
    });
    await waking;
    expect(await lookIn(destinationId)).toBeLessThanOrEqual(0);
  });
});

describe('ends of sends', () => {
  const told = async (chatId: string) =>
    await storage.sql<{ kind: string; event: string | null; own: boolean; facts: Record<string, unknown> }[]>`
      select n.kind, n.facts ->> 'event' as event, s.telegram_id is null as own, n.facts from notice n join sink s on s.id = n.sink_id
      where s.chat_id = ${chatId} order by n.id`;

  async function withJob() {
    const made = await place(0);
    await destinations.add({
      chatId: made.chat.id,
      telegramId: -7_000_000 - storage.next(),
      threadId: null,
      title: 'Channel',
      kinds: ['job', 'failures'],
      ...by(made.ownerId),
    });
    return { ...made, ...(await storage.addRunningJob(made)) };
  }

  const settle = async (jobId: string) =>
    await storage.sql`update attempt set state = 'accepted', ended_at = now() where job_id = ${jobId}`;

  test('that somebody has just confirmed are told elsewhere alone, those of later in the chat as well', async () => {
    const fresh = await withJob();
    await settle(fresh.jobId);
    expect(await storage.jobs.finish(fresh.jobId)).toBe(true);
    expect(await told(fresh.chat.id)).toMatchObject([{ kind: 'job', event: 'ended', own: false }]);

    const late = await withJob();
    await storage.sql`update job set confirmed_at = now() - interval '5 minutes' where id = ${late.jobId}`;
    await settle(late.jobId);
    await Promise.all([1, 2].map(() => storage.jobs.finish(late.jobId)));
    expect((await told(late.chat.id)).filter(({ own }) => own)).toHaveLength(1);
    expect(await told(late.chat.id)).toHaveLength(2);
  });

  test('that come by themselves are told everywhere with their reason, those that somebody has pressed elsewhere alone', async () => {
    const job = await withJob();
    await storage.jobs.stop(job.jobId, 'credit', null, null);
    expect((await told(job.chat.id)).map(({ event, facts }) => [event, facts['reason']])).toEqual([
      ['stopped', 'credit'],
      ['stopped', 'credit'],
    ]);
    const pressed = await withJob();
    await storage.jobs.stop(pressed.jobId, 'person', pressed.ownerId, storage.next());
    expect((await told(pressed.chat.id)).map(({ own }) => own)).toEqual([false]);
  });

  test('of which too many did not arrive are told once, from the chat’s own share on', async () => {
    const job = await withJob();
    await settle(job.jobId);
    await storage.jobs.finish(job.jobId);
    const failures = async () => (await told(job.chat.id)).filter(({ kind }) => kind === 'failures');
    await storage.sql`
      insert into delivery (attempt_id, recipient, message_id, kind)
      select a.id, (989120000100 + g.i)::text, g.i::text, case when g.i <= 5 then 'failed' else 'delivered' end
      from attempt a cross join generate_series(1, 25) as g(i) where a.job_id = ${job.jobId}`;
    await alarms.setThreshold(job.chat.id, 'failures', 21, by(job.ownerId));
    expect(await alarms.evaluateFailures(job.jobId)).toBe(false);
    await alarms.setThreshold(job.chat.id, 'failures', null, by(job.ownerId));
    const all = await Promise.all([1, 2, 3].map(() => alarms.evaluateFailures(job.jobId)));
    expect(all.filter(Boolean)).toHaveLength(1);
    expect(await failures()).toMatchObject([{ facts: { failed: 5, all: 25 } }]);
  });

  test('make a digest: what left, arrived, failed and waits', async () => {
    const job = await withJob();
    await settle(job.jobId);
    const now = Date.now();
    const span = { from: new Date(now - 3_600_000), to: new Date(now + 3_600_000) };
    expect(await createAlertReads(storage.database).digest(job.chat.id, span)).toEqual({
      sent: 2,
      delivered: 0,
      failed: 0,
      blocked: 0,
      unknown: 0,
      onWire: 0,
      received: 0,
      creditRial: null,
      questions: 0,
      scheduled: 0,
    });
    const before = { from: new Date(0), to: new Date(1) };
    expect(await createAlertReads(storage.database).digest(job.chat.id, before)).toMatchObject({ sent: 0 });
    await storage.sql`update attempt set state = 'on_wire', ended_at = null, on_wire_at = now() where job_id = ${job.jobId}`;
    expect(await createAlertReads(storage.database).digest(job.chat.id, span)).toMatchObject({
      sent: 0,
      onWire: 2,
    });
  });
});

/** Resolves when a statement with these words waits for somebody's lock. */
async function isHeldUp(words: string): Promise<void> {
  await until(async () => {
    const waiting = await storage.sql`
      select from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like ${`%${words}%`}`;
    expect(waiting).toHaveLength(1);
  });
}
