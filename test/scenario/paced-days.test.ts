import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Secret } from '../../src/domain/secret.ts';
import { HOUR_MS, throughAt, type Pace } from '../../src/domain/pace.ts';
import { isWithin, minuteOfDay } from '../../src/domain/limits.ts';
import { createSender } from '../../src/features/sending/run/sender.ts';
import { createAccounts, type Accounts } from '../../src/gateway/accounts.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { createCallsInHand } from '../../src/storage/restore/calls-in-hand.ts';
import { openDatabase, type Database } from '../../src/storage/database/database.ts';
import { createDraftStore } from '../../src/storage/sending/draft-store.ts';
import { createJobStore } from '../../src/storage/sending/job-store.ts';
import { createLimitsStore } from '../../src/storage/sending/limits-store.ts';
import { createPaceClocks } from '../../src/storage/sending/pace-in.ts';
import { openTestStorage, type TestStorage } from '../../src/storage/testing.ts';
import { createMemoryLog } from '../support/memory-log.ts';
import { DEMO_KEY, DEMO_LINE } from '../support/world.ts';

/*
 * Sends with a pace over virtual days: the real stores on Postgres, the real client, and the sandbox, whose ledger says by
 * its own clock what has left. Time passes where the story says so, in the database (`now()` is one of the story's), in each
 * process and at the gateway. The time that really is, and what the clocks of the day show, are two things.
 */

const ZONE = 'Asia/Tehran';
const MINUTE_MS = 60_000;
const PACE: Pace = { perHour: 120, window: { from: 9 * 60, to: 20 * 60 } };
const START = Date.parse('2026-11-28T18:00:00+03:30');

type TestPlace = Awaited<ReturnType<TestStorage['addPlace']>>;

let storage: TestStorage;
let virtual: Database;
let sandbox: Sandbox;
let accounts: Accounts;
/** The time that it is, and by how much the clock of the day is wrong. */
let [time, skew] = [START, 0];
/** What has left: when it really was, what the clock of the day said, and to whom. */
let left: { readonly at: number; readonly shown: number; readonly recipients: readonly string[] }[] = [];

beforeAll(async () => {
  storage = await openTestStorage();
  const { sql, target } = storage.database;
  await sql.unsafe(`
    create schema virtual; create table virtual.clock (at timestamptz not null);
    insert into virtual.clock values (pg_catalog.now());
    create function virtual.now() returns timestamptz stable language sql as 'select at from virtual.clock';
    alter database "${target.database}" set search_path = virtual, pg_catalog, public`);
  virtual = openDatabase({ target, max: 8 });
  sandbox = await startSandbox({
    now: () => time,
    deliverySeconds: 1,
    onEvent(record) {
      if (record.kind === 'send')
        left.push({ at: time, shown: time + skew, recipients: record.recipients.map((each) => `98${each}`) });
    },
  });
  accounts = createAccounts({
    baseUrl: sandbox.baseUrl,
    versions: [3],
    isPrivateNetwork: true,
    credentialsOf: () => Promise.resolve({ apiKey: new Secret(DEMO_KEY) }),
  });
});
beforeEach(async () => {
  left = [];
  await setTime(START, 0);
});
afterAll(async () => {
  await accounts.close();
  await sandbox.close();
  await virtual.close();
  await storage.close();
});

async function setTime(now: number, wrong = skew): Promise<void> {
  [time, skew] = [now, wrong];
  await virtual.sql`update virtual.clock set at = ${new Date(time + skew).toISOString()}`;
}

let started = 0;

/** A process of its own: what it knows of the clocks of sends is gone with it. */
function startProcess() {
  const owner = `process-${(started += 1)}`;
  const begun = time - started * 1_000_003;
  const monotonic = () => time - begun;
  const jobs = createJobStore(virtual, ZONE, createCallsInHand(), createPaceClocks(monotonic));
  const clock = { now: () => new Date(time + skew), monotonic, sleep: () => Promise.resolve() };
  const send = createSender({ jobs, gateways: accounts, clock, owner });
  return {
    owner,
    jobs,
    /** As the queue does: its task is taken before, and what the run asks for is a new one. */
    async run(jobId: string) {
      await virtual.sql`delete from graphile_worker._private_jobs where key = ${`send:${jobId}`}`;
      await send(jobId, { log: createMemoryLog(), signal: new AbortController().signal });
    },
  };
}

async function begin(count: number, pace: Pace) {
  const place = await storage.addPlace();
  const recipients = Array.from(
    { length: count },
    (_, n) => `98912${String(started * 10_000 + n).padStart(7, '0')}`,
  );
  await virtual.sql`
    insert into chat_limits (chat_id, approval_parts, updated_by) values (${place.chat.id}, null, ${place.ownerId})`;
  const { draftId: id, confirmed } = await confirm(place, { recipients, pace });
  if (confirmed.result !== 'confirmed') throw new Error(confirmed.result);
  const { jobId } = confirmed;
  await virtual.sql`update job set state = 'running', started_at = now() where id = ${jobId}`;
  return { ...place, jobId, draftId: id, recipients };
}

/** A draft that is confirmed at the time that it is. */
async function confirm(
  place: TestPlace,
  {
    recipients,
    pace,
    sendAt,
  }: { readonly recipients: string[]; readonly pace?: Pace; readonly sendAt?: Date },
) {
  const drafts = createDraftStore(virtual);
  const { id: draftId } = await drafts.create(
    storage.draftIn(place, { recipients, line: DEMO_LINE, sendAt }),
  );
  if (pace !== undefined) expect(await drafts.edit(draftId, 1, { pace })).toBe(true);
  const confirmed = await drafts.confirm({
    draftId,
    version: pace === undefined ? 1 : 2,
    personId: place.ownerId,
    updateId: storage.next(),
    undoSeconds: 0,
    timeZone: ZONE,
  });
  return { draftId, confirmed };
}

/** When the queue takes it up again, by the clock of the day; null: not at all. */
async function nextRun(jobId: string): Promise<number | null> {
  const [row] = await virtual.sql<{ at: Date }[]>`
    select run_at as at from graphile_worker._private_jobs where key = ${`send:${jobId}`}`;
  return row?.at.getTime() ?? null;
}

async function stateOf(jobId: string): Promise<string | undefined> {
  const [row] = await virtual.sql<{ state: string }[]>`select state from job where id = ${jobId}`;
  return row?.state;
}

/** The most that has left in any 60 minutes, by the time that really was. */
function mostInAnHour(): number {
  const sums = left.map(({ at }) =>
    left
      .filter((each) => each.at >= at && each.at < at + HOUR_MS)
      .reduce((all, each) => all + each.recipients.length, 0),
  );
  return Math.max(...sums);
}

describe('a send with a pace', () => {
  test('leaves all of the hour’s number in its hours and no more, goes on tomorrow, and is through when its card says', async () => {
    const other = await begin(150, PACE);
    await virtual.sql`update attempt set state = 'accepted' where job_id = ${other.jobId} and chunk = 0`;
    const clocksOfOther = async () =>
      await virtual.sql`
        select j.pace_ms, j.pace_until, array_agg(a.pace_ms) as calls from job j join attempt a on a.job_id = j.id
        where j.id = ${other.jobId} group by j.id`;
    const asTheyWere = await clocksOfOther();
    const { jobId, draftId, recipients } = await begin(460, PACE);
    const said = throughAt(
      { ...PACE, hours: PACE.window === null ? [] : [PACE.window] },
      { left: 460, from: new Date(time), timeZone: ZONE },
    );
    const process = startProcess();
    for (let runs = 0; (await stateOf(jobId)) === 'running' && runs < 5000; runs += 1) {
      await process.run(jobId);
      await setTime(Math.max(time, (await nextRun(jobId)) ?? time));
    }
    const counts = (await storage.drafts.card(draftId))?.job?.counts;
    expect(counts).toMatchObject({ accepted: 460, planned: 0 });
    expect(left.flatMap((each) => each.recipients)).toEqual(recipients);
    const hours = Map.groupBy(left, ({ at }) => Math.floor((at - START) / HOUR_MS));
    expect(
      [...hours].map(([hour, calls]) => [hour, calls.reduce((all, each) => all + each.recipients.length, 0)]),
    ).toEqual([
      [0, 120],
      [1, 120],
      [15, 120],
      [16, 100],
    ]);
    expect(mostInAnHour()).toBe(120);
    const end = left.at(-1)?.at ?? 0;
    expect(Math.abs(end - (said?.getTime() ?? 0))).toBeLessThanOrEqual(5 * MINUTE_MS);
    expect(await clocksOfOther()).toEqual(asTheyWere);
  });

  test('never leaves faster, whatever is killed, jumps, runs beside it or is pressed, and leaves whole', async () => {
    const { jobId, ownerId, recipients } = await begin(450, PACE);
    const dice = diceOf(19);
    let processes = [startProcess(), startProcess()];
    const lost: string[] = [];
    for (let turns = 0; (await stateOf(jobId)) === 'running' && turns < 5000; turns += 1) {
      const one = processes[dice(2)] ?? startProcess();
      const what = dice(12);
      if (what === 0) {
        // Killed, with what it had taken and not let out, or had let out.
        const held = await one.jobs.reserve(jobId, one.owner);
        if (held.ok && dice(4) === 0 && lost.length === 0) {
          const [{ id, epoch, recipients: out }] = held.attempts;
          expect(await one.jobs.goOnWire(id, epoch)).toBe(true);
          left.push({ at: time, shown: time + skew, recipients: [] });
          lost.push(...out);
        }
        const fresh = startProcess();
        await fresh.jobs.abandon([one.owner]);
        processes = [...processes.filter((each) => each !== one), fresh];
      } else if (what === 1) {
        // Whoever goes by the clock of the day would find a day gone each time.
        for (let jumps = 0; jumps < 16; jumps += 1) {
          await setTime(time + MINUTE_MS, skew + 24 * HOUR_MS);
          await one.run(jobId);
        }
      } else if (what === 2) await setTime(time, skew - dice(2) * HOUR_MS);
      else if (what === 3) {
        const press = { jobId, personId: ownerId, updateId: storage.next() };
        expect(await one.jobs.pause(press)).toBe(true);
        await one.run(jobId);
        await setTime(time + dice(20) * MINUTE_MS);
        expect(await one.jobs.resume({ ...press, updateId: storage.next(), timeZone: ZONE })).toMatchObject({
          result: 'resumed',
        });
      } else if (what === 4) await Promise.all(processes.map((each) => each.run(jobId)));
      else await one.run(jobId);
      const due = (await nextRun(jobId)) ?? time + skew;
      // Whoever asks before its time is told to wait.
      await setTime(time + Math.min(Math.max(0, due - time - skew), dice(3) === 0 ? 30_000 : HOUR_MS));
    }
    expect(await stateOf(jobId)).toBe('done');
    const passed = left.flatMap((each) => each.recipients);
    expect(passed.toSorted()).toEqual(recipients.filter((each) => !lost.includes(each)));
    expect(mostInAnHour()).toBeLessThanOrEqual(120);
    for (const { shown } of left)
      expect(isWithin(PACE.window ?? { from: 0, to: 0 }, minuteOfDay(new Date(shown), ZONE))).toBe(true);
  });
});

describe('the caps of a day', () => {
  const at = (clock: string) => new Date(`2026-11-${clock}+03:30`);
  const capAt = async ({ chat, ownerId }: TestPlace, parts: number, price?: number) =>
    await createLimitsStore(virtual).change({
      chatId: chat.id,
      personId: ownerId,
      updateId: storage.next(),
      to: {
        cap: price === undefined ? { unit: 'parts', parts } : { unit: 'rial', rial: parts * price, parts },
      },
    });
  const spent = async ({ chat, ownerId }: TestPlace) => {
    const { parts } = await createLimitsStore(virtual).spentToday(chat.id, ZONE, ownerId);
    return parts;
  };
  const spentByAll = async ({ chat }: TestPlace) =>
    (await createLimitsStore(virtual).spentToday(chat.id, ZONE)).parts;
  const others = (count: number) =>
    Array.from({ length: count }, (_, n) => `98935${String(n).padStart(7, '0')}`);
  const run = async (jobId: string, until: Date, process = startProcess()) => {
    while (time < until.getTime() && (await stateOf(jobId)) === 'running') {
      await process.run(jobId);
      await setTime(Math.min(until.getTime(), (await nextRun(jobId)) ?? time));
    }
    await setTime(until.getTime());
  };

  test('count what a slow send leaves on each day, while it is ahead and once it has left', async () => {
    const place = await begin(460, PACE);
    await capAt(place, 300);
    expect(await spent(place)).toBe(240);
    expect((await confirm(place, { recipients: others(61) })).confirmed).toMatchObject({
      verdict: { kind: 'cap', used: 240, wanted: 61 },
    });
    const tomorrow = { sendAt: at('29T10:00:00') };
    expect((await confirm(place, { recipients: others(81), ...tomorrow })).confirmed).toMatchObject({
      verdict: { kind: 'cap', at: tomorrow.sendAt, used: 220, wanted: 81 },
    });
    const { confirmed } = await confirm(place, { recipients: others(80), ...tomorrow });
    expect(confirmed.result).toBe('confirmed');
    const process = startProcess();
    await run(place.jobId, at('28T19:00:00'), process);
    expect(left.flatMap(({ recipients }) => recipients).length).toBeLessThan(140);
    expect(await spent(place)).toBe(240);
    await run(place.jobId, at('28T23:00:00'), process);
    expect(await spent(place)).toBe(240);
    await run(place.jobId, at('29T09:30:00'), process);
    expect(await spent(place)).toBe(300);
    await run(place.jobId, at('29T19:00:00'), process);
    expect(await stateOf(place.jobId)).not.toBe('running');
    expect(await spent(place)).toBe(300);
    await setTime(at('30T09:00:00').getTime());
    expect(await spent(place)).toBe(0);
  });

  test('hold back what comes late because nobody sent, until the next day', async () => {
    const place = await begin(600, PACE);
    await capAt(place, 400);
    const gone = (clock: string) =>
      left.filter((each) => each.at < at(clock).getTime()).flatMap(({ recipients }) => recipients);
    // The 240 of its first evening did not leave, as no process was there.
    await setTime(at('29T09:00:00').getTime());
    await run(place.jobId, at('29T15:00:00'));
    expect(gone('29T15:00:00')).toHaveLength(400);
    expect((await storage.drafts.card(place.draftId))?.job?.waitsUntil).toEqual(at('30T09:00:00'));
    await run(place.jobId, at('30T08:00:00'));
    expect(gone('30T08:00:00')).toHaveLength(400);
    await run(place.jobId, at('30T23:00:00'));
    expect(gone('30T23:00:00')).toEqual(place.recipients);
    expect(await stateOf(place.jobId)).toBe('done');
  });

  test.each([[undefined], [10]])(
    'hold back two that are late together (%j rial a part), and what is sent at once counts',
    async (price) => {
      const place = await begin(300, PACE);
      const second = await confirm(place, { recipients: others(300), pace: PACE });
      expect(second.confirmed.result).toBe('confirmed');
      const otherId = second.confirmed.result === 'confirmed' ? second.confirmed.jobId : '';
      await virtual.sql`update job set state = 'running', started_at = now() where id = ${otherId}`;
      await setTime(at('29T09:00:00').getTime());
      const { confirmed } = await confirm(place, { recipients: others(50) });
      expect(confirmed.result).toBe('confirmed');
      await capAt(place, 400, price);
      const process = startProcess();
      for (const hour of [10, 11, 12, 13, 14, 15]) {
        await process.run(place.jobId);
        await run(otherId, at(`29T${hour}:00:00`), process);
        await run(place.jobId, at(`29T${hour}:30:00`), process);
      }
      expect(left.flatMap(({ recipients }) => recipients)).toHaveLength(350);

      // What one has in hand counts for the other.
      await setTime(at('30T09:00:00').getTime());
      await capAt(place, 15, price);
      expect(await process.jobs.reserve(place.jobId, process.owner)).toMatchObject({ ok: true });
      expect(await process.jobs.reserve(otherId, process.owner)).toMatchObject({
        ok: false,
        reason: 'paced',
      });
    },
  );

  test.each([[undefined], [10]])(
    'count of one that is late what they leave for it (%j rial a part), and what has its time leaves then',
    async (price) => {
      const place = await begin(600, PACE);
      await capAt(place, 400, price);
      const sendAt = at('29T10:00:00');
      const { draftId, confirmed } = await confirm(place, { recipients: others(40), sendAt });
      expect(confirmed.result).toBe('confirmed');
      const jobId = confirmed.result === 'confirmed' ? confirmed.jobId : '';
      expect(await spentByAll(place)).toBe(240);
      await setTime(at('29T09:00:00').getTime());
      expect(await spentByAll(place)).toBe(400);
      expect((await confirm(place, { recipients: others(1) })).confirmed).toMatchObject({
        verdict: { kind: 'cap', used: price === undefined ? 400 : 4000 },
      });
      await setTime(sendAt.getTime());
      const process = startProcess();
      await process.run(jobId);
      expect(await stateOf(jobId)).toBe('running');
      await run(jobId, at('29T10:05:00'), process);
      expect(left.flatMap(({ recipients }) => recipients)).toHaveLength(40);
      expect((await storage.drafts.card(draftId))?.job?.state).toBe('done');
      await run(place.jobId, at('29T23:00:00'), process);
      expect(left.flatMap(({ recipients }) => recipients)).toHaveLength(400);
      expect(await spentByAll(place)).toBe(400);
    },
  );

  test.each([[undefined], [10]])(
    'that a call of a slow send has outgrown are said on its card, until they are raised (%j rial a part)',
    async (price) => {
      const place = await begin(100, PACE);
      const outgrown = async () => (await storage.drafts.card(place.draftId))?.job?.outgrown ?? null;
      expect(await outgrown()).toBeNull();
      await run(place.jobId, at('28T18:20:00'));
      await storage.emptyQueue();
      await capAt(place, 9, price);
      expect((await storage.queued()).has(`card:${place.draftId}`)).toBe(true);
      await run(place.jobId, at('30T18:00:00'));
      expect(left.flatMap(({ recipients }) => recipients)).toHaveLength(40);
      const rate = price ?? 1;
      expect(await outgrown()).toMatchObject({ whose: 'chat', cap: 9 * rate, wanted: 10 * rate });
      await capAt(place, 10, price);
      expect(await outgrown()).toBeNull();
      await run(place.jobId, at('30T19:00:00'));
      expect(left.flatMap(({ recipients }) => recipients)).toHaveLength(50);
    },
  );

  test('count nothing of a slow send for those who are left out on its way', async () => {
    const place = await begin(240, PACE);
    await capAt(place, 1000);
    expect(await spent(place)).toBe(240);
    const { jobs, owner } = startProcess();
    const leaveOut = async (count: number) => {
      const held = await jobs.reserve(place.jobId, owner);
      if (!held.ok) throw new Error(held.reason);
      const [{ id, epoch, recipients }] = held.attempts;
      await jobs.dropBlocked(id, epoch, recipients.slice(0, count));
      return { id, epoch, recipients };
    };
    const { id, epoch, recipients } = await leaveOut(4);
    expect(await spent(place)).toBe(236);
    expect(await jobs.goOnWire(id, epoch)).toBe(true);
    await jobs.record(id, epoch, { outcome: 'accepted', raw: '{}', messageIds: recipients.slice(4) });
    expect(await spent(place)).toBe(236);
    // From when it is seen to have left the next one waits.
    expect(await jobs.reserve(place.jobId, owner)).toMatchObject({ reason: 'paced' });
    await setTime(time + 5 * MINUTE_MS);
    await leaveOut(recipients.length);
    expect(await spent(place)).toBe(226);
    // From when it goes on it counts those alone who are left.
    const press = { jobId: place.jobId, personId: place.ownerId, timeZone: ZONE };
    expect(await jobs.pause({ ...press, updateId: storage.next() })).toBe(true);
    await setTime(time + MINUTE_MS);
    await jobs.resume({ ...press, updateId: storage.next() });
    const [row] = await virtual.sql`select parts from job where id = ${place.jobId}`;
    expect([row, await spent(place)]).toEqual([{ parts: 226 }, 226]);
  });

  test('let a send leave slowly that is over them at once, and name the day on which one does not fit', async () => {
    const place = await begin(100, PACE);
    await capAt(place, 400);
    const slowly = { recipients: others(450), pace: PACE };
    expect((await confirm(place, { recipients: slowly.recipients })).confirmed.result).toBe('limited');
    const tomorrow = await confirm(place, { recipients: others(191), sendAt: at('29T08:00:00') });
    expect(tomorrow.confirmed.result).toBe('confirmed');
    const { confirmed } = await confirm(place, slowly);
    expect(confirmed).toMatchObject({
      verdict: { kind: 'cap', at: at('29T09:00:00'), used: 191, wanted: 210 },
    });
  });

  test('are asked anew when it goes on: for its rest, with what has left of it today', async () => {
    const place = await begin(300, PACE);
    await run(place.jobId, at('28T19:00:00'));
    const gone = left.flatMap(({ recipients }) => recipients).length;
    const { jobs } = startProcess();
    const press = { jobId: place.jobId, personId: place.ownerId, timeZone: ZONE };
    await capAt(place, 300);
    await storage.emptyQueue();
    expect(await jobs.pause({ ...press, updateId: storage.next() })).toBe(true);
    expect([...(await storage.queued()).values()].map(({ task }) => task)).toContain('open-drafts');
    expect(await spent(place)).toBe(gone);
    await capAt(place, gone + 119);
    expect(await jobs.resume({ ...press, updateId: storage.next() })).toMatchObject({
      result: 'limited',
      verdict: { kind: 'cap', used: 0, wanted: gone + 120 },
    });
    await capAt(place, gone + 120);
    expect(await jobs.resume({ ...press, updateId: storage.next() })).toMatchObject({ result: 'resumed' });
    expect(await spent(place)).toBe(gone + 120);
  });

  test('in rial count what has left without a price as the cap was worth, when the rest has one', async () => {
    const place = await begin(300, PACE);
    await run(place.jobId, at('28T19:00:00'));
    const gone = left.flatMap(({ recipients }) => recipients).length;
    const { jobs } = startProcess();
    const press = { jobId: place.jobId, personId: place.ownerId, timeZone: ZONE };
    expect(await jobs.pause({ ...press, updateId: storage.next() })).toBe(true);
    await virtual.sql`
      insert into account_gauge (binding_id, gsm_cost, gsm_parts) values (${place.bindingId}, 10, 1)`;
    await capAt(place, gone + 119, 10);
    expect(await jobs.resume({ ...press, updateId: storage.next() })).toMatchObject({
      result: 'limited',
      verdict: { kind: 'cap', unit: 'rial', used: 0, wanted: 10 * (gone + 120) },
    });
    await capAt(place, gone + 120, 10);
    expect(await jobs.resume({ ...press, updateId: storage.next() })).toMatchObject({ result: 'resumed' });
  });

  test('no longer count the rest of what was stopped', async () => {
    const place = await begin(460, PACE);
    await run(place.jobId, at('28T18:30:00'));
    const gone = left.flatMap(({ recipients }) => recipients).length;
    expect(await startProcess().jobs.stop(place.jobId, 'person', place.ownerId, storage.next())).toBe(true);
    expect(await spent(place)).toBe(gone);
    await setTime(at('29T09:30:00').getTime());
    expect(await spent(place)).toBe(0);
  });
});

/** The same throws in every run. */
function diceOf(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}
