import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMemoryLog, type MemoryLog } from '../../../../test/support/memory-log.ts';
import { until } from '../../../../test/support/until.ts';
import { AppError } from '../../../domain/errors.ts';
import { correlationId, withCorrelation } from '../../../ports/correlation.ts';
import type { SendAnswer, SendHooks, SendRequest, SmsGateway } from '../../../ports/gateway.ts';
import type { JobStore } from '../../../ports/jobs.ts';
import type { NewDraft } from '../../../ports/stores.ts';
import { createCallStore } from '../../../storage/sending/call-store.ts';
import { openTestStorage, type TestStorage } from '../../../storage/testing.ts';
import { createSender } from './sender.ts';

/* Several calls of a job at once, by one process or by several. */

let storage: TestStorage;
let place: Awaited<ReturnType<TestStorage['addPlace']>>;
/** What has left, as the gateway would have seen it. */
let left: SendRequest[];
let log: MemoryLog;

beforeAll(async () => {
  storage = await openTestStorage();
});
beforeEach(async () => {
  await storage.sql`update attempt set state = 'closed' where state in ('reserved', 'on_wire', 'unknown')`;
  place = await storage.addPlace();
  await storage.emptyQueue();
  left = [];
  log = createMemoryLog();
});
afterAll(() => storage.close());

const ACCEPTED: SendAnswer = { outcome: 'accepted', messageIds: [{ id: '9007199254740993' }], raw: '{}' };
const REFUSED: SendAnswer = {
  outcome: 'rejected',
  code: 23,
  name: 'invalid_line',
  table: 'sending',
  text: '',
  raw: '',
};
const UNKNOWN: SendAnswer = { outcome: 'unknown', reason: 'timeout', stage: 'answer' };
const NOT_SENT: SendAnswer = { outcome: 'not_sent', reason: 'refused' };

/** What the gateway does with a call that has left. */
type Answer = (request: SendRequest, number: number) => SendAnswer | Promise<SendAnswer>;
type Check = (line: string, numbers: readonly string[]) => Promise<readonly string[]>;

interface Process {
  readonly answer?: Answer;
  /** Before the fence; what it gives is the answer. */
  readonly dial?: (request: SendRequest) => SendAnswer | null;
  readonly check?: Check;
  /** Is told of the calls that are to come. */
  readonly expected?: SmsGateway['expect'];
  readonly jobs?: Partial<JobStore>;
  readonly owner?: string;
  readonly mostCalls?: number;
  readonly now?: () => number;
  /** What a phonebook holds. */
  readonly listed?: readonly { readonly number: string }[];
}

/** A process that sends; its pace stays with it from job to job. */
function processOf({
  answer = () => ACCEPTED,
  dial,
  check,
  expected = () => undefined,
  jobs,
  owner = 'process-1',
  mostCalls,
  now,
  listed = [],
}: Process = {}) {
  let calls = 0;
  const send = async (request: SendRequest, hooks?: SendHooks): Promise<SendAnswer> => {
    const failed = dial?.(request) ?? null;
    if (failed !== null) return failed;
    const passed = (await hooks?.beforeWrite?.().catch(() => false)) ?? false;
    if (!passed) return { outcome: 'not_sent', reason: 'fence' };
    left.push(request);
    const seen = await answer(request, (calls += 1));
    if (seen.outcome === 'not_sent') left = left.filter((each) => each !== request);
    return seen;
  };
  const gateway = {
    has: (facet: string) => facet !== 'blacklist' || check !== undefined,
    use: (facet: string) =>
      facet === 'blacklist'
        ? { blocked: check }
        : { send, sendToBook: send, sendMany: send, numbers: () => Promise.resolve(listed) },
    expect: expected,
    versions: [3],
    close: () => Promise.resolve(),
  } as unknown as SmsGateway;
  const run = createSender({
    // What is asked for at the same time goes together within a process, never beyond it.
    jobs: { ...storage.jobs, ...createCallStore(storage.database, 'UTC'), ...jobs },
    gateways: {
      capabilities: () => ({ versions: [], has: () => true, missing: () => [] }),
      accepted: () => [],
      of: (id) =>
        id === place.bindingId ? Promise.resolve(gateway) : Promise.reject(new AppError('not_connected', id)),
      probe: () => gateway,
    },
    clock: {
      now: () => new Date(0),
      monotonic: now ?? (() => 0),
      // What is waited for with a way to give up is an answer: that comes, or fails by itself.
      sleep: (_ms, signal) => (signal === undefined ? Promise.resolve() : new Promise(() => {})),
    },
    owner,
    mostCalls,
  });
  return (jobId: string, signal: AbortSignal = new AbortController().signal) => run(jobId, { log, signal });
}

/** Holds what comes until it is let go. */
function hold() {
  const held: PromiseWithResolvers<SendAnswer>[] = [];
  return {
    held,
    answer: () => {
      const gate = Promise.withResolvers<SendAnswer>();
      held.push(gate);
      return gate.promise;
    },
  };
}

function numbers(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, n) => `98912${String(from + n).padStart(7, '0')}`);
}

async function job(calls: number, more: Partial<NewDraft> = {}) {
  const made = await storage.addRunningJob(place, {
    recipients: numbers(calls * 200),
    text: `text ${storage.next()}`,
    ...more,
  });
  await storage.emptyQueue();
  return made;
}

async function stateOf(draftId: string) {
  const found = (await storage.drafts.card(draftId))?.job;
  const counts = Object.entries(found?.counts ?? {}).filter(([, count]) => count > 0);
  return { state: found?.state, stopReason: found?.stopReason, counts: Object.fromEntries(counts) };
}

async function held(jobId: string): Promise<number> {
  const rows =
    await storage.sql`select 1 from attempt where job_id = ${jobId} and state in ('reserved', 'on_wire')`;
  return rows.length;
}

/** A process that has sent so much that it makes so many calls at once. */
async function grown(calls: number, more: Process) {
  const { answer = () => ACCEPTED, ...rest } = more;
  let since: number | null = null;
  const run = processOf({
    ...rest,
    mostCalls: calls,
    answer: (request) => (since === null ? ACCEPTED : answer(request, (since += 1))),
  });
  const { jobId } = await job((calls * (calls + 1)) / 2);
  await run(jobId);
  left = [];
  since = 0;
  return run;
}

describe('the calls of a job', () => {
  test('go out two at first, and ever more while the gateway answers', async () => {
    const { held: calls, answer } = hold();
    const run = processOf({ answer });
    const { jobId, draftId } = await job(14);
    const ran = run(jobId);
    const rounds: number[] = [];
    for (let done = 0; done < 14;) {
      await until(async () => {
        expect(calls.length - done).toBeGreaterThan(0);
        expect(await held(jobId)).toBeGreaterThanOrEqual(calls.length - done);
        expect(calls.length).toBe(Math.min(14, done + (rounds.length === 0 ? 2 : rounds.length + 2)));
      });
      const round = calls.slice(done);
      rounds.push(round.length);
      for (const call of round) call.resolve(ACCEPTED);
      done += round.length;
    }
    await ran;
    expect(rounds).toEqual([2, 3, 4, 5]);
    expect(await stateOf(draftId)).toMatchObject({ state: 'done', counts: { accepted: 2800 } });
    expect(left.flatMap((request) => request.recipients)).toEqual(numbers(2800));
  });

  test('in flight end as they do when somebody stops the job, and the numbers are exact', async () => {
    const { held: calls, answer } = hold();
    const run = await grown(8, { answer });
    const { jobId, draftId } = await job(20);
    const ran = run(jobId);
    await until(() => expect(calls).toHaveLength(8));
    expect(await stateOf(draftId)).toMatchObject({ counts: { onWire: 1600, planned: 2400 } });
    expect(await storage.jobs.stop(jobId, 'person', place.ownerId, storage.next())).toBe(true);
    const answers = [ACCEPTED, ACCEPTED, UNKNOWN, REFUSED, ACCEPTED, NOT_SENT, ACCEPTED, UNKNOWN];
    for (const [index, call] of calls.entries()) call.resolve(answers[index] ?? ACCEPTED);
    await ran;
    await run(jobId);
    expect(calls).toHaveLength(8);
    expect(left).toHaveLength(7);
    expect(await held(jobId)).toBe(0);
    expect(await stateOf(draftId)).toEqual({
      state: 'stopped',
      stopReason: 'person',
      counts: { accepted: 800, unknown: 400, rejected: 200, planned: 2600 },
    });
  });

  test('that wait for their turn do not leave once the job is stopped', async () => {
    const { held: calls, answer } = hold();
    const run = await grown(4, { answer });
    const { jobId, draftId } = await job(20);
    const ran = run(jobId);
    await until(async () => expect(await held(jobId)).toBe(12));
    await until(() => expect(calls).toHaveLength(4));
    await storage.jobs.stop(jobId, 'person', place.ownerId, storage.next());
    calls[0]?.resolve(ACCEPTED);
    await until(async () => expect(await held(jobId)).toBeLessThan(12));
    for (const call of calls) call.resolve(ACCEPTED);
    await ran;
    expect(left).toHaveLength(4);
    expect(await held(jobId)).toBe(0);
    expect(await stateOf(draftId)).toMatchObject({ counts: { accepted: 800, planned: 3200 } });
  });

  test('go on around those of unknown outcome, fewer at once', async () => {
    let [out, most] = [0, 0];
    const later = () => new Promise((resolve) => void setImmediate(resolve));
    const run = await grown(8, {
      answer: async (_request, number) => {
        most = Math.max(most, (out += 1));
        for (let turns = 0; turns < 20; turns += 1) await later();
        out -= 1;
        return number % 10 === 0 ? UNKNOWN : ACCEPTED;
      },
    });
    const { jobId, draftId } = await job(40);
    await run(jobId);
    expect(left).toHaveLength(40);
    expect(most).toBeLessThanOrEqual(8);
    expect(await stateOf(draftId)).toEqual({
      state: 'done',
      stopReason: null,
      counts: { accepted: 7200, unknown: 800 },
    });
  });

  test('that the gateway may not have taken make those that wait go back', async () => {
    const { held: calls, answer } = hold();
    const run = await grown(8, { answer });
    const { jobId } = await job(40);
    const ran = run(jobId);
    await until(async () => expect(await held(jobId)).toBe(24));
    await until(() => expect(calls).toHaveLength(8));
    for (const call of calls.slice(0, 3)) call.resolve(UNKNOWN);
    // One may be out; five still are, and two wait.
    await until(async () => expect(await held(jobId)).toBe(7));
    expect(left).toHaveLength(8);
    await storage.jobs.stop(jobId, 'person', place.ownerId, storage.next());
    for (const call of calls) call.resolve(ACCEPTED);
    await ran;
    expect(await held(jobId)).toBe(0);
  });

  test('that went back leave after the others, in the same run', async () => {
    const run = await grown(4, { answer: (_request, number) => (number === 1 ? UNKNOWN : ACCEPTED) });
    const { jobId, draftId } = await job(12);
    await run(jobId);
    expect(await stateOf(draftId)).toMatchObject({ state: 'done', counts: { unknown: 200, accepted: 2200 } });
  });

  test('do not wait until the outcomes before them are written, unless there are many of these', async () => {
    const database = Promise.withResolvers<void>();
    let away = false;
    const record: JobStore['record'] = async (...given) => {
      if (away) await database.promise;
      await storage.jobs.record(...given);
    };
    const run = await grown(4, { jobs: { record } });
    const { jobId, draftId } = await job(20);
    away = true;
    const ran = run(jobId);
    await until(() => expect(left.length).toBeGreaterThan(4));
    expect(left.length).toBeLessThanOrEqual(9);
    database.resolve();
    await ran;
    expect(await stateOf(draftId)).toMatchObject({ state: 'done', counts: { accepted: 4000 } });
  });

  test('rest when the gateway asks for it, with those that wait given back', async () => {
    const busy: SendAnswer = { outcome: 'unknown', reason: 'ambiguous_code', stage: 'complete', code: 429 };
    const run = await grown(4, { answer: (_request, number) => (number === 1 ? busy : ACCEPTED) });
    const { jobId, draftId } = await job(20);
    await run(jobId);
    expect(left.length).toBeLessThanOrEqual(4);
    expect(await held(jobId)).toBe(0);
    expect((await storage.queued()).get(`send:${jobId}`)?.in_ms).toBe(60_000);
    expect((await stateOf(draftId)).counts['unknown']).toBe(200);
  });

  test('of several jobs of an account take turns', async () => {
    const { held: calls, answer } = hold();
    const run = await grown(2, { answer });
    const jobs = [await job(20, { text: 'first' }), await job(20, { text: 'second' })];
    const ran = Promise.all(jobs.map(({ jobId }) => run(jobId)));
    for (let done = 0; done < 40; done += 1) {
      await until(() => expect(calls.length).toBe(Math.min(40, done + 2)));
      calls[done]?.resolve(ACCEPTED);
    }
    await ran;
    const half = left.slice(0, 20).map(({ text }) => text);
    expect(half.filter((text) => text === 'first').length).toBeGreaterThan(7);
    expect(half.filter((text) => text === 'second').length).toBeGreaterThan(7);
  });
});

test('each call is made as what its own job came of, its numbers looked up, whichever job wakes it or takes it along', async () => {
  const made: [string, number | undefined][] = [];
  let looked = 0;
  const check: Check = (_line, given) => {
    looked += given.length;
    return Promise.resolve([]);
  };
  const answer: Answer = ({ text }) => {
    made.push([text, correlationId()]);
    return ACCEPTED;
  };
  const run = processOf({ answer, check, mostCalls: 1 });
  const jobs = [];
  for (let n = 0; n < 6; n += 1) jobs.push(await job(3, { text: String(n) }));
  await Promise.all(jobs.map(({ jobId }, n) => withCorrelation(n, () => run(jobId))));
  const each = jobs.flatMap((_, n) => [n, n, n].map(() => [String(n), n]));
  expect(made.toSorted(([one], [other]) => one.localeCompare(other))).toEqual(each);
  expect(looked).toBe(6 * 600);
});

test('four jobs of an account are out at once: the next is put off, and taken along by the first that ends', async () => {
  const { held: calls, answer } = hold();
  let asked = 0;
  const reserve: JobStore['reserve'] = async (...given) => {
    asked += 1;
    return await storage.jobs.reserve(...given);
  };
  const run = processOf({ answer, mostCalls: 1, jobs: { reserve } });
  const jobs = [await job(1), await job(1), await job(1), await job(1)];
  const [fifth, waiting] = [await job(1), await job(1)];
  await storage.sql`update job set state = 'holding', hold_until = now() + interval '10 minutes' where id = ${waiting.jobId}`;
  const ran = Promise.all(jobs.map(({ jobId }) => run(jobId)));
  await until(async () =>
    expect(await Promise.all(jobs.map(({ jobId }) => held(jobId)))).toEqual([1, 1, 1, 1]),
  );
  await run(fifth.jobId);
  await run(waiting.jobId);
  expect(await held(fifth.jobId)).toBe(0);
  const queued = await storage.queued();
  expect(queued.get(`send:${fifth.jobId}`)?.in_ms).toBe(2000);
  expect(queued.get(`send:${waiting.jobId}`)?.in_ms).toBeGreaterThan(500_000);
  for (let done = 0; done < 5; done += 1) {
    await until(() => expect(calls.length).toBeGreaterThan(done));
    calls[done]?.resolve(ACCEPTED);
  }
  await ran;
  expect((await stateOf(fifth.draftId)).state).toBe('done');
  // Each has given its place back.
  const last = await job(1);
  const gone = run(last.jobId);
  await until(() => expect(calls).toHaveLength(6));
  calls[5]?.resolve(ACCEPTED);
  await gone;
  expect((await stateOf(last.draftId)).state).toBe('done');
  // Nobody who waits asks again and again.
  expect(asked).toBe(6);
});

test('a job that waits for its turn gives its calls back as soon as the process has to go', async () => {
  const { held: calls, answer } = hold();
  const run = processOf({ answer, mostCalls: 1 });
  const [out, waiting] = [await job(1), await job(1)];
  const stopping = new AbortController();
  const first = run(out.jobId, stopping.signal);
  await until(() => expect(calls).toHaveLength(1));
  const second = run(waiting.jobId, stopping.signal);
  await until(async () => expect(await held(waiting.jobId)).toBe(1));
  stopping.abort();
  await second;
  expect([await held(out.jobId), await held(waiting.jobId)]).toEqual([1, 0]);
  calls[0]?.resolve(ACCEPTED);
  await first;
  expect(left).toHaveLength(1);
});

test.each(['before', 'after'])(
  'a mistake of ours is told, though the gateway asked for quiet %s it',
  async (when) => {
    const { held: calls, answer } = hold();
    const run = processOf({ answer });
    const { jobId, draftId } = await job(2);
    const ran = run(jobId);
    ran.catch(() => undefined);
    await until(() => expect(calls).toHaveLength(2));
    const happen = [
      () => calls[0]?.resolve({ outcome: 'unknown', reason: 'ambiguous_code', stage: 'complete', code: 429 }),
      () => calls[1]?.reject(new TypeError('a mistake')),
    ];
    for (const [n, each] of (when === 'before' ? happen : happen.toReversed()).entries()) {
      each();
      await until(async () => expect((await stateOf(draftId)).counts['unknown']).toBe(200 * (n + 1)));
    }
    await expect(ran).rejects.toThrow('a mistake');
  },
);

/** Notes how many calls each reservation asks for; one may be held until it is let go. */
function asking(held?: { readonly nth: number; readonly until: Promise<void> }) {
  const asked: (number | undefined)[] = [];
  const reserved: ReturnType<JobStore['reserve']>[] = [];
  const reserve: JobStore['reserve'] = async (...given) => {
    asked.push(given[2]);
    if (asked.length === held?.nth) await held.until;
    const found = storage.jobs.reserve(...given);
    reserved.push(found);
    return await found;
  };
  return { asked, reserved, reserve };
}

describe('the next calls', () => {
  test('are reserved a few at a time, counting those whose numbers are looked up', async () => {
    const { held: calls, answer } = hold();
    const looked = Promise.withResolvers<readonly string[]>();
    const { asked, reserve } = asking();
    let questions = 0;
    const check: Check = () => {
      questions += 1;
      return looked.promise;
    };
    const { jobId } = await job(20);
    const ran = processOf({ answer, check, mostCalls: 2, jobs: { reserve } })(jobId);
    await until(() => expect(questions).toBe(3));
    expect(asked).toEqual([6]);
    looked.resolve([]);
    await until(() => expect(calls).toHaveLength(2));
    expect(asked).toEqual([6]);
    calls[0]?.resolve(ACCEPTED);
    await until(() => expect(calls).toHaveLength(3));
    expect(asked).toEqual([6, 3]);
    await storage.jobs.stop(jobId, 'person', place.ownerId, storage.next());
    for (const call of calls) call.resolve(ACCEPTED);
    await ran;
    expect(await held(jobId)).toBe(0);
  });

  test('that are reserved while the gateway asks for quiet go back too', async () => {
    const { held: calls, answer } = hold();
    const gate = Promise.withResolvers<void>();
    const { asked, reserved, reserve } = asking({ nth: 2, until: gate.promise });
    const { jobId, draftId } = await job(6);
    const ran = processOf({ answer, mostCalls: 1, jobs: { reserve } })(jobId);
    await until(() => expect(calls).toHaveLength(1));
    calls[0]?.resolve(ACCEPTED);
    await until(() => expect([calls.length, asked.length]).toEqual([2, 2]));
    calls[1]?.resolve({ outcome: 'unknown', reason: 'ambiguous_code', stage: 'complete', code: 429 });
    await until(async () => expect((await stateOf(draftId)).counts).toMatchObject({ unknown: 200 }));
    gate.resolve();
    await ran;
    await Promise.all(reserved);
    expect(await held(jobId)).toBe(0);
    expect(left).toHaveLength(2);
  });
});

test('a mistake of ours makes no room for more calls: it says nothing of what the gateway bears', async () => {
  const { asked, reserve } = asking();
  const answer: Answer = () => {
    throw new TypeError('a mistake');
  };
  const run = processOf({ answer, jobs: { reserve } });
  for (let n = 0; n < 2; n += 1) await expect(run((await job(2)).jobId)).rejects.toThrow('a mistake');
  expect(asked).toEqual([6, 6]);
});

describe('a fence for several', () => {
  test('whose commit fails lets none of them out, and they leave later', async () => {
    const run = await grown(8, {});
    const { jobId, draftId } = await job(8);
    await storage.sql`
      create function no_commit() returns trigger language plpgsql as $$ begin raise 'no commit'; end $$`;
    await storage.sql`
      create constraint trigger no_commit after update on attempt deferrable initially deferred for each row
      when (new.state = 'on_wire') execute function no_commit()`;
    await run(jobId);
    await storage.sql`drop function no_commit cascade`;
    expect(left).toEqual([]);
    expect(await stateOf(draftId)).toMatchObject({ state: 'running', counts: { planned: 1600 } });
    expect(await held(jobId)).toBe(0);
    await run(jobId);
    expect(await stateOf(draftId)).toMatchObject({ state: 'done', counts: { accepted: 1600 } });
    expect(new Set(left.flatMap(({ recipients }) => recipients)).size).toBe(1600);
  });

  test('that was committed but not heard of is taken back for all of them', async () => {
    let deaf = true;
    const goOnWire: JobStore['goOnWire'] = async (id, epoch) => {
      const passed = await storage.jobs.goOnWire(id, epoch);
      if (deaf) throw new Error('the connection was lost');
      return passed;
    };
    const run = processOf({ jobs: { goOnWire } });
    const { jobId, draftId } = await job(8);
    await run(jobId);
    expect(left).toEqual([]);
    expect(await stateOf(draftId)).toMatchObject({ state: 'running', counts: { planned: 1600 } });
    deaf = false;
    await run(jobId);
    expect(await stateOf(draftId)).toMatchObject({ state: 'done', counts: { accepted: 1600 } });
  });

  test('leaves all of them unknown when the process dies before an answer', async () => {
    const owner = `process-${storage.next()}`;
    const { held: calls, answer } = hold();
    const dead = new AbortController();
    const record: JobStore['record'] = async (...given) => {
      if (dead.signal.aborted) throw new Error('gone');
      await storage.jobs.record(...given);
    };
    const run = await grown(8, { answer, owner, jobs: { record } });
    const { jobId, draftId } = await job(20);
    const ran = run(jobId, dead.signal);
    await until(async () => expect(await held(jobId)).toBe(20));
    await until(() => expect(calls).toHaveLength(8));
    dead.abort();
    for (const call of calls) call.resolve(ACCEPTED);
    await expect(ran).rejects.toThrow('gone');
    await storage.jobs.abandon([owner]);
    expect(await stateOf(draftId)).toMatchObject({ counts: { unknown: 1600, planned: 2400 } });
    await processOf({ owner: 'process-2' })(jobId);
    expect(await stateOf(draftId)).toMatchObject({
      state: 'done',
      counts: { unknown: 1600, accepted: 2400 },
    });
    expect(left).toHaveLength(20);
  });
});

describe('a call that equals one in doubt', () => {
  test('is left out while the others go on, and stops the job in the end', async () => {
    const recipients = numbers(2000);
    const [first, second] = [
      await job(0, { recipients, text: 'same' }),
      await job(0, { recipients, text: 'same' }),
    ];
    await storage.sql`update attempt set state = case when chunk in (0, 3) then 'unknown' else 'accepted' end where job_id = ${first.jobId}`;
    await processOf()(second.jobId);
    expect(left).toHaveLength(8);
    expect(await stateOf(second.draftId)).toEqual({
      state: 'stopped',
      stopReason: 'earlier_unknown',
      counts: { accepted: 1600, planned: 400 },
    });
  });

  test('leaves after all when the doubt is settled meanwhile', async () => {
    const recipients = numbers(600);
    const [first, second] = [
      await job(0, { recipients, text: 'same' }),
      await job(0, { recipients, text: 'same' }),
    ];
    await storage.sql`update attempt set state = case when chunk = 0 then 'unknown' else 'accepted' end where job_id = ${first.jobId}`;
    const answer = async () => {
      await storage.sql`update attempt set state = 'not_sent' where job_id = ${first.jobId} and chunk = 0`;
      return ACCEPTED;
    };
    await processOf({ answer })(second.jobId);
    expect(await stateOf(second.draftId)).toMatchObject({ state: 'done', counts: { accepted: 600 } });
  });
});

test('the gateway is told of calls while their numbers are looked up, and of the next while others are out', async () => {
  const { held: calls, answer } = hold();
  const looked = Promise.withResolvers<readonly string[]>();
  const told: [string, number][] = [];
  const run = processOf({
    answer,
    check: () => looked.promise,
    expected: (facet, count) => void told.push([facet, count]),
  });
  const { jobId } = await job(4);
  const ran = run(jobId);
  await until(() => expect(told).toContainEqual(['sending', 4]));
  expect(left).toEqual([]);
  looked.resolve([]);
  await until(() => expect(calls).toHaveLength(2));
  await until(() => expect(told.at(-1)).toEqual(['sending', 2]));
  calls[0]?.resolve(ACCEPTED);
  await until(() => expect(calls).toHaveLength(3));
  await until(() => expect(told.at(-1)).toEqual(['sending', 1]));
  // A gateway that is left alone for now is told of nothing more.
  told.length = 0;
  calls[1]?.resolve({ outcome: 'unknown', reason: 'ambiguous_code', stage: 'complete', code: 429 });
  calls[2]?.resolve(ACCEPTED);
  await ran;
  expect(told).toEqual([]);
  expect(left).toHaveLength(3);
});

describe('the blacklist', () => {
  const saying = (blocked: ReadonlySet<string>): Check => {
    return (_line, given) => Promise.resolve(given.filter((number) => blocked.has(number)));
  };

  test('is looked at before each call: who is on it is no recipient', async () => {
    const all = numbers(600);
    const blocked = new Set([all[3] ?? '', ...all.slice(200, 400)]);
    const { jobId, draftId } = await job(3);
    await processOf({ check: saying(blocked) })(jobId);
    expect(left.map(({ recipients }) => recipients.length).toSorted((one, other) => one - other)).toEqual([
      199, 200,
    ]);
    expect(left.flatMap(({ recipients }) => recipients).toSorted()).toEqual(
      all.filter((number) => !blocked.has(number)),
    );
    expect(await stateOf(draftId)).toEqual({
      state: 'done',
      stopReason: null,
      counts: { accepted: 399, blocked: 201 },
    });
    const rows =
      await storage.sql`select cardinality(message_ids) as ids from attempt where job_id = ${jobId} and state = 'accepted'`;
    expect(rows.map((row) => row['ids'])).toEqual([199, 200]);
  });

  test('is looked at for the next calls while those before are out', async () => {
    const { held: calls, answer } = hold();
    const asked: number[] = [];
    const check: Check = (line, given) => {
      asked.push(given.length);
      return saying(new Set())(line, given);
    };
    const run = processOf({ answer, check });
    const { jobId } = await job(6);
    const ran = run(jobId);
    await until(() => expect([calls.length, asked]).toEqual([2, [400, 400, 400]]));
    for (let done = 0; done < 6; done += 1) {
      await until(() => expect(calls.length).toBeGreaterThan(done));
      calls[done]?.resolve(ACCEPTED);
    }
    await ran;
    expect(asked).toHaveLength(3);
  });

  test('is asked at most sixteen questions at once, and the others follow', async () => {
    let gates: PromiseWithResolvers<readonly string[]>[] | null = null;
    const check: Check = async () => {
      if (gates === null) return [];
      const gate = Promise.withResolvers<readonly string[]>();
      gates.push(gate);
      return await gate.promise;
    };
    const run = await grown(12, { check });
    const questions = (gates = []) as PromiseWithResolvers<readonly string[]>[];
    const { jobId, draftId } = await job(36);
    const ran = run(jobId);
    await until(() => expect(questions).toHaveLength(16));
    questions[0]?.resolve([]);
    await until(() => expect(questions).toHaveLength(17));
    gates = null;
    for (const { resolve } of questions) resolve([]);
    await ran;
    expect(await stateOf(draftId)).toMatchObject({ state: 'done', counts: { accepted: 7200 } });
  });

  test('that cannot be read holds the calls back twice; then they leave all the same', async () => {
    const pauses: (number | undefined)[] = [];
    let asked = 0;
    const check: Check = () => {
      asked += 1;
      return Promise.reject(new AppError('gateway_no_answer', 'no answer'));
    };
    const run = processOf({ check });
    const { jobId, draftId } = await job(4);
    for (let round = 0; round < 2; round += 1) {
      await storage.emptyQueue();
      await run(jobId);
      expect(left).toEqual([]);
      expect(await stateOf(draftId)).toMatchObject({ state: 'running', counts: { planned: 800 } });
      pauses.push((await storage.queued()).get(`send:${jobId}`)?.in_ms);
    }
    expect(pauses).toEqual([1000, 2000]);
    await run(jobId);
    expect(await stateOf(draftId)).toMatchObject({ state: 'done', counts: { accepted: 800 } });
    expect(asked).toBeGreaterThanOrEqual(6);
    const tries = await storage.sql`select distinct tries from attempt where job_id = ${jobId}`;
    expect(tries).toEqual([{ tries: 1 }]);
  });

  test('holds calls back again once it could be read in between', async () => {
    let broken = true;
    const check: Check = (line, given) =>
      broken ? Promise.reject(new AppError('gateway_refused', 'no')) : saying(new Set())(line, given);
    const run = processOf({ check });
    const first = await job(1);
    for (let round = 0; round < 3; round += 1) await run(first.jobId);
    broken = false;
    await run((await job(1)).jobId);
    broken = true;
    const last = await job(1);
    await run(last.jobId);
    expect(left).toHaveLength(2);
    expect(await stateOf(last.draftId)).toMatchObject({ state: 'running', counts: { planned: 200 } });
  });

  test('of a line that the account does not have holds nobody back, nor does it hide who is blocked on another', async () => {
    const [a, b, c] = numbers(3) as [string, string, string];
    const asked: string[] = [];
    const check: Check = (line, given) => {
      asked.push(line);
      return line === '3000'
        ? saying(new Set([a]))(line, given)
        : Promise.reject(new AppError('gateway_refused', 'no', { params: { name: 'invalid_line' } }));
    };
    const rows = [a, b, c].map((recipient) => ({
      line: recipient === c ? '5000' : '3000',
      recipient,
      text: 'x',
      flash: false,
    }));
    const { jobId, draftId } = await job(1, {
      outgoing: { kind: 'multi', rows },
      text: '',
      recipients: [a, b, c],
    });
    await processOf({ check })(jobId);
    expect(asked.toSorted()).toEqual(['3000', '5000']);
    expect(await stateOf(draftId)).toMatchObject({ state: 'done', counts: { accepted: 2, blocked: 1 } });
  });

  test('has the numbers of a phonebook named where somebody in it is blocked, and only then', async () => {
    const outgoing = { kind: 'book', bookId: '7', title: 'VIP', way: 'call' } as const;
    const recipients = numbers(600);
    const listed = recipients.map((number) => ({ number }));
    const free = await job(1, { outgoing, recipients });
    const asked: number[] = [];
    const check: Check = async (line, given) => {
      asked.push(given.length);
      return await saying(new Set())(line, given);
    };
    await processOf({ check, listed })(free.jobId);
    expect(asked).toEqual([400, 200]);
    expect(left.map((request) => request.recipients.length)).toEqual([0]);
    expect(await stateOf(free.draftId)).toMatchObject({ state: 'done', counts: { accepted: 600 } });

    left = [];
    await storage.sql`update attempt set state = 'closed'`;
    const [first = ''] = recipients;
    const { jobId, draftId } = await job(1, { outgoing, recipients });
    await processOf({ check: saying(new Set([first])), listed })(jobId);
    expect(left.flatMap((request) => request.recipients).toSorted()).toEqual(recipients.slice(1));
    expect(await stateOf(draftId)).toMatchObject({ state: 'done', counts: { accepted: 599, blocked: 1 } });
  });

  test('whose word cannot be written down lets nothing leave', async () => {
    const [first = ''] = numbers(1);
    const dropBlocked: JobStore['dropBlocked'] = () => Promise.reject(new Error('the connection was lost'));
    const { jobId, draftId } = await job(2);
    const run = processOf({ check: saying(new Set([first])), jobs: { dropBlocked } });
    await expect(run(jobId)).rejects.toThrow('lost');
    expect(left.flatMap(({ recipients }) => recipients)).not.toContain(first);
    expect(await held(jobId)).toBe(0);
    await processOf({ check: saying(new Set([first])) })(jobId);
    expect(await stateOf(draftId)).toMatchObject({ state: 'done', counts: { accepted: 399, blocked: 1 } });
  });

  test('leaves nobody out while the fence is shut: the calls wait as they would at it', async () => {
    const [first = ''] = numbers(1);
    let asked = 0;
    const check: Check = async (line, given) => {
      asked += 1;
      if (asked > 5) throw new Error('asked again and again');
      return await saying(new Set([first]))(line, given);
    };
    const { jobId, draftId } = await job(1);
    await storage.sql`update deployment set held_at = now()`;
    try {
      await processOf({ check })(jobId);
    } finally {
      await storage.sql`update deployment set held_at = null`;
    }
    expect(asked).toBe(1);
    expect((await storage.queued()).get(`send:${jobId}`)?.in_ms).toBe(1000);
    expect(await stateOf(draftId)).toMatchObject({ state: 'running', counts: { planned: 200 } });
    await processOf({ check })(jobId);
    expect(await stateOf(draftId)).toMatchObject({ state: 'done', counts: { accepted: 199, blocked: 1 } });
  });
});

test('whatever several processes do at once and whatever befalls them, nobody is written to twice', async () => {
  const fate = fc.constantFrom(
    'accepted',
    'accepted',
    'accepted',
    'refused',
    'unknown',
    'unsent',
    'no dial',
    'busy',
    'mistake',
    'fence lost',
    'fence deaf',
    'record lost',
    'record deaf',
    'look-up fails',
    'blocked',
    'dies',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fate, { minLength: 40, maxLength: 40 }),
      fc.integer({ min: 1, max: 3 }),
      async (fates, count) => {
        left = [];
        await storage.sql`update attempt set state = 'closed' where state in ('reserved', 'on_wire', 'unknown')`;
        const { jobId, draftId } = await job(0, { recipients: numbers(2405) });
        let at = 0;
        const next = () => fates[(at += 1) % fates.length] ?? 'accepted';
        const broken = new Error('gone');
        const blocked = new Set<string>();
        let clock = 0;

        for (let round = 0; round < 6; round += 1) {
          clock += 61_000;
          const owners = Array.from({ length: count }, (_, n) => `run ${jobId} ${round} ${n}`);
          await Promise.all(
            owners.map(async (owner) => {
              const dead = new AbortController();
              const alive = async <T>(work: () => Promise<T>): Promise<T> => {
                if (dead.signal.aborted) throw broken;
                return await work();
              };
              const calls = createCallStore(storage.database, 'UTC');
              const run = processOf({
                owner,
                mostCalls: 8,
                now: () => clock,
                dial: () => (next() === 'no dial' ? NOT_SENT : null),
                answer: () => {
                  const what = next();
                  if (what === 'dies') dead.abort();
                  if (what === 'mistake') throw broken;
                  if (what === 'busy')
                    return { outcome: 'unknown', reason: 'ambiguous_code', stage: 'complete', code: 429 };
                  if (what === 'unsent') return NOT_SENT;
                  if (what === 'refused') return REFUSED;
                  return what === 'unknown' ? UNKNOWN : ACCEPTED;
                },
                check: (_line, given) => {
                  const what = next();
                  if (what === 'look-up fails')
                    return Promise.reject(new AppError('gateway_no_answer', 'no'));
                  if (what === 'blocked') blocked.add(given[7] ?? '');
                  return Promise.resolve(what === 'blocked' ? given.slice(7, 8) : []);
                },
                jobs: {
                  goOnWire: async (id, epoch) => {
                    const what = next();
                    if (what === 'fence lost') throw broken;
                    const passed = await alive(() => calls.goOnWire(id, epoch));
                    if (what === 'fence deaf') throw broken;
                    return passed;
                  },
                  record: async (...given) => {
                    const what = next();
                    if (what === 'record lost') throw broken;
                    await alive(() => calls.record(...given));
                    if (what === 'record deaf') throw broken;
                  },
                  release: (...given) => alive(() => calls.release(...given)),
                  finish: (id) => alive(() => storage.jobs.finish(id)),
                  stop: (...given) => alive(() => storage.jobs.stop(...given)),
                  schedule: () => Promise.resolve(),
                },
              });
              await run(jobId, dead.signal).catch((error: unknown) => {
                if (error !== broken) throw error;
              });
            }),
          );
          await storage.jobs.abandon(owners);
          // A job that has run out of patience is taken up again by a person.
          await storage.sql`update job set state = 'running' where id = ${jobId} and state = 'stopped'`;
        }
        await processOf({ owner: `run ${jobId} last` })(jobId);

        const written = left.flatMap((request) => request.recipients);
        expect(new Set(written).size).toBe(written.length);
        const { state, counts } = await stateOf(draftId);
        expect(Object.values(counts).reduce((total, each) => total + each, 0)).toBe(2405);
        expect(['done', 'stopped']).toContain(state);
        const stands = await storage.sql<{ state: string; number: string }[]>`
        select state, unnest(recipients) as number from attempt where job_id = ${jobId}
        union all select 'blocked', unnest(blocked) from attempt where job_id = ${jobId}`;
        const wrote = new Set(written);
        for (const { state: stands_, number } of stands) {
          if (stands_ === 'accepted') expect(wrote.has(number)).toBe(true);
          if (stands_ === 'planned' || stands_ === 'blocked') expect(wrote.has(number)).toBe(false);
          if (stands_ === 'blocked') expect(blocked.has(number)).toBe(true);
        }
        expect(stands).toHaveLength(2405);
      },
    ),
    { numRuns: 40, endOnFailure: true },
  );
});
