import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMemoryLog } from '../../../../test/support/memory-log.ts';
import { AppError } from '../../../domain/errors.ts';
import type { SendAnswer, SendHooks, SendRequest, SmsGateway } from '../../../ports/gateway.ts';
import type { Gateways } from '../../../ports/gateways.ts';
import type { JobStore } from '../../../ports/jobs.ts';
import type { Clock } from '../../../ports/runtime.ts';
import type { NewDraft } from '../../../ports/stores.ts';
import { openTestStorage, type TestStorage } from '../../../storage/testing.ts';
import { given } from '../../../../test/support/talk.ts';
import { createSender } from './sender.ts';
import { readReported } from '../../../../test/support/reported.ts';

let storage: TestStorage;
let place: Awaited<ReturnType<TestStorage['addPlace']>>;
/** What has left, as the gateway would have seen it. */
let left: SendRequest[];
let waits: number[];

beforeAll(async () => {
  storage = await openTestStorage();
});
beforeEach(async () => {
  await storage.sql`update attempt set state = 'closed' where state in ('reserved', 'on_wire', 'unknown')`;
  place = await storage.addPlace();
  await storage.emptyQueue();
  left = [];
  waits = [];
});
afterAll(() => storage.close());

const OWNER = 'process-1';
const REFUSED = { outcome: 'rejected', table: 'sending', text: '', raw: 'raw' } as const;

type Step = (request: SendRequest, hooks: SendHooks | undefined) => Promise<SendAnswer>;

function accepted(...ids: readonly { id: string; recipient?: string }[]): SendAnswer {
  const [first = { id: '9007199254740993' }, ...more] = ids;
  return { outcome: 'accepted', messageIds: [first, ...more], raw: '{}' };
}

/** A call that passes the fence, leaves, and is answered so; a fence that does not say yes stops it. */
function answering(answer: SendAnswer | Error): Step {
  return async (request, hooks) => {
    const passed = (await hooks?.beforeWrite?.().catch(() => false)) ?? false;
    if (!passed) return { outcome: 'not_sent', reason: 'fence' };
    left.push(request);
    if (answer instanceof Error) throw answer;
    return answer;
  };
}

/** A call that fails before the fence. */
function unsent(reason: 'dns' | 'refused' | 'tls'): Step {
  return () => Promise.resolve({ outcome: 'not_sent', reason });
}

const clock: Clock = {
  now: () => new Date(0),
  monotonic: () => 0,
  sleep: (ms) => {
    waits.push(ms);
    return Promise.resolve();
  },
};

function gatewaysWith(steps: Step[]): Gateways {
  const send = (request: SendRequest, hooks?: SendHooks) =>
    (steps.shift() ?? answering(accepted()))(request, hooks);
  const gateway = {
    has: (facet: string) => facet !== 'blacklist',
    use: () => ({
      send,
      sendToBook: send,
      numbers: () => Promise.resolve(numbers(3).map((number) => ({ number }))),
    }),
    expect: () => undefined,
    versions: [3],
    close: () => Promise.resolve(),
  } as unknown as SmsGateway;
  return {
    capabilities: () => ({ versions: [], has: () => true, missing: () => [] }),
    accepted: () => [],
    of: () => Promise.resolve(gateway),
    probe: () => gateway,
  };
}

function run(
  jobId: string,
  steps: Step[] = [],
  more: {
    jobs?: Partial<JobStore>;
    gateways?: Partial<Gateways>;
    signal?: AbortSignal;
    owner?: string;
    mostCalls?: number;
  } = {},
): Promise<void> {
  const send = createSender({
    jobs: { ...storage.jobs, ...more.jobs },
    gateways: { ...gatewaysWith(steps), ...more.gateways },
    clock,
    owner: more.owner ?? OWNER,
    mostCalls: more.mostCalls ?? 1,
  });
  return send(jobId, { log: createMemoryLog(), signal: more.signal ?? new AbortController().signal });
}

function numbers(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, n) => `98912${String(from + n).padStart(7, '0')}`);
}

async function job(more: Partial<NewDraft> = {}) {
  const made = await storage.addRunningJob(place, more);
  await storage.emptyQueue();
  return made;
}

async function stateOf(draftId: string) {
  const found = (await storage.drafts.card(draftId))?.job;
  const counts = Object.entries(found?.counts ?? {}).filter(([, count]) => count > 0);
  return { state: found?.state, stopReason: found?.stopReason, counts: Object.fromEntries(counts) };
}

/** The times at which the sender wants to be called again. */
async function nextRun(jobId: string): Promise<number | undefined> {
  return (await storage.queued()).get(`send:${jobId}`)?.in_ms;
}

describe('a job', () => {
  test('is sent call by call, each as it was confirmed, and then done', async () => {
    const recipients = numbers(401);
    const { jobId, draftId } = await job({ recipients, text: 'سلام' });
    await run(jobId);
    expect(left.map((request) => request.recipients.length)).toEqual([200, 200, 1]);
    expect(left.flatMap((request) => request.recipients)).toEqual(recipients);
    for (const request of left)
      expect(request).toMatchObject({ text: 'سلام', line: '3000123456', flash: false });
    expect(await stateOf(draftId)).toEqual({ state: 'done', stopReason: null, counts: { accepted: 401 } });
    expect([...(await storage.queued()).keys()].toSorted()).toEqual([
      `card:${draftId}`,
      `gauge:${place.bindingId}`,
      `track:${jobId}`,
    ]);
    await run(jobId);
    expect(left).toHaveLength(3);
  });

  test.each(['holding', 'scheduled'])(
    'that is %s is looked at again when its time has come',
    async (state) => {
      const { jobId } = await job();
      await storage.sql`update job set state = ${state}, hold_until = now() + interval '10 minutes' where id = ${jobId}`;
      await run(jobId);
      expect(left).toEqual([]);
      expect(await nextRun(jobId)).toBeGreaterThan(500_000);
      expect(await nextRun(jobId)).toBeLessThan(610_000);
    },
  );

  test('for which its account has no room is put off, and sent by whoever has some first', async () => {
    const made = [];
    for (let n = 1; n <= 5; n += 1) made.push(await job({ text: `one of many ${n}` }));
    const last = given(made.pop());
    const [full, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const entered = new Set<string>();
    const send = createSender({
      jobs: {
        ...storage.jobs,
        reserve: async (...given) => {
          entered.add(given[0]);
          if (entered.size === made.length) full.resolve();
          if (given[0] !== last.jobId) await go.promise;
          return await storage.jobs.reserve(...given);
        },
      },
      gateways: gatewaysWith([]),
      clock,
      owner: OWNER,
      mostCalls: 4,
    });
    const context = { log: createMemoryLog(), signal: new AbortController().signal };
    const running = made.map(({ jobId }) => send(jobId, context));
    await full.promise;
    await send(last.jobId, context);
    expect(entered.has(last.jobId)).toBe(false);
    expect(await nextRun(last.jobId)).toBeGreaterThan(1000);
    expect(await nextRun(last.jobId)).toBeLessThanOrEqual(2000);
    go.resolve();
    await Promise.all(running);
    expect(await stateOf(last.draftId)).toMatchObject({ state: 'done' });
  });

  test.each(['undone', 'stopped', 'done'])('that is %s is left alone', async (state) => {
    const { jobId } = await job();
    await storage.sql`update job set state = ${state} where id = ${jobId}`;
    await run(jobId);
    await run('00000000-0000-4000-8000-000000000000');
    expect(left).toEqual([]);
    expect(await storage.queued()).toEqual(new Map());
  });

  test('run many times beside itself makes each call once', async () => {
    const { jobId, draftId } = await job({ recipients: numbers(2000) });
    await Promise.all(Array.from({ length: 6 }, (_, n) => run(jobId, [], { owner: `process-${n}` })));
    await run(jobId);
    expect(left).toHaveLength(10);
    expect(new Set(left.flatMap((request) => request.recipients)).size).toBe(2000);
    expect(await stateOf(draftId)).toMatchObject({ state: 'done', counts: { accepted: 2000 } });
  });

  test('whose pace lets nothing leave now is looked at again when it does', async () => {
    const { jobId, draftId } = await job();
    const reserve: JobStore['reserve'] = async () =>
      await Promise.resolve({ ok: false, reason: 'paced', afterMs: 7000 });
    await run(jobId, [], { jobs: { reserve } });
    expect(left).toEqual([]);
    expect((await stateOf(draftId)).state).toBe('running');
    expect(await nextRun(jobId)).toBe(7000);
  });

  test('finds out later what a run beside it still holds', async () => {
    const { jobId, draftId } = await job();
    await storage.jobs.reserve(jobId, 'process-2');
    await run(jobId);
    expect(left).toEqual([]);
    expect((await stateOf(draftId)).state).toBe('running');
    expect(await nextRun(jobId)).toBe(60_000);
  });
});

describe('an outcome', () => {
  const two = { recipients: numbers(201) };

  test('refused: the others go on', async () => {
    const { jobId, draftId } = await job(two);
    await run(jobId, [answering({ ...REFUSED, code: 23, name: 'invalid_line' })]);
    expect(await stateOf(draftId)).toEqual({
      state: 'done',
      stopReason: null,
      counts: { rejected: 200, accepted: 1 },
    });
    const card = await storage.drafts.card(draftId);
    expect(card?.job?.refusals).toEqual([{ name: 'invalid_line', recipients: 200 }]);
  });

  test.each([
    [22, 'insufficient_credit', 'credit'],
    [401, 'not_authorized', 'account'],
    [3, 'user_locked', 'account'],
    [4, 'user_expired', 'account'],
    [5, 'user_not_confirmed', 'account'],
    [6, 'user_without_access', 'account'],
  ] as const)('refused with %i (%s): the rest does not leave', async (code, name, reason) => {
    const { jobId, draftId } = await job(two);
    await run(jobId, [answering({ ...REFUSED, code, name })]);
    expect(left).toHaveLength(1);
    expect(await stateOf(draftId)).toEqual({
      state: 'stopped',
      stopReason: reason,
      // What was refused for the account alone is part of what is left: it goes with the rest.
      counts: { planned: 201 },
    });
    expect(await nextRun(jobId)).toBe(undefined);
  });

  test('unknown: the others go on, and it is never called again', async () => {
    const { jobId, draftId } = await job(two);
    await run(jobId, [answering({ outcome: 'unknown', reason: 'timeout', stage: 'answer' })]);
    await run(jobId);
    expect(left).toHaveLength(2);
    expect(await stateOf(draftId)).toMatchObject({ state: 'done', counts: { unknown: 200, accepted: 1 } });
  });

  test.each([429, 1000, 2000])(
    'unknown with %i: the account rests a minute, then the others go on',
    async (code) => {
      const { jobId, draftId } = await job(two);
      await run(jobId, [
        answering({ outcome: 'unknown', reason: 'ambiguous_code', stage: 'complete', code }),
      ]);
      expect(left).toHaveLength(1);
      expect(await nextRun(jobId)).toBe(60_000);
      expect(await stateOf(draftId)).toMatchObject({
        state: 'running',
        counts: { unknown: 200, planned: 1 },
      });
      await run(jobId);
      expect(await stateOf(draftId)).toMatchObject({ state: 'done', counts: { unknown: 200, accepted: 1 } });
      expect(left).toHaveLength(2);
    },
  );

  test('unknown with 429: no other job of the account makes a call in that minute, those of others do', async () => {
    const other = await storage.addPlace();
    const [first, second] = [await job(two), await job({ text: 'another' })];
    const theirs = await storage.addRunningJob(other);
    const busy: Step = answering({
      outcome: 'unknown',
      reason: 'ambiguous_code',
      stage: 'complete',
      code: 429,
    });
    let now = 0;
    const send = createSender({
      jobs: storage.jobs,
      gateways: gatewaysWith([busy]),
      clock: { ...clock, monotonic: () => now },
      owner: OWNER,
      mostCalls: 1,
    });
    const runs = (jobId: string) =>
      send(jobId, { log: createMemoryLog(), signal: new AbortController().signal });
    await runs(first.jobId);
    await runs(second.jobId);
    await runs(theirs.jobId);
    expect(left.map(({ text }) => text)).toEqual(['Hello', 'Hello']);
    expect(await nextRun(first.jobId)).toBe(60_000);
    expect(await nextRun(second.jobId)).toBe(60_000);
    expect((await stateOf(theirs.draftId)).state).toBe('done');
    now = 60_000;
    await runs(second.jobId);
    await runs(first.jobId);
    expect(await stateOf(second.draftId)).toMatchObject({ state: 'done', counts: { accepted: 2 } });
    expect(await stateOf(first.draftId)).toMatchObject({
      state: 'done',
      counts: { unknown: 200, accepted: 1 },
    });
  });

  test('unknown with 429: the account rests in its other chats too', async () => {
    const [here, there] = [await storage.addPlace(), await storage.addPlace()];
    const places = [];
    for (const each of [here, there])
      places.push({
        ...each,
        bindingId: await storage.link(each.chat.id, each.ownerId, 'one-key-to-rest-0'),
      });
    const [one, other] = await Promise.all(
      places.map(async (each, n) => await storage.addRunningJob(each, { text: `to rest ${n}` })),
    );
    if (one === undefined || other === undefined) throw new Error('two chats');
    const send = createSender({
      jobs: storage.jobs,
      gateways: gatewaysWith([
        answering({ outcome: 'unknown', reason: 'ambiguous_code', stage: 'complete', code: 429 }),
      ]),
      clock: { ...clock, monotonic: () => 0 },
      owner: OWNER,
      mostCalls: 1,
    });
    for (const { jobId } of [one, other])
      await send(jobId, { log: createMemoryLog(), signal: new AbortController().signal });
    expect(left.map(({ text }) => text)).toEqual(['to rest 0']);
    expect((await stateOf(other.draftId)).counts).toMatchObject({ planned: 2 });
  });

  test('unknown with 429 at the last call: the job is done, and waits for nothing', async () => {
    const { jobId, draftId } = await job();
    await run(jobId, [
      answering({ outcome: 'unknown', reason: 'ambiguous_code', stage: 'complete', code: 429 }),
    ]);
    expect(await stateOf(draftId)).toMatchObject({ state: 'done', counts: { unknown: 2 } });
    expect(await nextRun(jobId)).toBe(undefined);
  });

  test('surely not sent: tried again after a growing pause, at most eight times', async () => {
    const { jobId, draftId } = await job();
    const pauses: (number | undefined)[] = [];
    for (let tries = 0; tries < 8; tries += 1) {
      await storage.emptyQueue();
      await run(jobId, [unsent('refused')]);
      pauses.push(await nextRun(jobId));
    }
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, undefined]);
    expect(await stateOf(draftId)).toEqual({
      state: 'stopped',
      stopReason: 'unreachable',
      counts: { planned: 2 },
    });
    await run(jobId);
    expect(left).toEqual([]);
  });

  test('surely not sent once: it leaves the next time', async () => {
    const { jobId, draftId } = await job();
    await run(jobId, [unsent('dns')]);
    await run(jobId);
    expect(left).toHaveLength(1);
    expect(await stateOf(draftId)).toMatchObject({ state: 'done', counts: { accepted: 2 } });
  });

  test('of Peyk’s own limits: refused without a call, and said so', async () => {
    const { jobId, draftId } = await job(two);
    await run(jobId, [() => Promise.reject(new AppError('bad_input', 'too long'))]);
    expect(left).toHaveLength(1);
    expect(await stateOf(draftId)).toMatchObject({ state: 'done', counts: { rejected: 200, accepted: 1 } });
    expect((await storage.drafts.card(draftId))?.job?.refusals).toEqual([{ name: '', recipients: 200 }]);
  });

  test('of a mistake of ours while the call was out: unknown, told, and never called again', async () => {
    const { jobId, draftId } = await job(two);
    await expect(run(jobId, [answering(new TypeError('a mistake'))])).rejects.toThrow('a mistake');
    expect(await stateOf(draftId)).toMatchObject({ counts: { unknown: 200, planned: 1 } });
    await run(jobId);
    expect(left.map((request) => request.recipients.length)).toEqual([200, 1]);
  });

  test('accepted: each recipient gets the id that is theirs', async () => {
    const [a, b] = numbers(2);
    const idsAfter = async (answer: SendAnswer, text: string) => {
      const { jobId } = await job({ text });
      await run(jobId, [answering(answer)]);
      await storage.jobs.unsettled(jobId);
      const rows = await readReported(storage.sql, jobId);
      return rows
        .toSorted((one, other) => one.recipient.localeCompare(other.recipient))
        .map((row) => [row.recipient, row.message_id]);
    };
    const [first, second] = ['989120000001', '989120000002'];
    expect([a, b]).not.toContain(second);
    expect(await idsAfter(accepted({ id: '7' }), 'one id')).toEqual([
      [first, '7'],
      [second, '7'],
    ]);
    expect(await idsAfter(accepted({ id: '7' }, { id: '8' }), 'in order')).toEqual([
      [first, '7'],
      [second, '8'],
    ]);
    const named = accepted({ id: '8', recipient: second ?? '' }, { id: '7', recipient: first ?? '' });
    expect(await idsAfter(named, 'named')).toEqual([
      [first, '7'],
      [second, '8'],
    ]);
  });
});

describe('a send to a whole phonebook', () => {
  const book = { kind: 'book', bookId: '7', title: 'VIP', way: 'call' } as const;

  async function idsOf(answer: SendAnswer, counts: object = { accepted: 3 }) {
    const { jobId, draftId } = await job({ outgoing: book, recipients: numbers(3) });
    await run(jobId, [answering(answer)]);
    expect(await stateOf(draftId)).toMatchObject({ state: 'done', counts });
    await storage.jobs.unsettled(jobId);
    const rows = await readReported(storage.sql, jobId);
    await storage.sql`update attempt set state = 'closed' where job_id = ${jobId}`;
    return rows.map((row) => row.message_id);
  }

  test('has one id for all, or none where it cannot be known whose each is', async () => {
    expect(await idsOf(accepted({ id: '7' }))).toEqual(['7', '7', '7']);
    expect(await idsOf(accepted({ id: '7' }, { id: '8' }, { id: '9' }))).toEqual([]);
  });

  test('is not known to have gone to those who were confirmed where its ids count others', async () => {
    expect(await idsOf(accepted({ id: '7' }, { id: '8' }), { unknown: 3 })).toEqual([]);
  });
});

describe('the fence', () => {
  test('false: nothing leaves, and a stopped job stays stopped', async () => {
    const { jobId, draftId } = await job();
    const goOnWire: JobStore['goOnWire'] = async (id, epoch) => {
      await storage.jobs.stop(jobId, 'person', place.ownerId, 1);
      return await storage.jobs.goOnWire(id, epoch);
    };
    await run(jobId, [answering(accepted())], { jobs: { goOnWire } });
    await run(jobId);
    expect(left).toEqual([]);
    expect(await stateOf(draftId)).toEqual({
      state: 'stopped',
      stopReason: 'person',
      counts: { planned: 2 },
    });
  });

  test.each([
    ['was committed', true],
    ['was not committed', false],
  ])('of which nobody knows whether it %s: nothing leaves, and it is taken back', async (_what, commits) => {
    const { jobId, draftId } = await job();
    const goOnWire: JobStore['goOnWire'] = async (id, epoch) => {
      if (commits) await storage.jobs.goOnWire(id, epoch);
      throw new Error('the connection was lost');
    };
    await run(jobId, [answering(accepted())], { jobs: { goOnWire } });
    expect(left).toEqual([]);
    expect(await stateOf(draftId)).toMatchObject({ state: 'running', counts: { planned: 2 } });
    expect(await nextRun(jobId)).toBe(1000);
    expect(await storage.sql`select tries from attempt where job_id = ${jobId}`).toEqual([{ tries: 0 }]);
    await run(jobId);
    expect(left).toHaveLength(1);
    expect(await stateOf(draftId)).toMatchObject({ state: 'done', counts: { accepted: 2 } });
  });

  test('is committed before the first byte, with exactly what leaves', async () => {
    const { jobId } = await job();
    await run(jobId, [
      async (request, hooks) => {
        expect(await hooks?.beforeWrite?.()).toBe(true);
        const rows = await storage.sql`select state, recipients, owner from attempt where job_id = ${jobId}`;
        expect(rows).toEqual([{ state: 'on_wire', recipients: request.recipients, owner: OWNER }]);
        return accepted();
      },
    ]);
  });
});

describe('when the database is away', () => {
  test('an outcome is written as soon as it is back', async () => {
    const { jobId, draftId } = await job();
    let failures = 9;
    const record: JobStore['record'] = async (...args) => {
      if (failures > 0) {
        failures -= 1;
        throw new Error('the connection was lost');
      }
      await storage.jobs.record(...args);
    };
    await run(jobId, [], { jobs: { record } });
    expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000]);
    expect(left).toHaveLength(1);
    expect(await stateOf(draftId)).toMatchObject({ state: 'done', counts: { accepted: 2 } });
  });

  test('an outcome whose commit was not heard of is not written twice', async () => {
    const { jobId, draftId } = await job();
    let first = true;
    const record: JobStore['record'] = async (...args) => {
      await storage.jobs.record(...args);
      if (!first) return;
      first = false;
      throw new Error('the connection was lost');
    };
    await run(jobId, [answering({ ...REFUSED, code: 23, name: 'invalid_line' })], { jobs: { record } });
    expect(await storage.sql`select tries from attempt where job_id = ${jobId}`).toEqual([{ tries: 1 }]);
    expect(await stateOf(draftId)).toMatchObject({ state: 'done', counts: { rejected: 2 } });
  });

  test('also the outcome of a mistake of ours is written in the end', async () => {
    const { jobId, draftId } = await job();
    let failures = 2;
    const record: JobStore['record'] = async (...args) => {
      failures -= 1;
      if (failures >= 0) throw new Error('the connection was lost');
      await storage.jobs.record(...args);
    };
    await expect(run(jobId, [answering(new TypeError('a mistake'))], { jobs: { record } })).rejects.toThrow(
      'a mistake',
    );
    expect(await stateOf(draftId)).toMatchObject({ counts: { unknown: 2 } });
  });

  test('a process that has to go leaves the call on the wire; whoever cleans up calls it unknown', async () => {
    const { jobId, draftId } = await job();
    const stopping = new AbortController();
    const record: JobStore['record'] = () => {
      stopping.abort();
      return Promise.reject(new Error('the connection was lost'));
    };
    await expect(run(jobId, [], { jobs: { record }, signal: stopping.signal })).rejects.toThrow('lost');
    expect(await stateOf(draftId)).toMatchObject({ counts: { onWire: 2 } });
    await run(jobId, [], { owner: 'process-2' });
    await storage.jobs.abandon([OWNER]);
    await storage.emptyQueue();
    await run(jobId, [], { owner: 'process-2' });
    expect(await stateOf(draftId)).toMatchObject({ state: 'done', counts: { unknown: 2 } });
    expect(await nextRun(jobId)).toBe(undefined);
    expect(left).toHaveLength(1);
  });

  test('a reservation whose commit was not heard of holds nothing up for ever', async () => {
    const { jobId, draftId } = await job();
    const reserve: JobStore['reserve'] = async (...args) => {
      await storage.jobs.reserve(...args);
      throw new Error('the connection was lost');
    };
    await expect(run(jobId, [], { jobs: { reserve } })).rejects.toThrow('lost');
    await run(jobId);
    expect(left).toEqual([]);
    expect(await nextRun(jobId)).toBe(60_000);
    await storage.sql`update attempt set reserved_at = reserved_at - interval '6 minutes' where job_id = ${jobId}`;
    expect(await storage.jobs.takeUp(OWNER)).toEqual([jobId]);
    await run(jobId);
    expect(left).toHaveLength(1);
    expect((await stateOf(draftId)).state).toBe('done');
  });
});

describe('a process that was told to stop', () => {
  test('makes no further call, and leaves the job to be taken up', async () => {
    const { jobId, draftId } = await job({ recipients: numbers(401) });
    const stopping = new AbortController();
    const first: Step = async (request, hooks) => {
      stopping.abort();
      return await answering(accepted())(request, hooks);
    };
    await run(jobId, [first], { signal: stopping.signal });
    expect(left).toHaveLength(1);
    expect(await stateOf(draftId)).toMatchObject({
      state: 'running',
      counts: { accepted: 200, planned: 201 },
    });
    expect(await nextRun(jobId)).toBe(0);
    await run(jobId, [], { owner: 'process-2' });
    expect(left).toHaveLength(3);
  });
});

describe('an account that cannot send', () => {
  test.each(['not_connected', 'gateway_unsupported'] as const)('(%s) stops the job', async (code) => {
    const { jobId, draftId } = await job();
    await run(jobId, [], { gateways: { of: () => Promise.reject(new AppError(code, 'no')) } });
    expect(await stateOf(draftId)).toEqual({
      state: 'stopped',
      stopReason: 'not_connected',
      counts: { planned: 2 },
    });
  });

  test('for a reason that may pass: the reservation is given back and the task fails', async () => {
    const { jobId, draftId } = await job();
    const of = () => Promise.reject(new AppError('crypto', 'the key is not there'));
    await expect(run(jobId, [], { gateways: { of } })).rejects.toThrow('the key is not there');
    expect(await stateOf(draftId)).toMatchObject({ state: 'running', counts: { planned: 2 } });
    await run(jobId);
    expect(left).toHaveLength(1);
  });
});

describe('an equal message to some of the same numbers', () => {
  test('with an unknown outcome stops the job before anything leaves', async () => {
    const [first, second] = [await job(), await job({ recipients: ['989120000002', '989120000009'] })];
    await run(first.jobId, [answering({ outcome: 'unknown', reason: 'reset', stage: 'answer' })]);
    await run(second.jobId);
    expect(left).toHaveLength(1);
    expect(await stateOf(second.draftId)).toMatchObject({ state: 'stopped', stopReason: 'earlier_unknown' });
  });

  test('in flight makes it wait', async () => {
    const [first, second] = [await job(), await job({ recipients: ['989120000002', '989120000009'] })];
    await storage.jobs.reserve(first.jobId, 'process-2');
    await run(second.jobId);
    expect(left).toEqual([]);
    expect(await nextRun(second.jobId)).toBe(2000);
  });
});

test('whatever happens in whatever order, nobody is written to twice', async () => {
  const happening = fc.constantFrom(
    'accepted',
    'rejected',
    'unknown',
    'unsent',
    'mistake',
    'doubtful fence',
    'dies on the wire',
    'dies before',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(happening, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 3 }),
      async (script, beside) => {
        left = [];
        await storage.sql`update attempt set state = 'closed' where state in ('reserved', 'on_wire', 'unknown')`;
        const { jobId, draftId } = await job({ recipients: numbers(405) });
        const unsettled = new Set<string>();
        for (const [round, what] of script.entries()) {
          const owner = `run-${jobId}-${round}`;
          const dead = new AbortController();
          const broken = new Error('gone');
          const steps: Record<typeof what, Step> = {
            accepted: answering(accepted()),
            rejected: answering({ ...REFUSED, code: 23, name: 'invalid_line' }),
            unknown: answering({ outcome: 'unknown', reason: 'timeout', stage: 'answer' }),
            unsent: unsent('refused'),
            mistake: answering(broken),
            'doubtful fence': answering(accepted()),
            'dies on the wire': answering(accepted()),
            'dies before': () => Promise.reject(broken),
          };
          const dies = what.startsWith('dies');
          const jobs: Partial<JobStore> = {
            ...(what === 'doubtful fence'
              ? {
                  goOnWire: async (id: string, epoch: number) => {
                    await storage.jobs.goOnWire(id, epoch);
                    throw broken;
                  },
                }
              : {}),
            ...(dies
              ? {
                  record: () => {
                    dead.abort();
                    return Promise.reject(broken);
                  },
                }
              : {}),
          };
          await Promise.all(
            Array.from({ length: beside }, () =>
              run(jobId, [steps[what]], { jobs, owner, signal: dead.signal }).catch(() => undefined),
            ),
          );
          unsettled.add(owner);
          if (dies) await storage.jobs.abandon([owner]);
        }
        await storage.jobs.abandon([...unsettled]);
        await run(jobId, [], { owner: `run-${jobId}-last` });
        const written = left.flatMap((request) => request.recipients);
        expect(new Set(written).size).toBe(written.length);
        const { state, counts } = await stateOf(draftId);
        expect(Object.values(counts).reduce((total, count) => total + count, 0)).toBe(405);
        expect(['done', 'stopped']).toContain(state);
        // What surely never left is the only thing that may still be planned, and then nothing of it was written.
        const planned = await storage.sql<{ number: string }[]>`
          select unnest(recipients) as number from attempt where job_id = ${jobId} and state = 'planned'`;
        for (const { number } of planned) expect(written).not.toContain(number);
      },
    ),
    { numRuns: 60 },
  );
});
