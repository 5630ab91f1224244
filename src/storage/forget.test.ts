import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyAudit } from './audit-chain.ts';
import { forgetNumber } from './forget.ts';
import { createInboundStore } from './inbox/inbound-store.ts';
import { jsonText } from './json.ts';
import { LINE, openTestStorage, type TestStorage } from './testing.ts';

let storage: TestStorage;

beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage.close());

const NUMBER = '989121234567';
const OTHER = '989357654321';
const PERSIAN = '۰۹۱۲ ۱۲۳ ۴۵۶۷';
const TYPESET = '0912\u2009123\u20034567';
const SPELLINGS = [TYPESET, '9121234567', '۹۱۲۱۲۳۴۵۶۷', '912 123 4567', '912-123-4567', '۹۱۲ ۱۲۳ ۴۵۶۷'];

/** Every column of every table in which a spelling of the number stands, the queue's own among them. */
async function stillIn(): Promise<string[]> {
  const { sql } = storage;
  const columns = await sql<{ s: string; t: string; c: string }[]>`
    select table_schema as s, table_name as t, column_name as c from information_schema.columns
    where table_schema in ('public', 'graphile_worker') order by 1, 2, 3`;
  const found: string[] = [];
  for (const { s, t, c } of columns) {
    const rows = await sql.unsafe(
      `select 1 from ${s}.${t} where ${SPELLINGS.map((_, i) => `"${c}"::text like $${i + 1}`).join(' or ')} limit 1`,
      SPELLINGS.map((each) => `%${each}%`),
    );
    if (rows.length > 0) found.push(`${t}.${c}`);
  }
  return found;
}

/** A row in every table that can hold a number, as the stores write them or as they stand there. */
async function fill() {
  const { sql } = storage;
  const place = await storage.addPlace();
  const [account] = await sql<{ id: string }[]>`select id from account where chat_id = ${place.chat.id}`;
  const [sink] = await sql<{ id: string }[]>`select id from sink where chat_id = ${place.chat.id}`;
  const inbound = createInboundStore(storage.database);
  const message = {
    key: '55',
    contentSha256: Buffer.from('content'),
    messageId: '55',
    line: LINE,
    sender: NUMBER,
    text: `ring ${PERSIAN}`,
    sentAt: new Date(),
    folded: 'ring 09121234567',
  };
  const { stored } = await inbound.keep(account?.id ?? '', [message], { quiet: false });
  await sql`insert into auto_answer (account_id, number, day, inbound_id) values (${account?.id ?? ''}, ${NUMBER}, '2026-01-01', ${stored[0] ?? 0})`;
  await sql`insert into contact (chat_id, number, name, set_by) values (${place.chat.id}, ${NUMBER}, 'Ali', ${place.ownerId})`;
  await sql`
    insert into contact (chat_id, number, name, fields, set_by)
    values (${place.chat.id}, ${OTHER}, 'Sara', ${jsonText({ home: PERSIAN })}::text::jsonb, ${place.ownerId})`;
  await sql`
    with o as (
      insert into date_send (chat_id, bot_id, source_update, state, tag, field, yearly, days_before, minute, text, line, lang, created_by)
      values (${place.chat.id}, 1, 1, 'on', 'club', 'birthday', true, 0, 600, 'Dear {name}', ${LINE}, 'en', ${place.ownerId}) returning id
    ), r as (insert into date_run (order_id, day) select id, '2026-01-01' from o returning id, order_id)
    insert into date_sent (order_id, number, occasion, run_id) select order_id, ${NUMBER}, 1404, id from r`;
  await sql`update notice set facts = ${jsonText({ opt: { number: NUMBER } })}::text::jsonb where inbound_id is not null`;
  await sql`insert into alarm (chat_id, kind, subject, facts) values (${place.chat.id}, 'inbox', ${NUMBER}, ${jsonText({ who: [NUMBER] })}::text::jsonb)`;
  await sql`update person set mobile = ${NUMBER} where telegram_id = ${place.ownerId}`;
  await storage.audits.add({
    chatId: place.chat.id,
    personId: null,
    updateId: null,
    action: 'opted_out',
    details: { number: '09121234567', line: LINE },
  });
  await storage.audits.add({
    chatId: place.chat.id,
    personId: null,
    updateId: null,
    action: 'opted_out',
    details: { number: OTHER, line: LINE },
  });
  await storage.buttons.mint(place.chat.id, [
    { action: 'x', payload: { numbers: [NUMBER] }, minRank: 0, ttlSeconds: 60 },
  ]);
  await sql`
    insert into deep_link (token_hash, purpose, chat_id, details, expires_at)
    values ('x', 'join', ${place.chat.id}, ${jsonText({ to: NUMBER })}::text::jsonb, now())`;
  await storage.forms.write('form', 1, Buffer.from(`sealed ${NUMBER}`));
  await sql`
    insert into book_change (id, chat_id, binding_id, bot_id, source_update, person_id, kind, title, flag, numbers, state)
    values (gen_random_uuid(), ${place.chat.id}, ${place.bindingId}, 1, 1, ${place.ownerId}, 'add', 'VIP', 'f', ${[OTHER, NUMBER]}, 'done')`;
  const lapsed = await storage.drafts.create(storage.draftIn(place, { recipients: [NUMBER] }));
  await sql`update draft set expires_at = now() - interval '1 hour' where id = ${lapsed.id}`;
  const job = await storage.addRunningJob(place, {
    text: `Call ${PERSIAN}, ${TYPESET} or 0912-123-4567`,
    recipients: [NUMBER, OTHER],
    repeated: [{ raw: '+98 912 123 4567', reason: 'repeated' }],
  });
  const rows = [[1, ['Ali', '0912 123 4567']]];
  await sql`update draft set details = ${jsonText({ summary: { digest: 'abc' }, head: rows, rows: [{ recipient: NUMBER, text: 'x' }] })}::text::jsonb where id = ${job.draftId}`;
  await sql`insert into bulk_source (draft_id, block, rows) values (${job.draftId}, 0, to_jsonb(${jsonText(rows)}::text))`;
  await sql`insert into bulk_skipped (draft_id, block, rows) values (${job.draftId}, 0, to_jsonb(${jsonText([[2, '09121234567', 'repeated']])}::text))`;
  await sql`
    insert into bulk_call (draft_id, chunk, recipients, texts, row_numbers, payload_sha256)
    values (${job.draftId}, 0, ${[NUMBER]}, ${[`Dear ${TYPESET}`]}, ${[1]}, 'x')`;
  await sql`insert into sent_number (attempt_id, tails) select id, '{1234567, 9}' from attempt where job_id = ${job.jobId}`;
  await sql`
    update attempt set messages = ${jsonText([
      { recipient: NUMBER, text: PERSIAN },
      { recipient: OTHER, text: '' },
    ])}::text::jsonb,
      blocked = ${[NUMBER]}, raw = '{"receptor":"09121234567"}', last_look = ${jsonText({ at: 1, absent: [NUMBER] })}::text::jsonb
    where job_id = ${job.jobId}`;
  return { place, inbound, message, account: account?.id ?? '', sink: sink?.id ?? '', ...job };
}

test('a number goes from everywhere, in every spelling, and only when nothing open has it', async () => {
  const { sql } = storage;
  const made = await fill();
  const before = await stillIn();
  expect(before).toContain('attempt.recipients');
  await sql`insert into template (chat_id, name, text, created_by) values (${made.place.chat.id}, 'hours', ${`Ring ${PERSIAN}`}, 1)`;

  const held = await forgetNumber(sql, NUMBER, 'root');
  const [draft] = await sql<{ code: string }[]>`select code from draft where id = ${made.draftId}`;
  expect(held).toEqual({
    result: 'held',
    by: [
      { chat: 'Shop', what: 'send', name: draft?.code },
      { chat: 'Shop', what: 'template', name: 'hours' },
    ],
  });
  expect(await stillIn()).toEqual([...before, 'template.text'].toSorted());

  await sql`delete from template`;
  await sql`update attempt set state = 'unknown', on_wire_at = now() where job_id = ${made.jobId}`;
  await sql`update job set state = 'done', ended_at = now() where id = ${made.jobId}`;
  expect(await forgetNumber(sql, NUMBER, 'root')).toMatchObject({ result: 'held' });
  await sql`update attempt set state = 'accepted', ended_at = now() where job_id = ${made.jobId}`;
  const done = await forgetNumber(sql, NUMBER, 'root');
  expect(done).toMatchObject({ result: 'forgotten' });
  expect(await stillIn()).toEqual([]);

  // Counts stay, whose they were does not; nobody else is touched.
  const [attempt] = await sql`
    select recipients, size, blocked, messages, message_keys, raw, encode(payload_sha256, 'hex') as print from attempt where job_id = ${made.jobId}`;
  const mark = expect.stringMatching(/^forgotten-[0-9a-f]{6}$/u);
  expect(attempt).toEqual({
    recipients: [mark, OTHER],
    size: 2,
    blocked: [mark],
    messages: [
      { recipient: mark, text: mark },
      { recipient: OTHER, text: '' },
    ],
    message_keys: [],
    raw: expect.stringContaining('forgotten-'),
    print: '00',
  });
  const [source] = await sql<
    { rows: string }[]
  >`select rows #>> '{}' as rows from bulk_source where draft_id = ${made.draftId}`;
  expect(JSON.parse(source?.rows ?? '')).toEqual([[1, ['Ali', mark]]]);
  expect(await sql`select tails from sent_number`).toEqual([{ tails: [null, Number(OTHER.slice(-7))] }]);
  expect(await sql`select numbers from book_change`).toEqual([{ numbers: [OTHER, mark] }]);
  // Who is kept by the number goes; who only has it among the fields stays.
  expect(await sql`select number, name, fields from contact`).toEqual([
    { number: OTHER, name: 'Sara', fields: { home: mark } },
  ]);
  for (const table of ['button', 'deep_link', 'form'])
    expect(await sql.unsafe(`select 1 from ${table}`), table).toEqual([]);
  expect(await sql`select 1 from draft where state = 'open'`).toEqual([]);
  expect(await sql`select encode(content_sha256, 'hex') as print from inbound`).toEqual([{ print: '' }]);
  // The gateway still lists the message: it is known again by its id.
  expect(await made.inbound.keep(made.account, [made.message], { quiet: false })).toEqual({
    stored: [],
    changed: 0,
  });

  const report = await verifyAudit(sql);
  expect(report).toMatchObject({ broken: [], forgotten: 1 });
  const [salt] = await sql`
    select l.salt from audit_link l join audit a on a.id = l.audit_id where a.details ->> 'number' like 'forgotten-%'`;
  expect(salt).toEqual({ salt: null });
  const noted = await sql<
    { details: object }[]
  >`select details from audit where chat_id is null and action = 'number_forgotten'`;
  expect(noted.map(({ details }) => details)).toEqual([
    { by: 'root', rows: done.result === 'forgotten' ? done.rows : 0 },
  ]);
  expect(jsonText(noted)).not.toContain('912');
});

test('of a send that was stopped nothing can be sent to it any more: its rest goes as when its time is over', async () => {
  const { sql, jobs } = storage;
  const place = await storage.addPlace();
  const stopped = await storage.addRunningJob(place, { recipients: [NUMBER, OTHER] });
  await jobs.stop(stopped.jobId, 'person', place.ownerId, storage.next());
  expect(await forgetNumber(sql, NUMBER, 'root')).toMatchObject({ result: 'forgotten' });
  expect(await stillIn()).toEqual([]);
  const press = { jobId: stopped.jobId, personId: place.ownerId, updateId: storage.next(), timeZone: 'UTC' };
  expect(await jobs.resume(press)).toEqual({ result: 'nothing' });
  const job = (await storage.drafts.card(stopped.draftId))?.job;
  expect(job).toMatchObject({ state: 'stopped', isEmptied: true, counts: { planned: 2 } });
});

test('a text that says it is not changed on its way, nor while it may be sent again', async () => {
  const { sql } = storage;
  const place = await storage.addPlace();
  const sends = [
    await storage.addRunningJob(place, { text: `Ring ${PERSIAN}` }),
    await storage.addRunningJob(place, { text: '{text}' }),
  ];
  const ids = sends.map(({ jobId }) => jobId);
  await sql`
    insert into bulk_call (draft_id, chunk, recipients, texts, row_numbers, payload_sha256)
    values (${sends[1]?.draftId ?? ''}, 0, ${[OTHER]}, ${[`Ring ${PERSIAN}`]}, ${[1]}, 'x')`;
  const held = { result: 'held', by: ['A1', 'A2'].map((name) => ({ chat: 'Shop', what: 'send', name })) };
  expect(await forgetNumber(sql, NUMBER, 'root')).toEqual(held);
  await sql`update attempt set state = 'asked' where job_id = any(${ids}::uuid[])`;
  await sql`update job set state = 'done', ended_at = now() where id = any(${ids}::uuid[])`;
  expect(await forgetNumber(sql, NUMBER, 'root')).toEqual(held);
  await sql`update attempt set state = 'sent' where job_id = any(${ids}::uuid[])`;
  expect(await forgetNumber(sql, NUMBER, 'root')).toMatchObject({ result: 'forgotten' });
  expect(await stillIn()).toEqual([]);
  // Nor a hash from which it could be found by trying, since all else that it is over stands there.
  expect(
    await sql`
      select distinct encode(a.payload_sha256, 'hex') as call, encode(a.text_sha256, 'hex') as text, a.message_keys as keys,
        encode(j.payload_sha256, 'hex') as whole
      from attempt a join job j on j.id = a.job_id where j.id = any(${ids}::uuid[])`,
  ).toEqual([{ call: '00', text: '', keys: [], whole: '' }]);
});

test('nothing that says it is left of a send that was stopped', async () => {
  const { sql, jobs } = storage;
  const place = await storage.addPlace();
  const text = await storage.addRunningJob(place, { text: `Ring ${PERSIAN}` });
  const file = await storage.addRunningJob(place, { text: '{text}' });
  await sql`
    insert into bulk_call (draft_id, chunk, recipients, texts, row_numbers, payload_sha256)
    values (${file.draftId}, 0, ${[OTHER]}, ${[`Ring ${PERSIAN}`]}, ${[1]}, 'x')`;
  for (const { jobId } of [text, file]) await jobs.stop(jobId, 'person', place.ownerId, storage.next());
  expect(await forgetNumber(sql, NUMBER, 'root')).toMatchObject({ result: 'forgotten' });
  for (const { jobId } of [text, file]) {
    const press = { jobId, personId: place.ownerId, updateId: storage.next(), timeZone: 'UTC' };
    expect(await jobs.resume(press)).toEqual({ result: 'nothing' });
  }
});

test('a number that nobody has is recorded all the same, and changes nothing', async () => {
  const before = await storage.sql`select count(*) from audit where action = 'number_forgotten'`;
  expect(await forgetNumber(storage.sql, '989999999999', 'root')).toEqual({ result: 'forgotten', rows: 0 });
  const after = await storage.sql`select count(*) from audit where action = 'number_forgotten'`;
  expect(Number(after[0]?.['count'])).toBe(Number(before[0]?.['count']) + 1);
});
