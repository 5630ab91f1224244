import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JobState } from '../../domain/job.ts';
import { DEFAULT_LIMITS } from '../../domain/limits.ts';
import type { Role } from '../../domain/roles.ts';
import { limitsIn, showOpenDrafts } from './limits-in.ts';
import { createLimitsStore } from './limits-store.ts';
import { createScheduleStore } from './schedule-store.ts';
import { LINE, openTestStorage, type TestStorage } from '../testing.ts';

let storage: TestStorage;
let limits: ReturnType<typeof createLimitsStore>;

beforeAll(async () => {
  storage = await openTestStorage();
  limits = createLimitsStore(storage.database);
});
afterAll(() => storage.close());

test('a chat that has set nothing has the defaults, and a change of one keeps the others', async () => {
  const { chat, ownerId } = await storage.addPlace();
  expect(await limits.of(chat.id)).toEqual(DEFAULT_LIMITS);
  const by = { chatId: chat.id, personId: ownerId };
  await limits.change({ ...by, updateId: 1, to: { window: { from: 1260, to: 540 } } });
  await limits.change({
    ...by,
    updateId: 2,
    to: { cap: { unit: 'rial', rial: 1_000_000_000_000, parts: 2e9 } },
  });
  await limits.change({ ...by, updateId: 3, to: { personCap: { unit: 'rial', rial: 1000, parts: 1 } } });
  const after = {
    approvalParts: 0,
    cap: { unit: 'rial', rial: 1_000_000_000_000, parts: 2_000_000_000 },
    personCap: { unit: 'rial', rial: 1000, parts: 1 },
    window: { from: 1260, to: 540 },
    halted: null,
    heldAt: null,
    lines: [],
  };
  const done = await limits.change({ ...by, updateId: 3, to: { approvalParts: 0 } });
  expect(done).toEqual({ before: { ...after, approvalParts: 500 }, after });
  expect(await limits.of(chat.id)).toEqual(after);
  await limits.change({
    ...by,
    updateId: 4,
    to: { approvalParts: null, cap: { unit: 'parts', parts: 10 }, personCap: null, window: null },
  });
  expect(await limits.of(chat.id)).toEqual({
    approvalParts: null,
    cap: { unit: 'parts', parts: 10 },
    personCap: null,
    window: null,
    halted: null,
    heldAt: null,
    lines: [],
  });
});

test.each([
  ['Asia/Tehran', 'Asia/Tehran'],
  ['asia/kolkata', 'Asia/Kolkata'],
  ['new york', 'America/New_York'],
  ['Berlin', 'Europe/Berlin'],
  ['utc', 'UTC'],
  ['Etc/GMT+4', null],
  ['posixrules', null],
  ['Atlantis', null],
  ["'; drop table chat; --", null],
])('%s is the time zone %s', async (typed, zone) => {
  expect(await limits.zoneCalled(typed)).toBe(zone);
});

test('the time zone of a chat is in the audit with what it was before, and nobody without the role sets it', async () => {
  const { chat, ownerId } = await storage.addPlace();
  const by = { chatId: chat.id, personId: ownerId, updateId: 21 };
  expect(await limits.changeZone({ ...by, zone: 'Asia/Dubai' })).toBe(true);
  expect(await limits.changeZone({ ...by, zone: 'Asia/Dubai' })).toBe(true);
  expect(await limits.changeZone({ ...by, personId: storage.next(), zone: 'Asia/Kabul' })).toBe(false);
  expect(await storage.sql`select time_zone from chat where id = ${chat.id}`).toEqual([
    { time_zone: 'Asia/Dubai' },
  ]);
  const rows = (await storage.audit(chat.id)).filter((row) => row.action === 'time_zone_changed');
  expect(rows.map((row) => row.details)).toEqual([{ old: '', new: 'Asia/Dubai' }]);
});

test('each change is in the audit with what it was before; a change to the same is none', async () => {
  const { chat, ownerId } = await storage.addPlace();
  const by = { chatId: chat.id, personId: ownerId };
  await limits.change({ ...by, updateId: 11, to: { cap: { unit: 'parts', parts: 10 } } });
  await limits.change({ ...by, updateId: 12, to: { cap: { unit: 'parts', parts: 10 } } });
  await limits.change({ ...by, updateId: 13, to: { approvalParts: 200 } });
  const rows = (await storage.audit(chat.id)).filter((row) => row.action === 'limits_changed');
  expect(rows).toEqual([
    {
      action: 'limits_changed',
      person_id: ownerId,
      update_id: 11,
      details: { old: { cap: null }, new: { cap: { unit: 'parts', parts: 10 } } },
    },
    {
      action: 'limits_changed',
      person_id: ownerId,
      update_id: 13,
      details: { old: { approvalParts: 500 }, new: { approvalParts: 200 } },
    },
  ]);
});

test('what a chat and its lines have set says who has set it last, and when', async () => {
  const { chat, ownerId } = await storage.addPlace();
  const zahra = await storage.addPerson(chat.id, 'admin', 'Zahra');
  for (const personId of [ownerId, zahra]) {
    const by = { chatId: chat.id, personId, updateId: storage.next() };
    await limits.change({ ...by, to: { approvalParts: personId } });
    await limits.changeLine({ ...by, line: LINE, to: { required: `${personId}` } });
  }
  const rows = await storage.sql`
    select updated_by, updated_at > (select max(at) from audit where person_id = ${ownerId}) as is_later from (
      select chat_id, updated_by, updated_at from chat_limits union all select chat_id, updated_by, updated_at from line_rule
    ) as set_by where chat_id = ${chat.id}`;
  expect(rows).toEqual(Array.from({ length: 2 }, () => ({ updated_by: zahra, is_later: true })));
});

test.each<Role | null>([null, 'viewer', 'operator', 'approver'])(
  'somebody whose role by now is %s changes nothing',
  async (role) => {
    const { chat } = await storage.addPlace();
    const personId = await storage.addPerson(chat.id, role);
    expect(await limits.change({ chatId: chat.id, personId, updateId: 1, to: { approvalParts: 9 } })).toBe(
      null,
    );
    expect(await limits.of(chat.id)).toEqual(DEFAULT_LIMITS);
    expect((await storage.audit(chat.id)).map((row) => row.action)).not.toContain('limits_changed');
  },
);

test('when a cap is used, what can still be confirmed in the chat is shown anew', async () => {
  const [place, other] = [await storage.addPlace(), await storage.addPlace()];
  const draft = async (of: typeof place) => (await storage.drafts.create(storage.draftIn(of))).id;
  const [open, asked, cancelled, lapsed] = [
    await draft(place),
    await draft(place),
    await draft(place),
    await draft(place),
  ];
  const elsewhere = await draft(other);
  await storage.sql`update draft set state = 'asked' where id = ${asked}`;
  await storage.sql`update draft set state = 'cancelled' where id = ${cancelled}`;
  await storage.sql`update draft set expires_at = now() where id = ${lapsed}`;
  const shown = async (chatId: string | null) => {
    await storage.emptyQueue();
    await showOpenDrafts(storage.sql, chatId);
    const queued = await storage.queued();
    return [open, asked, cancelled, lapsed, elsewhere].map((id) => queued.has(`card:${id}`));
  };
  expect(await shown(place.chat.id)).toEqual([true, true, false, false, false]);
  expect(await shown(null)).toEqual([true, true, false, false, true]);
});

describe('the switch', () => {
  const ZONE = 'Asia/Tehran';
  const stateOf = async (jobId: string) => {
    const [row] = await storage.sql<{ state: JobState; reason: string | null }[]>`
      select state, stop_reason as reason from job where id = ${jobId}`;
    return row;
  };

  async function chat() {
    const place = await storage.addPlace();
    const by = { chatId: place.chat.id, personId: place.ownerId, updateId: storage.next() };
    return { place, by };
  }

  /** Confirmed, and still within its hold, or for a later time. */
  async function waiting(
    place: Awaited<ReturnType<TestStorage['addPlace']>>,
    more: { undoSeconds: number; sendAt?: Date },
  ) {
    const { undoSeconds, ...draft } = more;
    const { id: draftId } = await storage.drafts.create(storage.draftIn(place, draft));
    const press = { draftId, version: 1, personId: place.ownerId, updateId: storage.next() };
    const made = await storage.drafts.confirm({ ...press, undoSeconds, timeZone: ZONE });
    return made.result === 'confirmed' ? made.jobId : '';
  }

  test('pauses what runs or is held in one transaction, and keeps what the chat has set', async () => {
    const { place, by } = await chat();
    const [first, second] = [await storage.addRunningJob(place), await storage.addRunningJob(place)];
    const held = await waiting(place, { undoSeconds: 60 });
    const byHand = await storage.addRunningJob(place);
    await storage.jobs.pause({ ...by, jobId: byHand.jobId });
    const other = await chat();
    const elsewhere = await storage.addRunningJob(other.place);
    const zahra = await storage.addPerson(place.chat.id, 'admin', 'Zahra');
    const reserved = await storage.jobs.reserve(first.jobId, 'process-1');
    // A chat that has set nothing keeps its defaults.
    await storage.sql`delete from chat_limits where chat_id = ${place.chat.id}`;
    await storage.emptyQueue();
    const done = await limits.halt({ ...by, personId: zahra });
    expect(done).toMatchObject({ isNew: true, paused: 3, halted: { byName: 'Zahra' } });
    for (const jobId of [first.jobId, second.jobId, held])
      expect(await stateOf(jobId)).toEqual({ state: 'paused', reason: 'halted' });
    expect(await stateOf(byHand.jobId)).toEqual({ state: 'paused', reason: 'person' });
    expect(await stateOf(elsewhere.jobId)).toMatchObject({ state: 'running' });
    expect((await limits.of(other.place.chat.id)).halted).toBe(null);
    if (reserved.ok) {
      const { id, epoch } = reserved.attempts[0];
      expect(await storage.jobs.goOnWire(id, epoch)).toBe(false);
    }
    expect((await storage.queued()).has(`card:${first.draftId}`)).toBe(true);
    expect(await limits.of(place.chat.id)).toMatchObject({ approvalParts: 500, halted: done?.halted });
    expect(await limits.halt({ ...by, updateId: storage.next() })).toMatchObject({ isNew: false, paused: 0 });
    const told = (await storage.audit(place.chat.id)).filter(({ action }) => action === 'sends_halted');
    expect(told).toMatchObject([{ person_id: zahra, details: { paused: 3 } }]);
    const [stopped] = await storage.sql`select stopped_by from job where id = ${first.jobId}`;
    expect(stopped).toEqual({ stopped_by: zahra });
  });

  test('lets nothing be confirmed, asked for or resumed while it is thrown', async () => {
    const { place, by } = await chat();
    const paused = await storage.addRunningJob(place);
    await storage.jobs.pause({ ...by, jobId: paused.jobId });
    const { id: draftId } = await storage.drafts.create(storage.draftIn(place));
    await limits.halt(by);
    const press = { draftId, version: 1, personId: place.ownerId, updateId: storage.next() };
    expect(await storage.drafts.confirm({ ...press, undoSeconds: 0, timeZone: ZONE })).toMatchObject({
      result: 'limited',
      verdict: { kind: 'halted', byName: 'Sara' },
    });
    expect(await storage.jobs.resume({ ...by, jobId: paused.jobId, timeZone: ZONE })).toMatchObject({
      result: 'limited',
      verdict: { kind: 'halted' },
    });
    // A limit that is changed meanwhile takes nothing back.
    await limits.change({ ...by, to: { approvalParts: 9 } });
    expect((await limits.of(place.chat.id)).halted).not.toBe(null);
  });

  test('taken back lets exactly those go on that it has paused', async () => {
    const { place, by } = await chat();
    const first = await storage.addRunningJob(place);
    const byHand = await storage.addRunningJob(place);
    await storage.jobs.pause({ ...by, jobId: byHand.jobId });
    const ended = await storage.addRunningJob(place);
    const held = await waiting(place, { undoSeconds: 60 });
    const later = await waiting(place, { undoSeconds: 0, sendAt: new Date(Date.now() + 3_600_000) });
    const other = await chat();
    const elsewhere = await storage.addRunningJob(other.place);
    await limits.halt(other.by);
    await limits.halt(by);
    await storage.jobs.stop(ended.jobId, 'person', place.ownerId, storage.next());
    await storage.emptyQueue();
    expect(await limits.go({ ...by, timeZone: ZONE })).toMatchObject({
      was: { byName: 'Sara' },
      resumed: 2,
      kept: 0,
    });
    expect(await stateOf(first.jobId)).toEqual({ state: 'running', reason: null });
    // Its hold is not over: it can still be undone.
    expect(await stateOf(held)).toEqual({ state: 'holding', reason: null });
    expect(await stateOf(byHand.jobId)).toEqual({ state: 'paused', reason: 'person' });
    expect(await stateOf(ended.jobId)).toMatchObject({ state: 'stopped' });
    const queued = await storage.queued();
    expect(queued.get(`send:${first.jobId}`)?.in_ms).toBeLessThanOrEqual(0);
    expect(queued.get(`send:${held}`)?.in_ms).toBeGreaterThan(30_000);
    for (const jobId of [byHand.jobId, later]) expect(queued.has(`send:${jobId}`)).toBe(false);
    expect(await stateOf(elsewhere.jobId)).toEqual({ state: 'paused', reason: 'halted' });
    expect((await limits.of(other.place.chat.id)).halted).not.toBe(null);
    expect(await limits.go({ ...by, timeZone: ZONE })).toEqual({ was: null, resumed: 0, kept: 0 });
    expect((await storage.audit(place.chat.id)).at(-1)).toMatchObject({
      action: 'sends_allowed',
      details: { resumed: 2, kept: 0 },
    });
  });

  test('taken back lets what was confirmed first go on as far as the limits of now allow, and leaves the others for a person to decide', async () => {
    const { place, by } = await chat();
    const [third, first, second] = [
      await storage.addRunningJob(place),
      await storage.addRunningJob(place),
      await storage.addRunningJob(place),
    ];
    const missed = await waiting(place, { undoSeconds: 60 });
    await limits.halt(by);
    await limits.change({ ...by, to: { cap: { unit: 'parts', parts: 4 } } });
    const zahra = await storage.addPerson(place.chat.id, 'admin', 'Zahra');
    await storage.sql`
      update job set leaves_at = now() - interval '2 days', confirmed_at = confirmed_at + case id
        when ${third.jobId} then interval '1 hour' when ${first.jobId} then interval '-1 hour' else interval '0' end
      where chat_id = ${place.chat.id}`;
    await storage.sql`update job set state = 'missed', stop_reason = 'halted' where id = ${missed}`;
    const done = await limits.go({ ...by, personId: zahra, timeZone: ZONE });
    expect(done).toMatchObject({ resumed: 2, kept: 1 });
    for (const { jobId } of [first, second])
      expect(await stateOf(jobId)).toEqual({ state: 'running', reason: null });
    expect(await stateOf(third.jobId)).toEqual({ state: 'paused', reason: 'person' });
    const [kept] = await storage.sql`select stopped_by from job where id = ${third.jobId}`;
    expect(kept).toEqual({ stopped_by: place.ownerId });
    // Of what asks already nothing else is said.
    expect(await stateOf(missed)).toEqual({ state: 'missed', reason: 'halted' });
  });

  test('taken back leaves an answer of a rule that has grown late meanwhile to people', async () => {
    const { place, by } = await chat();
    const answer = async (isAuto: boolean) => {
      const answers = { inboundId: storage.next(), isAuto };
      return await storage.addRunningJob(place, { answers, text: `answer ${storage.next()}` });
    };
    const [late, persons, soon] = [await answer(true), await answer(false), await answer(true)];
    await limits.halt(by);
    await storage.sql`
      update job set hold_until = now() - interval '31 minutes' where id in (${late.jobId}, ${persons.jobId})`;
    expect(await limits.go({ ...by, timeZone: ZONE })).toMatchObject({ resumed: 2, kept: 1 });
    expect(await stateOf(late.jobId)).toEqual({ state: 'paused', reason: 'person' });
    for (const { jobId } of [persons, soon]) expect(await stateOf(jobId)).toMatchObject({ state: 'running' });
    // Somebody who has looked at it may.
    expect(await storage.jobs.resume({ ...by, jobId: late.jobId, timeZone: ZONE })).toMatchObject({
      result: 'resumed',
    });
  });

  test('taken back while the operator holds all, it leaves its sends to that, and names nobody', async () => {
    const { place, by } = await chat();
    const { jobId } = await storage.addRunningJob(place);
    await limits.halt(by);
    await storage.sql`update deployment set held_at = now()`;
    try {
      expect(await limits.go({ ...by, timeZone: ZONE })).toMatchObject({ resumed: 0, kept: 0 });
    } finally {
      await storage.sql`update deployment set held_at = null`;
    }
    const [kept] = await storage.sql`select state, stop_reason, stopped_by from job where id = ${jobId}`;
    expect(kept).toEqual({ state: 'paused', stop_reason: 'held', stopped_by: null });
  });

  test('taken back wakes what came due meanwhile, of this chat alone', async () => {
    const [here, there] = [await chat(), await chat()];
    const sendAt = new Date(Date.now() + 3_600_000);
    const [due, later, elsewhere] = [
      await waiting(here.place, { undoSeconds: 0, sendAt }),
      await waiting(here.place, { undoSeconds: 0, sendAt }),
      await waiting(there.place, { undoSeconds: 0, sendAt }),
    ];
    await limits.halt(here.by);
    await storage.sql`update job set hold_until = now() - interval '1 minute' where id in (${due}, ${elsewhere})`;
    await storage.emptyQueue();
    await limits.go({ ...here.by, timeZone: ZONE });
    const queued = await storage.queued();
    expect([due, later, elsewhere].filter((id) => queued.has(`send:${id}`))).toEqual([due]);
  });

  test('keeps what is scheduled from starting, until it is late or the switch is taken back', async () => {
    const { place, by } = await chat();
    const soon = { undoSeconds: 0, sendAt: new Date(Date.now() + 60_000) };
    const [due, late, held] = [
      await waiting(place, soon),
      await waiting(place, soon),
      await waiting(place, { undoSeconds: 60 }),
    ];
    const elsewhere = await waiting((await chat()).place, { undoSeconds: 60 });
    await limits.halt(by);
    await storage.sql`
      update job set state = 'holding', stop_reason = null, stopped_by = null, hold_until = now() where id = ${held}`;
    await storage.sql`update job set hold_until = now() - interval '10 minutes' where id = ${due}`;
    await storage.sql`update job set hold_until = now() - interval '31 minutes' where id = ${late}`;
    const started = await storage.jobs.start(due);
    expect(started?.state).toBe('scheduled');
    // Nobody asks again at once, again and again: it is looked at when it becomes late.
    expect(started?.waitMs).toBeGreaterThan(19 * 60_000);
    expect(started?.waitMs).toBeLessThan(21 * 60_000);
    expect((await storage.jobs.start(late))?.state).toBe('missed');
    expect(await stateOf(late)).toEqual({ state: 'missed', reason: 'halted' });
    expect((await storage.jobs.start(held))?.state).toBe('paused');
    expect(await stateOf(held)).toEqual({ state: 'paused', reason: 'halted' });
    expect(await storage.sql`select stopped_by from job where id = ${held}`).toEqual([
      { stopped_by: place.ownerId },
    ]);
    expect(await stateOf(elsewhere)).toEqual({ state: 'holding', reason: null });
    await storage.emptyQueue();
    await limits.go({ ...by, timeZone: ZONE });
    expect((await storage.queued()).has(`send:${due}`)).toBe(true);
    expect((await storage.jobs.start(due))?.state).toBe('running');
  });

  test('or a process that is away keeps an answer of a rule until it is late, and then people are asked', async () => {
    const { place } = await chat();
    const answers = { inboundId: storage.next(), isAuto: true };
    const { jobId } = await storage.addRunningJob(place, { answers });
    await storage.sql`
      update job set state = 'holding', started_at = null, hold_until = now() - interval '31 minutes' where id = ${jobId}`;
    expect((await storage.jobs.start(jobId))?.state).toBe('missed');
    expect(await stateOf(jobId)).toEqual({ state: 'missed', reason: 'late' });
    const press = { jobId, chatId: place.chat.id, personId: place.ownerId, updateId: storage.next() };
    const { pressed } = await createScheduleStore(storage.database, ZONE).sendNow({
      ...press,
      undoSeconds: 0,
      timeZone: ZONE,
    });
    expect(pressed).toMatchObject({ result: 'confirmed' });
    const anew = pressed.result === 'confirmed' ? pressed.jobId : '';
    expect((await storage.jobs.start(anew))?.state).toBe('running');
  });

  test('against starts and resumes at the same moment leaves nothing that runs', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { place, by } = await chat();
      const free = await waiting(place, { undoSeconds: 0 });
      const paused = await storage.addRunningJob(place);
      await storage.jobs.pause({ ...by, jobId: paused.jobId });
      await Promise.all([
        limits.halt(by),
        storage.jobs.start(free),
        storage.jobs.resume({ ...by, jobId: paused.jobId, timeZone: ZONE }),
      ]);
      for (const jobId of [free, paused.jobId]) expect((await stateOf(jobId))?.state).not.toBe('running');
    }
  });

  test('is waited for by whatever is about to start while it is being thrown', async () => {
    const { place, by } = await chat();
    const due = await waiting(place, { undoSeconds: 0, sendAt: new Date(Date.now() + 60_000) });
    await limits.change({ ...by, to: { approvalParts: null } });
    await storage.sql`update job set hold_until = now() where id = ${due}`;
    const started = await storage.sql.begin(async (tx) => {
      await limitsIn(tx, place.chat.id);
      await tx`update chat_limits set halted_at = now(), halted_by = ${place.ownerId} where chat_id = ${place.chat.id}`;
      const starting = storage.jobs.start(due);
      const over = starting.then(() => true);
      for (let waits = false; !waits;) {
        const locks = await storage.sql`select 1 from pg_locks where locktype = 'advisory' and not granted`;
        waits = locks.length > 0 || (await Promise.race([over, Promise.resolve(false)]));
      }
      return { starting };
    });
    expect((await started.starting)?.state).toBe('scheduled');
  });

  test.each<Role | null>([null, 'viewer', 'operator', 'approver'])('is not for %s', async (role) => {
    const { place, by } = await chat();
    const { jobId } = await storage.addRunningJob(place);
    const personId = await storage.addPerson(place.chat.id, role);
    expect(await limits.halt({ ...by, personId })).toBe(null);
    expect((await stateOf(jobId))?.state).toBe('running');
    await limits.halt(by);
    expect(await limits.go({ ...by, personId, timeZone: ZONE })).toBe(null);
    expect((await stateOf(jobId))?.state).toBe('paused');
  });
});
