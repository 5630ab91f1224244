import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../test/support/until.ts';
import { toInbound } from '../../features/inbox/new-inbound.ts';
import { foldQuery } from '../../domain/search.ts';
import type { ReceivedMessage } from '../../ports/gateway.ts';
import { createAccountStore } from '../accounts/account-store.ts';
import { createInboundStore } from './inbound-store.ts';
import type { Stores } from '../stores.ts';
import { LINE, openTestStorage, type TestStorage } from '../testing.ts';
import { rewriteReports } from '../../../test/support/reported.ts';

const NOON = 1_790_000_000;
const SENDER = '989121110001';

let storage: TestStorage;
let inbound: Stores['inbound'];
let place: Awaited<ReturnType<TestStorage['addPlace']>>;
let accountId: string;
let last = 5000;

beforeAll(async () => {
  storage = await openTestStorage();
  inbound = createInboundStore(storage.database);
});
beforeEach(async () => {
  place = await storage.addPlace();
  accountId = (await createAccountStore(storage.database).ofBinding(place.bindingId)) ?? '';
  await storage.emptyQueue();
});
afterAll(() => storage.close());

const message = (text: string, more: Partial<ReceivedMessage> = {}): ReceivedMessage => ({
  id: String((last += 1)),
  text,
  sender: SENDER,
  line: `+98${LINE}`,
  date: NOON,
  ...more,
});
const keep = async (messages: readonly ReceivedMessage[], quiet = false) =>
  await inbound.keep(accountId, toInbound(messages), { quiet });
const rows = async () =>
  await storage.sql<{ text: string; line: string; sender: string; message_id: string | null }[]>`
    select text, line, sender, message_id from inbound where account_id = ${accountId} order by id`;
const notifications = async (chatId = place.chat.id) =>
  await storage.sql<{ inbound_id: number | null; facts: Record<string, unknown>; text: string | null }[]>`
    select n.inbound_id, n.facts, i.text from notice n join sink s on s.id = n.sink_id left join inbound i on i.id = n.inbound_id
    where s.chat_id = ${chatId} and n.kind = 'inbound' order by n.id`;

test('11 and 12 are heeded however late they are read, where the line does so', async () => {
  await storage.sql`update account set opt_out_lines = ${[LINE]}::text[] where id = ${accountId}`;
  const { stored } = await keep(
    [
      message('۱۱', { date: NOON + 1 }),
      message('hello'),
      message('11', { line: '50001234', date: NOON + 2 }),
    ],
    true,
  );
  const duties = [...(await storage.queued()).keys()].filter((key) => key.startsWith('inbound-duty:'));
  expect(duties).toEqual([`inbound-duty:${stored[1] ?? 0}`]);
});

describe('a page of messages', () => {
  test('is stored once, by the gateway’s time, with a notification for each and one task for the place', async () => {
    const page = [message('second', { date: NOON + 5 }), message('first'), message('undated', { date: 0 })];
    const first = await keep(page);
    expect(first).toEqual({
      stored: [expect.any(Number), expect.any(Number), expect.any(Number)],
      changed: 0,
    });
    expect(await keep(page)).toEqual({ stored: [], changed: 0 });
    expect((await rows()).map(({ text, line }) => [text, line])).toEqual([
      ['first', LINE],
      ['second', LINE],
      ['undated', LINE],
    ]);
    expect((await notifications()).map(({ text }) => text)).toEqual(['first', 'second', 'undated']);
    const [destination] = await storage.sql<
      { id: string }[]
    >`select id from sink where chat_id = ${place.chat.id}`;
    const queued = await storage.queued();
    expect(
      [...queued.values()].filter(({ task }) => task === 'notify').map(({ payload }) => payload),
    ).toEqual([{ sinkId: destination?.id }]);
  });

  test('that was stored before writes nothing at all', async () => {
    const page = [message('one'), message('two', { sender: '989121110002' })];
    await keep(page);
    const marks = async () =>
      await storage.sql`
        select xmin::text from talk where account_id = ${accountId} union all select xmin::text from account where id = ${accountId}`;
    const before = await marks();
    await keep(page);
    expect(await marks()).toEqual(before);
  });

  test('of 200 is stored in one go, and a second process with the same page adds nothing', async () => {
    const page = Array.from({ length: 200 }, (_, n) =>
      message(`m${n}`, { sender: `98912${String(n % 50).padStart(7, '0')}`, date: NOON - n }),
    );
    const both = await Promise.all([keep(page), keep(page.toReversed())]);
    expect(both.map(({ stored }) => stored.length).toSorted((a, b) => a - b)).toEqual([0, 200]);
    expect(await inbound.total(accountId)).toBe(200);
    expect(await notifications()).toHaveLength(200);
    const talks = await storage.sql`select 1 from talk where account_id = ${accountId}`;
    expect(talks).toHaveLength(50);
  });

  test('that holds a known message with another content keeps both and counts it; another clock is no other content', async () => {
    const one = message('as it was');
    await keep([one]);
    expect(await keep([{ ...one, date: NOON + 12_600 }])).toEqual({ stored: [], changed: 0 });
    expect(await keep([{ ...one, text: 'as it is now' }])).toEqual({
      stored: [expect.any(Number)],
      changed: 1,
    });
    expect((await rows()).map(({ text }) => text)).toEqual(['as it was', 'as it is now']);
  });

  test('without ids, or with ids that name several messages, is stored all the same, each once', async () => {
    const page: ReceivedMessage[] = [
      { text: '1', sender: SENDER, line: LINE, date: NOON },
      { text: '1', sender: SENDER, line: LINE, date: NOON },
      { text: '1', sender: SENDER, line: LINE, date: NOON + 1 },
      message('a', { id: '7' }),
      message('b', { id: '7' }),
      message('zero', { id: '0' }),
    ];
    expect((await keep(page)).stored).toHaveLength(6);
    expect((await keep(page.toReversed())).stored).toHaveLength(0);
  });

  test('knows a message again whose id names it alone on one page and several on another', async () => {
    const [one, two] = [message('1', { id: '7' }), message('1', { id: '7', date: NOON + 60 })];
    expect((await keep([one])).stored).toHaveLength(1);
    expect(await keep([one, two])).toMatchObject({ stored: { length: 1 } });
    expect((await keep([two])).stored).toHaveLength(0);
    expect((await keep([two, one])).stored).toHaveLength(0);
    expect(await rows()).toMatchObject([{ message_id: '7' }, { message_id: '7' }]);
  });

  test('survives whatever a gateway may write, and all other messages with it', async () => {
    const nasty = [
      message('a\u0000b \ud83d end', { sender: 'x'.repeat(20_000), line: '' }),
      message('\\ "quoted" {a,b} \n\r\t', { date: 9e15 }),
      message('', { sender: '', date: -5 }),
      message('z'.repeat(1_500_000), { date: 0.5 }),
    ];
    expect((await keep(nasty)).stored).toHaveLength(4);
    expect((await keep(nasty)).stored).toHaveLength(0);
    const texts = (await rows()).map(({ text }) => text);
    expect(texts).toContain('a\ufffdb \ufffd end');
    expect(texts).toContain('\\ "quoted" {a,b} \n\r\t');
  });

  test('teaches the lines that receive', async () => {
    await keep([message('x', { line: '+985000777' }), message('y', { line: 'a name' })]);
    expect(await storage.bindings.lines(place.bindingId)).toEqual(['5000777']);
  });
});

test('is stored while somebody sets the line that it came to: neither waits for the other for ever', async () => {
  const kept = await storage.sql.begin(async (tx) => {
    await tx`select 1 from binding where id = ${place.bindingId} for update`;
    const keeping = keep([message('hi')]);
    keeping.catch(() => undefined);
    await until(async () => {
      const waiting = await storage.sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      expect(waiting).toHaveLength(1);
    });
    await tx`
      insert into line (binding_id, number) values (${place.bindingId}, ${LINE})
      on conflict (binding_id, number) do update set seen_at = now()`;
    // Not waited for in here: it goes on when this transaction has ended.
    return { keeping };
  });
  expect((await kept.keeping).stored).toHaveLength(1);
});

describe('what is told', () => {
  test('goes to every place of the chat where the kind is on, and to no other chat', async () => {
    const other = await storage.addPlace();
    await storage.sql`
      insert into sink (chat_id, telegram_id, kinds, created_by) values
      (${place.chat.id}, -501, '{inbound}', ${place.ownerId}), (${place.chat.id}, -502, '{credit}', ${place.ownerId})`;
    await keep([message('hi')]);
    expect(await notifications()).toHaveLength(2);
    expect(await notifications(other.chat.id)).toHaveLength(0);
  });

  test('of a backlog is its number alone, over all of its pages', async () => {
    await keep([message('1'), message('2')], true);
    await keep([message('3')], true);
    expect(await notifications()).toEqual([{ inbound_id: null, text: null, facts: { count: 3, accountId } }]);
    // Once it was said, what comes later is another notification.
    await storage.sql`update notice set state = 'sent'`;
    await keep([message('4')], true);
    expect((await notifications()).map(({ facts }) => facts['count'])).toEqual([3, 1]);
    expect(await inbound.total(accountId)).toBe(4);
  });

  test('is nothing unless the message is stored: one transaction', async () => {
    await storage.sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`;
    await storage.sql`create trigger refuse before insert on notice for each row execute function refuse()`;
    const one = message('both or none');
    await expect(keep([one])).rejects.toThrow('no');
    expect(await rows()).toEqual([]);
    await storage.sql`drop trigger refuse on notice`;
    expect((await keep([one])).stored).toHaveLength(1);
  });
});

test('the last message is the newest that was told, or of a backlog the newest by the gateway’s time', async () => {
  const ago = async () => {
    const [row] = await storage.sql<{ ms: number | null }[]>`
      select (extract(epoch from now() - last_inbound_at) * 1000)::float8 as ms from account where id = ${accountId}`;
    return row?.ms ?? null;
  };
  const hourAgo = Math.floor(Date.now() / 1000) - 3600;
  await keep(
    [message('old', { date: hourAgo }), message('from the future', { date: hourAgo + 999_999 })],
    true,
  );
  expect(await ago()).toBeGreaterThan(3_590_000);
  await keep([message('new')]);
  expect(await ago()).toBeLessThan(60_000);
});

test('counts are by the gateway’s time, both ends included', async () => {
  await keep([
    message('a', { date: NOON }),
    message('b', { date: NOON + 10 }),
    message('c', { date: NOON + 11 }),
  ]);
  const span = { from: new Date(NOON * 1000), to: new Date((NOON + 10) * 1000) };
  expect(await inbound.counted(accountId, span)).toBe(2);
});

test('a message is seen with its talk, and with what its sender is called', async () => {
  const { stored } = await keep([message('hi')]);
  await storage.sql`
    insert into contact (chat_id, number, name, set_by) values (${place.chat.id}, ${SENDER}, 'Reza', 1)`;
  await storage.sql`update talk set taken_by = ${place.ownerId}, taken_at = now() where account_id = ${accountId}`;
  expect(await inbound.of(stored[0] ?? 0)).toMatchObject({
    accountId,
    chatId: place.chat.id,
    bindingId: place.bindingId,
    text: 'hi',
    sentAt: new Date(NOON * 1000),
    name: 'Reza',
    talk: { line: LINE, number: SENDER, takenBy: { id: place.ownerId, name: 'Sara' }, doneBy: null },
  });
  expect(await inbound.of(0)).toBeNull();
});

test('what was last sent to somebody is found over all lines, with what the gateway reports of it', async () => {
  const { stored } = await keep([message('hi')]);
  const id = stored[0] ?? 0;
  expect(await inbound.lastSent(id)).toBeNull();
  // The last went to somebody whose number ends like it; the first was written down by a program of the release before.
  const alike = SENDER.replace(/^9891\d/u, '98935');
  for (const [number, state] of [
    [SENDER, 'sent'],
    [SENDER, 'delivered'],
    [alike, 'failed'],
  ] as const) {
    const job = await storage.addRunningJob(place, { recipients: [number], text: state });
    const reserved = await storage.jobs.reserve(job.jobId, 'p');
    if (!reserved.ok) throw new Error(reserved.reason);
    const [attempt] = reserved.attempts;
    await storage.jobs.goOnWire(attempt.id, attempt.epoch);
    const messageIds = attempt.recipients.map(() => String((last += 1)));
    await storage.jobs.record(attempt.id, attempt.epoch, { outcome: 'accepted', raw: '', messageIds });
    await storage.jobs.unsettled(job.jobId);
    await rewriteReports(storage.sql, [job.jobId], () => ({ kind: state }));
    if (state === 'sent') {
      await storage.sql`update sent_number set tails = '{}', numbers = ${[SENDER]}`;
      expect(await inbound.lastSent(id)).toMatchObject({ code: 'A1', kind: 'sent' });
    }
  }
  expect(await inbound.lastSent(id)).toEqual({ code: 'A2', at: expect.any(Date), kind: 'delivered' });
});

describe('a search', () => {
  const find = async (query: string, more: { skip?: number; most?: number } = {}) => {
    const { found, total } = await inbound.find(place.chat.id, {
      folded: foldQuery(query),
      to: null,
      skip: 0,
      most: 10,
      ...more,
    });
    return { texts: found.map(({ text }) => text), total };
  };

  test('finds all words in any order and spelling, the newest first, and only in this chat', async () => {
    const other = await storage.addPlace();
    const otherId = (await createAccountStore(storage.database).ofBinding(other.bindingId)) ?? '';
    await inbound.keep(otherId, toInbound([message('سفارش ۱۲ رسید')]), { quiet: false });
    await keep([message('سفارش ۱۲ رسید', { date: NOON }), message('رسید سفارش 12', { date: NOON + 9 })]);
    await keep([message('كتاب‌هاي سفارش', { date: NOON - 9 })]);
    expect(await find('سفارش رسید')).toEqual({ texts: ['رسید سفارش 12', 'سفارش ۱۲ رسید'], total: 2 });
    expect(await find('سفارش ١٢')).toMatchObject({ total: 2 });
    expect(await find('کتابهای')).toMatchObject({ total: 1 });
    expect(await find('کتاب‌های سفارش')).toMatchObject({ total: 1 });
    expect(await find('09121110001 سفارش 1')).toMatchObject({ total: 2 });
    expect(await find('سفارش نیست')).toEqual({ texts: [], total: 0 });
    expect(await find('سفارش', { skip: 1, most: 1 })).toEqual({ texts: ['سفارش ۱۲ رسید'], total: 3 });
  });

  test('takes nothing for a pattern, and an empty query finds nothing', async () => {
    await keep([message('100% sure_'), message('100x sure')]);
    expect(await find('100%')).toEqual({ texts: ['100% sure_'], total: 1 });
    expect(await find(' \u200c ')).toEqual({ texts: [], total: 0 });
    expect(await find(`'; drop table inbound; --`)).toEqual({ texts: [], total: 0 });
  });

  test.each(['09121110001', '+98 912 111 0001', '۰۹۱۲۱۱۱', '0001'])(
    'finds the messages of %s',
    async (query) => {
      await keep([message('mine'), message('of another', { sender: '989351119999' })]);
      expect(await find(query)).toEqual({ texts: ['mine'], total: 1 });
    },
  );
});
