import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLimitsStore } from './limits-store.ts';
import { createLossStore } from '../restore/loss-store.ts';
import { holdSends, readHold, releaseSends } from './operator-halt.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';

/* The switch over all chats. The tests share one row, and so take turns. */

const ZONE = 'Asia/Tehran';

let storage: TestStorage;
let limits: ReturnType<typeof createLimitsStore>;

beforeAll(async () => {
  storage = await openTestStorage();
  limits = createLimitsStore(storage.database);
});
beforeEach(async () => {
  await storage.sql`update job set state = 'done'`;
  await storage.sql`update deployment set held_at = null, restored_from = null, restored_at = null`;
  await storage.emptyQueue();
});
afterAll(() => storage.close());

const stateOf = async (jobId: string) => {
  const [row] = await storage.sql<{ state: string; stop_reason: string | null }[]>`
    select state, stop_reason from job where id = ${jobId}`;
  return [row?.state, row?.stop_reason];
};

const press = (place: Awaited<ReturnType<TestStorage['addPlace']>>) => ({
  chatId: place.chat.id,
  personId: place.ownerId,
  updateId: storage.next(),
});

test('no call of any chat passes the fence while it is thrown, also one that was reserved before', async () => {
  const places = [await storage.addPlace(), await storage.addPlace()];
  for (const place of places) {
    const { jobId } = await storage.addRunningJob(place);
    const reserved = await storage.jobs.reserve(jobId, 'me');
    if (!reserved.ok) throw new Error(reserved.reason);
    const [call] = reserved.attempts;
    // Even where nothing was paused: the fence looks by itself.
    await storage.sql`update deployment set held_at = now()`;
    expect(await storage.jobs.goOnWire(call.id, call.epoch)).toBe(false);
    await storage.sql`update deployment set held_at = null`;
    expect(await storage.jobs.goOnWire(call.id, call.epoch)).toBe(true);
  }
});

test('what runs or is held in every chat is paused, each told on its card and in its audit, and goes on again', async () => {
  const [one, two] = [await storage.addPlace(), await storage.addPlace()];
  const jobs = [await storage.addRunningJob(one), await storage.addRunningJob(two)] as const;
  const [{ jobId: held }] = [await storage.addRunningJob(two)];
  await storage.sql`
    update job set state = 'holding', hold_until = now() + interval '1 hour', started_at = null where id = ${held}`;
  await storage.jobs.reserve(jobs[0].jobId, 'me');
  expect(await holdSends(storage.sql)).toBe(3);
  for (const jobId of [jobs[0].jobId, jobs[1].jobId, held])
    expect(await stateOf(jobId)).toEqual(['paused', 'held']);
  const [attempt] = await storage.sql`select state from attempt where job_id = ${jobs[0].jobId}`;
  expect(attempt).toEqual({ state: 'planned' });
  expect(await holdSends(storage.sql)).toBe(0);
  expect(await readHold(storage.sql)).toMatchObject({ heldAt: expect.any(Date), waiting: 3 });
  expect((await storage.queued()).has(`card:${jobs[1].draftId}`)).toBe(true);
  expect((await storage.audit(two.chat.id)).at(-1)).toMatchObject({
    action: 'sends_held',
    person_id: null,
    details: { paused: 2 },
  });

  expect(await releaseSends(createLossStore(storage.sql, ZONE))).toEqual({ resumed: 3, kept: 0 });
  expect(await stateOf(jobs[0].jobId)).toEqual(['running', null]);
  expect(await stateOf(held)).toEqual(['holding', null]);
  expect((await storage.queued()).has(`send:${jobs[1].jobId}`)).toBe(true);
  expect(await readHold(storage.sql)).toMatchObject({ heldAt: null, waiting: 0 });
  expect((await storage.audit(two.chat.id)).at(-1)).toMatchObject({
    action: 'sends_released',
    details: { resumed: 2, kept: 0 },
  });
});

test('nothing is confirmed, begun or let go on while it is thrown, and what a person paused stays theirs', async () => {
  const place = await storage.addPlace();
  const running = await storage.addRunningJob(place);
  await storage.jobs.pause({ jobId: running.jobId, personId: place.ownerId, updateId: storage.next() });
  const { id: draftId } = await storage.drafts.create(storage.draftIn(place));
  const late = await storage.addRunningJob(place, { text: 'is held before it is seen' });
  await storage.sql`update job set state = 'holding', hold_until = now() where id = ${late.jobId}`;
  await storage.sql`update deployment set held_at = now()`;

  const confirm = { draftId, version: 1, personId: place.ownerId, updateId: storage.next() };
  expect(await storage.drafts.confirm({ ...confirm, undoSeconds: 0, timeZone: ZONE })).toMatchObject({
    result: 'limited',
    verdict: { kind: 'held', at: expect.any(Date) },
  });
  expect(
    await storage.jobs.resume({
      jobId: running.jobId,
      personId: place.ownerId,
      updateId: 1,
      timeZone: ZONE,
    }),
  ).toMatchObject({ result: 'limited', verdict: { kind: 'held' } });
  expect(await storage.jobs.start(late.jobId)).toMatchObject({ state: 'paused' });
  expect(await stateOf(late.jobId)).toEqual(['paused', 'held']);

  expect(await releaseSends(createLossStore(storage.sql, ZONE))).toEqual({ resumed: 1, kept: 0 });
  expect(await stateOf(late.jobId)).toEqual(['running', null]);
  expect(await stateOf(running.jobId)).toEqual(['paused', 'person']);
});

test('a scheduled send waits for it, and is woken when it is taken back', async () => {
  const place = await storage.addPlace();
  const { jobId } = await storage.addRunningJob(place);
  await storage.sql`update job set state = 'scheduled', started_at = null, hold_until = now() where id = ${jobId}`;
  await holdSends(storage.sql);
  expect(await storage.jobs.start(jobId)).toMatchObject({ state: 'scheduled' });
  await releaseSends(createLossStore(storage.sql, ZONE));
  expect((await storage.queued()).get(`send:${jobId}`)?.in_ms).toBeLessThan(1000);
  await storage.sql`update job set hold_until = now() - interval '1 hour' where id = ${jobId}`;
  await storage.sql`update deployment set held_at = now()`;
  expect(await storage.jobs.start(jobId)).toMatchObject({ state: 'missed' });
  expect(await stateOf(jobId)).toEqual(['missed', 'held']);
});

test('it and the switch of a chat are two: each holds until both are taken back, in either order', async () => {
  const place = await storage.addPlace();
  for (const order of ['chat first', 'operator first'] as const) {
    const { jobId } = await storage.addRunningJob(place, { text: order });
    if (order === 'chat first') await limits.halt(press(place));
    await holdSends(storage.sql);
    if (order === 'operator first') await limits.halt(press(place));
    expect(await stateOf(jobId)).toEqual(['paused', order === 'chat first' ? 'halted' : 'held']);
    if (order === 'chat first') {
      expect(await limits.go({ ...press(place), timeZone: ZONE })).toMatchObject({ resumed: 0, kept: 0 });
      expect(await stateOf(jobId)).toEqual(['paused', 'held']);
      expect(await releaseSends(createLossStore(storage.sql, ZONE))).toEqual({ resumed: 1, kept: 0 });
    } else {
      expect(await releaseSends(createLossStore(storage.sql, ZONE))).toEqual({ resumed: 0, kept: 1 });
      expect(await stateOf(jobId)).toEqual(['paused', 'halted']);
      const by = await storage.sql`select stopped_by from job where id = ${jobId}`;
      expect(by).toEqual([{ stopped_by: place.ownerId }]);
      expect(await limits.go({ ...press(place), timeZone: ZONE })).toMatchObject({ resumed: 1 });
    }
    expect(await stateOf(jobId)).toEqual(['running', null]);
    await storage.sql`update job set state = 'done' where id = ${jobId}`;
  }
});

test('what a limit forbids by then stays paused for a person', async () => {
  const place = await storage.addPlace();
  const { jobId } = await storage.addRunningJob(place);
  await holdSends(storage.sql);
  await storage.sql`update chat_limits set cap_parts = 1 where chat_id = ${place.chat.id}`;
  expect(await releaseSends(createLossStore(storage.sql, ZONE))).toEqual({ resumed: 0, kept: 1 });
  expect(await stateOf(jobId)).toEqual(['paused', 'person']);
  // A run that was cut short is finished by the next.
  await storage.sql`update job set stop_reason = 'held' where id = ${jobId}`;
  await storage.sql`update chat_limits set cap_parts = null where chat_id = ${place.chat.id}`;
  expect(await releaseSends(createLossStore(storage.sql, ZONE))).toEqual({ resumed: 1, kept: 0 });
});

test('it is told what waits for it, what is in doubt, and about how much of that people are asked', async () => {
  const place = await storage.addPlace();
  const before = await readHold(storage.sql);
  for (const state of [
    'planned',
    'reserved',
    'on_wire',
    'unknown',
    'asked',
    'accepted',
    'rejected',
    'closed',
  ]) {
    const { jobId } = await storage.addRunningJob(place, { text: state });
    await storage.sql`update attempt set state = ${state} where job_id = ${jobId}`;
  }
  const { jobId: own } = await storage.addRunningJob(place, { text: 'own' });
  await storage.sql`update job set state = 'paused', stop_reason = 'person' where id = ${own}`;
  expect(await readHold(storage.sql)).toEqual({
    heldAt: null,
    restoredFrom: null,
    isLost: false,
    waiting: before.waiting,
    unknown: before.unknown + 3,
    asked: before.asked + 1,
  });
  // One that was missed because of it asks a person, and does not wait for it.
  await storage.sql`update job set state = 'missed', stop_reason = 'held' where id = ${own}`;
  expect((await readHold(storage.sql)).waiting).toBe(before.waiting);
  expect(await holdSends(storage.sql)).toBe(8);
  expect((await readHold(storage.sql)).waiting).toBe(before.waiting + 8);
});

test('what has ended, waits for its time or was paused stays as it is, and its chat hears nothing of it', async () => {
  const [idle, busy] = [await storage.addPlace(), await storage.addPlace()];
  const { jobId: running } = await storage.addRunningJob(busy);
  const stays = [];
  for (const state of ['scheduled', 'missed', 'paused', 'done', 'undone', 'stopped']) {
    const { jobId } = await storage.addRunningJob(idle, { text: state });
    await storage.sql`
      update job set state = ${state}, stop_reason = 'person', hold_until = now() + interval '1 hour' where id = ${jobId}`;
    stays.push({ jobId, stands: [state, 'person'] });
  }
  expect(await holdSends(storage.sql)).toBe(1);
  expect(await stateOf(running)).toEqual(['paused', 'held']);
  expect(await releaseSends(createLossStore(storage.sql, ZONE))).toEqual({ resumed: 1, kept: 0 });
  for (const { jobId, stands } of stays) expect(await stateOf(jobId)).toEqual(stands);
  const actions = (await storage.audit(idle.chat.id)).map(({ action }) => action);
  expect(actions.filter((action) => action.startsWith('sends_'))).toEqual([]);
});

test('taken back it ends what a restore or a loss has begun, and only then', async () => {
  const row = async () => {
    const [found] = await storage.sql<
      { held: boolean; from: boolean; lost: boolean; done: boolean; at: boolean; fresh: boolean | null }[]
    >`
      select held_at is not null as held, restored_from is not null as from, lost_at is not null as lost,
        lost_done_at is not null as done, restored_at is not null as at, restored_at > now() - interval '1 minute' as fresh
      from deployment`;
    return found;
  };
  const given = async (held: boolean, restored: boolean): Promise<void> => {
    await storage.sql`
      update deployment set held_at = case when ${held} then now() end, lost_at = now(), lost_done_at = now(),
        restored_from = case when ${restored} then now() end, restored_at = now() - interval '1 day'`;
  };
  const store = createLossStore(storage.sql, ZONE);
  await given(false, true);
  await store.letGo();
  expect(await row()).toEqual({ held: false, from: true, lost: true, done: true, at: true, fresh: false });
  await given(true, true);
  await store.letGo();
  expect(await row()).toEqual({ held: false, from: false, lost: false, done: false, at: true, fresh: true });
  await given(true, false);
  await store.letGo();
  expect(await row()).toEqual({ held: false, from: false, lost: false, done: false, at: true, fresh: false });
});

test('chats are those in which something waits for it, each in its own time', async () => {
  const store = createLossStore(storage.sql, ZONE);
  const places: Record<string, string> = {};
  const begin = async (name: string, set: Readonly<Record<string, unknown>>): Promise<void> => {
    const place = await storage.addPlace();
    const { jobId } = await storage.addRunningJob(place, { text: name });
    await storage.sql`update job set ${storage.sql(set)} where id = ${jobId}`;
    places[place.chat.id] = name;
  };
  const [past, ahead] = [new Date(Date.now() - 60_000), new Date(Date.now() + 3_600_000)];
  await begin('held', { state: 'paused', stop_reason: 'held' });
  await begin('due', { state: 'scheduled', hold_until: past });
  await begin('ahead', { state: 'scheduled', hold_until: ahead });
  await begin('of a person', { state: 'paused', stop_reason: 'person' });
  await begin('missed', { state: 'missed', stop_reason: 'held', hold_until: past });
  const [held = ''] = Object.keys(places);
  await storage.sql`update chat set time_zone = 'Europe/Berlin' where id = ${held}`;
  const found = (await store.heldChats()).map(({ chatId, timeZone }) => [places[chatId], timeZone] as const);
  expect(Object.fromEntries(found)).toEqual({ due: ZONE, held: 'Europe/Berlin' });
  expect(await store.goOn({ chatId: Object.keys(places)[4] ?? '', timeZone: ZONE })).toEqual({
    resumed: 0,
    kept: 0,
  });
});

test('a send that is only in its undo hold is paused too, and nobody is named who had stopped it before', async () => {
  const place = await storage.addPlace();
  const { jobId } = await storage.addRunningJob(place);
  await storage.sql`
    update job set state = 'holding', started_at = null, hold_until = now() + interval '1 hour', stopped_by = ${place.ownerId}
    where id = ${jobId}`;
  expect(await holdSends(storage.sql)).toBe(1);
  const [row] = await storage.sql`select state, stopped_by from job where id = ${jobId}`;
  expect(row).toEqual({ state: 'paused', stopped_by: null });
});
