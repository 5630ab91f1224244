import type { Fragment } from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { localTimeOf, weekdayOf } from '../../domain/calendar.ts';
import { minuteOfDay, type Limits } from '../../domain/limits.ts';
import { nextOccurrence, recurrenceAt } from '../../domain/recurrence.ts';
import type { Role } from '../../domain/roles.ts';
import type { NewDraft } from '../../ports/stores.ts';
import { createJobStore } from './job-store.ts';
import { startDueIn } from './schedule-start.ts';
import { missIn } from './series.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';
import { receiveIn } from '../testing/received.ts';

/* Sends that wait for their time: what the clock and people do to them, and what follows in a series. */

let storage: TestStorage;
let place: Awaited<ReturnType<TestStorage['addPlace']>>;
let author: number;
let ann: number;
/** Neither what somebody may do there nor its clocks say anything here. */
let elsewhere: string;
/** Sends of another chat as they stand, which nothing here is about. */
let others: () => Promise<unknown>;
let asTheyWere: unknown;

beforeAll(async () => {
  storage = await openTestStorage();
  elsewhere = (await storage.addChat()).id;
  await storage.sql`update chat set time_zone = 'America/Adak' where id = ${elsewhere}`;
  const other = await storage.addPlace();
  await storage.drafts.create(storage.draftIn(other));
  const [held, over] = [await storage.addRunningJob(other), await storage.addRunningJob(other)];
  await storage.sql`update job set state = 'holding', hold_until = now() + interval '10 days' where id = ${held.jobId}`;
  await storage.sql`update job set state = 'done', ended_at = now() where id = ${over.jobId}`;
  await storage.sql`update attempt set state = 'closed' where job_id = ${over.jobId}`;
  others = async () =>
    await storage.sql`
      select d.state, d.version, d.send_at, d.expires_at, j.state as job, j.stop_reason, j.leaves_at, a.state as call
      from draft d left join job j on j.draft_id = d.id left join attempt a on a.job_id = j.id
      where d.chat_id = ${other.chat.id} order by d.created_at, d.id`;
  asTheyWere = await others();
});
beforeEach(async () => {
  place = await storage.addPlace();
  author = await storage.addPerson(place.chat.id, 'operator', 'Omid');
  ann = await storage.addPerson(place.chat.id, 'approver', 'Ann');
  for (const person of [author, ann])
    await storage.sql`
      insert into member (chat_id, person_id, role, granted_by) values (${elsewhere}, ${person}, 'owner', ${person})`;
  await storage.emptyQueue();
});
afterAll(() => storage.close());

const ZONE = 'Asia/Tehran';
const HOUR = 3_600_000;
/** Three days from now: no other send of a test leaves on that day. */
const WEEKLY = {
  every: 'week',
  weekday: (weekdayOf(localTimeOf(new Date(), ZONE)) + 3) % 7,
  minute: 600,
} as const;
const leaving = { undoSeconds: 10, timeZone: ZONE };

async function limit(to: Partial<Limits>): Promise<void> {
  const { approvalParts = null, cap = null, window = null } = to;
  await storage.sql`
    insert into chat_limits (chat_id, approval_parts, cap_parts, window_from, window_to, updated_by)
    values (${place.chat.id}, ${approvalParts}, ${cap?.parts ?? null}, ${window?.from ?? null}, ${window?.to ?? null}, ${author})
    on conflict (chat_id) do update set approval_parts = excluded.approval_parts, cap_parts = excluded.cap_parts,
      window_from = excluded.window_from, window_to = excluded.window_to`;
}

async function halt(on: boolean): Promise<void> {
  await limit({});
  await storage.sql`
    update chat_limits set halted_at = ${on ? storage.sql`now()` : null}, halted_by = ${on ? author : null}
    where chat_id = ${place.chat.id}`;
}

/** A job that is to leave in so many hours, or did so long ago. */
async function scheduled(hours: number, more: Partial<NewDraft> = {}) {
  const at = new Date(Date.now() + Math.max(hours, 1) * HOUR);
  const draft = storage.draftIn(place, { authorId: author, sendAt: at, ...more });
  const { id: draftId } = await storage.drafts.create(draft);
  const press = { draftId, version: 1, personId: author, updateId: storage.next() };
  const done = await storage.drafts.confirm({ ...press, ...leaving });
  if (done.result !== 'confirmed') throw new Error(done.result);
  if (hours < 1) await moveTo(done.jobId, hours);
  return { draftId, jobId: done.jobId };
}

/** As if the time of a job were so many hours from now. */
async function moveTo(jobId: string, hours: number): Promise<void> {
  await storage.sql`
    update job set hold_until = now() + ${hours} * interval '1 hour', leaves_at = now() + ${hours} * interval '1 hour'
    where id = ${jobId}`;
}

const DUE = -1 / 3600;

/** A job of a series comes due, as if it stood for this time of its rule. */
async function comes(jobId: string, slot: Date): Promise<void> {
  await moveTo(jobId, DUE);
  await storage.sql`
    update draft set details = jsonb_set(details, '{slot,at}', to_jsonb(${slot.toISOString()}::text), false)
    where id = (select draft_id from job where id = ${jobId})`;
}

const press = (jobId: string, personId = author) => ({
  jobId,
  chatId: place.chat.id,
  personId,
  updateId: storage.next(),
});

interface JobRow {
  id: string;
  draft_id: string;
  code: string;
  state: string;
  reason: string | null;
  confirmed_by: number;
  approved_by: number | null;
  at: Date;
}

/** Every job of the place, in the order of their cards. */
async function jobs(): Promise<JobRow[]> {
  const rows = await storage.sql<(JobRow & { at: Date })[]>`
    select j.id, j.draft_id, d.code, j.state, j.stop_reason as reason, j.confirmed_by::int, j.approved_by::int,
      j.hold_until as at
    from job j join draft d on d.id = j.draft_id where j.chat_id = ${place.chat.id} order by substring(d.code from 2)::int`;
  return rows;
}

const states = async () => (await jobs()).map(({ code, state, reason }) => [code, state, reason]);
const actions = async () =>
  (await storage.audit(place.chat.id))
    .map(({ action }) => action)
    .filter((action) => /^(send|schedule)_/.test(action));

/** A minute before the next of a series leaves. */
function beforeNext(): Date {
  return new Date(nextOccurrence(WEEKLY, new Date(), ZONE).getTime() - 60_000);
}

async function roleNow(personId: number, role: Role | null): Promise<void> {
  await storage.sql`delete from member where chat_id = ${place.chat.id} and person_id = ${personId}`;
  if (role !== null)
    await storage.sql`insert into member (chat_id, person_id, role, granted_by)
      values (${place.chat.id}, ${personId}, ${role}, ${personId})`;
}

describe('a job whose time has come', () => {
  test('begins, and only then', async () => {
    const { jobId } = await scheduled(2);
    const queued = (await storage.queued()).get(`send:${jobId}`);
    expect(Math.round((queued?.in_ms ?? 0) / HOUR)).toBe(2);
    const waits = await storage.jobs.start(jobId);
    const [{ account } = { account: '' }] = await storage.sql<{ account: string }[]>`
      select gateway_user as account from binding where id = ${place.bindingId}`;
    expect(waits).toMatchObject({ state: 'scheduled', bindingId: place.bindingId, account });
    expect(waits?.waitMs).toBeGreaterThan(1.5 * HOUR);
    expect(waits?.waitMs).toBeLessThanOrEqual(2 * HOUR);
    const [job] = await storage.sql<Parameters<typeof startDueIn>[1][]>`
      select id, draft_id, chat_id from job where id = ${jobId}`;
    const start = async () =>
      await storage.sql.begin(async (tx) => job !== undefined && (await startDueIn(tx, job, ZONE)));
    expect(await start()).toBe(false);
    await moveTo(jobId, DUE);
    expect(await storage.jobs.start(jobId)).toMatchObject({ state: 'running', waitMs: 0 });
    const [times] = await storage.sql`
      select started_at > hold_until as started, leaves_at > hold_until as leaves from job where id = ${jobId}`;
    expect(times).toEqual({ started: true, leaves: true });
    // It is not looked at again, and once somebody has paused it, it is not set aside either.
    await limit({ cap: { unit: 'parts', parts: 1 } });
    expect(await start()).toBe(false);
    expect(await states()).toEqual([['A1', 'running', null]]);
    await storage.jobs.pause({ ...press(jobId), jobId });
    await storage.sql.begin(async (tx) => await missIn(tx, jobId, 'book'));
    expect(await states()).toEqual([['A1', 'paused', 'person']]);
    expect(await others()).toEqual(asTheyWere);
  });

  test('begins in the name of whoever has lost their role since only where they confirmed it themselves', async () => {
    const own = await scheduled(2);
    const byDate = await scheduled(2, { byDate: { tag: 'club', field: 'birthday' } });
    await roleNow(author, 'viewer');
    for (const { jobId } of [own, byDate]) {
      await moveTo(jobId, DUE);
      await storage.jobs.start(jobId);
    }
    expect(await states()).toEqual([
      ['A1', 'running', null],
      ['A2', 'missed', 'role'],
    ]);
  });

  test('is kept back when it comes more than half an hour late, and asks once', async () => {
    const [soon, late] = [await scheduled(-0.49), await scheduled(-0.51)];
    expect(await storage.jobs.start(soon.jobId)).toMatchObject({ state: 'running' });
    expect(await storage.jobs.start(late.jobId)).toMatchObject({ state: 'missed' });
    await storage.jobs.start(late.jobId);
    expect(await states()).toEqual([
      ['A1', 'running', null],
      ['A2', 'missed', 'late'],
    ]);
    const queue = await storage.queued();
    expect(queue.has(`missed:${late.jobId}`)).toBe(true);
    expect(queue.has(`send:${late.jobId}`)).toBe(false);
    const told = (await storage.audit(place.chat.id)).filter(({ action }) => action === 'send_missed');
    expect(told).toMatchObject([{ details: { code: 'A2', jobId: late.jobId, reason: 'late' } }]);
    expect((await storage.drafts.card(late.draftId))?.job).toMatchObject({
      state: 'missed',
      missReason: 'late',
      stopReason: null,
    });
  });

  test('is kept back where a limit of then does not let it leave', async () => {
    const now = minuteOfDay(new Date(), ZONE);
    const window = { from: (now + 60) % 1440, to: (now + 120) % 1440 };
    const first = await scheduled(DUE);
    await limit({ window });
    await storage.jobs.start(first.jobId);
    await limit({});
    const second = await scheduled(DUE);
    await limit({ cap: { unit: 'parts', parts: 1 } });
    await storage.jobs.start(second.jobId);
    // Its own reservation is none of what stands against it.
    await limit({ cap: { unit: 'parts', parts: 2 } });
    const third = await scheduled(DUE);
    const open = { from: (now + 1410) % 1440, to: (now + 30) % 1440 };
    await limit({ cap: { unit: 'parts', parts: 2 }, window: open });
    await storage.jobs.start(third.jobId);
    expect(await states()).toEqual([
      ['A1', 'missed', 'window'],
      ['A2', 'missed', 'cap'],
      ['A3', 'running', null],
    ]);
  });

  test('waits while all sends of the chat are off, until it is late', async () => {
    const { jobId } = await scheduled(DUE);
    await halt(true);
    expect(await storage.jobs.start(jobId)).toMatchObject({ state: 'scheduled' });
    await halt(false);
    expect(await storage.jobs.start(jobId)).toMatchObject({ state: 'running' });
    const late = await scheduled(-0.51);
    await halt(true);
    await storage.jobs.start(late.jobId);
    expect(await states()).toEqual([
      ['A1', 'running', null],
      ['A2', 'missed', 'halted'],
    ]);
    expect(await others()).toEqual(asTheyWere);
  });

  test('is kept back when its account is gone, and a change of it is a draft of the new one', async () => {
    const { jobId } = await scheduled(DUE);
    const other = await storage.link(place.chat.id, place.ownerId);
    await storage.jobs.start(jobId);
    expect(await states()).toEqual([['A1', 'missed', 'not_connected']]);
    const draftId = await changed(jobId, { when: null });
    expect((await storage.drafts.card(draftId))?.draft).toMatchObject({ bindingId: other, sendAt: null });
    const done = await storage.schedule.sendNow({ ...press(jobId), ...leaving });
    expect(done.pressed.result).toBe('confirmed');
    const [again] = await storage.sql`select binding_id from job where draft_id = ${done.draftId}`;
    expect(again).toEqual({ binding_id: other });
    expect(await others()).toEqual(asTheyWere);
  });

  /** What other tests have left running is nobody's here. */
  const othersEnd = async () => {
    await storage.sql`update job set state = 'stopped' where state in ('running', 'scheduled')`;
    await storage.sql`update job set poll_after_seconds = -1`;
    await storage.sql`update attempt set state = 'closed' where state = 'unknown'`;
  };

  test('runs, or has a call of unknown outcome, and is taken up when nothing in the queue would do it', async () => {
    await othersEnd();
    const running = await storage.addRunningJob(place);
    await storage.sql`update job set hold_until = now() - interval '1 minute' where id = ${running.jobId}`;
    await storage.emptyQueue();
    expect(await storage.schedule.wake()).toBe(1);
    expect([...(await storage.queued()).keys()]).toEqual([`send:${running.jobId}`]);
    expect(await storage.schedule.wake()).toBe(0);
    const reserved = await storage.jobs.reserve(running.jobId, 'process-1');
    if (!reserved.ok) throw new Error(reserved.reason);
    const { id, epoch } = reserved.attempts[0];
    await storage.jobs.goOnWire(id, epoch);
    await storage.jobs.record(id, epoch, { outcome: 'unknown', reason: 'timeout', raw: '' });
    await storage.sql`delete from graphile_worker._private_jobs where key like 'reconcile:%'`;
    expect(await storage.schedule.wake()).toBe(0);
    await storage.sql`update attempt set ended_at = now() - interval '1 minute' where id = ${id}`;
    expect(await storage.schedule.wake()).toBe(1);
    expect(await storage.schedule.wake()).toBe(0);
  });

  test('has ended, and is asked after when nothing in the queue would do it, as long as reports are to come', async () => {
    await othersEnd();
    const ended = async (more: { call?: Fragment; job?: Fragment } = {}) => {
      const { jobId } = await storage.addRunningJob(place);
      await storage.sql`
        update attempt set state = 'accepted', message_ids = ${more.call ?? storage.sql`array['1', '2']`} where job_id = ${jobId}`;
      await storage.sql`
        update job set state = 'done', ended_at = now() - interval '1 minute', poll_after_seconds = 0 where id = ${jobId}`;
      if (more.job !== undefined) await storage.sql`update job set ${more.job} where id = ${jobId}`;
      return jobId;
    };
    const [first, open, settled] = [await ended(), await ended(), await ended()];
    for (const jobId of [open, settled]) await storage.jobs.unsettled(jobId);
    await storage.sql`update call_report set open = 0 where job_id = ${settled}`;
    await ended({ call: storage.sql`null` });
    await ended({ job: storage.sql`ended_at = now()` });
    await ended({ job: storage.sql`poll_after_seconds = -1` });
    await storage.emptyQueue();
    expect(await storage.schedule.wake()).toBe(2);
    const queued = await storage.queued();
    expect(new Set(queued.keys())).toEqual(new Set([`track:${first}`, `track:${open}`]));
    expect(await storage.schedule.wake()).toBe(0);
  });

  test('is woken when nothing in the queue would wake it, and only then', async () => {
    await othersEnd();
    const [lost, kept, future] = [await scheduled(-0.1), await scheduled(-0.1), await scheduled(2)];
    for (const { jobId } of [lost, future])
      await storage.sql`select graphile_worker.remove_job(${`send:${jobId}`}::text)`;
    expect(await storage.schedule.wake()).toBe(1);
    expect(await storage.schedule.wake()).toBe(0);
    const queue = await storage.queued();
    expect([lost, kept, future].map(({ jobId }) => queue.has(`send:${jobId}`))).toEqual([true, true, false]);
    // One that has failed for good wakes nobody.
    await storage.sql`update graphile_worker._private_jobs set attempts = max_attempts where key = ${`send:${kept.jobId}`}`;
    expect(await storage.schedule.wake()).toBe(1);
  });
});

test('what was to send doubtful messages again is in doubt again where it does not leave, and can still leave', async () => {
  const resent = async () => {
    const first = await scheduled(DUE);
    await storage.jobs.start(first.jobId);
    const [attempt] = await storage.sql<{ id: string }[]>`
      update attempt set state = 'asked' where job_id = ${first.jobId} returning id`;
    const attemptId = attempt?.id ?? '';
    const draft = storage.draftIn(place, { authorId: author, resends: [attemptId] });
    const { id: draftId } = await storage.drafts.create(draft);
    const yes = { draftId, version: 1, personId: author, updateId: storage.next(), ...leaving };
    const again = await storage.drafts.confirm(yes);
    if (again.result !== 'confirmed') throw new Error(again.result);
    return { attemptId, jobId: again.jobId };
  };
  const [again, other] = [await resent(), await resent()];
  const stateOf = async ({ attemptId }: typeof again) => {
    const [row] = await storage.sql`select state, settled_by from attempt where id = ${attemptId}`;
    return row;
  };
  expect(await stateOf(again)).toEqual({ state: 'closed', settled_by: author });
  await limit({ approvalParts: 0 });
  await moveTo(again.jobId, DUE);
  await storage.jobs.start(again.jobId);
  expect((await states())[1]).toEqual(['A2', 'missed', 'approval']);
  // By another time its outcome may be known, and nobody looks then.
  const at = new Date(Date.now() + HOUR);
  const moved = await storage.schedule.change(press(again.jobId), { when: { sendAt: at, recur: null } });
  expect(moved).toEqual({ result: 'gone' });
  expect(await storage.schedule.one(place.chat.id, again.jobId)).toMatchObject({ takesTime: false });
  await limit({});
  const done = await storage.schedule.sendNow({ ...press(again.jobId), ...leaving });
  expect(await stateOf(again)).toEqual({ state: 'closed', settled_by: author });
  const jobId = done.pressed.result === 'confirmed' ? done.pressed.jobId : '';
  expect(await storage.jobs.undo(jobId, author, storage.next())).toBe(true);
  expect(await stateOf(again)).toEqual({ state: 'asked', settled_by: null });
  expect(await stateOf(other)).toMatchObject({ state: 'closed' });
  // What is known of it by then stays.
  await storage.sql`update attempt set state = 'sent' where id = ${other.attemptId}`;
  expect(await storage.jobs.undo(other.jobId, author, storage.next())).toBe(true);
  expect(await stateOf(other)).toMatchObject({ state: 'sent' });
  // Nobody can send again what the answer has told of meanwhile.
  const answered = await resent();
  await limit({ approvalParts: 0 });
  await moveTo(answered.jobId, DUE);
  await storage.jobs.start(answered.jobId);
  expect(await storage.schedule.one(place.chat.id, answered.jobId)).toMatchObject({ canLeaveNow: true });
  await storage.jobs.record(answered.attemptId, 0, { outcome: 'accepted', raw: '{}', messageIds: ['1'] });
  expect((await states()).at(-1)?.slice(1)).toEqual(['missed', 'answered']);
  expect(await storage.schedule.one(place.chat.id, answered.jobId)).toMatchObject({ canLeaveNow: false });
  const late = async () => (await storage.schedule.sendNow({ ...press(answered.jobId), ...leaving })).pressed;
  expect(await late()).toEqual({ result: 'changed' });
  await limit({});
  expect(await late()).toEqual({ result: 'changed' });
  expect(await others()).toEqual(asTheyWere);
});

test('what is taken off the schedule speaks for nothing any more: a doubt, an answer, or failures of another send', async () => {
  const first = await scheduled(DUE);
  await storage.jobs.start(first.jobId);
  const [doubted] = await storage.sql<{ id: string }[]>`
    update attempt set state = 'asked' where job_id = ${first.jobId} returning id`;
  const { message } = receiveIn(storage, place);
  const { id: inboundId, talkId } = await message('989120000041', 'When?');
  const waiting = async (more: Partial<NewDraft>) => {
    const { id: draftId } = await storage.drafts.create(
      storage.draftIn(place, { authorId: author, text: 'Once more', ...more }),
    );
    const yes = { draftId, version: 1, personId: author, updateId: storage.next(), ...leaving };
    const done = await storage.drafts.confirm(yes);
    if (done.result !== 'confirmed') throw new Error(done.result);
    return done.jobId;
  };
  const resendOf = { draftId: first.draftId, code: 'A1', unknown: 0, blocked: 0 };
  const [again, answer, rest] = [
    await waiting({ resends: [doubted?.id ?? ''] }),
    await waiting({ answers: { inboundId, isAuto: false }, sendAt: new Date(Date.now() + HOUR) }),
    await waiting({ resendOf, sendAt: new Date(Date.now() + HOUR) }),
  ];
  const standing = async () => {
    const [row] = await storage.sql`
      select (select state from attempt where id = ${doubted?.id ?? ''}) as doubt, answered_by from talk where id = ${talkId}`;
    return row;
  };
  expect(await standing()).toEqual({ doubt: 'closed', answered_by: author });
  await limit({ approvalParts: 0 });
  await moveTo(again, DUE);
  await storage.jobs.start(again);
  expect(await storage.schedule.cancel({ ...press(again), series: false })).toBe(true);
  expect(await standing()).toEqual({ doubt: 'asked', answered_by: author });
  expect(await storage.schedule.cancel({ ...press(answer), series: false })).toBe(true);
  expect(await standing()).toEqual({ doubt: 'asked', answered_by: null });
  await storage.emptyQueue();
  expect(await storage.schedule.cancel({ ...press(rest), series: false })).toBe(true);
  expect([...(await storage.queued()).keys()]).toContain(`card:${first.draftId}`);
});

test('what is confirmed in the last moment has the same hold as one that leaves at once', async () => {
  const at = new Date(Date.now() + 120_000);
  const { id: draftId } = await storage.drafts.create(
    storage.draftIn(place, { authorId: author, sendAt: at }),
  );
  const hold = { undoSeconds: 600, timeZone: ZONE };
  const confirmation = { draftId, version: 1, personId: author, updateId: storage.next(), ...hold };
  const pressedAt = Date.now();
  const done = await storage.drafts.confirm(confirmation);
  if (done.result !== 'confirmed') throw new Error(done.result);
  const [job] = await jobs();
  expect(job?.at.getTime()).toBeGreaterThanOrEqual(pressedAt + 600_000);
  expect((await storage.queued()).get(`send:${done.jobId}`)?.in_ms).toBeGreaterThan(590_000);
});

describe('a series', () => {
  test('goes on when one of it begins: once, with the same content, in the same names', async () => {
    await limit({ approvalParts: 1 });
    const outgoing = { kind: 'multi', rows: rowsOf(3) } as const;
    const at = new Date(Date.now() + HOUR);
    const made = storage.draftIn(place, {
      authorId: author,
      outgoing,
      text: '',
      line: '50001234',
      sendAt: at,
      recur: WEEKLY,
    });
    const { id: draftId } = await storage.drafts.create(made);
    const version = { draftId, version: 1 };
    await storage.drafts.ask({ ...version, personId: author, updateId: storage.next() });
    const done = await storage.drafts.approve({
      ...version,
      personId: ann,
      updateId: storage.next(),
      ...leaving,
    });
    if (done.result !== 'confirmed') throw new Error(done.result);
    await moveTo(done.jobId, DUE);
    await Promise.all(Array.from({ length: 6 }, async () => await storage.jobs.start(done.jobId)));

    const [first, next, ...more] = await jobs();
    expect(more).toEqual([]);
    expect(first).toMatchObject({ code: 'A1', state: 'running' });
    expect(next).toMatchObject({
      code: 'A2',
      state: 'scheduled',
      reason: null,
      confirmed_by: author,
      approved_by: ann,
    });
    const card = await storage.drafts.card(next?.draft_id ?? '');
    expect(card?.draft).toMatchObject({
      outgoing,
      line: '50001234',
      recur: WEEKLY,
      authorId: author,
      state: 'confirmed',
      sendAt: next?.at,
    });
    expect(card?.job?.counts.planned).toBe(3);
    // On that day, 10:00 by the clocks of Tehran.
    const local = localTimeOf(next?.at ?? new Date(0), ZONE);
    expect([weekdayOf(local), local.hour, local.minute]).toEqual([WEEKLY.weekday, 10, 0]);
    const ahead = (next?.at.getTime() ?? 0) - Date.now();
    expect(ahead).toBeGreaterThan(0);
    expect(ahead).toBeLessThanOrEqual(7 * 24 * HOUR);
    expect(Math.round((await storage.queued()).get(`send:${next?.id ?? ''}`)?.in_ms ?? 0)).toBeCloseTo(
      ahead,
      -4,
    );
    const told = (await storage.audit(place.chat.id)).filter(({ action }) => action === 'send_followed');
    expect(told).toMatchObject([
      { person_id: null, update_id: null, details: { code: 'A2', follows: 'A1' } },
    ]);
    expect(await others()).toEqual(asTheyWere);
  });

  test('copies the calls of a file as they were shown', async () => {
    const { draftId, jobId } = await scheduled(2, { recur: WEEKLY });
    await storage.sql`
      insert into bulk_call (draft_id, chunk, recipients, texts, row_numbers, payload_sha256)
      values (${draftId}, 0, '{989120000001}', '{Hello}', '{1}', '\\x01')`;
    await storage.sql`insert into bulk_skipped (draft_id, block, rows) values (${draftId}, 0, '[[2, "x", "form"]]')`;
    await storage.sql`insert into bulk_source (draft_id, block, rows) values (${draftId}, 0, '[[1, ["a"]]]')`;
    await moveTo(jobId, DUE);
    await storage.jobs.start(jobId);
    const [, next] = await jobs();
    for (const table of ['bulk_call', 'bulk_skipped', 'bulk_source']) {
      const rows =
        await storage.sql`select * from ${storage.sql(table)} where draft_id = ${next?.draft_id ?? ''}`;
      const before = await storage.sql`select * from ${storage.sql(table)} where draft_id = ${draftId}`;
      expect(rows.map((row) => ({ ...row, draft_id: '' }))).toEqual(
        before.map((row) => ({ ...row, draft_id: '' })),
      );
      expect(rows).toHaveLength(1);
    }
  });

  test.each([
    ['role', async () => await roleNow(author, 'viewer')],
    ['approval', async () => await limit({ approvalParts: 1 })],
  ] as const)('stands still where nobody’s name lets the next one leave: %s', async (reason, change) => {
    const { jobId } = await scheduled(2, { recur: WEEKLY });
    await moveTo(jobId, DUE);
    // It is read again when one of the series is due as well.
    await change();
    await storage.jobs.start(jobId);
    expect(await states()).toEqual([['A1', 'missed', reason]]);
    expect((await storage.queued()).has(`missed:${jobId}`)).toBe(true);
  });

  test('whose next one needs a second person by now is kept back where the one before makes way', async () => {
    const { jobId } = await scheduled(2, { recur: WEEKLY });
    await limit({ approvalParts: 1 });
    expect(await storage.schedule.cancel({ ...press(jobId), series: false })).toBe(true);
    expect(await states()).toEqual([
      ['A1', 'undone', null],
      ['A2', 'missed', 'approval'],
    ]);
    const [, next] = await jobs();
    expect((await storage.queued()).has(`missed:${next?.id ?? ''}`)).toBe(true);
  });

  test('reserves the cap of the day on which the next leaves, and is kept back where there is no room', async () => {
    await limit({ cap: { unit: 'parts', parts: 3 } });
    const { jobId } = await scheduled(2, { recur: WEEKLY });
    await moveTo(jobId, DUE);
    await storage.jobs.start(jobId);
    const [, next] = await jobs();
    expect(next).toMatchObject({ state: 'scheduled' });
    // That day has one part left now.
    const at = new Date((next?.at.getTime() ?? 0) + 60_000);
    const other = storage.draftIn(place, { authorId: author, sendAt: at });
    const { id: draftId } = await storage.drafts.create(other);
    const confirmation = { draftId, version: 1, personId: author, updateId: storage.next(), ...leaving };
    expect(await storage.drafts.confirm(confirmation)).toMatchObject({
      result: 'limited',
      verdict: { kind: 'cap', used: 2, wanted: 2 },
    });
    // Where there is none at all, the one after that is kept back a week before.
    await comes(next?.id ?? '', new Date(beforeNext().getTime() - 7 * 24 * HOUR));
    await storage.sql`update job set leaves_at = leaves_at - interval '2 days' where id = ${jobId}`;
    const day = await storage.drafts.create(
      storage.draftIn(place, { authorId: author, sendAt: beforeNext() }),
    );
    expect(await storage.drafts.confirm({ ...confirmation, draftId: day.id })).toMatchObject({
      result: 'confirmed',
    });
    await storage.jobs.start(next?.id ?? '');
    expect((await states()).map(([code, state, reason]) => [code, state, reason])).toEqual([
      ['A1', 'running', null],
      ['A2', 'running', null],
      ['A4', 'scheduled', null],
      ['A5', 'missed', 'cap'],
    ]);
  });

  test('goes on behind one that is cancelled alone, and ends with one that is cancelled for all', async () => {
    const { jobId } = await scheduled(2, { recur: WEEKLY });
    await storage.sql`update job set state = 'missed', stop_reason = 'late' where id = ${jobId}`;
    expect(await storage.schedule.cancel({ ...press(jobId, ann), series: false })).toBe(true);
    const [, second] = await jobs();
    expect(await states()).toEqual([
      ['A1', 'undone', null],
      ['A2', 'scheduled', null],
    ]);
    const [ended] =
      await storage.sql`select stopped_by, ended_at is not null as ended from job where id = ${jobId}`;
    expect(ended).toEqual({ stopped_by: ann, ended: true });
    const told = (await storage.audit(place.chat.id)).filter(({ action }) => action === 'schedule_cancelled');
    expect(told).toMatchObject([{ person_id: ann, details: { code: 'A1', jobId, series: false } }]);
    expect(await storage.schedule.cancel({ ...press(second?.id ?? ''), series: true })).toBe(true);
    expect((await states()).map(([, state]) => state)).toEqual(['undone', 'undone']);
    expect(await storage.schedule.cancel({ ...press(second?.id ?? ''), series: true })).toBe(false);
    expect((await actions()).filter((action) => action === 'schedule_cancelled')).toHaveLength(2);
  });

  test('goes on behind one that was missed and is then sent, from now on', async () => {
    const { jobId } = await scheduled(-400, { recur: WEEKLY });
    await storage.jobs.start(jobId);
    expect(await states()).toEqual([['A1', 'missed', 'late']]);
    const done = await storage.schedule.sendNow({ ...press(jobId), ...leaving });
    expect(done.pressed.result).toBe('confirmed');
    const [again] = await jobs();
    expect(again).toMatchObject({ code: 'A1', state: 'holding' });
    await moveTo(again?.id ?? '', DUE);
    await storage.jobs.start(again?.id ?? '');
    const [, next, ...more] = await jobs();
    expect(more).toEqual([]);
    expect(next?.state).toBe('scheduled');
    expect(next?.at.getTime()).toBeGreaterThan(Date.now());
  });

  test('goes on once, however often the one before it is stopped and taken up again', async () => {
    const { jobId } = await scheduled(DUE, { recur: WEEKLY });
    await storage.jobs.start(jobId);
    for (let n = 0; n < 2; n += 1) {
      expect(await storage.jobs.stop(jobId, 'person', author, storage.next())).toBe(true);
      const again = { jobId, personId: author, updateId: storage.next(), timeZone: ZONE };
      expect((await storage.jobs.resume(again)).result).toBe('resumed');
    }
    expect((await states()).map(([code, state]) => [code, state])).toEqual([
      ['A1', 'running'],
      ['A2', 'scheduled'],
    ]);
  });

  test.each(['is moved to leave sooner', 'is paused and then sent now'] as const)(
    'goes on behind the time of its rule, not with it once more, where one %s',
    async (how) => {
      const slot = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 30 * HOUR);
      const rule = recurrenceAt('week', slot, { timeZone: ZONE, calendar: 'gregorian' });
      const { jobId } = await scheduled(30, { sendAt: slot, recur: rule });
      if (how === 'is moved to leave sooner') {
        const sendAt = new Date(Date.now() + 2 * HOUR);
        await confirmed(await changed(jobId, { when: { sendAt, recur: rule } }));
      } else {
        await storage.schedule.pause(press(jobId));
        await storage.schedule.sendNow({ ...press(jobId), ...leaving });
      }
      const leaves = (await jobs()).at(-1)?.id ?? '';
      await moveTo(leaves, DUE);
      await storage.jobs.start(leaves);
      const next = (await jobs()).at(-1);
      expect(next).toMatchObject({ state: 'scheduled', at: nextOccurrence(rule, slot, ZONE) });
    },
  );

  test('goes on with the times of a rule that it was given since', async () => {
    const { jobId } = await scheduled(30, { recur: WEEKLY });
    const sendAt = new Date(Date.now() + 2 * HOUR);
    const daily = recurrenceAt('day', sendAt, { timeZone: ZONE, calendar: 'gregorian' });
    await confirmed(await changed(jobId, { when: { sendAt, recur: daily } }));
    const leaves = (await jobs()).at(-1)?.id ?? '';
    await moveTo(leaves, DUE);
    await storage.jobs.start(leaves);
    const next = (await jobs()).at(-1)?.at;
    expect(next).toEqual(nextOccurrence(daily, new Date(), ZONE));
  });

  test.each(['day', 'week', 'month'] as const)(
    'has one send in each %s, also where the clocks by which it goes are those of another place since',
    async (every) => {
      // Now, by the clocks of Tehran; those of Berlin show that time a few hours later.
      const slot = new Date(Math.floor(Date.now() / 60_000) * 60_000);
      const rule = recurrenceAt(every, slot, { timeZone: ZONE, calendar: 'gregorian' });
      const { jobId } = await scheduled(DUE, { recur: rule });
      await storage.jobs.start(jobId);
      const second = (await jobs()).at(-1);
      expect(second?.at).toEqual(nextOccurrence(rule, new Date(), ZONE));
      await comes(second?.id ?? '', slot);
      await createJobStore(storage.database, 'Europe/Berlin').start(second?.id ?? '');
      const again = nextOccurrence(rule, new Date(), 'Europe/Berlin');
      expect(again.getTime() - slot.getTime()).toBeLessThan(4 * HOUR);
      expect((await jobs()).at(-1)?.at).toEqual(nextOccurrence(rule, again, 'Europe/Berlin'));
    },
  );

  test('begins at the time that it was given, whichever times its rule has, and goes on with the first of these', async () => {
    const sendAt = new Date(Date.now() + 2 * HOUR);
    const rule = recurrenceAt('week', new Date(sendAt.getTime() + 5 * HOUR), {
      timeZone: ZONE,
      calendar: 'gregorian',
    });
    const { jobId } = await scheduled(2, { sendAt, recur: rule });
    await moveTo(jobId, DUE);
    await storage.jobs.start(jobId);
    expect((await jobs()).at(-1)?.at).toEqual(nextOccurrence(rule, new Date(), ZONE));
  });

  test('goes on behind one that is undone within its hold', async () => {
    const { jobId } = await scheduled(-400, { recur: WEEKLY });
    await storage.jobs.start(jobId);
    await storage.schedule.sendNow({ ...press(jobId), ...leaving });
    const [again] = await jobs();
    expect(await storage.jobs.undo(again?.id ?? '', author, storage.next())).toBe(true);
    expect((await states()).map(([code, state]) => [code, state])).toEqual([
      ['A1', 'undone'],
      ['A2', 'scheduled'],
    ]);
  });

  test.each([
    { by: 'a person', next: ['scheduled', null] },
    { by: 'the end of its account', next: ['missed', 'not_connected'] },
  ] as const)('goes on behind one that is stopped by $by before it has begun', async ({ by, next }) => {
    const { jobId } = await scheduled(-400, { recur: WEEKLY });
    await storage.jobs.start(jobId);
    const done = await storage.schedule.sendNow({ ...press(jobId), ...leaving });
    const again = done.pressed.result === 'confirmed' ? done.pressed.jobId : '';
    await halt(true);
    await moveTo(again, DUE);
    await storage.jobs.start(again);
    expect(await states()).toEqual([['A1', 'paused', 'halted']]);
    if (by === 'a person') await storage.jobs.stop(again, 'person', author, storage.next());
    else await storage.bindings.disconnect(place.chat.id, author, storage.next());
    const [first, second, ...more] = await states();
    expect([first?.[1], second?.slice(1), more]).toEqual(['stopped', next, []]);
  });
});

/** The draft of a change that was opened. */
async function changed(
  jobId: string,
  change: Parameters<typeof storage.schedule.change>[1] = {},
  by = author,
) {
  const done = await storage.schedule.change(press(jobId, by), change);
  if (done.result !== 'opened') throw new Error(done.result);
  return done.draftId;
}

const confirmed = async (draftId: string) => {
  const version = (await storage.drafts.card(draftId))?.draft.version ?? 0;
  const yes = { draftId, version, personId: author, updateId: storage.next(), ...leaving };
  return (await storage.drafts.confirm(yes)).result;
};

describe('a change of a job that waits', () => {
  test('is a draft of its own, in whose place the job ends when it is confirmed, and not before', async () => {
    const { draftId, jobId } = await scheduled(2);
    const before = await storage.sql`select * from job where id = ${jobId}`;
    const at = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 5 * HOUR);
    const done = await storage.schedule.change(press(jobId), { when: { sendAt: at, recur: WEEKLY } });
    expect(done).toMatchObject({
      result: 'opened',
      code: 'A2',
      of: 'A1',
      authorId: author,
      authorName: 'Omid',
    });
    expect(await storage.sql`select * from job where id = ${jobId}`).toEqual(before);
    const change = done.result === 'opened' ? done.draftId : '';
    const card = await storage.drafts.card(change);
    expect(card?.job).toBeNull();
    expect(card?.draft).toMatchObject({
      state: 'open',
      expired: false,
      sendAt: at,
      recur: WEEKLY,
      replaces: { code: 'A1', state: 'scheduled' },
    });
    const queue = await storage.queued();
    expect(queue.has(`send:${jobId}`)).toBe(true);
    expect(Math.round((queue.get(`expiry:${change}`)?.in_ms ?? 0) / 60_000)).toBe(15);

    expect(await confirmed(change)).toBe('confirmed');
    expect(await states()).toEqual([
      ['A1', 'undone', null],
      ['A2', 'scheduled', null],
    ]);
    expect((await storage.drafts.card(draftId))?.draft.replacedBy).toBe('A2');
    expect((await storage.queued()).has(`send:${jobId}`)).toBe(false);
    expect(await actions()).toEqual([
      'send_confirmed',
      'schedule_reopened',
      'schedule_cancelled',
      'send_confirmed',
    ]);
    expect(await others()).toEqual(asTheyWere);
  });

  test('keeps time and rule where only the rest is to change', async () => {
    const { draftId, jobId } = await scheduled(2, { recur: WEEKLY });
    const before = (await storage.drafts.card(draftId))?.draft;
    expect((await storage.drafts.card(await changed(jobId)))?.draft).toMatchObject({
      sendAt: before?.sendAt,
      recur: WEEKLY,
    });
  });

  test('is the one that is open already, whoever presses again', async () => {
    const { jobId } = await scheduled(2);
    const first = await changed(jobId);
    expect(await changed((await scheduled(3)).jobId)).not.toBe(first);
    expect(await changed(jobId, { when: null }, ann)).toBe(first);
    expect((await storage.drafts.card(first))?.draft).toMatchObject({ sendAt: null, state: 'open' });
    await storage.sql`update draft set state = 'asked' where id = ${first}`;
    expect(await changed(jobId)).toBe(first);
    expect((await storage.drafts.card(first))?.draft).toMatchObject({ state: 'open', version: 4 });
    // One whose time is over, or that was cancelled, is no longer there.
    await storage.sql`update draft set expires_at = now() where id = ${first}`;
    const second = await changed(jobId);
    await storage.sql`update draft set state = 'cancelled' where id = ${second}`;
    expect(new Set([first, second, await changed(jobId)]).size).toBe(3);
  });

  test('ends that job alone, in the name of whoever confirms it, and what was to stand for it too', async () => {
    const [{ draftId, jobId }, beside] = [await scheduled(2), await scheduled(2)];
    const [change, other] = [await changed(jobId), await changed(beside.jobId)];
    await storage.sql`update job set stop_reason = 'late', state = 'missed' where id = ${jobId}`;
    expect(await confirmed(change)).toBe('confirmed');
    const ended = await storage.sql`
      select id, state, stop_reason, stopped_by, ended_at is not null as ended from job
      where id in (${jobId}, ${beside.jobId}) order by confirmed_at`;
    expect(ended).toEqual([
      { id: jobId, state: 'undone', stop_reason: null, stopped_by: author, ended: true },
      { id: beside.jobId, state: 'scheduled', stop_reason: null, stopped_by: null, ended: false },
    ]);
    expect((await storage.drafts.card(beside.draftId))?.draft.replacedBy).toBeUndefined();
    expect((await storage.drafts.card(draftId))?.draft.replacedBy).toBe('A3');
    const lapsed = await changed(beside.jobId);
    expect(lapsed).toBe(other);
    await storage.sql`update draft set expires_at = now() where id = ${other}`;
    const put = await changed(beside.jobId);
    await storage.sql`update draft set state = 'cancelled', version = 3 where id = ${put}`;
    const open = await changed(beside.jobId);
    const apart = await changed((await scheduled(3)).jobId);
    await storage.emptyQueue();
    await storage.schedule.cancel({ ...press(beside.jobId), series: false });
    const queued = await storage.queued();
    const expiries = [other, put, open, apart].map((id) => queued.has(`expiry:${id}`));
    expect(expiries).toEqual([false, false, true, false]);
    const stands = await storage.sql`
      select state, version from draft where id in (${other}, ${put}, ${open}, ${apart}) order by created_at`;
    expect(stands).toEqual([
      { state: 'open', version: 3 },
      { state: 'cancelled', version: 3 },
      { state: 'cancelled', version: 3 },
      { state: 'open', version: 2 },
    ]);
  });

  test('is void where the job waits no more, or something of it was asked of the gateway, but for who was left out of it', async () => {
    const { jobId } = await scheduled(2);
    const change = await changed(jobId);
    await storage.sql`update job set state = 'done' where id = ${jobId}`;
    expect(await confirmed(change)).toBe('changed');
    await storage.sql`update job set state = 'scheduled' where id = ${jobId}`;
    await storage.sql`update attempt set state = 'unknown' where job_id = ${jobId}`;
    expect(await confirmed(change)).toBe('changed');
    await moveTo(jobId, -0.51);
    expect(await storage.jobs.start(jobId)).toMatchObject({ state: 'scheduled' });
    expect(await storage.schedule.change(press(jobId), {})).toEqual({ result: 'gone' });
    expect(await storage.schedule.pause(press(jobId))).toEqual({ result: 'gone' });
    await storage.sql`update attempt set state = 'rejected', outcome = 'blocked' where job_id = ${jobId}`;
    expect(await confirmed(change)).toBe('confirmed');
  });

  test('takes no room of the cap beside what it stands for', async () => {
    await limit({ cap: { unit: 'parts', parts: 2 } });
    const { jobId } = await scheduled(2);
    expect(await confirmed(await changed(jobId))).toBe('confirmed');
    // Nothing is left to end when it is missed, and sent after all.
    const [, now] = await jobs();
    await moveTo(now?.id ?? '', -1);
    await storage.jobs.start(now?.id ?? '');
    const done = await storage.schedule.sendNow({ ...press(now?.id ?? ''), ...leaving });
    expect(done.pressed.result).toBe('confirmed');
  });

  test('is opened by its author or an approver alone, while it waits, and in its own chat', async () => {
    const { jobId } = await scheduled(2);
    const other = await storage.addPerson(place.chat.id, 'operator', 'Other');
    const theirs = await storage.addPlace();
    await storage.sql`
      insert into member (chat_id, person_id, role, granted_by) values (${theirs.chat.id}, ${other}, 'owner', ${other})`;
    expect(await storage.schedule.change(press(jobId, other), {})).toEqual({ result: 'not_yours' });
    const fromThere = { ...press(jobId), chatId: theirs.chat.id };
    expect(await storage.schedule.change(fromThere, {})).toEqual({ result: 'gone' });
    expect(await storage.schedule.cancel({ ...fromThere, series: false })).toBe(false);
    expect((await storage.schedule.change(press(jobId, ann), {})).result).toBe('opened');
    const running = await scheduled(DUE);
    await storage.jobs.start(running.jobId);
    expect(await storage.schedule.change(press(running.jobId), {})).toEqual({ result: 'gone' });
    expect(await storage.schedule.cancel({ ...press(running.jobId), series: false })).toBe(false);
  });

  const ends = {
    'has begun': async (jobId: string): Promise<void> => {
      await moveTo(jobId, DUE);
      await storage.jobs.start(jobId);
    },
    'was cancelled': async (jobId: string): Promise<void> => {
      await storage.schedule.cancel({ ...press(jobId), series: false });
    },
  } as const;
  test.each(['has begun', 'was cancelled'] as const)(
    'is over once what it stands for %s, and it is told',
    async (how) => {
      const { jobId } = await scheduled(2);
      const change = await changed(jobId);
      await ends[how](jobId);
      expect(await confirmed(change)).toBe('cancelled');
      expect((await storage.queued()).get(`expiry:${change}`)?.in_ms).toBeLessThanOrEqual(0);
    },
  );

  test('confirmed at the very moment of the old time: one of both leaves, never none and never both', async () => {
    const outcomes = new Set<string>();
    for (let n = 0; n < 16; n += 1) {
      const { draftId, jobId } = await scheduled(2);
      const change = await changed(jobId, { when: null });
      await moveTo(jobId, DUE);
      const both = [async () => await confirmed(change), async () => await storage.jobs.start(jobId)];
      await Promise.all((n % 2 === 0 ? both : both.toReversed()).map(async (each) => await each()));
      const [old, now] = await Promise.all([storage.drafts.card(draftId), storage.drafts.card(change)]);
      const found = `${old?.job?.state} ${now?.job?.state ?? now?.draft.state}`;
      expect(['running cancelled', 'undone holding']).toContain(found);
      outcomes.add(found);
    }
    expect(outcomes.size).toBeGreaterThan(0);
  });
});

describe('a missed one that is sent after all', () => {
  async function missed(more: Partial<NewDraft> = {}) {
    const made = await scheduled(-2, more);
    await storage.jobs.start(made.jobId);
    return made;
  }

  test('is confirmed anew by its author, once, however often it is pressed', async () => {
    const other = await missed();
    await storage.sql`update draft set blocked = '[]' where id = ${other.draftId}`;
    const { draftId, jobId } = await missed();
    const kept = async () => {
      const [row] = await storage.sql`
        select (select count(*)::int from attempt where job_id = ${other.jobId}) as calls, blocked, version, state
        from draft where id = ${other.draftId}`;
      return row;
    };
    const before = await kept();
    await storage.sql`update draft set expires_at = now() where id = ${draftId}`;
    const presses = await Promise.all(
      [author, author, ann].map(
        async (by) => await storage.schedule.sendNow({ ...press(jobId, by), ...leaving }),
      ),
    );
    const results = presses.map(({ pressed }) => pressed.result);
    expect(results.toSorted()).toEqual(['confirmed', 'gone', 'gone']);
    const [, only, ...more] = await jobs();
    expect(more).toEqual([]);
    expect(only).toMatchObject({ draft_id: draftId, state: 'holding', confirmed_by: author });
    // Nothing of another is touched.
    expect(before).toMatchObject({ calls: 1, blocked: [] });
    expect(await kept()).toEqual(before);
  });

  test('above the limit asks for a second person, or has one in whoever presses', async () => {
    const [mine, theirs] = [await missed(), await missed()];
    await limit({ approvalParts: 1 });
    const asked = await storage.schedule.sendNow({ ...press(mine.jobId), ...leaving });
    expect(asked.pressed.result).toBe('asked');
    expect((await storage.drafts.card(mine.draftId))?.draft.state).toBe('asked');
    const done = await storage.schedule.sendNow({ ...press(theirs.jobId, ann), ...leaving });
    expect(done.pressed.result).toBe('confirmed');
    expect((await jobs())[0]).toMatchObject({ confirmed_by: author, approved_by: ann });
    expect(await others()).toEqual(asTheyWere);
  });

  test('stays as it is where a limit forbids it, or the presser may not', async () => {
    const { draftId, jobId } = await missed();
    const before = await storage.sql`select * from job where id = ${jobId}`;
    await limit({ cap: { unit: 'parts', parts: 1 } });
    const refused = await storage.schedule.sendNow({ ...press(jobId), ...leaving });
    expect(refused).toMatchObject({ draftId, pressed: { result: 'limited', verdict: { kind: 'cap' } } });
    const other = await storage.addPerson(place.chat.id, 'operator', 'Other');
    expect(await storage.schedule.sendNow({ ...press(jobId, other), ...leaving })).toEqual({
      draftId: null,
      pressed: { result: 'not_yours' },
    });
    expect(await storage.sql`select * from job where id = ${jobId}`).toEqual(before);
    expect((await storage.drafts.card(draftId))?.draft).toMatchObject({ state: 'confirmed', version: 1 });
    expect((await actions()).includes('schedule_reopened')).toBe(false);
  });

  test('short of credit is sent only by whoever was told', async () => {
    const { jobId } = await missed();
    await storage.sql`
      insert into account_gauge (binding_id, credit_rial, credit_at, gsm_cost, gsm_parts) values (${place.bindingId}, 1, now(), 10000, 10)`;
    const unaware = await storage.schedule.sendNow({ ...press(jobId), ...leaving });
    expect(unaware.pressed).toEqual({ result: 'short' });
    expect(await states()).toEqual([['A1', 'missed', 'late']]);
    const told = await storage.schedule.sendNow({ ...press(jobId), ...leaving, warned: true });
    expect(told.pressed.result).toBe('confirmed');
  });

  test('takes nothing of a day’s cap while it waits for an answer', async () => {
    await missed();
    await limit({ cap: { unit: 'parts', parts: 2 } });
    await scheduled(DUE);
    expect((await states()).map(([, state]) => state)).toEqual(['missed', 'scheduled']);
  });

  test('is none that still has its time ahead', async () => {
    const { jobId } = await scheduled(2);
    expect(await storage.schedule.sendNow({ ...press(jobId), ...leaving })).toEqual({
      draftId: null,
      pressed: { result: 'gone' },
    });
  });
});

test('what waits is listed soonest first, page by page, and only of its chat', async () => {
  const later = await scheduled(3, { recur: WEEKLY });
  const sooner = await scheduled(1);
  const over = await scheduled(-2);
  await storage.jobs.start(over.jobId);
  const gone = await scheduled(4);
  await storage.schedule.cancel({ ...press(gone.jobId), series: false });
  const change = await changed(later.jobId);
  await storage.drafts.cancel(await changed(sooner.jobId), 2, author, storage.next());
  place = await storage.addPlace();
  const elsewhere = place.chat.id;
  const [row] = await storage.sql<{ chat_id: string }[]>`select chat_id from job where id = ${later.jobId}`;
  const chatId = row?.chat_id ?? '';
  const { sends, all } = await storage.schedule.waiting(chatId, { skip: 0, limit: 2 });
  expect(all).toBe(3);
  expect(sends.map(({ jobId, state, canLeaveNow, change: of }) => [jobId, state, canLeaveNow, of])).toEqual([
    [over.jobId, 'missed', true, null],
    [sooner.jobId, 'scheduled', false, null],
  ]);
  const rest = await storage.schedule.waiting(chatId, { skip: 2, limit: 2 });
  expect(rest.sends).toMatchObject([
    { jobId: later.jobId, recur: WEEKLY, messages: 2, authorName: 'Omid', change: await codeOf(change) },
  ]);
  expect(await storage.schedule.waiting(elsewhere, { skip: 0, limit: 2 })).toEqual({ sends: [], all: 0 });
  expect(await storage.schedule.one(elsewhere, later.jobId)).toBeNull();
  expect(await storage.schedule.one(chatId, later.jobId)).toMatchObject({ code: 'A1' });
});

async function codeOf(draftId: string) {
  return (await storage.drafts.card(draftId))?.draft.code;
}

function rowsOf(count: number) {
  return Array.from({ length: count }, (_, n) => ({
    line: '50001234',
    recipient: `98912000000${n}`,
    text: `Hello ${n}`,
    flash: false,
  }));
}

test('what is scheduled, taken back or cancelled has the credit looked at now, and nothing else does', async () => {
  const rest = async (): Promise<void> => {
    await storage.sql`
      update account set credit_due_at = now() + interval '1 hour', due_at = now() + interval '1 hour'
      where chat_id = ${place.chat.id}`;
  };
  const isDue = async () => {
    const [row] = await storage.sql<{ due: boolean }[]>`
      select credit_due_at <= now() and due_at <= now() as due from account where chat_id = ${place.chat.id}`;
    return row?.due;
  };
  await rest();
  await scheduled(5, { sendAt: undefined });
  expect(await isDue()).toBe(false);
  const first = await scheduled(5);
  expect(await isDue()).toBe(true);
  await rest();
  const change = await changed(first.jobId, { when: null });
  expect(await isDue()).toBe(false);
  expect(await confirmed(change)).toBe('confirmed');
  expect(await isDue()).toBe(true);
  const second = await scheduled(5);
  await rest();
  expect(await storage.schedule.cancel({ ...press(second.jobId), series: false })).toBe(true);
  expect(await isDue()).toBe(true);
});
