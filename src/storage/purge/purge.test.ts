import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInboundStore } from '../inbox/inbound-store.ts';
import { LINE, openTestStorage, type TestStorage } from '../testing.ts';
import { createPurge } from './purge.ts';

let storage: TestStorage;

beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage.close());

const DAY_MS = 86_400_000;

test('received messages go with all that was told of them, in batches, and do not come again', async () => {
  const { sql } = storage;
  const place = await storage.addPlace();
  const inbound = createInboundStore(storage.database, 40);
  const [account] = await sql<{ id: string }[]>`select id from account where chat_id = ${place.chat.id}`;
  const accountId = account?.id ?? '';
  const message = (n: number, daysAgo: number | null) => ({
    key: String(n),
    contentSha256: Buffer.from(String(n)),
    messageId: String(n),
    line: LINE,
    sender: `98912000${1000 + n}`,
    text: 'Hello',
    sentAt: daysAgo === null ? null : new Date(Date.now() - daysAgo * DAY_MS),
    folded: 'hello',
  });
  const old = Array.from({ length: 600 }, (_, n) => message(n, 39.9));
  const { stored } = await inbound.keep(accountId, [...old, message(700, null)], { quiet: false });
  await inbound.keep(accountId, [message(800, 39.9)], { quiet: false });
  await sql`insert into auto_answer (account_id, number, day, inbound_id) select account_id, sender, '2026-01-01', id from inbound where key = '5'`;
  const [sink] = await sql<{ id: string }[]>`select id from sink where chat_id = ${place.chat.id}`;
  await sql`insert into talk_topic (sink_id, talk_id, thread_id) select ${sink?.id ?? ''}, talk_id, 5 from inbound where key = '5'`;
  expect(stored).toHaveLength(601);
  // Everything that is not the last one is a year older.
  await sql`update inbound set captured_at = captured_at - interval '365 days', sent_at = sent_at - interval '365 days' where key <> '800'`;
  await sql`update talk set last_in_at = now() - interval '365 days' where id in (select talk_id from inbound where key <> '800')`;

  await sql.begin(async (tx) => {
    await tx`select 1 from inbound where key = '7' for update`;
    // It is passed over, and nobody waits.
    expect(await storage.purge({ inbox: 40 })).toEqual({ 'received messages': 599, conversations: 599 });
  });
  expect(await storage.purge({ inbox: 40 })).toEqual({ 'received messages': 1, conversations: 1 });
  const left = await sql`select key from inbound order by key`;
  expect(left).toEqual([{ key: '700' }, { key: '800' }]);
  expect(await sql`select 1 from notice where inbound_id is not null`).toHaveLength(2);

  const again = await inbound.keep(accountId, [message(5, 405), message(700, null), message(900, 1)], {
    quiet: false,
  });
  expect(again.stored).toHaveLength(1);
});

test('what else has ended goes when its time is over, and what is open or young stays', async () => {
  const { sql } = storage;
  const place = await storage.addPlace();
  const age = "now() - interval '91 days'";
  const lapsed = await storage.drafts.create(storage.draftIn(place));
  const young = await storage.drafts.create(storage.draftIn(place));
  const { draftId: sent } = await storage.addRunningJob(place);
  await sql.unsafe(`update draft set expires_at = ${age} where id in ($1, $2)`, [lapsed.id, sent]);
  const [sink] = await sql<{ id: string }[]>`select id from sink where chat_id = ${place.chat.id}`;
  await sql.unsafe(
    `insert into notice (sink_id, kind, draft_id, state, created_at) values
      ($1, 'send', $2, 'sent', now()), ($1, 'send', $3, 'sent', ${age}), ($1, 'send', $3, 'queued', ${age}), ($1, 'send', $3, 'sent', now())`,
    [sink?.id ?? '', lapsed.id, sent],
  );
  await sql.unsafe(
    `insert into alarm (chat_id, kind, subject, ended_at) values ($1, 'credit', 'a', ${age}), ($1, 'credit', 'b', null)`,
    [place.chat.id],
  );
  for (const [state, update] of [
    ['done', 1],
    ['running', 2],
  ] as const)
    await sql.unsafe(
      `insert into book_change (id, chat_id, binding_id, bot_id, source_update, person_id, kind, title, flag, numbers, state, created_at)
       values (gen_random_uuid(), $1, $2, 1, $3, $4, 'add', 'VIP', 'f', '{989121234567}', $5, ${age})`,
      [place.chat.id, place.bindingId, update, place.ownerId, state],
    );

  expect(await createPurge(storage.database, { sends: 0, inbox: 0, audit: 0, other: 0 }).run()).toEqual({});
  expect(await storage.purge({ other: 90 })).toEqual({
    drafts: 1,
    notifications: 1,
    alarms: 1,
    'changes of phonebooks': 1,
  });
  const drafts = await sql`select id from draft where chat_id = ${place.chat.id}`;
  expect(new Set(drafts.map(({ id }) => id))).toEqual(new Set([young.id, sent]));
  expect(await sql`select state from notice where draft_id = ${sent} order by state`).toEqual([
    { state: 'queued' },
    { state: 'sent' },
  ]);
  expect(await sql`select state from book_change`).toEqual([{ state: 'running' }]);
});

test('whom a send by date has written to goes after two years, and with it when that has ended; one that nobody switched on goes', async () => {
  const { sql } = storage;
  const place = await storage.addPlace();
  const order = async (state: string, age: string, runAge: string, people = 2): Promise<void> => {
    await sql.unsafe(
      `with o as (
        insert into date_send (chat_id, bot_id, source_update, state, tag, field, yearly, days_before, minute, text, line, lang,
          created_by, created_at, ended_at)
        values ($1, 1, $2, $3, $4, 'birthday', true, 0, 600, 'Dear', '3000123456', 'en', $5, now() - interval '${age}',
          case when $3 = 'ended' then now() - interval '${age}' end) returning id
      ), r as (insert into date_run (order_id, day, made_at) select id, '2026-01-01', now() - interval '${runAge}' from o returning id, order_id)
      insert into date_sent (order_id, number, occasion, run_id) select order_id, '98912000' || (1000 + n), 1404, id from r, generate_series(1, $6) n`,
      [place.chat.id, storage.next(), state, `${state} ${age}`, place.ownerId, people],
    );
  };
  await order('on', '900 days', '731 days', 600);
  await order('on', '800 days', '729 days');
  await order('paused', '801 days', '400 days');
  await order('ended', '91 days', '92 days');
  await order('ended', '89 days', '92 days');
  await order('proposed', '8 days', '8 days', 0);
  await order('proposed', '6 days', '6 days', 0);
  expect(await storage.purge({ other: 90 })).toEqual({
    'whom sends by dates have written to': 602,
    'sends by dates': 2,
  });
  const left = await sql`
    select o.tag, count(s.number)::int as people from date_send o left join date_sent s on s.order_id = o.id
    where o.chat_id = ${place.chat.id} group by 1 order by 1`;
  expect(left.map(({ tag, people }) => [tag, people])).toEqual([
    ['ended 89 days', 2],
    ['on 800 days', 2],
    ['on 900 days', 0],
    ['paused 801 days', 2],
    ['proposed 6 days', 0],
  ]);
});
