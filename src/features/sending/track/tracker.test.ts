import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMemoryLog, type MemoryLog } from '../../../../test/support/memory-log.ts';
import { AppError } from '../../../domain/errors.ts';
import type { DeliveryState, SmsGateway, StatusEntry } from '../../../ports/gateway.ts';
import type { Gateways } from '../../../ports/gateways.ts';
import type { ReportCursor } from '../../../ports/jobs.ts';
import { openTestStorage, type TestStorage } from '../../../storage/testing.ts';
import { createTracker, nextLookMs } from './tracker.ts';
import { readReported } from '../../../../test/support/reported.ts';

let storage: TestStorage;
let place: Awaited<ReturnType<TestStorage['addPlace']>>;
let log: MemoryLog;
let asked: (readonly string[])[];

beforeAll(async () => {
  storage = await openTestStorage();
});
beforeEach(async () => {
  place = await storage.addPlace();
  log = createMemoryLog();
  asked = [];
});
afterAll(() => storage.close());

const POLL_SECONDS = 5;
const [SARA, ALI] = ['989150000001', '989150000002'];
const DELIVERED: DeliveryState = { raw: 5, text: 'delivered', kind: 'delivered' };

type Answer = readonly StatusEntry[] | Error;

/** What each page is answered with, or all of them. */
type Answers = Answer | readonly Answer[];

/** Looks as the queue has it done, which takes what is waiting. */
async function track(
  jobId: string,
  answers: Answers = [],
  more: {
    jobs?: TestStorage['jobs'];
    has?: boolean;
    of?: Gateways['of'];
    after?: ReportCursor | undefined;
    signal?: AbortSignal;
  } = {},
): Promise<void> {
  const before = asked.length;
  const gateway = {
    has: () => more.has ?? true,
    use: (facet: string) => ({
      [facet === 'reports' ? 'status' : 'none of these']: (ids: readonly string[]) => {
        asked.push(ids.toSorted());
        const answer = isEach(answers) ? (answers[asked.length - before - 1] ?? []) : answers;
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
    }),
  } as unknown as SmsGateway;
  const gateways: Gateways = {
    capabilities: () => ({ versions: [], has: () => true, missing: () => [] }),
    accepted: () => [],
    of: more.of ?? (() => Promise.resolve(gateway)),
    probe: () => gateway,
  };
  await storage.emptyQueue();
  await createTracker({ jobs: more.jobs ?? storage.jobs, gateways, pollSeconds: POLL_SECONDS })(
    jobId,
    { log, signal: more.signal ?? new AbortController().signal, takePlace: () => true },
    more.after,
  );
}

function isEach(answers: Answers): answers is readonly Answer[] {
  return Array.isArray(answers) && answers.some((each) => Array.isArray(each) || each instanceof Error);
}

/** A finished job of two accepted recipients, so many seconds ago. */
async function accepted(ageSeconds = 0) {
  const made = await storage.addRunningJob(place, { recipients: [SARA ?? '', ALI ?? ''] });
  const reserved = await storage.jobs.reserve(made.jobId, 'process-1');
  if (!reserved.ok) throw new Error(reserved.reason);
  await storage.jobs.goOnWire(reserved.attempts[0].id, reserved.attempts[0].epoch);
  await storage.jobs.record(reserved.attempts[0].id, reserved.attempts[0].epoch, {
    outcome: 'accepted',
    raw: '',
    messageIds: ['71', '72'],
  });
  await storage.jobs.finish(made.jobId);
  await storage.sql`
    update attempt set ended_at = now() - ${ageSeconds} * interval '1 second' where job_id = ${made.jobId}`;
  await storage.sql`
    update job set leaves_at = now() - ${ageSeconds} * interval '1 second' where id = ${made.jobId}`;
  await storage.emptyQueue();
  return made;
}

function entry(id: string, recipient: string | undefined, state: DeliveryState): StatusEntry {
  return { id, state, ...(recipient === undefined ? {} : { recipient }) };
}

/** What a job of many is told of those of its recipients. */
function told(from: number, to: number): StatusEntry[] {
  return Array.from({ length: to - from }, (_, n) =>
    entry(String(from + n).padStart(7, '0'), undefined, DELIVERED),
  );
}

async function again(jobId: string): Promise<number | undefined> {
  const ms = (await storage.queued()).get(`track:${jobId}`)?.in_ms;
  return ms === undefined ? undefined : Math.ceil(ms / 1000);
}

describe('the next look', () => {
  test('comes at a quarter of the age, not sooner than the setting, not later than half an hour', () => {
    expect([0, 10, 20, 40, 3600, 7200, 100_000].map((age) => nextLookMs(age, 5))).toEqual([
      5000, 5000, 5000, 10_000, 900_000, 1_800_000, 1_800_000,
    ]);
  });

  test('never makes the rounds of a job more than some hundreds in three days', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 60, noNaN: true }), (poll) => {
        let [age, looks] = [0, 0];
        for (; age < 72 * 3600; looks += 1) {
          const next = nextLookMs(age, poll);
          expect(next).toBeGreaterThanOrEqual(poll * 1000);
          age += next / 1000;
        }
        expect(looks).toBeLessThan(200);
      }),
    );
  });
});

describe('reports', () => {
  test('are asked for while open, written down, and asked for again after the interval', async () => {
    const { jobId, draftId } = await accepted(4000);
    await track(jobId, [entry('71', SARA, DELIVERED)]);
    expect(asked).toEqual([['71', '72']]);
    expect((await storage.drafts.card(draftId))?.job?.counts).toMatchObject({ delivered: 1, accepted: 1 });
    // A quarter of the age, which has grown meanwhile.
    expect(await again(jobId)).toBeGreaterThanOrEqual(1000);
    expect(await again(jobId)).toBeLessThan(1100);
    expect([...(await storage.queued()).keys()]).toContain(`card:${draftId}`);
    await storage.emptyQueue();
    await track(jobId, [entry('72', ALI, { raw: 6, text: 'failed', kind: 'failed' })]);
    expect(asked.at(-1)).toEqual(['72']);
    expect(await again(jobId)).toBe(undefined);
    expect((await storage.drafts.card(draftId))?.job).toMatchObject({
      counts: { delivered: 1, failed: 1 },
      settled: true,
    });
    await track(jobId);
    expect(asked).toHaveLength(2);
  });

  test('of a state that nobody defined are kept as they came, and stay open', async () => {
    const { jobId, draftId } = await accepted();
    await track(jobId, [
      entry('71', SARA, { raw: 9007, text: 'وضعیت تازه', kind: 'unknown' }),
      entry('72', ALI, DELIVERED),
    ]);
    const rows = await readReported(storage.sql, jobId);
    expect(rows[0]).toMatchObject({ kind: 'unknown', raw: '9007', text: 'وضعیت تازه' });
    expect((await storage.drafts.card(draftId))?.job).toMatchObject({
      counts: { delivered: 1, accepted: 1, failed: 0 },
      settled: false,
    });
    expect(await again(jobId)).toBe(POLL_SECONDS);
  });

  /** A finished job of so many recipients, an id for each. */
  async function acceptedMany(count: number) {
    const recipients = Array.from({ length: count }, (_, n) => `98912${String(n).padStart(7, '0')}`);
    const made = await storage.addRunningJob(place, { recipients });
    const reserved = await storage.jobs.reserve(made.jobId, 'process-1', 30);
    if (!reserved.ok) throw new Error(reserved.reason);
    for (const { id, epoch, recipients: own } of reserved.attempts) {
      await storage.jobs.goOnWire(id, epoch);
      const messageIds = own.map((number) => number.slice(5));
      await storage.jobs.record(id, epoch, { outcome: 'accepted', raw: '', messageIds });
    }
    await storage.jobs.finish(made.jobId);
    await storage.emptyQueue();
    return made;
  }

  test('of many are asked for page by page, and anew after the interval', async () => {
    const { jobId } = await acceptedMany(5201);
    await track(jobId);
    expect(asked.map((ids) => ids.length)).toEqual([5000, 201]);
    expect(new Set(asked.flat()).size).toBe(5201);
    expect(await again(jobId)).toBe(POLL_SECONDS);
  });

  test('that a run has no time for are left to the next, which goes on at once where it ended', async () => {
    const { jobId } = await acceptedMany(5201);
    await track(jobId, told(4800, 5000), { signal: AbortSignal.abort() });
    expect(asked.map((ids) => ids.length)).toEqual([5000]);
    const next = (await storage.queued()).get(`track:${jobId}`);
    expect(next?.in_ms).toBeLessThanOrEqual(0);
    await track(jobId, told(5000, 5201), { after: next?.payload['after'] as ReportCursor });
    expect(asked.map((ids) => ids.length)).toEqual([5000, 201]);
    expect(new Set(asked.flat()).size).toBe(5201);
    expect(await again(jobId)).toBe(POLL_SECONDS);
  });

  test('of many are over when those of all pages are', async () => {
    const [late, soon] = [await acceptedMany(5201), await acceptedMany(5201)];
    await track(late.jobId, [[], told(5000, 5201)]);
    expect(await again(late.jobId)).toBe(POLL_SECONDS);
    await track(late.jobId, told(0, 5000));
    expect(await again(late.jobId)).toBe(undefined);
    await track(soon.jobId, [told(0, 5000), told(5000, 5201)]);
    expect(await again(soon.jobId)).toBe(undefined);
  });

  test('are asked for ten pages at a time', async () => {
    const { jobId } = await accepted();
    const first = await storage.jobs.unsettled(jobId);
    if (first === null) throw new Error('nothing is open');
    const page = { ...first, next: { call: 7, messageId: '7' } };
    const jobs = {
      ...storage.jobs,
      unsettled: async () => await Promise.resolve(page),
      openReports: async () => await Promise.resolve(page),
    };
    await track(jobId, [], { jobs });
    expect(asked).toHaveLength(10);
    expect((await storage.queued()).get(`track:${jobId}`)?.payload['after']).toEqual(page.next);
  });

  test('of what leaves later wait until then', async () => {
    const { jobId } = await accepted(-60);
    await track(jobId);
    expect([asked, await again(jobId)]).toEqual([[], 60]);
  });

  test('of the page before a failure are written down before the run ends', async () => {
    const { jobId, draftId } = await acceptedMany(5201);
    const order: string[] = [];
    const jobs: TestStorage['jobs'] = {
      ...storage.jobs,
      async recordReports(...reports) {
        const written = await storage.jobs.recordReports(...reports);
        order.push('written');
        return written;
      },
      async schedule(...next) {
        order.push('scheduled');
        await storage.jobs.schedule(...next);
      },
    };
    await track(jobId, [told(0, 5000), new AppError('gateway_no_answer', 'no answer')], { jobs });
    expect(order).toEqual(['written', 'scheduled']);
    expect((await storage.drafts.card(draftId))?.job?.counts).toMatchObject({
      delivered: 5000,
      accepted: 201,
    });
    expect(await again(jobId)).toBe(POLL_SECONDS);
  });

  test('that the gateway leaves out stay open', async () => {
    const { jobId } = await accepted();
    await track(jobId, []);
    expect(await again(jobId)).toBe(POLL_SECONDS);
    expect((await storage.jobs.unsettled(jobId))?.messageIds).toHaveLength(2);
  });

  test.each([
    new AppError('gateway_no_answer', 'no answer'),
    new AppError('gateway_unreadable', 'html'),
    new AppError('gateway_refused', 'refused'),
    new TypeError('a mistake'),
  ])('that could not be read are asked for again: %s', async (error) => {
    const { jobId, draftId } = await accepted();
    await track(jobId, error);
    expect(await again(jobId)).toBe(POLL_SECONDS);
    expect(log.lines).toEqual([
      {
        level: 'info',
        fields: { err: error },
        message: 'reports could not be read; they are asked for again',
      },
    ]);
    expect((await storage.drafts.card(draftId))?.job?.settled).toBe(false);
  });

  test('are given up after 72 hours, and the card says so', async () => {
    const [young, old] = [await accepted(72 * 3600 - 60), await accepted(72 * 3600 + 60)];
    await track(young.jobId);
    expect(asked).toHaveLength(1);
    expect(await again(young.jobId)).toBe(1800);
    await track(old.jobId);
    expect(asked).toHaveLength(1);
    expect(await again(old.jobId)).toBe(undefined);
    expect((await storage.drafts.card(old.draftId))?.job).toMatchObject({
      settled: true,
      counts: { accepted: 2 },
    });
  });

  test('of an account that has none are given up', async () => {
    const { jobId, draftId } = await accepted();
    await track(jobId, [], { has: false });
    expect(await again(jobId)).toBe(undefined);
    expect((await storage.drafts.card(draftId))?.job?.settled).toBe(true);
    expect(asked).toEqual([]);
  });

  test('of an account that was unlinked are asked for once it is linked again', async () => {
    const { jobId } = await accepted();
    await track(jobId, [], { of: () => Promise.reject(new AppError('not_connected', 'ended')) });
    expect([asked, await again(jobId)]).toEqual([[], POLL_SECONDS]);
    await track(jobId, [entry('71', SARA, DELIVERED)]);
    expect(asked).toEqual([['71', '72']]);
  });

  test('of a job without any accepted message are not asked for', async () => {
    const { jobId } = await storage.addRunningJob(place);
    await track(jobId);
    await track('00000000-0000-4000-8000-000000000000');
    expect(asked).toEqual([]);
  });
});
