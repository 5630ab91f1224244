import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transition, type AttemptState, type Classification } from '../domain/attempt.ts';
import type { AttemptResult, AttemptView, JobState, NewDraft } from '../ports/stores.ts';
import { openTestStorage, type TestStorage } from './testing.ts';

let storage: TestStorage;
let place: Awaited<ReturnType<TestStorage['addPlace']>>;

beforeAll(async () => {
  storage = await openTestStorage();
});
beforeEach(async () => {
  // What earlier tests left in the air is nobody's any more.
  await storage.sql`update attempt set state = 'closed' where state in ('reserved', 'on_wire', 'unknown')`;
  place = await storage.addPlace();
  await storage.emptyQueue();
});
afterAll(() => storage.close());

const OWNER = 'process-1';
const ACCEPTED: AttemptResult = {
  outcome: 'accepted',
  raw: '{}',
  messages: [{ recipient: '989120000001', messageId: '9007199254740993' }],
};
const REJECTED: AttemptResult = { outcome: 'rejected', code: 23, name: 'invalid_line', raw: '23' };
const UNKNOWN: AttemptResult = { outcome: 'unknown', reason: 'timeout', raw: '' };
const NOT_SENT: AttemptResult = { outcome: 'not_sent', reason: 'refused' };

function numbers(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `98912${String(from + n).padStart(7, '0')}`);
}

async function running(more: Partial<NewDraft> = {}) {
  return await storage.addRunningJob(place, more);
}

async function reserve(jobId: string, owner = OWNER): Promise<AttemptView> {
  const reserved = await storage.jobs.reserve(jobId, owner);
  if (!reserved.ok) throw new Error(reserved.reason);
  return reserved.attempt;
}

async function onWire(jobId: string, owner = OWNER): Promise<AttemptView> {
  const attempt = await reserve(jobId, owner);
  if (!(await storage.jobs.goOnWire(attempt.id, attempt.epoch))) throw new Error('the fence refused');
  return attempt;
}

async function stateOf(attemptId: string): Promise<AttemptState | undefined> {
  const [row] = await storage.sql<
    { state: AttemptState }[]
  >`select state from attempt where id = ${attemptId}`;
  return row?.state;
}

async function jobOf(draftId: string) {
  return (await storage.drafts.card(draftId))?.job;
}

describe('starting and undoing', () => {
  async function holding(undoSeconds: number, text = 'Hello') {
    const { id: draftId } = await storage.drafts.create(storage.draftIn(place, { text }));
    const made = await storage.drafts.confirm({
      draftId,
      version: 1,
      personId: place.ownerId,
      updateId: storage.next(),
      undoSeconds,
      timeZone: 'UTC',
    });
    return { draftId, jobId: made.result === 'confirmed' ? made.jobId : '' };
  }

  test('a job starts when its hold has passed, not before', async () => {
    const [held, free] = [await holding(10), await holding(0)];
    const early = await storage.jobs.start(held.jobId);
    expect(early).toMatchObject({ state: 'holding', bindingId: place.bindingId });
    expect(early?.waitMs).toBeGreaterThan(5000);
    expect(early?.waitMs).toBeLessThanOrEqual(10_000);
    expect(await storage.jobs.start(free.jobId)).toEqual({
      state: 'running',
      waitMs: 0,
      bindingId: place.bindingId,
    });
    expect(await storage.jobs.start('00000000-0000-4000-8000-000000000000')).toBe(null);
    expect(await storage.jobs.reserve(held.jobId, OWNER)).toEqual({ ok: false, reason: 'not_running' });
  });

  test('undo works before the start alone, and then nothing ever leaves', async () => {
    const { draftId, jobId } = await holding(10);
    await storage.emptyQueue();
    const updateId = storage.next();
    expect(await storage.jobs.undo(jobId, place.ownerId, updateId)).toBe(true);
    expect(await storage.jobs.undo(jobId, place.ownerId, storage.next())).toBe(false);
    await storage.sql`update job set hold_until = now()`;
    expect((await storage.jobs.start(jobId))?.state).toBe('undone');
    expect(await storage.jobs.reserve(jobId, OWNER)).toEqual({ ok: false, reason: 'not_running' });
    expect([...(await storage.queued()).keys()]).toEqual([`card:${draftId}`]);
    expect(await storage.audit(place.chat.id)).toContainEqual({
      action: 'send_undone',
      person_id: String(place.ownerId),
      update_id: String(updateId),
      details: { code: 'A1', jobId },
    });
    const { jobId: started } = await running();
    expect(await storage.jobs.undo(started, place.ownerId, storage.next())).toBe(false);
  });

  test('undo against start at the same moment: one of both holds', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { jobId } = await holding(0, `round ${round}`);
      const [undone, started] = await Promise.all([
        storage.jobs.undo(jobId, place.ownerId, storage.next()),
        storage.jobs.start(jobId).then(() => storage.jobs.reserve(jobId, OWNER)),
      ]);
      expect(started.ok).toBe(!undone);
    }
  });
});

describe('the fence', () => {
  test('lets the holder through once', async () => {
    const { jobId } = await running();
    const attempt = await reserve(jobId);
    expect(attempt).toMatchObject({
      jobId,
      bindingId: place.bindingId,
      state: 'reserved',
      text: 'Hello',
      flash: false,
      tries: 0,
      recipients: ['989120000001', '989120000002'],
    });
    expect(await storage.jobs.goOnWire(attempt.id, attempt.epoch)).toBe(true);
    expect(await storage.jobs.goOnWire(attempt.id, attempt.epoch)).toBe(false);
    expect(await stateOf(attempt.id)).toBe('on_wire');
  });

  test('at the same moment lets one of many through', async () => {
    const { jobId } = await running();
    const attempt = await reserve(jobId);
    const passed = await Promise.all(
      Array.from({ length: 20 }, () => storage.jobs.goOnWire(attempt.id, attempt.epoch)),
    );
    expect(passed.filter(Boolean).length).toBe(1);
  });

  test.each([
    ['the job was stopped', (jobId: string) => storage.jobs.stop(jobId, 'person', place.ownerId, 1)],
    [
      'the account was unlinked',
      () => storage.bindings.disconnect(place.chat.id, place.ownerId, storage.next()),
    ],
    ['the account was replaced', () => storage.link(place.chat.id, place.ownerId)],
    [
      'the account alone has ended',
      () => storage.sql`update binding set state = 'gone' where id = ${place.bindingId}`,
    ],
    [
      'the reservation went to somebody else',
      async (jobId: string) => {
        await storage.jobs.abandon([OWNER]);
        await reserve(jobId, 'process-2');
      },
    ],
    ['the reservation was given back', () => storage.jobs.abandon([OWNER])],
  ])('refuses when %s', async (_why, happen) => {
    const { jobId } = await running();
    const attempt = await reserve(jobId);
    await happen(jobId);
    expect(await storage.jobs.goOnWire(attempt.id, attempt.epoch)).toBe(false);
    expect(await stateOf(attempt.id)).not.toBe('on_wire');
  });
});

describe('reserving', () => {
  test('of many runs at once takes each call for exactly one of them', async () => {
    const { jobId } = await running({ recipients: numbers(0, 1000) });
    const taken = await Promise.all(
      Array.from({ length: 15 }, (_, n) => storage.jobs.reserve(jobId, `process-${n}`)),
    );
    const attempts = taken.flatMap((each) => (each.ok ? [each.attempt] : []));
    expect(new Set(attempts.map(({ id }) => id)).size).toBe(attempts.length);
    expect(attempts.length).toBe(5);
    expect(new Set(attempts.flatMap((each) => each.recipients)).size).toBe(1000);
    expect(taken.filter((each) => !each.ok).map((each) => (each.ok ? '' : each.reason))).toEqual(
      Array.from({ length: 10 }, () => 'none_left'),
    );
  });

  test('of equal messages to a shared number never lets two be in doubt together', async () => {
    for (let round = 0; round < 5; round += 1) {
      const text = `round ${round}`;
      const made = await Promise.all(
        Array.from({ length: 16 }, (_, n) => running({ text, recipients: numbers(n, 2) })),
      );
      await Promise.all(made.map(({ jobId }) => storage.jobs.reserve(jobId, OWNER)));
      expect(await doubtful()).toEqual([]);
      const held = await storage.sql`select 1 from attempt where state = 'reserved'`;
      expect(held.length).toBeGreaterThan(0);
      await storage.sql`update job set state = 'stopped'`;
      await storage.sql`update attempt set state = 'rejected'`;
    }
  });

  test('waits for an equal call in flight, and gives up behind one of unknown outcome', async () => {
    const [first, second] = [
      await running(),
      await running({ recipients: ['989120000002', '989120000003'] }),
    ];
    const attempt = await reserve(first.jobId);
    const blocked = () => storage.jobs.reserve(second.jobId, OWNER);
    expect(await blocked()).toEqual({ ok: false, reason: 'earlier_in_flight' });
    await storage.jobs.goOnWire(attempt.id, attempt.epoch);
    expect(await blocked()).toEqual({ ok: false, reason: 'earlier_in_flight' });
    await storage.jobs.record(attempt.id, attempt.epoch, UNKNOWN);
    expect(await blocked()).toEqual({ ok: false, reason: 'earlier_unknown' });
    await storage.jobs.record(attempt.id, attempt.epoch, ACCEPTED);
    expect((await blocked()).ok).toBe(true);
  });

  test.each<[string, Partial<NewDraft>]>([
    ['another text', { text: 'Hello!' }],
    ['another line', { line: '3000999' }],
    ['other numbers', { recipients: ['989120000003'] }],
  ])('does not mind an unknown one with %s', async (_what, more) => {
    const [first, second] = [await running(), await running(more)];
    const attempt = await onWire(first.jobId);
    await storage.jobs.record(attempt.id, attempt.epoch, UNKNOWN);
    expect((await storage.jobs.reserve(second.jobId, OWNER)).ok).toBe(true);
  });

  test('takes back a reservation that nobody knows of, after some minutes, and shuts its holder out', async () => {
    const { jobId } = await running();
    const lost = await reserve(jobId);
    expect(await storage.jobs.reserve(jobId, OWNER)).toEqual({ ok: false, reason: 'none_left' });
    await storage.sql`update attempt set reserved_at = now() - interval '6 minutes'`;
    const again = await reserve(jobId, 'process-2');
    expect(again).toMatchObject({ id: lost.id, epoch: lost.epoch + 1 });
    expect(await storage.jobs.goOnWire(lost.id, lost.epoch)).toBe(false);
    expect(await storage.jobs.goOnWire(again.id, again.epoch)).toBe(true);
    await storage.sql`update attempt set reserved_at = now() - interval '6 hours'`;
    expect(await storage.jobs.reserve(jobId, OWNER)).toEqual({ ok: false, reason: 'none_left' });
  });
});

describe('an outcome', () => {
  test('is written once; repeating it changes nothing', async () => {
    for (const result of [ACCEPTED, REJECTED]) {
      const { jobId } = await running({ text: result.outcome });
      const attempt = await onWire(jobId);
      await storage.jobs.record(attempt.id, attempt.epoch, result);
      await storage.jobs.record(attempt.id, attempt.epoch, result);
      await storage.jobs.record(attempt.id, attempt.epoch, UNKNOWN);
      await storage.jobs.record(attempt.id, attempt.epoch, NOT_SENT);
      const [row] = await storage.sql`
        select state, tries, gateway_code, raw, outcome from attempt where id = ${attempt.id}`;
      expect(row).toEqual({
        state: result.outcome,
        tries: 1,
        gateway_code: result.outcome === 'rejected' ? 23 : null,
        raw: 'raw' in result ? result.raw : null,
        outcome: result.outcome === 'rejected' ? 'invalid_line' : 'accepted',
      });
    }
  });

  test('of a stale epoch changes nothing', async () => {
    const { jobId } = await running();
    const old = await reserve(jobId);
    await storage.jobs.abandon([OWNER]);
    const fresh = await onWire(jobId, 'process-2');
    for (const result of [ACCEPTED, REJECTED, UNKNOWN, NOT_SENT]) {
      await storage.jobs.record(old.id, old.epoch, result);
      await storage.jobs.release(old.id, old.epoch);
      expect(await stateOf(fresh.id)).toBe('on_wire');
    }
    expect(await storage.sql`select 1 from delivery where attempt_id = ${old.id}`).toHaveLength(0);
  });

  test('that surely never left goes back to planned and counts as a try', async () => {
    const { jobId } = await running();
    const attempt = await onWire(jobId);
    await storage.jobs.record(attempt.id, attempt.epoch, NOT_SENT);
    const [row] = await storage.sql`
      select state, owner, on_wire_at, ended_at, outcome from attempt where id = ${attempt.id}`;
    expect(row).toEqual({
      state: 'planned',
      owner: null,
      on_wire_at: null,
      ended_at: null,
      outcome: 'refused',
    });
    expect(await reserve(jobId)).toMatchObject({ id: attempt.id, tries: 1, epoch: attempt.epoch + 1 });
  });

  test('that comes after all, when the sweep has called it unknown, counts', async () => {
    const { jobId, draftId } = await running();
    const attempt = await onWire(jobId);
    await storage.jobs.abandon([OWNER]);
    expect((await jobOf(draftId))?.counts).toMatchObject({ unknown: 2, accepted: 0 });
    await storage.jobs.record(attempt.id, attempt.epoch, ACCEPTED);
    expect((await jobOf(draftId))?.counts).toMatchObject({ unknown: 0, accepted: 2 });
  });

  test('that comes after the job was stopped is followed up like any other', async () => {
    const { jobId, draftId } = await running();
    const attempt = await onWire(jobId);
    await storage.jobs.stop(jobId, 'person', place.ownerId, storage.next());
    await storage.emptyQueue();
    await storage.jobs.record(attempt.id, attempt.epoch, ACCEPTED);
    expect([...(await storage.queued()).keys()].toSorted()).toEqual([`card:${draftId}`, `track:${jobId}`]);
  });

  test('updates the card in the same transaction', async () => {
    const { jobId, draftId } = await running();
    const attempt = await onWire(jobId);
    await storage.emptyQueue();
    await storage.jobs.record(attempt.id, attempt.epoch, REJECTED);
    expect((await storage.queued()).get(`card:${draftId}`)).toMatchObject({ payload: { draftId } });
    expect(await jobOf(draftId)).toMatchObject({
      refusals: [{ name: 'invalid_line', recipients: 2 }],
      counts: { rejected: 2 },
    });
  });
});

describe('what a dead process held', () => {
  test('was reserved: planned again; was on the wire: unknown for good', async () => {
    const { jobId, draftId } = await running({ recipients: numbers(0, 600) });
    const [called, held] = [await onWire(jobId), await reserve(jobId)];
    const other = await onWire(jobId, 'process-2');
    await storage.emptyQueue();
    expect((await storage.jobs.owners()).toSorted()).toEqual([OWNER, 'process-2']);
    expect(await storage.jobs.abandon([OWNER])).toEqual([jobId]);
    expect(await stateOf(called.id)).toBe('unknown');
    expect(await stateOf(held.id)).toBe('planned');
    expect(await stateOf(other.id)).toBe('on_wire');
    expect(await storage.jobs.owners()).toEqual(['process-2']);
    expect([...(await storage.queued()).keys()].toSorted()).toEqual([
      `card:${draftId}`,
      `reconcile:${called.id}`,
      `send:${jobId}`,
    ]);
    expect(await storage.jobs.abandon([OWNER])).toEqual([]);
    expect(await storage.jobs.goOnWire(called.id, called.epoch)).toBe(false);
    expect((await reserve(jobId)).id).toBe(held.id);
  });
});

describe('the end', () => {
  test('comes when no call is left to make, once', async () => {
    const { jobId, draftId } = await running({ recipients: numbers(0, 400) });
    expect(await storage.jobs.finish(jobId)).toBe(false);
    const first = await onWire(jobId);
    const second = await onWire(jobId);
    await storage.jobs.record(first.id, first.epoch, UNKNOWN);
    expect(await storage.jobs.finish(jobId)).toBe(false);
    await storage.jobs.record(second.id, second.epoch, ACCEPTED);
    await storage.emptyQueue();
    const ends = await Promise.all(Array.from({ length: 6 }, () => storage.jobs.finish(jobId)));
    expect(ends.filter(Boolean).length).toBe(1);
    expect([...(await storage.queued()).keys()].toSorted()).toEqual([`card:${draftId}`, `track:${jobId}`]);
    expect(await jobOf(draftId)).toMatchObject({ state: 'done' });
    expect(await storage.jobs.stop(jobId, 'person', place.ownerId, 1)).toBe(false);
  });

  test('by a person stops what has not left, and is audited', async () => {
    const { jobId, draftId } = await running({ recipients: numbers(0, 400) });
    const attempt = await onWire(jobId);
    const updateId = storage.next();
    expect(await storage.jobs.stop(jobId, 'person', place.ownerId, updateId)).toBe(true);
    expect(await storage.jobs.stop(jobId, 'credit', null, null)).toBe(false);
    expect(await storage.jobs.reserve(jobId, OWNER)).toEqual({ ok: false, reason: 'not_running' });
    await storage.jobs.record(attempt.id, attempt.epoch, ACCEPTED);
    expect(await jobOf(draftId)).toMatchObject({
      state: 'stopped',
      stopReason: 'person',
      counts: { planned: 200, accepted: 200 },
    });
    expect(await storage.audit(place.chat.id)).toContainEqual({
      action: 'send_stopped',
      person_id: String(place.ownerId),
      update_id: String(updateId),
      details: { code: 'A1', jobId, reason: 'person' },
    });
  });
});

describe('reports', () => {
  async function accepted(recipients: string[], ids: string[]) {
    const made = await running({ recipients });
    const attempt = await onWire(made.jobId);
    await storage.jobs.record(attempt.id, attempt.epoch, {
      outcome: 'accepted',
      raw: '',
      messages: recipients.map((recipient, index) => ({
        recipient,
        messageId: ids[index] ?? ids[0] ?? '',
      })),
    });
    await storage.jobs.finish(made.jobId);
    await storage.emptyQueue();
    return made;
  }
  const state = (kind: 'waiting' | 'sent' | 'delivered' | 'failed' | 'blocked' | 'unknown', raw = 1) => ({
    raw,
    text: kind,
    kind,
  });
  const [a, b] = numbers(0, 2) as [string, string];

  test('are asked for by id until settled, and a settled one never changes', async () => {
    const { jobId, draftId } = await accepted([a, b], ['9007199254740993', '9007199254740995']);
    const open = await storage.jobs.unsettled(jobId);
    expect(open?.messageIds.toSorted()).toEqual(['9007199254740993', '9007199254740995']);
    expect(open?.bindingId).toBe(place.bindingId);
    const tell = (messageId: string, recipient: string | null, kind: Parameters<typeof state>[0], raw = 1) =>
      storage.jobs.recordStates(jobId, [{ messageId, recipient, state: state(kind, raw) }]);

    expect(await tell('9007199254740993', a, 'delivered')).toEqual({ changed: true, open: 1 });
    expect([...(await storage.queued()).keys()]).toEqual([`card:${draftId}`]);
    await storage.emptyQueue();
    expect(await tell('9007199254740993', a, 'failed')).toEqual({ changed: false, open: 1 });
    expect(await storage.queued()).toEqual(new Map());
    expect((await storage.jobs.unsettled(jobId))?.messageIds).toEqual(['9007199254740995']);
    expect(await tell('9007199254740995', b, 'unknown', 99)).toEqual({ changed: true, open: 1 });
    expect(await tell('9007199254740995', b, 'unknown', 99)).toEqual({ changed: false, open: 1 });
    expect(await jobOf(draftId)).toMatchObject({ counts: { delivered: 1, accepted: 1 }, settled: false });
    expect(await tell('9007199254740995', b, 'blocked')).toEqual({ changed: true, open: 0 });
    expect(await jobOf(draftId)).toMatchObject({ counts: { delivered: 1, failed: 1 }, settled: true });
    expect(await storage.jobs.unsettled(jobId)).toBe(null);
  });

  test('of a call with one id hold for the recipient that they name', async () => {
    const { jobId, draftId } = await accepted([a, b], ['5']);
    await storage.jobs.recordStates(jobId, [{ messageId: '5', recipient: a, state: state('failed') }]);
    expect(await jobOf(draftId)).toMatchObject({ counts: { failed: 1, accepted: 1 } });
  });

  test('that name no recipient: delivered is said of all, a failure of nobody knows whom', async () => {
    const both = await accepted([a, b], ['5']);
    const tell = (jobId: string, kind: 'failed' | 'delivered', raw: number) =>
      storage.jobs.recordStates(jobId, [{ messageId: '5', recipient: null, state: state(kind, raw) }]);
    expect(await tell(both.jobId, 'failed', 6)).toEqual({ changed: true, open: 2 });
    expect(await jobOf(both.draftId)).toMatchObject({ counts: { accepted: 2, failed: 0 }, settled: false });
    expect(await tell(both.jobId, 'delivered', 5)).toEqual({ changed: true, open: 0 });
    expect(await jobOf(both.draftId)).toMatchObject({ counts: { delivered: 2 }, settled: true });
    const one = await accepted([a], ['5']);
    expect(await tell(one.jobId, 'failed', 6)).toEqual({ changed: true, open: 0 });
    expect(await jobOf(one.draftId)).toMatchObject({ counts: { failed: 1 } });
  });

  test('of another job with the same id are left alone', async () => {
    const first = await accepted([a], ['5']);
    const second = await accepted([b], ['5']);
    await storage.jobs.recordStates(first.jobId, [
      { messageId: '5', recipient: null, state: state('failed') },
    ]);
    expect((await jobOf(second.draftId))?.counts.failed).toBe(0);
  });

  test('are given up at the end of polling, and say so', async () => {
    const { jobId, draftId } = await accepted([a], ['5']);
    await storage.sql`update attempt set ended_at = now() - interval '5 hours'`;
    expect((await storage.jobs.unsettled(jobId))?.ageSeconds).toBeCloseTo(18_000, -1);
    await storage.jobs.endPolling(jobId);
    expect(await storage.jobs.unsettled(jobId)).toBe(null);
    expect(await jobOf(draftId)).toMatchObject({ settled: true, counts: { accepted: 1 } });
    expect([...(await storage.queued()).keys()]).toEqual([`card:${draftId}`]);
  });

  test('are looked at again when scheduled; a new time replaces the old one', async () => {
    const { jobId } = await running();
    await storage.emptyQueue();
    await storage.jobs.schedule(jobId, 'track', 60_000);
    await storage.jobs.schedule(jobId, 'track', 5000);
    const queued = await storage.queued();
    expect([...queued.keys()]).toEqual([`track:${jobId}`]);
    expect(queued.get(`track:${jobId}`)?.in_ms).toBeLessThanOrEqual(5000);
  });
});

/** Pairs of calls that nobody could tell apart, were both of them in doubt: there must be none. */
async function doubtful(): Promise<unknown[]> {
  return await storage.sql<{ id: string }[]>`
    select a.id from attempt a join attempt b on a.id < b.id
      and a.message_keys && b.message_keys
    where a.state in ('reserved', 'on_wire', 'unknown', 'asked')
      and b.state in ('reserved', 'on_wire', 'unknown', 'asked')`;
}

interface ModelAttempt {
  state: AttemptState;
  epoch: number;
  owner: string | null;
  recipients: string[];
}

interface ModelDraft {
  id: string;
  state: 'open' | 'confirmed' | 'cancelled';
  version: number;
  expired: boolean;
  text: string;
  recipients: string[];
  jobId: string;
  job: JobState | null;
  attempts: ModelAttempt[];
}

const RESULTS: Readonly<Record<AttemptResult['outcome'], { result: AttemptResult; seen: Classification }>> = {
  accepted: { result: ACCEPTED, seen: { outcome: 'accepted', messageIds: [{ id: '1' }] } },
  rejected: { result: REJECTED, seen: { outcome: 'rejected', code: 23 } },
  unknown: { result: UNKNOWN, seen: { outcome: 'unknown', reason: 'timeout', stage: 'answer' } },
  not_sent: { result: NOT_SENT, seen: { outcome: 'not_sent', reason: 'refused', bytesMayHaveLeft: false } },
};

/** Where an outcome takes an attempt: by the rules of the domain, and by the process's own proof where it comes late or early. */
function after(state: AttemptState, outcome: AttemptResult['outcome']): AttemptState | undefined {
  if (state === 'on_wire') return transition(state, { type: 'classified', result: RESULTS[outcome].seen });
  if (state !== 'reserved' && state !== 'unknown') return undefined;
  return outcome === 'not_sent' ? 'planned' : outcome;
}

test('any sequence of commands moves drafts, jobs and attempts as the model does', async () => {
  const which = fc.nat(2);
  const chunk = fc.nat(1);
  const stale = fc.integer({ min: 0, max: 4 }).map((n) => n === 0);
  const owner = fc.constantFrom('process-1', 'process-2');
  const outcome = fc.constantFrom('accepted', 'rejected', 'unknown', 'not_sent' as const);
  const step = fc.oneof(
    { weight: 2, arbitrary: fc.record({ do: fc.constant('edit' as const), which, stale }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('confirm' as const), which, stale }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), which, stale }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constantFrom('expire' as const, 'undo' as const, 'stop' as const),
        which,
      }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('start' as const, 'finish' as const), which }) },
    { weight: 8, arbitrary: fc.record({ do: fc.constant('reserve' as const), which, owner }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('fence' as const), which, chunk, stale }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const), which, chunk, stale }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('record' as const), which, chunk, stale, outcome }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('abandon' as const), owner }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('unlink' as const), often: fc.nat(5) }) },
  );

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), async (steps) => {
      await storage.sql`update attempt set state = 'closed' where owner is not null`;
      const at = await storage.addPlace();
      const make = async (text: string, recipients: string[]): Promise<ModelDraft> => {
        const { id } = await storage.drafts.create(storage.draftIn(at, { text, recipients }));
        return {
          id,
          state: 'open',
          version: 1,
          expired: false,
          text,
          recipients,
          jobId: '00000000-0000-4000-8000-000000000000',
          job: null,
          attempts: [],
        };
      };
      // The second shares numbers with both calls of the first; the third has the same numbers and another text.
      const model = [
        await make('same', numbers(0, 203)),
        await make('same', numbers(197, 6)),
        await make('other', numbers(0, 203)),
      ];
      let live = true;
      let audited = 0;
      const all = () => model.flatMap((each) => each.attempts.map((attempt) => ({ ...each, attempt })));
      const sum = (draft: ModelDraft, ...states: AttemptState[]) =>
        draft.attempts
          .filter((each) => states.includes(each.state))
          .reduce((total, each) => total + each.recipients.length, 0);

      for (const each of steps) {
        const draft = 'which' in each ? (model[each.which] as ModelDraft) : (model[0] as ModelDraft);
        const version = 'stale' in each && each.stale ? draft.version - 1 : draft.version;
        const index = 'chunk' in each ? each.chunk : 0;
        const attempt = draft.attempts[index];
        const epoch = (attempt?.epoch ?? 1) - ('stale' in each && each.stale ? 1 : 0);
        const attemptId = attempt === undefined ? draft.jobId : await attemptIdOf(draft.jobId, index);
        const updateId = storage.next();

        switch (each.do) {
          case 'edit': {
            const wanted = draft.state === 'open' && !draft.expired && version === draft.version;
            expect(await storage.drafts.edit(draft.id, version, { flash: true })).toBe(wanted);
            if (wanted) draft.version += 1;
            break;
          }
          case 'cancel': {
            const wanted = draft.state === 'open' && version === draft.version;
            expect(await storage.drafts.cancel(draft.id, version, at.ownerId, updateId)).toBe(wanted);
            if (!wanted) break;
            draft.state = 'cancelled';
            draft.version += 1;
            audited += 1;
            break;
          }
          case 'expire':
            await storage.sql`update draft set expires_at = now() where id = ${draft.id}`;
            draft.expired = true;
            break;
          case 'confirm': {
            const wanted = ((): string => {
              if (draft.state === 'cancelled') return 'cancelled';
              if (draft.state === 'confirmed') return 'already';
              if (version !== draft.version) return 'changed';
              if (draft.expired) return 'expired';
              return live ? 'confirmed' : 'not_connected';
            })();
            const made = await storage.drafts.confirm({
              draftId: draft.id,
              version,
              personId: at.ownerId,
              updateId,
              undoSeconds: 0,
              timeZone: 'UTC',
            });
            expect(made.result).toBe(wanted);
            if (made.result !== 'confirmed') break;
            audited += 1;
            draft.state = 'confirmed';
            draft.jobId = made.jobId;
            draft.job = 'holding';
            for (let start = 0; start < draft.recipients.length; start += 200) {
              const recipients = draft.recipients.slice(start, start + 200);
              draft.attempts.push({ state: 'planned', epoch: 0, owner: null, recipients });
            }
            break;
          }
          case 'undo':
          case 'stop': {
            const from: (JobState | null)[] = each.do === 'undo' ? ['holding'] : ['holding', 'running'];
            const wanted = from.includes(draft.job);
            const done =
              each.do === 'undo'
                ? await storage.jobs.undo(draft.jobId, at.ownerId, updateId)
                : await storage.jobs.stop(draft.jobId, 'person', at.ownerId, updateId);
            expect(done).toBe(wanted);
            if (!wanted) break;
            draft.job = each.do === 'undo' ? 'undone' : 'stopped';
            audited += 1;
            break;
          }
          case 'start':
            if (draft.job === 'holding') draft.job = 'running';
            expect((await storage.jobs.start(draft.jobId))?.state ?? null).toBe(draft.job);
            break;
          case 'finish': {
            const wanted = draft.job === 'running' && sum(draft, 'planned', 'reserved', 'on_wire') === 0;
            expect(await storage.jobs.finish(draft.jobId)).toBe(wanted);
            if (wanted) draft.job = 'done';
            break;
          }
          case 'reserve': {
            const planned = draft.attempts.find((one) => one.state === 'planned');
            const others = all().filter(
              (one) =>
                one.attempt !== planned &&
                one.text === draft.text &&
                one.attempt.recipients.some((to) => planned?.recipients.includes(to)),
            );
            const wanted = ((): string => {
              if (draft.job !== 'running') return 'not_running';
              if (planned === undefined) return 'none_left';
              if (others.some((one) => one.attempt.state === 'unknown')) return 'earlier_unknown';
              if (others.some((one) => ['reserved', 'on_wire'].includes(one.attempt.state)))
                return 'earlier_in_flight';
              return 'ok';
            })();
            const reserved = await storage.jobs.reserve(draft.jobId, each.owner);
            expect(reserved.ok ? 'ok' : reserved.reason).toBe(wanted);
            if (!reserved.ok || planned === undefined) break;
            expect(transition('planned', { type: 'reserve' })).toBe('reserved');
            planned.state = 'reserved';
            planned.epoch += 1;
            planned.owner = each.owner;
            expect(reserved.attempt).toMatchObject({ epoch: planned.epoch, recipients: planned.recipients });
            break;
          }
          case 'fence': {
            const wanted =
              attempt?.state === 'reserved' && epoch === attempt.epoch && live && draft.job === 'running';
            expect(await storage.jobs.goOnWire(attemptId, epoch)).toBe(wanted);
            if (wanted) attempt.state = transition('reserved', { type: 'write_ahead' }) ?? 'closed';
            break;
          }
          case 'release':
            await storage.jobs.release(attemptId, epoch);
            if (
              attempt !== undefined &&
              epoch === attempt.epoch &&
              ['reserved', 'on_wire'].includes(attempt.state)
            ) {
              attempt.state = 'planned';
              attempt.owner = null;
            }
            break;
          case 'record': {
            await storage.jobs.record(attemptId, epoch, RESULTS[each.outcome].result);
            const next = attempt === undefined ? undefined : after(attempt.state, each.outcome);
            if (attempt === undefined || next === undefined || epoch !== attempt.epoch) break;
            attempt.state = next;
            if (next === 'planned') attempt.owner = null;
            break;
          }
          case 'abandon': {
            const held = all().filter(
              (one) =>
                one.attempt.owner === each.owner && ['reserved', 'on_wire'].includes(one.attempt.state),
            );
            expect((await storage.jobs.abandon([each.owner])).toSorted()).toEqual(
              [...new Set(held.map((one) => one.jobId))].toSorted(),
            );
            for (const { attempt: one } of held) {
              const next = transition(one.state, { type: 'owner_gone' });
              if (next === 'planned') {
                one.owner = null;
                one.epoch += 1;
              }
              one.state = next ?? 'closed';
            }
            break;
          }
          case 'unlink':
            if (each.often > 0) break;
            expect(await storage.bindings.disconnect(at.chat.id, at.ownerId, updateId)).toBe(live);
            if (live) audited += 1;
            live = false;
            for (const one of model) if (one.job === 'holding' || one.job === 'running') one.job = 'stopped';
            break;
        }

        const rows = await storage.sql<
          { draft: string; state: string; epoch: number; owner: string | null }[]
        >`
          select j.draft_id as draft, a.state, a.epoch, a.owner from attempt a join job j on j.id = a.job_id
          where j.chat_id = ${at.chat.id} order by a.chunk`;
        for (const one of model) {
          expect(rows.filter((row) => row.draft === one.id)).toMatchObject(
            one.attempts.map(({ state, epoch, owner }) => ({
              state,
              epoch,
              ...(['reserved', 'on_wire', 'planned'].includes(state) ? { owner } : {}),
            })),
          );
          const card = await storage.drafts.card(one.id);
          expect(card?.draft).toMatchObject({ state: one.state, version: one.version });
          expect(card?.job?.state ?? null).toBe(one.job);
          if (card?.job === undefined || card.job === null) continue;
          expect(card.job.counts).toEqual({
            planned: sum(one, 'planned', 'reserved'),
            onWire: sum(one, 'on_wire'),
            accepted: sum(one, 'accepted'),
            rejected: sum(one, 'rejected'),
            unknown: sum(one, 'unknown'),
            delivered: 0,
            failed: 0,
          });
          expect(Object.values(card.job.counts).reduce((total, count) => total + count, 0)).toBe(
            one.recipients.length,
          );
        }
        expect(await doubtful()).toEqual([]);
      }
      const jobs = await storage.sql`select 1 from job where chat_id = ${at.chat.id}`;
      expect(jobs).toHaveLength(model.filter((one) => one.state === 'confirmed').length);
      // One more for the account that was linked.
      expect(await storage.audit(at.chat.id)).toHaveLength(audited + 1);
    }),
    { numRuns: 30, endOnFailure: true },
  );
});

async function attemptIdOf(jobId: string, chunk: number): Promise<string> {
  const [row] = await storage.sql<{ id: string }[]>`
    select id from attempt where job_id = ${jobId} and chunk = ${chunk}`;
  return row?.id ?? jobId;
}
