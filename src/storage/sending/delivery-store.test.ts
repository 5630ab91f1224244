import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DeliveryState } from '../../ports/gateway.ts';
import type { OpenReports, ReportCursor } from '../../ports/jobs.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';
import { readReported, rewriteReports } from '../../../test/support/reported.ts';

let storage: TestStorage;
let place: Awaited<ReturnType<TestStorage['addPlace']>>;

beforeAll(async () => {
  storage = await openTestStorage();
});
beforeEach(async () => {
  place = await storage.addPlace();
  await storage.emptyQueue();
});
afterAll(() => storage.close());

function numbers(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `98912${String(from + n).padStart(7, '0')}`);
}

async function jobOf(draftId: string) {
  return (await storage.drafts.card(draftId))?.job;
}

/** A finished job whose calls were accepted with these ids, one for each recipient in their order. */
async function accepted(recipients: string[], ids: string[]) {
  const made = await storage.addRunningJob(place, { recipients, text: `text ${storage.next()}` });
  const reserved = await storage.jobs.reserve(made.jobId, 'process-1', 1000);
  if (!reserved.ok) throw new Error(reserved.reason);
  for (const { id, epoch, recipients: own } of reserved.attempts) {
    await storage.jobs.goOnWire(id, epoch);
    await storage.jobs.record(id, epoch, {
      outcome: 'accepted',
      raw: '',
      messageIds: own.map((number) => ids[recipients.indexOf(number)] ?? ids[0] ?? ''),
    });
  }
  await storage.jobs.finish(made.jobId);
  await storage.emptyQueue();
  return made;
}

/** The same, once somebody has asked for its reports. */
async function filed(recipients: string[], ids: string[]) {
  const made = await accepted(recipients, ids);
  await storage.jobs.unsettled(made.jobId);
  return made;
}

function state(kind: DeliveryState['kind'], raw = 1): DeliveryState {
  return { raw, text: kind, kind };
}

async function rowsOf(jobId: string) {
  return await readReported(storage.sql, jobId);
}

const [a, b, c] = numbers(0, 3) as [string, string, string];

describe('reports', () => {
  test('are asked for by id until settled, and a settled one never changes', async () => {
    const { jobId, draftId } = await accepted([a, b], ['9007199254740993', '9007199254740995']);
    const open = await storage.jobs.unsettled(jobId);
    expect(open?.messageIds.toSorted()).toEqual(['9007199254740993', '9007199254740995']);
    expect(open?.bindingId).toBe(place.bindingId);
    const tell = (id: string, recipient: string, kind: Parameters<typeof state>[0], raw = 1) =>
      storage.jobs.recordReports(jobId, [{ id, recipient, state: state(kind, raw) }]);

    expect(await tell('9007199254740993', a, 'delivered')).toMatchObject({ changed: true });
    expect([...(await storage.queued()).keys()]).toEqual([`card:${draftId}`]);
    await storage.emptyQueue();
    expect(await tell('9007199254740993', a, 'failed')).toMatchObject({ changed: false });
    expect(await storage.queued()).toEqual(new Map());
    expect((await storage.jobs.unsettled(jobId))?.messageIds).toEqual(['9007199254740995']);
    expect(await tell('9007199254740995', b, 'unknown', 99)).toMatchObject({ changed: true });
    expect(await tell('9007199254740995', b, 'unknown', 99)).toMatchObject({ changed: false });
    expect(await jobOf(draftId)).toMatchObject({ counts: { delivered: 1, accepted: 1 }, settled: false });
    expect(await tell('9007199254740995', b, 'blocked')).toMatchObject({ changed: true });
    expect(await jobOf(draftId)).toMatchObject({ counts: { delivered: 1, barred: 1 }, settled: true });
    expect(await storage.jobs.unsettled(jobId)).toBe(null);
  });

  test('of a call with one id hold for the recipient that they name', async () => {
    const { jobId, draftId } = await filed([a, b], ['5']);
    await storage.jobs.recordReports(jobId, [{ id: '5', recipient: a, state: state('failed') }]);
    expect(await jobOf(draftId)).toMatchObject({ counts: { failed: 1, accepted: 1 } });
  });

  test('that name no recipient: delivered is said of all, a failure of nobody knows whom', async () => {
    const both = await filed([a, b], ['5']);
    const tell = (jobId: string, kind: 'failed' | 'delivered', raw: number) =>
      storage.jobs.recordReports(jobId, [{ id: '5', state: state(kind, raw) }]);
    expect(await tell(both.jobId, 'failed', 6)).toMatchObject({ changed: true });
    expect(await jobOf(both.draftId)).toMatchObject({ counts: { accepted: 2, failed: 0 }, settled: false });
    expect(await tell(both.jobId, 'delivered', 5)).toMatchObject({ changed: true });
    expect(await jobOf(both.draftId)).toMatchObject({ counts: { delivered: 2 }, settled: true });
    const one = await filed([a], ['5']);
    expect(await tell(one.jobId, 'failed', 6)).toMatchObject({ changed: true });
    expect(await jobOf(one.draftId)).toMatchObject({ counts: { failed: 1 } });
  });

  test('of another job with the same id are left alone', async () => {
    const first = await filed([a], ['5']);
    const second = await filed([b], ['5']);
    await storage.jobs.recordReports(first.jobId, [{ id: '5', state: state('failed') }]);
    expect((await jobOf(second.draftId))?.counts.failed).toBe(0);
  });

  test('are given up at the end of polling, and say so', async () => {
    const { jobId, draftId } = await filed([a], ['5']);
    await storage.sql`update attempt set ended_at = now() - interval '5 hours'`;
    await storage.sql`update job set leaves_at = now() - interval '5 hours'`;
    expect((await storage.jobs.unsettled(jobId))?.ageSeconds).toBeCloseTo(18_000, -1);
    await storage.jobs.endPolling(jobId);
    expect(await storage.jobs.unsettled(jobId)).toBe(null);
    expect(await jobOf(draftId)).toMatchObject({ settled: true, counts: { accepted: 1 } });
    expect([...(await storage.queued()).keys()]).toEqual([`card:${draftId}`]);
  });
});

describe('the reports of many calls', () => {
  /** Everything that is asked for in one round, look by look. */
  async function round(jobId: string): Promise<OpenReports[]> {
    const looks: OpenReports[] = [];
    let after: ReportCursor | undefined;
    do {
      const open = await storage.jobs.unsettled(jobId, after);
      if (open === null) break;
      looks.push(open);
      after = open.next ?? undefined;
    } while (after !== undefined);
    return looks;
  }

  test('are asked for five thousand at a time, each id once in a round', async () => {
    const recipients = numbers(0, 10_100);
    const ids = recipients.map((_, n) => String(5_000_000 + n));
    const { jobId } = await accepted(recipients, ids);
    const looks = await round(jobId);
    expect(looks.map(({ messageIds }) => messageIds.length)).toEqual([5000, 5000, 100]);
    expect(looks.flatMap(({ messageIds }) => messageIds).toSorted()).toEqual(ids.toSorted());
    expect(looks.map(({ calls }) => calls)).toEqual([
      { from: 0, to: 24 },
      { from: 25, to: 49 },
      { from: 50, to: 50 },
    ]);
  });

  test('with one id for a call are asked for by that id alone, of no more calls than have five thousand', async () => {
    const recipients = numbers(0, 10_301);
    const ids = recipients.map((_, n) => String(700 + Math.floor(n / 200)));
    const { jobId } = await accepted(recipients, ids);
    const looks = await round(jobId);
    expect(looks.map(({ messageIds }) => messageIds.length)).toEqual([25, 25, 2]);
    expect(looks.flatMap(({ messageIds }) => messageIds)).toEqual([...new Set(ids)]);
  });

  test('that settle while others are asked for are not asked for again', async () => {
    const recipients = numbers(0, 5100);
    const { jobId } = await accepted(
      recipients,
      recipients.map((_, n) => String(5_000_000 + n)),
    );
    const first = await storage.jobs.unsettled(jobId);
    await rewriteReports(storage.sql, [jobId], () => ({ kind: 'delivered' }));
    expect(await storage.jobs.unsettled(jobId, first?.next ?? undefined)).toMatchObject({
      messageIds: [],
      next: null,
    });
    expect(await storage.jobs.unsettled(jobId)).toBe(null);
  });

  test('are written only for the calls that were asked about', async () => {
    const { jobId } = await filed(numbers(0, 401), ['7']);
    const states = [{ id: '7', state: state('delivered') }];
    expect(await storage.jobs.recordReports(jobId, states, { from: 1, to: 1 })).toEqual({
      changed: true,
      left: 0,
    });
    const settled = (await rowsOf(jobId)).filter(({ kind }) => kind === 'delivered');
    expect(settled.map(({ recipient }) => recipient)).toEqual(numbers(200, 200));
  });

  test('are looked at from where the last look ended', async () => {
    const { jobId } = await accepted([a], ['7']);
    await storage.jobs.trackOn(jobId, { call: 9, messageId: '77' });
    expect((await storage.queued()).get(`track:${jobId}`)).toMatchObject({
      payload: { jobId, after: { call: 9, messageId: '77' } },
    });
  });

  test('keep the gateway’s words as far as they are characters', async () => {
    const { jobId } = await filed([a], ['7']);
    const said = { raw: 'x\0', text: 'half \ud83d and \0', kind: 'sent' } as const;
    await storage.jobs.recordReports(jobId, [{ id: '7', recipient: a, state: said }]);
    expect(await rowsOf(jobId)).toMatchObject([{ raw: 'x\ufffd', text: 'half \ufffd and \ufffd' }]);
  });

  test('leave what they leave, word by word or all at once', async () => {
    const word = fc.record(
      {
        id: fc.constantFrom('5', '6', '9'),
        recipient: fc.constantFrom(a, b, c),
        state: fc.record({
          kind: fc.constantFrom('waiting', 'sent', 'delivered', 'failed', 'blocked', 'unknown' as const),
          raw: fc.integer({ min: 0, max: 3 }),
          text: fc.constant(''),
        }),
      },
      { requiredKeys: ['id', 'state'] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 12 }), async (words) => {
        // Two recipients share an id, the third has its own.
        const [one, all] = [await filed([a, b, c], ['5', '5', '6']), await filed([a, b, c], ['5', '5', '6'])];
        let changed = false;
        for (const each of words) {
          const said = await storage.jobs.recordReports(one.jobId, [each]);
          changed ||= said.changed;
        }
        const together = await storage.jobs.recordReports(all.jobId, words);
        expect(await rowsOf(all.jobId)).toEqual(await rowsOf(one.jobId));
        expect(changed || !together.changed).toBe(true);
      }),
      // What reports leave is the rule of domain/call-reports.ts; this is how it is kept.
      { numRuns: 8 },
    );
  });
});

describe('reports that an earlier release has kept row by row', () => {
  /** What that release leaves of a call whose reports it has asked for. */
  async function rowByRow(jobId: string): Promise<void> {
    await storage.sql`
      insert into delivery (attempt_id, recipient, message_id, kind, raw_state, raw_text, checked_at)
      select a.id, r.number, r.id, 'waiting', '', '', null
      from attempt a cross join lateral unnest(a.recipients, a.message_ids) as r(number, id)
      where a.job_id = ${jobId} and r.id <> ''`;
    await storage.sql`update attempt set message_ids = null where job_id = ${jobId}`;
    await storage.sql`
      update delivery set kind = 'delivered', raw_state = '10', raw_text = 'reached', checked_at = now()
      where recipient = ${a} and attempt_id in (select id from attempt where job_id = ${jobId})`;
  }

  test('are counted and listed as they stand, before they are moved and after', async () => {
    const { jobId, draftId } = await accepted([a, b, c], ['5', '6', '']);
    await rowByRow(jobId);
    const seen = async () => ({ counts: (await jobOf(draftId))?.counts, rows: await rowsOf(jobId) });
    const before = await seen();
    expect(before).toMatchObject({
      counts: { delivered: 1, accepted: 2 },
      rows: [
        { recipient: a, message_id: '5', kind: 'delivered', raw: '10', text: 'reached' },
        { recipient: b, message_id: '6', kind: 'waiting' },
      ],
    });
    while (await storage.jobs.moveReports());
    expect(await seen()).toEqual(before);
    expect(await storage.sql`select 1 from delivery`).toHaveLength(0);
    expect((await storage.jobs.unsettled(jobId))?.messageIds).toEqual(['6']);
  });

  test('go on where they stand as soon as somebody asks for more', async () => {
    const { jobId, draftId } = await accepted([a, b], ['5', '6']);
    await rowByRow(jobId);
    expect((await storage.jobs.unsettled(jobId))?.messageIds).toEqual(['6']);
    await storage.jobs.recordReports(jobId, [{ id: '6', recipient: b, state: state('failed') }]);
    expect(await jobOf(draftId)).toMatchObject({ counts: { delivered: 1, failed: 1 }, settled: true });
  });

  test('give way to nothing that is known since: who has an id keeps it, and what was said last holds', async () => {
    const { jobId } = await filed([a, b], ['5', '']);
    await storage.jobs.recordReports(jobId, [{ id: '5', recipient: a, state: state('sent', 3) }]);
    await storage.sql`
      insert into delivery (attempt_id, recipient, message_id, kind)
      select id, unnest(recipients), '9', 'waiting' from attempt where job_id = ${jobId}`;
    while (await storage.jobs.moveReports());
    expect(await rowsOf(jobId)).toMatchObject([
      { recipient: a, message_id: '5', kind: 'sent', raw: '3' },
      { recipient: b, message_id: '9', kind: 'waiting' },
    ]);
  });
});

test('cards are drawn anew once, when the last program is gone that cannot read the reports of today', async () => {
  const { draftId } = await filed([a], ['5']);
  const isDrawn = async () => {
    await storage.emptyQueue();
    while (await storage.jobs.moveReports());
    return (await storage.queued()).has(`card:${draftId}`);
  };
  await storage.sql`update deployment set reports_shown_at = null`;
  await storage.sql`insert into process (id, beats, server) values ('older', 1, '')`;
  expect(await isDrawn()).toBe(false);
  await storage.sql`update process set gone_at = now() where id = 'older'`;
  expect(await isDrawn()).toBe(true);
  expect(await isDrawn()).toBe(false);
});

test('reports that nothing in the queue asks for any more are asked for again, until they are given up', async () => {
  const { jobId } = await filed([a], ['5']);
  const unfiled = await accepted([b], ['6']);
  const over = await filed([c], ['7']);
  const own = [jobId, unfiled.jobId, over.jobId];
  const woken = async () => {
    await storage.emptyQueue();
    await storage.schedule.wake();
    const keys = await storage.queued();
    return own.filter((id) => keys.has(`track:${id}`));
  };
  await storage.jobs.recordReports(over.jobId, [{ id: '7', recipient: c, state: state('delivered') }]);
  expect(await woken()).toEqual([]);
  await storage.sql`update job set ended_at = now() - interval '10 minutes'`;
  expect(await woken()).toEqual([jobId, unfiled.jobId]);
  for (const id of own) await storage.jobs.endPolling(id);
  expect(await woken()).toEqual([]);
});
