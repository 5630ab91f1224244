import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createReportStore } from './report-store.ts';
import type { Stores } from '../stores.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';
import { rewriteReports } from '../../../test/support/reported.ts';

let storage: TestStorage;
let reports: Stores['reports'];
let place: Awaited<ReturnType<TestStorage['addPlace']>>;

beforeAll(async () => {
  storage = await openTestStorage();
  reports = createReportStore(storage.database);
});
beforeEach(async () => {
  place = await storage.addPlace();
});
afterAll(() => storage.close());

const numbers = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `98912${String(n).padStart(7, '0')}`);

/** A running job whose first call was accepted, with one message id for each recipient. */
async function accepted(recipients: readonly string[]) {
  const job = await storage.addRunningJob(place, { recipients });
  const attempt = await reserve(job.jobId);
  await storage.jobs.record(attempt.id, attempt.epoch, {
    outcome: 'accepted',
    raw: '',
    messageIds: attempt.recipients.map((_, n) => String(9_000 + n)),
  });
  await storage.jobs.unsettled(job.jobId);
  return job;
}

async function reserve(jobId: string) {
  const reserved = await storage.jobs.reserve(jobId, 'process-1');
  if (!reserved.ok) throw new Error(reserved.reason);
  await storage.jobs.goOnWire(reserved.attempts[0].id, reserved.attempts[0].epoch);
  return reserved.attempts[0];
}

async function settle(jobId: string, n: number, kind: 'delivered' | 'failed', text: string) {
  const recipient = numbers(n + 1)[n] ?? '';
  const state = { raw: kind === 'delivered' ? 10 : 6, text, kind };
  await storage.jobs.recordReports(jobId, [{ id: String(9_000 + n), recipient, state }]);
}

describe('the card of a report', () => {
  test('of a draft has no job, and a code of another chat is none', async () => {
    const { id } = await storage.drafts.create(storage.draftIn(place, { text: 'Hello' }));
    expect(await reports.card(place.chat.id, 'a1')).toEqual({
      draftId: id,
      code: 'A1',
      text: 'Hello',
      isOneText: true,
      lines: ['3000123456'],
      tag: null,
      job: null,
    });
    const other = await storage.addPlace();
    expect(await reports.card(other.chat.id, 'A1')).toBeNull();
    expect(await reports.card(place.chat.id, 'A2')).toBeNull();
  });

  test('says who confirmed it and when, and where each recipient stands', async () => {
    const { jobId } = await accepted(numbers(4));
    await settle(jobId, 0, 'delivered', 'reached');
    await settle(jobId, 1, 'failed', 'not reached');
    const { job } = (await reports.card(place.chat.id, 'A1')) ?? {};
    expect(job).toMatchObject({
      state: 'running',
      confirmedBy: 'Sara',
      approvedBy: null,
      endedAt: null,
      stopReason: null,
      settled: false,
      refusals: [],
    });
    expect(Math.abs(Date.now() - (job?.confirmedAt.getTime() ?? 0))).toBeLessThan(600_000);
    expect(job?.startedAt).toBeInstanceOf(Date);
    expect(job?.tallies.toSorted((a, b) => a.word.localeCompare(b.word))).toEqual([
      { job: 'running', call: 'accepted', delivery: 'waiting', word: '', rawState: '', recipients: 2 },
      {
        job: 'running',
        call: 'accepted',
        delivery: 'failed',
        word: 'not reached',
        rawState: '6',
        recipients: 1,
      },
      {
        job: 'running',
        call: 'accepted',
        delivery: 'delivered',
        word: 'reached',
        rawState: '10',
        recipients: 1,
      },
    ]);
    expect(job?.left.reduce((sum, { recipients }) => sum + recipients, 0)).toBe(4);
    expect(job?.left.every(({ at }) => at % 60 === 0 && Math.abs(Date.now() / 1000 - at) < 600)).toBe(true);
    expect(job?.called?.from).toBeLessThanOrEqual(job?.called?.to ?? 0);
  });

  test('says by the minute when final reports came in, oldest first', async () => {
    const { jobId } = await accepted(numbers(5));
    for (const n of [0, 1, 2]) await settle(jobId, n, 'delivered', '');
    await settle(jobId, 3, 'failed', '');
    const at = Date.UTC(2026, 10, 24, 10) / 1000;
    await rewriteReports(storage.sql, [jobId], ({ kind }, number) =>
      kind === 'waiting' ? {} : { at: at + 59 + (number.endsWith('2') ? 60 : 0) },
    );
    expect(await reports.reported(jobId)).toEqual([
      { at, delivery: 'delivered', recipients: 2 },
      { at, delivery: 'failed', recipients: 1 },
      { at: at + 60, delivery: 'delivered', recipients: 1 },
    ]);
  });

  test('is settled once the job has ended and every report has come', async () => {
    const { jobId } = await accepted(numbers(1));
    await storage.jobs.finish(jobId);
    expect((await reports.card(place.chat.id, 'A1'))?.job).toMatchObject({ state: 'done', settled: false });
    await settle(jobId, 0, 'delivered', '');
    expect((await reports.card(place.chat.id, 'A1'))?.job?.settled).toBe(true);
  });

  test('is settled once the reports are asked for no longer', async () => {
    const { jobId } = await accepted(numbers(1));
    await storage.jobs.finish(jobId);
    await storage.jobs.endPolling(jobId);
    expect((await reports.card(place.chat.id, 'A1'))?.job?.settled).toBe(true);
  });

  test('counts the latest call of a chunk alone, and says why calls were refused', async () => {
    const { jobId } = await storage.addRunningJob(place, { recipients: numbers(201) });
    const first = await reserve(jobId);
    await storage.jobs.record(first.id, first.epoch, {
      outcome: 'rejected',
      code: 22,
      name: 'insufficient_credit',
      raw: '',
    });
    const second = await reserve(jobId);
    await storage.jobs.record(second.id, second.epoch, { outcome: 'unknown', reason: 'timeout', raw: '' });
    await storage.sql`update attempt set state = 'closed' where id = ${second.id}`;
    await storage.sql`
      insert into attempt (id, job_id, binding_id, chunk, n, payload_sha256, text_sha256, line, recipients)
      select gen_random_uuid(), job_id, binding_id, chunk, 2, payload_sha256, text_sha256, line, recipients
      from attempt where id = ${second.id}`;
    const { job } = (await reports.card(place.chat.id, 'A1')) ?? {};
    expect(job?.tallies.toSorted((a, b) => a.recipients - b.recipients)).toEqual([
      { job: 'running', call: 'planned', delivery: null, word: '', rawState: '', recipients: 1 },
      { job: 'running', call: 'rejected', delivery: null, word: '', rawState: '', recipients: 200 },
    ]);
    expect(job?.left.reduce((sum, { recipients }) => sum + recipients, 0)).toBe(200);
    expect(job?.refusals).toEqual([{ name: 'insufficient_credit', recipients: 200 }]);
  });

  test('names the lines of all messages where a call has several', async () => {
    const { jobId } = await storage.addRunningJob(place);
    await storage.sql`
      update attempt set messages = ${'[{"line":"50001234"},{"line":"3000123456"}]'}::text::jsonb
      where job_id = ${jobId}`;
    expect((await reports.card(place.chat.id, 'A1'))?.lines.toSorted()).toEqual(['3000123456', '50001234']);
  });
});

describe('the recipients of a job', () => {
  test('come in the order of the calls, with what is known of each, no more than asked for', async () => {
    const { draftId, jobId } = await accepted(numbers(250));
    await settle(jobId, 0, 'delivered', 'reached');
    const rows = await reports.recipients(draftId, 1000);
    expect(rows.map(({ recipient }) => recipient)).toEqual(numbers(250));
    expect(rows[0]).toEqual({
      recipient: '989120000000',
      call: 'accepted',
      delivery: 'delivered',
      word: 'reached',
      rawState: '10',
      messageId: '9000',
      checkedAt: expect.any(Date),
    });
    expect(rows[200]).toEqual({
      recipient: '989120000200',
      call: 'planned',
      delivery: null,
      word: '',
      rawState: '',
      messageId: null,
      checkedAt: null,
    });
    expect(await reports.recipients(draftId, 3)).toHaveLength(3);
  });

  test('are none for a draft', async () => {
    const { id } = await storage.drafts.create(storage.draftIn(place));
    expect(await reports.recipients(id, 10)).toEqual([]);
  });
});

describe('the report of a tag', () => {
  const day = { from: Date.UTC(2026, 10, 24) / 1000, to: Date.UTC(2026, 10, 25) / 1000 - 1 };
  const any = { tag: 'promo', line: null };

  /** A job of the tag that left at a time, for so many recipients at so many rial. */
  const tagged = async (
    recipients: number,
    {
      tag = 'promo',
      at = '2026-11-24T12:00:00Z',
      price = 900,
    }: { readonly tag?: string; readonly at?: string; readonly price?: number | null } = {},
  ) => {
    const job = await storage.addRunningJob(place, { recipients: numbers(recipients), text: `${tag} ${at}` });
    await storage.sql`update draft set tag = ${tag} where id = ${job.draftId}`;
    await storage.sql`
      update job set leaves_at = ${at}::timestamptz, parts = ${recipients}, price_rial = ${price} where id = ${job.jobId}`;
    return job;
  };

  test('adds up its sends of that time in that chat, and no others', async () => {
    const first = await tagged(3);
    const second = await tagged(2, { at: '2026-11-24T23:59:59.900Z', price: null });
    await tagged(5, { tag: 'other' });
    await tagged(5, { at: '2026-11-25T00:00:00Z' });
    const undone = await tagged(7);
    await storage.sql`update job set state = 'undone' where id = ${undone.jobId}`;
    const report = await reports.tagged(place.chat.id, any, day);
    const common = { state: 'running', isEmptied: false, bindingId: place.bindingId };
    expect(report.cards).toEqual([
      { ...common, draftId: first.draftId, code: 'A1', text: 'promo 2026-11-24T12:00:00Z' },
      { ...common, draftId: second.draftId, code: 'A2', text: 'promo 2026-11-24T23:59:59.900Z' },
    ]);
    expect(report).toMatchObject({ parts: 5, estimates: { sends: 2, rial: 900, unpriced: 1 }, left: [] });
    expect(report.tallies).toEqual([
      { job: 'running', call: 'planned', delivery: null, word: '', rawState: '', recipients: 5 },
    ]);
    const other = await storage.addPlace();
    expect((await reports.tagged(other.chat.id, any, day)).cards).toEqual([]);
  });

  test('of a line counts what went by it alone, in calls of several lines too', async () => {
    const { jobId, draftId } = await tagged(3);
    await tagged(4);
    await storage.sql`
      update attempt set messages = ${'[{"line":"50001234"},{"line":"3000123456"},{"line":"50001234"}]'}::text::jsonb
      where job_id = ${jobId}`;
    const report = await reports.tagged(place.chat.id, { tag: 'promo', line: '50001234' }, day);
    expect(report.cards.map(({ code }) => code)).toEqual(['A1']);
    expect(report.tallies.map(({ recipients }) => recipients)).toEqual([2]);
    expect(await reports.recipients(draftId, 10, '50001234')).toHaveLength(2);
    expect(await reports.recipients(draftId, 10, null)).toHaveLength(3);
    await storage.sql`
      update attempt set recipients[1] = '989350000000' where job_id = ${jobId}`;
    const known = { draftId, job: 'running', call: 'planned', delivery: null, recipients: 1 };
    const byOperator = await reports.operators([draftId], '50001234');
    expect(byOperator).toHaveLength(2);
    expect(byOperator).toEqual(
      expect.arrayContaining([
        { ...known, operator: 'irancell' },
        { ...known, operator: 'mci' },
      ]),
    );
    expect(await reports.operators([draftId], null)).toContainEqual({
      ...known,
      operator: 'mci',
      recipients: 2,
    });
  });

  test('the estimates of a time are of one account, and of what began', async () => {
    const { jobId } = await tagged(3);
    await tagged(3, { at: '2026-11-26T00:00:00Z' });
    const { bindingId: id } = place;
    expect(await reports.estimates(place.chat.id, id, day)).toEqual({ sends: 1, rial: 900, unpriced: 0 });
    const other = await storage.addPlace();
    expect(await reports.estimates(place.chat.id, other.bindingId, day)).toMatchObject({ sends: 0 });
    await storage.sql`update job set started_at = null where id = ${jobId}`;
    expect(await reports.estimates(place.chat.id, id, day)).toMatchObject({ sends: 0 });
  });
});

describe('the refusals of a chat', () => {
  const reject = async (recipients: number, name: string, at: string) => {
    const { jobId } = await storage.addRunningJob(place, { recipients: numbers(recipients), text: name });
    const attempt = await reserve(jobId);
    await storage.jobs.record(attempt.id, attempt.epoch, { outcome: 'rejected', code: 23, name, raw: '' });
    await storage.sql`update attempt set ended_at = ${at}::timestamptz where id = ${attempt.id}`;
  };

  test('of a time are added up by their meaning, most frequent first; both ends count', async () => {
    await reject(2, 'invalid_line', '2026-11-24T00:00:00Z');
    await reject(1, 'invalid_line', '2026-11-24T23:59:59.900Z');
    await reject(5, 'insufficient_credit', '2026-11-24T12:00:00Z');
    await reject(9, 'empty_message', '2026-11-25T00:00:00Z');
    await reject(9, 'no_recipient', '2026-11-23T23:59:59.900Z');
    const day = { from: Date.UTC(2026, 10, 24) / 1000, to: Date.UTC(2026, 10, 25) / 1000 - 1 };
    expect(await reports.refusals(place.chat.id, day)).toEqual([
      { name: 'insufficient_credit', recipients: 5 },
      { name: 'invalid_line', recipients: 3 },
    ]);
    const other = await storage.addPlace();
    expect(await reports.refusals(other.chat.id, day)).toEqual([]);
  });
});
