import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAlertReads } from '../alerts/alert-reads.ts';
import { createReconcileStore } from '../sending/reconcile-store.ts';
import { createReportStore } from '../reports/report-store.ts';
import { LINE, openTestStorage, type TestStorage } from '../testing.ts';
import { createUnsentStore } from '../sending/unsent-store.ts';

let storage: TestStorage;
let place: Awaited<ReturnType<TestStorage['addPlace']>>;

beforeAll(async () => {
  storage = await openTestStorage();
});
beforeEach(async () => {
  place = await storage.addPlace();
});
afterAll(() => storage.close());

const OTHER_LINE = '3000999999';
const numbers = ['989121111111', '989122222222', '989123333333'];

type Draft = Parameters<TestStorage['draftIn']>[1];

/** A send that is reported: the first message delivered, the second failed, nothing of the third. */
async function reported(more: Draft) {
  const { sql, jobs } = storage;
  const job = await storage.addRunningJob(place, { recipients: numbers, text: 'Hello Sara', ...more });
  const reserved = await jobs.reserve(job.jobId, 'process-1');
  if (!reserved.ok) throw new Error(reserved.reason);
  const [call] = reserved.attempts;
  await jobs.goOnWire(call.id, call.epoch);
  await jobs.record(call.id, call.epoch, {
    outcome: 'accepted',
    raw: '{"message":"ok"}',
    messageIds: ['71', '72', '73'],
  });
  await jobs.unsettled(job.jobId);
  for (const [n, kind] of (['delivered', 'failed'] as const).entries())
    await jobs.recordReports(job.jobId, [
      { id: String(71 + n), recipient: numbers[n] ?? '', state: { raw: 10 - n, text: kind, kind } },
    ]);
  await jobs.finish(job.jobId);
  await sql`update draft set tag = 'autumn', blocked = ${'[{"line":"1","recipient":"989124444444"}]'}::text::jsonb where id = ${job.draftId}`;
  await sql`update attempt set blocked = '{989124444444}', last_look = '{"at":1,"absent":["989124444444"]}' where job_id = ${job.jobId}`;
  return job;
}

/** All that is counted of the place's sends: cards, reports by card, tag and line, failures by minute, and the digest. */
async function countsOf(draftIds: readonly string[]) {
  const reports = createReportStore(storage.database);
  const span = { from: 0, to: Math.ceil(Date.now() / 1000) + 60 };
  const cards = await Promise.all(
    draftIds.map(async (draftId) => {
      const job = (await storage.drafts.card(draftId))?.job;
      if (job === undefined || job === null) throw new Error('no job');
      const { isEmptied: _, resend: __, refusals: ___, ...counted } = job;
      return { counted, reported: await reports.reported(job.id) };
    }),
  );
  const byCard = await Promise.all(
    cards.map(async (_, n) => {
      const card = await reports.card(place.chat.id, `A${n + 1}`);
      const { isEmptied: __, ...job } = card?.job ?? {};
      return { lines: card?.lines.toSorted(), tag: card?.tag, job };
    }),
  );
  const byTag = await Promise.all(
    [null, LINE, OTHER_LINE].map(async (line) => {
      const { cards: _, ...tagged } = await reports.tagged(place.chat.id, { tag: 'autumn', line }, span);
      return tagged;
    }),
  );
  const digest = await createAlertReads(storage.database).digest(place.chat.id, {
    from: new Date(0),
    to: new Date(span.to * 1000),
  });
  return { cards, byCard, byTag, digest };
}

const kept = async (jobId: string) =>
  (await storage.sql`select kept from job where id = ${jobId}`)[0]?.['kept'];
const age = async (jobId: string) =>
  await storage.sql`update job set ended_at = now() - interval '41 days' where id = ${jobId}`;

test('recipients, texts, ids and answers of an old send go, and all its counts stay', async () => {
  const { sql } = storage;
  const plain = await reported({});
  const rows = numbers.map((recipient, n) => ({
    line: n === 1 ? OTHER_LINE : LINE,
    recipient,
    text: `Hello Sara ${n}`,
    flash: false,
  }));
  const mixed = await reported({ outgoing: { kind: 'multi', rows }, text: '' });
  const young = await reported({});
  const ids = [plain, mixed, young].map(({ draftId }) => draftId);
  await age(plain.jobId);
  await age(mixed.jobId);
  const before = await countsOf(ids);
  expect(before.byTag[2]?.tallies.reduce((sum, { recipients }) => sum + recipients, 0)).toBe(1);

  expect(await storage.purge({ sends: 40 })).toEqual({ sends: 2, 'calls of sends': 2 });
  expect(await Promise.all([plain, mixed, young].map(({ jobId }) => kept(jobId)))).toEqual([
    'totals',
    'totals',
    'all',
  ]);
  expect(await countsOf(ids)).toEqual(before);
  expect(await storage.purge({ sends: 40 })).toEqual({});

  const traces = await sql<{ t: string; c: string }[]>`
    select table_name as t, column_name as c from information_schema.columns where table_schema = 'public'`;
  const found: string[] = [];
  for (const { t, c } of traces) {
    const told = await sql.unsafe(
      `select "${c}"::text as value from "${t}" where "${c}"::text ~ '98912(1111111|2222222|3333333|4444444)|Hello|7[123],7'`,
    );
    // Of the young one each stands once.
    if (told.length > 1) found.push(`${t}.${c}`);
  }
  expect(found).toEqual([]);
  const reports = createReportStore(storage.database);
  expect((await reports.card(place.chat.id, 'A1'))?.job?.isEmptied).toBe(true);
  expect(await reports.recipients(plain.draftId, 10)).toEqual([]);
  expect(await reports.operators([plain.draftId], null)).toEqual([]);
  expect(await reports.recipients(young.draftId, 10)).toHaveLength(3);
});

test('nothing of it is sent again, and one that is still open or in doubt stays whole', async () => {
  const { sql, jobs } = storage;
  const stopped = await storage.addRunningJob(place, { recipients: numbers });
  await jobs.stop(stopped.jobId, 'person', place.ownerId, storage.next());
  const doubtful = await reported({});
  await sql`update attempt set state = 'asked' where job_id = ${doubtful.jobId}`;
  const open = await storage.addRunningJob(place, { recipients: numbers });
  for (const { jobId } of [stopped, doubtful]) await age(jobId);

  expect(await storage.purge({ sends: 40 })).toEqual({ sends: 1, 'calls of sends': 1 });
  expect(await Promise.all([doubtful, open].map(({ jobId }) => kept(jobId)))).toEqual(['all', 'all']);
  const press = { jobId: stopped.jobId, personId: place.ownerId, updateId: storage.next(), timeZone: 'UTC' };
  expect(await jobs.resume(press)).toEqual({ result: 'nothing' });
  const rests = createUnsentStore(storage.database);
  for await (const rest of rests.unsent(stopped.jobId)) expect(rest).toEqual([]);
  const job = (await storage.drafts.card(stopped.draftId))?.job;
  expect(job).toMatchObject({
    isEmptied: true,
    state: 'stopped',
    counts: { planned: 3 },
    resend: { failures: 0 },
  });
});

test('one whose unknown messages wait to be sent again stays whole, for they may be in doubt again', async () => {
  const { sql } = storage;
  const first = await reported({});
  const again = await storage.addRunningJob(place, { recipients: numbers, text: 'again' });
  await sql`update attempt set state = 'closed' where job_id = ${first.jobId}`;
  await sql`
    update draft set details = details || jsonb_build_object('resends', (
      select jsonb_agg(id) from attempt where job_id = ${first.jobId})) where id = ${again.draftId}`;
  await sql`update job set state = 'missed' where id = ${again.jobId}`;
  await age(first.jobId);
  await storage.purge({ sends: 40 });
  expect(await kept(first.jobId)).toBe('all');
  await sql`update job set state = 'undone', ended_at = now() where id = ${again.jobId}`;
  await storage.purge({ sends: 40 });
  expect(await kept(first.jobId)).not.toBe('all');
});

test('what it counts against its day stays, whoever looks at its card', async () => {
  const { sql, jobs } = storage;
  const recipients = Array.from({ length: 201 }, (_, n) => `98912${String(n).padStart(7, '0')}`);
  const { jobId, draftId } = await storage.addRunningJob(place, {
    recipients,
    text: 'three parts '.repeat(30),
  });
  const reserved = await jobs.reserve(jobId, 'process-1', 2);
  if (!reserved.ok) throw new Error(reserved.reason);
  for (const { id, epoch, recipients: own } of reserved.attempts) {
    await jobs.goOnWire(id, epoch);
    const messageIds = own.map((number) => number.slice(5));
    await jobs.record(
      id,
      epoch,
      own.length > 1
        ? { outcome: 'accepted', raw: '', messageIds }
        : { outcome: 'rejected', code: 22, name: 'insufficient_credit', raw: '' },
    );
  }
  await jobs.finish(jobId);
  await age(jobId);
  await storage.purge({ sends: 40 });
  // As its card does.
  if ((await storage.drafts.card(draftId))?.job?.toSettle === true) await jobs.settle(draftId);
  expect(await sql`select parts, kept from job where id = ${jobId}`).toEqual([
    { parts: 600, kept: 'totals' },
  ]);
  await jobs.settle(draftId);
  expect(await sql`select parts from job where id = ${jobId}`).toEqual([{ parts: 600 }]);
});

test('hashes of messages go 30 days after their call was accepted, and no earlier; what is in doubt keeps them', async () => {
  const { sql } = storage;
  const keysOf = async (jobId: string) =>
    (
      await sql<
        { keys: number }[]
      >`select cardinality(message_keys) as keys from attempt where job_id = ${jobId}`
    )[0]?.keys;
  const [young, old, doubtful] = [await reported({}), await reported({}), await reported({})];
  const age = async (jobId: string, days: number) =>
    await sql`update attempt set ended_at = now() - ${days} * interval '1 day' where job_id = ${jobId}`;
  await age(young.jobId, 29);
  await age(old.jobId, 31);
  await age(doubtful.jobId, 31);
  await sql`update attempt set state = 'unknown' where job_id = ${doubtful.jobId}`;
  expect(await storage.purge({})).toEqual({ 'hashes of messages': 1 });
  expect([await keysOf(young.jobId), await keysOf(old.jobId), await keysOf(doubtful.jobId)]).toEqual([
    3, 0, 3,
  ]);
  expect(await storage.purge({})).toEqual({});
});

test('hashes of what went out beside a call in doubt stay with it: a person may have it looked for after any time', async () => {
  const { sql, jobs } = storage;
  const text = 'twice within a minute';
  const send = async (result: Parameters<typeof jobs.record>[2]) => {
    const { jobId } = await storage.addRunningJob(place, { recipients: numbers, text });
    const reserved = await jobs.reserve(jobId, 'process-1');
    if (!reserved.ok) throw new Error(reserved.reason);
    const [{ id, epoch }] = reserved.attempts;
    await jobs.goOnWire(id, epoch);
    await jobs.record(id, epoch, result);
    return id;
  };
  const known = await send({ outcome: 'accepted', raw: '', messageIds: ['71', '71', '71'] });
  const doubtful = await send({ outcome: 'unknown', reason: 'timeout', raw: '' });
  await sql`
    update attempt set on_wire_at = on_wire_at - interval '40 days', ended_at = ended_at - interval '40 days'
    where id in (${known}, ${doubtful})`;
  const ago = Date.now() / 1000 - 40 * 86_400;
  const beside = async () =>
    await createReconcileStore(storage.database).unnamed(doubtful, { from: ago - 600, to: ago + 600 });
  const before = await beside();
  expect(before).toHaveLength(3);
  expect(await storage.purge({})).toEqual({});
  expect(await beside()).toEqual(before);
  await sql`update attempt set state = 'not_sent' where id = ${doubtful}`;
  expect(await storage.purge({})).toEqual({ 'hashes of messages': 1 });
});
