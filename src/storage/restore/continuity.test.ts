import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createMemoryLog } from '../../../test/support/memory-log.ts';
import { until } from '../../../test/support/until.ts';
import type { AttemptResult, AttemptView, JobStore } from '../../ports/jobs.ts';
import { createCallsInHand } from './calls-in-hand.ts';
import { createLossStore } from './loss-store.ts';
import { type Continuity, createContinuity } from './continuity.ts';
import { createJobStore } from '../sending/job-store.ts';
import { releaseSends } from '../sending/operator-halt.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';

/* Rows are set back as in a database that has lost commits. The tests share the deployment's row, and so take turns. */

const ZONE = 'Asia/Tehran';
const clock = {
  sleep: async (ms: number, signal?: AbortSignal) =>
    await sleep(ms, undefined, signal === undefined ? {} : { signal }),
};
const ACCEPTED: AttemptResult = { outcome: 'accepted', raw: '{}', messageIds: ['1', '2'] };

let storage: TestStorage;
let place: Awaited<ReturnType<TestStorage['addPlace']>>;
const living: Continuity[] = [];

beforeAll(async () => {
  storage = await openTestStorage();
});
beforeEach(async () => {
  await storage.sql`update job set state = 'undone', ended_at = now()`;
  await storage.sql`update attempt set state = 'closed'`;
  await storage.sql`
    update deployment set held_at = null, restored_from = null, restored_at = null, lost_at = null, lost_done_at = null`;
  place = await storage.addPlace();
});
afterEach(async () => {
  for (const each of living.splice(0)) await each.close();
});
afterAll(() => storage.close());

/** A process with calls of its own. One that is busy with itself looks when it is told. */
async function process(id: string, { isBusy = false } = {}) {
  const hand = createCallsInHand();
  const jobs = createJobStore(storage.database, ZONE, hand);
  const log = createMemoryLog();
  const beatMs = isBusy ? 3_600_000 : 10;
  const watch = await createContinuity({
    store: createLossStore(storage.sql, ZONE),
    hand,
    id,
    clock,
    log,
    beatMs,
  });
  living.push(watch);
  return { id, jobs, log, watch };
}

async function reserved(jobs: JobStore, owner: string, jobId: string): Promise<AttemptView> {
  const taken = await jobs.reserve(jobId, owner);
  if (!taken.ok) throw new Error(taken.reason);
  return taken.attempts[0];
}

async function passes(
  { jobs, id }: Awaited<ReturnType<typeof process>>,
  jobId: string,
): Promise<AttemptView> {
  const call = await reserved(jobs, id, jobId);
  expect(await jobs.goOnWire(call.id, call.epoch)).toBe(true);
  return call;
}

async function beatsOf(id: string): Promise<number> {
  const [row] = await storage.sql<{ beats: number }[]>`select beats from process where id = ${id}`;
  return row?.beats ?? 0;
}

const isHeld = async (): Promise<boolean> => {
  const [row] =
    await storage.sql`select 1 from deployment where held_at is not null and lost_done_at is not null`;
  return row !== undefined;
};

const callOf = async (id: string) => {
  const [row] = await storage.sql<{ state: string; outcome: string | null }[]>`
    select state, outcome from attempt where id = ${id}`;
  return row;
};

/** The call stands as if nobody had ever taken it. */
async function forgets(id: string): Promise<void> {
  await storage.sql`
    update attempt set state = 'planned', epoch = 0, fenced = 0, owner = null, on_wire_at = null where id = ${id}`;
}

test('a row that counts on is all well, also after the server has started anew', async () => {
  const one = await process('well');
  const { jobId } = await storage.addRunningJob(place);
  await passes(one, jobId);
  await storage.sql`update process set server = 'the one before' where id = 'well'`;
  const beats = await beatsOf('well');
  await until(async () => expect(await beatsOf('well')).toBeGreaterThan(beats + 2));
  await passes(one, (await storage.addRunningJob(place, { text: 'another' })).jobId);
  expect(one.watch.problem()).toBeNull();
  // Its own row being gone, once it has ended, is no loss.
  for (let time = 0; time < 2; time += 1) await one.watch.close();
  expect(await storage.sql`select held_at from deployment`).toEqual([{ held_at: null }]);
  expect(one.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
});

test.each([
  [
    'its row went back',
    async () => void (await storage.sql`update process set beats = 1 where id = 'loser'`),
  ],
  ['its row is gone', async () => void (await storage.sql`delete from process where id = 'loser'`)],
])('where %s, all sends are held, and what could have left is looked for', async (_what, lose) => {
  const one = await process('loser');
  const { jobId, draftId } = await storage.addRunningJob(place);
  const call = await reserved(one.jobs, one.id, jobId);
  await until(async () => expect(await beatsOf('loser')).toBeGreaterThan(3));
  await lose();
  await until(async () => expect(await isHeld()).toBe(true));
  expect(one.watch.problem()).toMatch(/has lost what it had confirmed/u);
  expect(one.log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  expect(await callOf(call.id)).toEqual({ state: 'unknown', outcome: 'restored' });
  expect((await storage.queued()).has(`reconcile:${call.id}`)).toBe(true);
  expect((await storage.drafts.card(draftId))?.job).toMatchObject({ state: 'done', stopReason: 'restored' });
  // It is noticed once, and when sends are let go on all is well.
  await releaseSends(createLossStore(storage.sql, ZONE));
  await until(() => expect(one.watch.problem()).toBeNull());
  await passes(one, (await storage.addRunningJob(place, { text: 'is new' })).jobId);
  expect(one.log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
});

test('a call that has left and stands as planned again is noticed, though the row of the process is as it was', async () => {
  const one = await process('caller', { isBusy: true });
  const { jobId } = await storage.addRunningJob(place);
  const call = await passes(one, jobId);
  await storage.sql`update attempt set state = 'planned', owner = null, on_wire_at = null, fenced = 0 where id = ${call.id}`;
  // The outcome finds no row to be written to: that is looked into at once.
  const { sql } = storage;
  await sql`update attempt set epoch = epoch - 1 where id = ${call.id}`;
  await one.jobs.record(call.id, call.epoch, ACCEPTED);
  await until(async () => expect(await isHeld()).toBe(true));
  expect(one.log.lines.find(({ level }) => level === 'error')?.fields).toMatchObject({ calls: 1 });
  expect((await callOf(call.id))?.state).toBe('unknown');
});

test('a process that ends has looked once more, and leaves it to others to see a loss to its end', async () => {
  const one = await process('leaver', { isBusy: true });
  await storage.sql`delete from process where id = 'leaver'`;
  await one.watch.close();
  expect(await storage.sql`select held_at is not null as held, lost_done_at from deployment`).toEqual([
    { held: true, lost_done_at: null },
  ]);
});

test('what comes later of a call from before the loss is not taken for another one', async () => {
  const one = await process('late');
  const { jobId } = await storage.addRunningJob(place);
  const call = await passes(one, jobId);
  await until(async () => expect(await beatsOf('late')).toBeGreaterThan(3));
  // At once, or a look between the two finds one loss, and another one after it.
  await storage.sql`
    with call as (update attempt set state = 'planned', epoch = epoch - 3 where id = ${call.id})
    update process set beats = 1 where id = 'late'`;
  await until(async () => expect(await isHeld()).toBe(true));
  await releaseSends(createLossStore(storage.sql, ZONE));
  await one.jobs.record(call.id, call.epoch, ACCEPTED);
  const beats = await beatsOf('late');
  await until(async () => expect(await beatsOf('late')).toBeGreaterThan(beats + 2));
  expect(one.watch.problem()).toBeNull();
  expect(await callOf(call.id)).toEqual({ state: 'unknown', outcome: 'restored' });
});

test('a call that has surely not left may be planned again', async () => {
  const one = await process('returner');
  const { jobId } = await storage.addRunningJob(place);
  const call = await passes(one, jobId);
  await one.jobs.record(call.id, call.epoch, { outcome: 'not_sent', reason: 'refused' });
  const again = await passes(one, jobId);
  await one.jobs.release(again.id, again.epoch);
  const beats = await beatsOf('returner');
  await until(async () => expect(await beatsOf('returner')).toBeGreaterThan(beats + 2));
  expect(one.watch.problem()).toBeNull();
  expect(await isHeld()).toBe(false);
});

test('after a restart nothing leaves in any process before each has found what it knew', async () => {
  const [slow, quick] = [await process('slow', { isBusy: true }), await process('quick')];
  const { jobId } = await storage.addRunningJob(place);
  const call = await passes(slow, jobId);
  // The commit of its fence is lost with nothing before it, and the server is another.
  await forgets(call.id);
  await storage.sql`update process set server = 'the one before'`;
  const beats = await beatsOf('quick');
  await until(async () => expect(await beatsOf('quick')).toBeGreaterThan(beats + 2));
  expect(quick.watch.problem()).toBeNull();
  const taken = await reserved(quick.jobs, 'quick', jobId);
  expect(await quick.jobs.goOnWire(taken.id, taken.epoch)).toBe(false);

  // A process that is gone holds nobody up.
  await storage.sql`update deployment set held_at = null`;
  await quick.jobs.abandon(['slow']);
  expect(await quick.jobs.goOnWire(taken.id, taken.epoch)).toBe(true);
});

test('of two who hold a call, since the database forgot the first, one lets it go and the other does not give it back', async () => {
  const [first, second] = [await process('first'), await process('second')];
  const { jobId } = await storage.addRunningJob(place);
  const lost = await reserved(first.jobs, first.id, jobId);
  await forgets(lost.id);
  const held = await reserved(second.jobs, second.id, jobId);
  expect(held.id).toBe(lost.id);
  expect(await first.jobs.goOnWire(lost.id, lost.epoch)).toBe(false);
  expect(await second.jobs.goOnWire(held.id, held.epoch)).toBe(true);
  await first.jobs.release(lost.id, lost.epoch);
  expect((await callOf(held.id))?.state).toBe('on_wire');
  expect(await isHeld()).toBe(false);
});

test('a call that has left and was taken and given back again before anybody looked is missed all the same', async () => {
  const [slow, quick] = [await process('slow', { isBusy: true }), await process('quick', { isBusy: true })];
  const { jobId } = await storage.addRunningJob(place);
  const call = await passes(slow, jobId);
  await forgets(call.id);
  await storage.sql`update process set server = 'the one before'`;
  for (let times = 0; times < 2; times++) {
    const taken = await reserved(quick.jobs, 'quick', jobId);
    expect(await quick.jobs.goOnWire(taken.id, taken.epoch)).toBe(false);
    // Nor does anybody say of it that it has not left, for all of its numbers are blocked by now.
    expect(await quick.jobs.dropBlocked(taken.id, taken.epoch, taken.recipients)).toBeNull();
    await quick.jobs.release(taken.id, taken.epoch);
  }
  await slow.jobs.record(call.id, call.epoch, ACCEPTED);
  await until(async () => expect(await isHeld()).toBe(true));
  expect(await callOf(call.id)).toEqual({ state: 'unknown', outcome: 'restored' });
});

test('a loss that nobody has seen to the end holds sends until somebody has', async () => {
  const { jobId } = await storage.addRunningJob(place);
  await storage.sql`update deployment set held_at = now(), restored_from = now() - interval '1 hour', lost_at = now() - interval '1 minute'`;
  const one = await process('heir');
  expect(one.watch.problem()).toMatch(/has lost/u);
  const calls = await storage.sql`select distinct state from attempt where job_id = ${jobId}`;
  expect(calls).toEqual([{ state: 'unknown' }]);
  await releaseSends(createLossStore(storage.sql, ZONE));
  await until(() => expect(one.watch.problem()).toBeNull());
});

test.each(['off', 'local'])(
  'a session that may lose its commits (%s) lets nothing leave, and says so',
  async (mode) => {
    const one = await process(`weak ${mode}`);
    const { jobId } = await storage.addRunningJob(place);
    const call = await reserved(one.jobs, one.id, jobId);
    // Of each connection of the pool: none is given back before all of them are taken.
    const weaken = async (to: string): Promise<void> => {
      const all = Promise.withResolvers<void>();
      let left = storage.sql.options.max;
      await Promise.all(
        Array.from(
          { length: left },
          async () =>
            await storage.sql.begin(async (tx) => {
              await tx`select set_config('synchronous_commit', ${to}, false)`;
              left -= 1;
              if (left === 0) all.resolve();
              await all.promise;
            }),
        ),
      );
    };
    await weaken(mode);
    await until(() => expect(one.watch.problem()).toMatch(/synchronous_commit/u));
    expect(await one.jobs.goOnWire(call.id, call.epoch)).toBe(false);
    await weaken('on');
    await until(() => expect(one.watch.problem()).toBeNull());
  },
);
