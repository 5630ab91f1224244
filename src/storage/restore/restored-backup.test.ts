import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NewDraft } from '../../ports/stores.ts';
import { createAutoResponseStore } from '../inbox/auto-response-store.ts';
import { createReconcileStore } from '../sending/reconcile-store.ts';
import { createDateSendStore } from '../sending/date-send-store.ts';
import { createLossStore } from './loss-store.ts';
import { releaseSends } from '../sending/operator-halt.ts';
import { markRestored } from './restored-backup.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';
import { openDatabase } from '../database/database.ts';
import { LIVENESS_SESSION, openLockSession } from '../database/lock-session.ts';
import { receiveIn } from '../testing/received.ts';

/* A backup was brought back. The tests share the deployment's row, and so take turns. */

const ZONE = 'Asia/Tehran';
const HOUR = 3_600_000;

let storage: TestStorage;
let place: Awaited<ReturnType<TestStorage['addPlace']>>;

beforeAll(async () => {
  storage = await openTestStorage();
});
beforeEach(async () => {
  await storage.sql`update job set state = 'undone', ended_at = now()`;
  await storage.sql`update draft set state = 'cancelled' where state in ('open', 'asked')`;
  await storage.sql`update attempt set state = 'closed'`;
  await storage.sql`update deployment set held_at = null, restored_from = null, restored_at = null`;
  place = await storage.addPlace();
  await storage.emptyQueue();
});
afterAll(() => storage.close());

const restored = async (since: Date | null = null) =>
  await markRestored(createLossStore(storage.sql, ZONE), since);

const jobOf = async (jobId: string) => {
  const [row] = await storage.sql<{ state: string; stop_reason: string | null; calls: string[] }[]>`
    select j.state, j.stop_reason, array(select a.state from attempt a where a.job_id = j.id order by a.chunk) as calls
    from job j where j.id = ${jobId}`;
  return row;
};

/** A job of several calls. */
const running = async (more: Partial<NewDraft> = {}) => {
  const recipients = Array.from({ length: 450 }, (_, n) => `98912${String(n).padStart(7, '0')}`);
  return await storage.addRunningJob(place, { recipients, ...more });
};

async function scheduled(inHours: number, more: Partial<NewDraft> = {}) {
  const sendAt = new Date(Date.now() + Math.max(1, inHours) * HOUR);
  const { id: draftId } = await storage.drafts.create(storage.draftIn(place, { sendAt, ...more }));
  const by = { draftId, version: 1, personId: place.ownerId, updateId: storage.next() };
  const done = await storage.drafts.confirm({ ...by, undoSeconds: 0, timeZone: ZONE });
  if (done.result !== 'confirmed') throw new Error(done.result);
  await storage.sql`
    update job set hold_until = now() + ${inHours} * interval '1 hour' where id = ${done.jobId}`;
  return { draftId, jobId: done.jobId };
}

test('every call without an outcome may have left since the backup, and is looked for in that time', async () => {
  const { jobId } = await running();
  const reserved = await storage.jobs.reserve(jobId, 'dead');
  if (!reserved.ok) throw new Error(reserved.reason);
  const [first] = reserved.attempts;
  await storage.jobs.goOnWire(first.id, first.epoch);
  const ids = first.recipients.map((_, n) => String(n + 1));
  await storage.jobs.record(first.id, first.epoch, { outcome: 'accepted', messageIds: ids, raw: '' });
  await storage.jobs.reserve(jobId, 'dead', 1, 1);

  const { from, to, calls } = await restored();
  expect(calls).toBe(2);
  expect(from.getTime()).toBeLessThan(to.getTime());
  expect(await jobOf(jobId)).toEqual({
    state: 'done',
    stop_reason: 'restored',
    calls: ['accepted', 'unknown', 'unknown'],
  });
  const rows = await storage.sql<{ id: string; from_ms: number; to_ms: number }[]>`
    select id, (extract(epoch from on_wire_at) * 1000)::float8 as from_ms, (extract(epoch from ended_at) * 1000)::float8 as to_ms
    from attempt where job_id = ${jobId} and state = 'unknown'`;
  for (const row of rows) {
    expect(row.from_ms).toBeCloseTo(from.getTime(), -1);
    expect(row.to_ms).toBeGreaterThanOrEqual(to.getTime());
    expect((await storage.queued()).has(`reconcile:${row.id}`)).toBe(true);
    const doubt = await createReconcileStore(storage.database).doubt(row.id);
    expect(doubt?.messages?.size).toBe(doubt?.recipients.length);
  }
  expect((await storage.audit(place.chat.id)).at(-1)).toMatchObject({
    action: 'backup_restored',
    details: { doubtful: 2, asked: 0 },
  });
  // What was held back by nothing but the switch would now go on: there is nothing of it left that could leave.
  expect(await releaseSends(createLossStore(storage.sql, ZONE))).toEqual({ resumed: 0, kept: 0 });
  expect(await storage.jobs.reserve(jobId, 'me')).toEqual({ ok: false, reason: 'not_running' });
});

test.each(['holding', 'paused', 'missed', 'stopped'] as const)(
  'what was %s in the backup leaves by no button and no clock',
  async (state) => {
    const { jobId } = await running();
    await storage.sql`
      update job set state = ${state}, ended_at = ${state === 'stopped' ? storage.sql`now()` : null},
        stop_reason = ${state === 'missed' ? 'late' : state === 'holding' ? null : 'person'} where id = ${jobId}`;
    expect((await restored()).calls).toBe(3);
    expect(await jobOf(jobId)).toMatchObject({
      state: state === 'stopped' ? 'stopped' : 'done',
      calls: ['unknown', 'unknown', 'unknown'],
    });
    await releaseSends(createLossStore(storage.sql, ZONE));
    await storage.jobs.start(jobId);
    const by = { jobId, personId: place.ownerId, updateId: storage.next(), timeZone: ZONE };
    expect((await storage.jobs.resume(by)).result).not.toBe('resumed');
  },
);

test('the rest of what was stopped counts against the caps again: it may have left', async () => {
  const { jobId } = await running();
  await storage.jobs.stop(jobId, 'person', place.ownerId, storage.next());
  const parts = async () => (await storage.sql`select parts from job where id = ${jobId}`)[0]?.['parts'];
  const before = await parts();
  await restored();
  expect([before, await parts()]).toEqual([0, 450]);
});

test('an order to send by dates that was on in the backup asks about each send until somebody resumes it', async () => {
  const dateSends = createDateSendStore(storage.database, ZONE);
  const by = () => ({ chatId: place.chat.id, personId: place.ownerId, updateId: storage.next() });
  const rule = { tag: 'club', field: 'birthday', yearly: true, daysBefore: 0, minute: 600 };
  const text = { text: 'Dear {name}', line: '3000123456', lang: 'en', threadId: undefined } as const;
  const order = await dateSends.propose({ ...by(), ...rule, ...text, botId: 700 });
  const orderId = order?.id ?? '';
  await dateSends.move('switch_on', { ...by(), id: orderId });
  await restored();
  await releaseSends(createLossStore(storage.sql, ZONE));
  const leave = async (recipient: string) =>
    await dateSends.leave({
      orderId,
      day: '2026-11-26',
      due: new Date(Date.now() + HOUR),
      occasion: 1405,
      bindingId: place.bindingId,
      by: text,
      rows: [{ line: '3000123456', recipient, text: 'Dear Sara', flash: false }],
      leftOut: [],
      inAddress: false,
    });
  expect([await leave('989120000001'), await leave('989120000002')]).toEqual(['made', 'made']);
  await dateSends.move('pause', { ...by(), id: orderId });
  await dateSends.move('resume', { ...by(), id: orderId });
  await leave('989120000003');
  const jobs = await storage.sql`
    select state, stop_reason from job where chat_id = ${place.chat.id} order by confirmed_at`;
  expect(jobs.map((job) => [job['state'], job['stop_reason']])).toEqual([
    ['missed', 'restored'],
    ['missed', 'restored'],
    ['scheduled', null],
  ]);
});

test('a call that was on the wire, unknown or asked about is looked for in the whole time since', async () => {
  for (const state of ['on_wire', 'unknown', 'asked']) {
    const { jobId } = await storage.addRunningJob(place, { text: state });
    await storage.sql`
      update attempt set state = ${state}, on_wire_at = now() - interval '1 day', checks = 9, last_look = '{"at": 1, "absent": []}',
        ended_at = now() - interval '23 hours' where job_id = ${jobId}`;
    await restored();
    await storage.sql`update deployment set held_at = null`;
    const [row] = await storage.sql<{ state: string; checks: number; hours: number; fresh: boolean }[]>`
      select state, checks, extract(epoch from ended_at - on_wire_at)::float8 / 3600 as hours,
        ended_at > now() - interval '1 minute' and last_look is null as fresh from attempt where job_id = ${jobId}`;
    expect(row).toMatchObject({ state: 'unknown', checks: 0, fresh: true });
    expect(row?.hours).toBeGreaterThan(23.9);
  }
});

test('reports that are still to come are asked for again: whoever asked for them may have forgotten to', async () => {
  const { jobId } = await storage.addRunningJob(place, { text: 'reported' });
  const taken = await storage.jobs.reserve(jobId, 'living');
  if (!taken.ok) throw new Error(taken.reason);
  const [{ id, epoch, recipients }] = taken.attempts;
  await storage.jobs.goOnWire(id, epoch);
  const messageIds = recipients.map((_, n) => String(n + 1));
  await storage.jobs.record(id, epoch, { outcome: 'accepted', messageIds, raw: '' });
  await storage.jobs.finish(jobId);
  const isAsked = async () => (await storage.queued()).has(`track:${jobId}`);
  for (const isFiled of [false, true]) {
    await storage.emptyQueue();
    await restored();
    expect([isFiled, await isAsked()]).toEqual([isFiled, true]);
    expect(await storage.jobs.unsettled(jobId)).not.toBeNull();
  }
  await storage.jobs.endPolling(jobId);
  await storage.emptyQueue();
  await restored();
  expect(await isAsked()).toBe(false);
});

test('a call that was refused for its account may have left since, by a press that let its job go on', async () => {
  const { jobId } = await storage.addRunningJob(place, { text: 'credit' });
  await storage.sql`
    update attempt set state = 'rejected', gateway_code = 22, ended_at = now() where job_id = ${jobId}`;
  // That the job stops is written down right after it, and is not in the copy.
  expect((await restored()).calls).toBe(1);
  expect((await jobOf(jobId))?.calls).toEqual(['unknown']);
});

test('a scheduled send that was due is looked for, one that is ahead is asked about, and a series goes on by a word alone', async () => {
  const due = await scheduled(-1);
  const ahead = await scheduled(5, { text: 'ahead' });
  const series = await scheduled(-2, {
    text: 'every week',
    recur: { every: 'week', weekday: 3, minute: 600 },
  });
  expect(await restored()).toMatchObject({ calls: 2, asked: 2 });
  expect(await jobOf(due.jobId)).toMatchObject({ state: 'done', calls: ['unknown'] });
  expect(await jobOf(series.jobId)).toMatchObject({ state: 'done', calls: ['unknown'] });
  expect(await jobOf(ahead.jobId)).toEqual({ state: 'missed', stop_reason: 'restored', calls: ['planned'] });
  const follows = await storage.sql<{ state: string; stop_reason: string | null }[]>`
    select j.state, j.stop_reason from job j join draft d on d.id = j.draft_id
    where d.chat_id = ${place.chat.id} and d.recur is not null and j.hold_until > now()`;
  expect(follows).toEqual([{ state: 'missed', stop_reason: 'restored' }]);
  const queued = await storage.queued();
  expect(queued.has(`missed:${ahead.jobId}`)).toBe(true);
  expect(queued.has(`send:${ahead.jobId}`)).toBe(false);
});

test('the calls of a file are looked for by the messages that they would have had', async () => {
  const { draftId, jobId } = await storage.addRunningJob(place, { text: 'Hello {name}' });
  await storage.sql`update attempt set state = 'planned', message_keys = '{}', messages = null where job_id = ${jobId}`;
  await storage.sql`
    insert into bulk_call (draft_id, chunk, recipients, texts, row_numbers, payload_sha256)
    select ${draftId}, chunk, recipients, array['Hello Sara', 'Hello Reza'], array[1, 2], payload_sha256
    from attempt where job_id = ${jobId}`;
  await restored();
  const [row] = await storage.sql<{ message_keys: string[]; messages: { text: string }[] }[]>`
    select message_keys, messages from attempt where job_id = ${jobId}`;
  expect(row?.message_keys).toHaveLength(2);
  expect(row?.messages.map(({ text }) => text)).toEqual(['Hello Sara', 'Hello Reza']);
});

test('nobody can confirm a draft of the backup, and its card does not say that it was not sent', async () => {
  const { id: draftId } = await storage.drafts.create(storage.draftIn(place));
  expect(await restored()).toMatchObject({ drafts: 1 });
  await releaseSends(createLossStore(storage.sql, ZONE));
  const by = { draftId, version: 1, personId: place.ownerId, updateId: storage.next() };
  expect(await storage.drafts.confirm({ ...by, undoSeconds: 0, timeZone: ZONE })).toEqual({
    result: 'expired',
  });
  expect((await storage.drafts.card(draftId))?.draft).toMatchObject({ expired: true, restored: true });
  const keys = [...(await storage.queued()).keys()];
  expect(keys.filter((key) => /^(card|expiry):/u.test(key))).toEqual([]);
});

test('what was rejected or had lapsed in the backup may have been taken up since, and is not taken up again', async () => {
  const { sql, drafts } = storage;
  const made = async () => (await drafts.create(storage.draftIn(place))).id;
  const [lapsed, rejected, cancelled] = [await made(), await made(), await made()];
  await sql`update draft set expires_at = now() - interval '1 hour' where id = ${lapsed}`;
  await sql`
    with over as (
      update draft set state = 'cancelled' where id in (${rejected}, ${cancelled}) returning id, chat_id, code)
    insert into audit (chat_id, person_id, action, details)
    select chat_id, ${place.ownerId}, 'send_rejected_by_approver', jsonb_build_object('code', code) from over where id = ${rejected}`;
  await restored();
  for (const id of [lapsed, rejected]) {
    expect((await drafts.card(id))?.draft.restored).toBe(true);
    expect(await drafts.takeUp(id, place.ownerId)).toBeNull();
  }
  expect((await drafts.card(cancelled))?.draft.restored).toBeUndefined();
});

test('answers to old questions, links, and updates that were being handled do nothing any more', async () => {
  const { sql } = storage;
  await sql`insert into form (key, update_id, state) values ('here', 1, '\\x00')`;
  await sql`
    insert into deep_link (token_hash, purpose, chat_id, expires_at)
    values ('\\x01', 'join', ${place.chat.id}, now() + interval '1 day')`;
  await sql`insert into "update" (bot_id, update_id, payload) values (7, 99, '\\x02')`;
  const [before] = await sql<{ last: number }[]>`
    select last_card as last from chat where id = ${place.chat.id}`;
  await restored();
  await restored();
  expect(await sql`select 1 from form`).toEqual([]);
  expect(await sql`select 1 from deep_link where expires_at > now()`).toEqual([]);
  expect(await sql`select 1 from "update" where done_at is null or payload is not null`).toEqual([]);
  const [after] = await sql`select last_card from chat where id = ${place.chat.id}`;
  expect(after).toEqual({ last_card: (before?.last ?? 0) + 100 });
});

test('no rule answers what came before, whatever the gateway’s clock; what comes later is answered', async () => {
  const autoResponses = createAutoResponseStore(storage.database, ZONE);
  await storage.sql`
    insert into inbox_rule (chat_id, way, words, answer, created_by)
    values (${place.chat.id}, 'contains', 'hours', 'Nine to five.', ${place.ownerId})`;
  const { message } = receiveIn(storage, place);
  const { id } = await message('989120000001', 'opening hours');
  expect((await autoResponses.of(id))?.answer).not.toBeNull();
  await restored();
  expect((await autoResponses.of(id))?.answer).toBeNull();
  await releaseSends(createLossStore(storage.sql, ZONE));
  await storage.sql`update inbound set sent_at = now() + interval '3.5 hours' where id = ${id}`;
  expect((await autoResponses.of(id))?.answer).toBeNull();
  await storage.sql`update inbound set sent_at = now() + interval '5 hours' where id = ${id}`;
  expect((await autoResponses.of(id))?.answer).not.toBeNull();
});

test('said again it goes on where it ended, and takes no later time for the backup', async () => {
  const { jobId } = await running();
  const first = await restored();
  // As if the first run had been killed before it came to this one.
  await storage.sql`update job set state = 'running', ended_at = null, stop_reason = null where id = ${jobId}`;
  await storage.sql`update attempt set state = 'planned', on_wire_at = null, ended_at = null where job_id = ${jobId}`;
  const second = await restored(new Date());
  expect(second.from).toEqual(first.from);
  expect(await jobOf(jobId)).toMatchObject({ state: 'done', calls: ['unknown', 'unknown', 'unknown'] });
  const earlier = new Date(first.from.getTime() - HOUR);
  expect((await restored(earlier)).from).toEqual(earlier);
});

test('is refused while a Peyk works on the database, and changes nothing', async () => {
  const { jobId } = await running();
  const session = openLockSession(storage.database.target, LIVENESS_SESSION, () => undefined);
  await session`select 1`;
  await expect(restored()).rejects.toMatchObject({
    code: 'config',
    message: expect.stringContaining('stop'),
  });
  await session.end();
  expect(await jobOf(jobId)).toMatchObject({ state: 'running' });
  const other = openDatabase({ target: storage.database.target, max: 1 });
  expect(await other.sql`select 1 from deployment where held_at is not null`).toEqual([]);
  await other.close();
});
