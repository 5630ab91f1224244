import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JobState } from '../../domain/job.ts';
import type { Limits } from '../../domain/limits.ts';
import type { Role } from '../../domain/roles.ts';
import type { AttemptResult, AttemptView } from '../../ports/jobs.ts';
import type { NewDraft } from '../../ports/stores.ts';
import { createLimitsStore } from './limits-store.ts';
import { BOT_ID, LINE, openTestStorage, type TestStorage } from '../testing.ts';
import { createUnsentStore } from './unsent-store.ts';

/* What people do to a confirmed send: hold it up, let it go on, end it; and what it counts when it has ended. */

let storage: TestStorage;
let limits: ReturnType<typeof createLimitsStore>;
let place: Awaited<ReturnType<TestStorage['addPlace']>>;

beforeAll(async () => {
  storage = await openTestStorage();
  limits = createLimitsStore(storage.database);
});
beforeEach(async () => {
  await storage.sql`update attempt set state = 'closed' where state in ('reserved', 'on_wire', 'unknown')`;
  place = await storage.addPlace();
  await storage.emptyQueue();
});
afterAll(() => storage.close());

const OWNER = 'process-1';
const ZONE = 'Asia/Tehran';
const ACCEPTED: AttemptResult = { outcome: 'accepted', raw: '{}', messageIds: ['1'] };
const REJECTED: AttemptResult = { outcome: 'rejected', code: 22, name: 'insufficient_credit', raw: '' };
const UNKNOWN: AttemptResult = { outcome: 'unknown', reason: 'timeout', raw: '' };
const NOT_SENT: AttemptResult = { outcome: 'not_sent', reason: 'fence' };

function numbers(count: number, from = 1): string[] {
  return Array.from({ length: count }, (_, n) => `98912${String(from + n).padStart(7, '0')}`);
}

/** A running job of three calls: 200, 200 and 50 recipients, one part each. */
async function running(more: Partial<NewDraft> = {}) {
  return await storage.addRunningJob(place, { recipients: numbers(450), ...more });
}

async function reserve(jobId: string): Promise<AttemptView> {
  const reserved = await storage.jobs.reserve(jobId, OWNER);
  if (!reserved.ok) throw new Error(reserved.reason);
  return reserved.attempts[0];
}

async function goOut(jobId: string): Promise<AttemptView> {
  const attempt = await reserve(jobId);
  if (!(await storage.jobs.goOnWire(attempt.id, attempt.epoch))) throw new Error('the fence refused');
  return attempt;
}

async function call(jobId: string, result: AttemptResult): Promise<AttemptView> {
  const attempt = await goOut(jobId);
  await storage.jobs.record(attempt.id, attempt.epoch, result);
  return attempt;
}

const press = (jobId: string, personId = place.ownerId) => ({ jobId, personId, updateId: storage.next() });
const pause = async (jobId: string) => await storage.jobs.pause(press(jobId));
const stop = async (jobId: string) => await storage.jobs.stop(jobId, 'person', place.ownerId, storage.next());
const resume = async (jobId: string, personId = place.ownerId) =>
  await storage.jobs.resume({ ...press(jobId, personId), timeZone: ZONE });

async function jobOf(jobId: string) {
  const [row] = await storage.sql<
    {
      state: JobState;
      stop_reason: string | null;
      stopped_by: number | null;
      parts: number;
      price_rial: number | null;
      ended: boolean;
      approved_by: number | null;
    }[]
  >`select state, stop_reason, stopped_by, parts, price_rial, ended_at is not null as ended, approved_by from job where id = ${jobId}`;
  return row;
}

async function limit(to: Partial<Omit<Limits, 'halted'>>): Promise<void> {
  const done = await limits.change({
    chatId: place.chat.id,
    personId: place.ownerId,
    updateId: storage.next(),
    to: { approvalParts: null, ...to },
  });
  expect(done).not.toBe(null);
}

/** Whether the card of a draft has what its calls have come to reckoned with before it is shown. */
async function toSettle(draftId: string): Promise<boolean | undefined> {
  return (await storage.drafts.card(draftId))?.job?.toSettle;
}

/** The card's own figures: what has left, what has not, what is not known, what is out. */
async function tally(draftId: string): Promise<number[]> {
  const job = (await storage.drafts.card(draftId))?.job;
  if (job === null || job === undefined) throw new Error('there is no job');
  const { counts, said, resent } = job;
  return [
    counts.accepted + counts.delivered + counts.failed + said,
    counts.planned + counts.rejected + counts.blocked,
    counts.unknown + resent,
    counts.onWire,
  ];
}

describe('a pause', () => {
  test('keeps every call that has not left from leaving, and lets what is out finish', async () => {
    const { jobId, draftId } = await running();
    const out = await goOut(jobId);
    const held = await reserve(jobId);
    await storage.emptyQueue();
    expect(await pause(jobId)).toBe(true);
    // Nobody holds it any more: it can be taken anew as soon as the job goes on.
    const [given] = await storage.sql`select state, owner from attempt where id = ${held.id}`;
    expect(given).toEqual({ state: 'planned', owner: null });
    expect(await storage.jobs.goOnWire(held.id, held.epoch)).toBe(false);
    await storage.jobs.record(held.id, held.epoch, NOT_SENT);
    expect(await storage.jobs.reserve(jobId, OWNER)).toEqual({ ok: false, reason: 'not_running' });
    expect(await tally(draftId)).toEqual([0, 250, 0, 200]);
    await storage.jobs.record(out.id, out.epoch, ACCEPTED);
    expect(await tally(draftId)).toEqual([200, 250, 0, 0]);
    expect(await jobOf(jobId)).toMatchObject({
      state: 'paused',
      stop_reason: 'person',
      stopped_by: place.ownerId,
      ended: false,
      parts: 450,
    });
    expect([...(await storage.queued()).keys()]).toEqual(
      expect.arrayContaining([`card:${draftId}`, `track:${jobId}`]),
    );
    expect(await storage.audit(place.chat.id)).toContainEqual(
      expect.objectContaining({ action: 'send_paused', details: { code: 'A1', jobId } }),
    );
  });

  test('is for what runs and has something left, once', async () => {
    const { jobId, draftId } = await running();
    expect(await storage.jobs.draftOf(jobId)).toBe(draftId);
    expect(await pause(jobId)).toBe(true);
    expect(await pause(jobId)).toBe(false);
    // All of it is in somebody's hands, and none of it has left.
    const held = await running({ recipients: numbers(2, 8000) });
    await reserve(held.jobId);
    expect(await pause(held.jobId)).toBe(true);
    const whole = await running({ recipients: numbers(2, 9000) });
    await goOut(whole.jobId);
    expect(await pause(whole.jobId)).toBe(false);
  });

  test('over, it goes on where it was, with its send in the queue in the same transaction', async () => {
    const { jobId, draftId } = await running();
    await call(jobId, ACCEPTED);
    await pause(jobId);
    await storage.emptyQueue();
    expect(await resume(jobId)).toEqual({ result: 'resumed', recipients: 250, approved: false });
    expect(await resume(jobId)).toEqual({ result: 'nothing' });
    expect(await jobOf(jobId)).toMatchObject({ state: 'running', stop_reason: null, stopped_by: null });
    const queued = await storage.queued();
    expect(queued.get(`send:${jobId}`)?.in_ms).toBeLessThanOrEqual(0);
    expect(queued.has(`card:${draftId}`)).toBe(true);
    await call(jobId, ACCEPTED);
    await call(jobId, ACCEPTED);
    expect(await storage.jobs.finish(jobId)).toBe(true);
    expect(await tally(draftId)).toEqual([450, 0, 0, 0]);
    expect(await storage.audit(place.chat.id)).toContainEqual(
      expect.objectContaining({
        action: 'send_resumed',
        details: { code: 'A1', jobId, recipients: 250, approved: false },
      }),
    );
  });

  test('that leaves nothing to do is the end of the job', async () => {
    const { jobId, draftId } = await running({ recipients: numbers(2) });
    const held = await reserve(jobId);
    // The call that was at the fence in the moment in which somebody pressed.
    const left = await storage.sql.begin(async (tx) => {
      await tx`update attempt set state = 'on_wire', on_wire_at = now() where id = ${held.id}`;
      return await pause(jobId);
    });
    expect(left).toBe(true);
    expect(await toSettle(draftId)).toBe(false);
    await storage.jobs.settle(draftId);
    expect(await jobOf(jobId)).toMatchObject({ state: 'paused' });
    await storage.jobs.record(held.id, held.epoch, ACCEPTED);
    expect(await toSettle(draftId)).toBe(true);
    await storage.jobs.settle(draftId);
    expect(await jobOf(jobId)).toMatchObject({
      state: 'done',
      stop_reason: null,
      stopped_by: null,
      ended: true,
    });
    expect(await toSettle(draftId)).toBe(false);
  });

  test('goes on by a press that has seen what is left, and not when more has come back since', async () => {
    const { jobId } = await storage.addRunningJob(place, { recipients: numbers(250) });
    const reserved = await storage.jobs.reserve(jobId, 'process-1');
    if (!reserved.ok) throw new Error(reserved.reason);
    const { id, epoch } = reserved.attempts[0];
    await storage.jobs.goOnWire(id, epoch);
    await storage.jobs.pause(press(jobId));
    // The card shows the 50 of the second call; then the first comes back unsent.
    await storage.jobs.record(id, epoch, { outcome: 'not_sent', reason: 'refused' });
    const seen = async (count: number) =>
      await storage.jobs.resume({ ...press(jobId), timeZone: ZONE, seen: count });
    expect(await seen(50)).toEqual({ result: 'more', recipients: 250 });
    expect(await seen(250)).toMatchObject({ result: 'resumed', recipients: 250 });
  });

  test('counts what is at the fence in that moment among what is left', async () => {
    const { jobId } = await running();
    const held = await reserve(jobId);
    await pause(jobId);
    await storage.sql`update attempt set state = 'reserved' where id = ${held.id}`;
    expect(await storage.jobs.resume({ ...press(jobId), timeZone: ZONE, seen: 250 })).toEqual({
      result: 'more',
      recipients: 450,
    });
  });

  test('against stop, resume and the fence at the same moment leaves one truth', async () => {
    for (let round = 0; round < 15; round += 1) {
      const { jobId, draftId } = await running({ text: `round ${round}` });
      const held = await reserve(jobId);
      const [paused, stopped, passed] = await Promise.all([
        pause(jobId),
        stop(jobId),
        storage.jobs.goOnWire(held.id, held.epoch),
      ]);
      expect(stopped).toBe(true);
      const state = (await jobOf(jobId))?.state;
      expect(state).toBe('stopped');
      expect(typeof paused).toBe('boolean');
      if (passed) await storage.jobs.record(held.id, held.epoch, ACCEPTED);
      else await storage.jobs.record(held.id, held.epoch, NOT_SENT);
      expect(await tally(draftId)).toEqual(passed ? [200, 250, 0, 0] : [0, 450, 0, 0]);
      await storage.jobs.settle(draftId);
      expect((await jobOf(jobId))?.parts).toBe(passed ? 200 : 0);
      const two = await Promise.all([resume(jobId), resume(jobId)]);
      expect(two.map(({ result }) => result).toSorted()).toEqual(['nothing', 'resumed']);
    }
  });
});

describe('a stop', () => {
  test('is possible from a pause and from the hold, and what is left can be sent', async () => {
    const other = await running({ text: 'another' });
    const { jobId, draftId } = await running();
    await call(jobId, ACCEPTED);
    await pause(jobId);
    const ann = await storage.addPerson(place.chat.id, 'approver', 'Ann');
    expect(await storage.jobs.stop(jobId, 'person', ann, storage.next())).toBe(true);
    expect(await stop(jobId)).toBe(false);
    expect(await jobOf(jobId)).toMatchObject({
      state: 'stopped',
      stop_reason: 'person',
      stopped_by: ann,
      ended: true,
      parts: 200,
    });
    expect(await tally(draftId)).toEqual([200, 250, 0, 0]);
    expect(await resume(jobId)).toMatchObject({ result: 'resumed', recipients: 250 });
    expect(await jobOf(jobId)).toMatchObject({ state: 'running', ended: false, parts: 450 });
    // Each of these was done to it alone.
    expect(await jobOf(other.jobId)).toMatchObject({ state: 'running', parts: 450 });
    const told = (await storage.audit(place.chat.id)).filter(({ action }) =>
      /paused|stopped|resumed/u.test(action),
    );
    expect(told.map(({ details }) => details?.['code'])).toEqual(['A2', 'A2', 'A2']);
  });

  test.each(['credit', 'account', 'unreachable', 'earlier_unknown'] as const)(
    'for %s keeps the rest until a person lets it go on',
    async (reason) => {
      const { jobId, draftId } = await running();
      await call(jobId, ACCEPTED);
      const refused = await call(jobId, REJECTED);
      await storage.sql`update attempt set tries = 7 where job_id = ${jobId} and state = 'planned'`;
      await storage.jobs.stop(jobId, reason, null, null);
      expect(await tally(draftId)).toEqual([200, 250, 0, 0]);
      expect(await jobOf(jobId)).toMatchObject({ parts: 200, stop_reason: reason, stopped_by: null });
      // What was refused for the account's sake alone goes on with it, and is reserved again.
      expect(await resume(jobId)).toMatchObject({ result: 'resumed', recipients: 250 });
      expect((await jobOf(jobId))?.parts).toBe(450);
      // Its calls have all their tries again, and nothing of the one before.
      const left = await storage.sql`
        select cardinality(recipients) as size, state, owner, tries, outcome, gateway_code, raw, on_wire_at, ended_at, epoch
        from attempt where job_id = ${jobId} and state <> 'accepted' order by chunk`;
      const planned = {
        state: 'planned',
        owner: null,
        tries: 0,
        outcome: null,
        gateway_code: null,
        raw: null,
        on_wire_at: null,
        ended_at: null,
      };
      expect(left).toEqual([
        { ...planned, size: 200, epoch: refused.epoch + 1 },
        { ...planned, size: 50, epoch: 0 },
      ]);
    },
  );

  test('with nothing left is the end, and so is the account’s', async () => {
    const whole = await running({ recipients: numbers(2, 7000) });
    await call(whole.jobId, UNKNOWN);
    await stop(whole.jobId);
    expect(await storage.jobs.finish(whole.jobId)).toBe(false);
    expect(await jobOf(whole.jobId)).toMatchObject({ state: 'stopped' });
    expect(await resume(whole.jobId)).toEqual({ result: 'nothing' });
    const { jobId } = await running();
    await storage.bindings.disconnect(place.chat.id, place.ownerId, storage.next());
    expect(await jobOf(jobId)).toMatchObject({ state: 'stopped', stop_reason: 'not_connected', parts: 0 });
    await storage.link(place.chat.id, place.ownerId);
    expect(await resume(jobId)).toEqual({ result: 'not_connected' });
  });
});

describe('what was refused for the state of the account', () => {
  /** How many a job that goes on would go on with, looked at only. */
  const restOf = async (jobId: string): Promise<number> => {
    const done = await storage.jobs.resume({ ...press(jobId), timeZone: ZONE, seen: -1 });
    return done.result === 'more' ? done.recipients : 0;
  };
  /** A job that has stopped with a call refused for want of credit, and another refused for its line. */
  async function refused(text: string) {
    const { jobId, draftId } = await running({ text });
    await call(jobId, REJECTED);
    await call(jobId, { outcome: 'rejected', code: 23, name: 'invalid_line', raw: '' });
    await call(jobId, ACCEPTED);
    await storage.jobs.stop(jobId, 'credit', null, null);
    return { jobId, draftId };
  }
  const states = async (jobId: string) =>
    (
      await storage.sql<{ state: string }[]>`select state from attempt where job_id = ${jobId} order by chunk`
    ).map(({ state }) => state);

  test('goes on with its job, alone, and counts again', async () => {
    const [{ jobId, draftId }, other] = [await refused('one'), await refused('another')];
    await storage.sql`update attempt set tries = 7 where job_id = ${other.jobId}`;
    const { jobId: planned } = await running({ text: 'planned' });
    await storage.sql`update attempt set tries = 7 where job_id = ${planned}`;
    await storage.sql`update job set poll_after_seconds = -1, started_at = now() - interval '1 hour' where id = ${jobId}`;
    await storage.sql`
      insert into account_gauge (binding_id, gsm_cost, gsm_parts) values (${place.bindingId}, 142, 1)`;
    expect(await restOf(jobId)).toBe(200);
    expect(await toSettle(draftId)).toBe(true);
    expect(await resume(jobId)).toMatchObject({ result: 'resumed', recipients: 200 });
    expect(await states(jobId)).toEqual(['planned', 'rejected', 'accepted']);
    expect(await states(other.jobId)).toEqual(['rejected', 'rejected', 'accepted']);
    const [job] = await storage.sql`
      select parts, price_rial, poll_after_seconds, now() - started_at < interval '1 minute' as is_new from job where id = ${jobId}`;
    expect(job).toEqual({ parts: 250, price_rial: 250 * 142, poll_after_seconds: 0, is_new: true });
    const tries = await storage.sql<{ tries: number }[]>`
      select distinct tries from attempt where job_id in (${other.jobId}, ${planned})`;
    expect(tries).toEqual([{ tries: 7 }]);
  });

  test('is a refusal like any other within a pause, and where the texts are gone', async () => {
    const { jobId } = await running();
    await call(jobId, REJECTED);
    await pause(jobId);
    expect(await restOf(jobId)).toBe(250);
    const stopped = await refused('forgotten');
    await storage.sql`update job set kept = 'counts' where id = ${stopped.jobId}`;
    expect(await resume(stopped.jobId)).toEqual({ result: 'nothing' });
  });

  test('is in its job’s rest or in a draft that sends it again, never in both', async () => {
    const [{ jobId, draftId }, other] = [await refused('one'), await refused('another')];
    const again = async (of: string) => {
      const resendOf = { draftId: of, code: 'A1', unknown: 0, blocked: 0 };
      return (await storage.drafts.create(storage.draftIn(place, { resendOf }))).id;
    };
    await again(other.draftId);
    expect([await restOf(jobId), await restOf(other.jobId)]).toEqual([200, 0]);
    const id = await again(draftId);
    const set = async (to: string, left = '1 hour') =>
      void (await storage.sql`
        update draft set state = ${to}, expires_at = now() + ${left}::interval where id = ${id}`);
    expect(await restOf(jobId)).toBe(0);
    await set('asked');
    expect(await restOf(jobId)).toBe(0);
    await set('asked', '-1 second');
    expect(await restOf(jobId)).toBe(200);
    await set('cancelled');
    expect(await restOf(jobId)).toBe(200);
    await set('open');
    const yes = { draftId: id, version: 1, personId: place.ownerId, updateId: storage.next() };
    const done = await storage.drafts.confirm({ ...yes, undoSeconds: 60, timeZone: ZONE });
    const made = done.result === 'confirmed' ? done.jobId : '';
    expect(await restOf(jobId)).toBe(0);
    await storage.sql`update draft set expires_at = now() - interval '1 hour' where id = ${id}`;
    expect(await restOf(jobId)).toBe(0);
    await storage.sql`update job set state = 'undone' where id = ${made}`;
    expect(await restOf(jobId)).toBe(200);
  });

  test('is for whoever sends it again once the account is no longer linked', async () => {
    const { jobId } = await refused('one');
    const rests = createUnsentStore(storage.database);
    const resend = async () =>
      await rests.resend({
        ...press(jobId),
        chatId: place.chat.id,
        bindingId: place.bindingId,
        botId: BOT_ID,
        lang: 'en',
        threadId: undefined,
      });
    const count = async (draftId: string) => (await storage.drafts.card(draftId))?.draft.recipients.length;
    const first = await resend();
    expect(first.result === 'made' && (await count(first.draftId))).toBe(200);
    await storage.sql`update draft set state = 'cancelled' where source_update is not null and chat_id = ${place.chat.id} and state = 'open'`;
    await storage.link(place.chat.id, place.ownerId);
    const second = await resend();
    expect(second.result === 'made' && (await count(second.draftId))).toBe(400);
  });

  test('goes on with the messages that each of its recipients has', async () => {
    const rows = numbers(100).map((recipient) => ({
      line: LINE,
      recipient,
      text: 'س'.repeat(100),
      flash: false,
    }));
    const { jobId } = await running({
      outgoing: { kind: 'multi', rows },
      text: '',
      recipients: numbers(100),
    });
    await call(jobId, REJECTED);
    await storage.jobs.stop(jobId, 'credit', null, null);
    expect((await jobOf(jobId))?.parts).toBe(0);
    expect(await resume(jobId)).toMatchObject({ result: 'resumed', recipients: 100 });
    expect((await jobOf(jobId))?.parts).toBe(200);
  });
});

test('a job ends when none of its calls is to leave or out, by its own text', async () => {
  await running({ recipients: numbers(1) });
  const text = 'س'.repeat(100);
  const { jobId } = await running({ text, recipients: numbers(400) });
  expect(await storage.jobs.finish(jobId)).toBe(false);
  for (const state of ['planned', 'reserved', 'on_wire']) {
    await storage.sql`
      update attempt set state = case chunk when 0 then ${state} else 'rejected' end where job_id = ${jobId}`;
    expect(await storage.jobs.finish(jobId)).toBe(false);
  }
  await storage.sql`update attempt set state = 'accepted' where job_id = ${jobId} and chunk = 0`;
  expect(await storage.jobs.finish(jobId)).toBe(true);
  expect((await jobOf(jobId))?.parts).toBe(400);
});

test('reports are asked for a second after the first call of a job, and at once where that is past by its end', async () => {
  const asked = async (callSecondsAgo: number, state: string): Promise<number> => {
    const { jobId } = await running({ text: `${callSecondsAgo} s ago` });
    const [{ id }, later] = [await call(jobId, ACCEPTED), await call(jobId, ACCEPTED)];
    await call(jobId, UNKNOWN);
    await storage.sql`
      update attempt set state = case id when ${id} then ${state} else state end,
        ended_at = now() - case id when ${id} then ${callSecondsAgo}::int when ${later.id} then ${callSecondsAgo}::int - 60 else 86400 end * interval '1 second'
      where job_id = ${jobId}`;
    await storage.emptyQueue();
    await storage.jobs.finish(jobId);
    const [row] = await storage.sql<{ late: number; after: number }[]>`
      select round(extract(epoch from q.run_at - a.ended_at) * 1000)::float8 as after,
        round(extract(epoch from q.run_at - j.ended_at) * 1000)::float8 as late
      from graphile_worker.jobs q, attempt a join job j on j.id = a.job_id
      where q.key = ${`track:${jobId}`} and a.id = ${id}`;
    return callSecondsAgo > 0 ? (row?.late ?? Number.NaN) : (row?.after ?? Number.NaN);
  };
  expect(await asked(5, 'accepted')).toBe(0);
  // The call ends after its job here, so that the test may take its time.
  expect(await asked(-3600, 'sent')).toBe(1000);
});

describe('what a job counts', () => {
  test('is less once somebody has left the phonebook that its call would have named', async () => {
    const outgoing = { kind: 'book', bookId: '7', title: 'VIP', way: 'call' } as const;
    const { jobId } = await running({ outgoing });
    await storage.sql`update job set parts = 450, price_rial = 639001 where id = ${jobId}`;
    const named = await reserve(jobId);
    await storage.jobs.nameNumbers(named.id, named.epoch, numbers(200));
    await call(jobId, ACCEPTED);
    await storage.jobs.finish(jobId);
    expect(await jobOf(jobId)).toMatchObject({ state: 'done', parts: 200, price_rial: 284_001 });
  });

  test('is all of it until it has ended, and then what may have been spent', async () => {
    const { jobId, draftId } = await running();
    await storage.sql`update job set price_rial = 639001 where id = ${jobId}`;
    await call(jobId, ACCEPTED);
    const doubtful = await call(jobId, UNKNOWN);
    await storage.jobs.settle(draftId);
    expect(await jobOf(jobId)).toMatchObject({ parts: 450, price_rial: 639_001 });
    await stop(jobId);
    // 400 of 450, and never a rial less than its share.
    expect(await jobOf(jobId)).toMatchObject({ parts: 400, price_rial: 568_001 });
    await storage.jobs.settle(draftId);
    expect(await jobOf(jobId)).toMatchObject({ parts: 400, price_rial: 568_001 });
    await storage.sql`update attempt set state = 'not_sent' where id = ${doubtful.id}`;
    expect(await toSettle(draftId)).toBe(true);
    await storage.jobs.settle(draftId);
    expect(await jobOf(jobId)).toMatchObject({ parts: 200, price_rial: 284_001 });
  });

  test('is settled where it may be less: by its own calls and text, and not where the text is gone', async () => {
    const text = 'س'.repeat(100);
    const { jobId, draftId } = await running({ text, recipients: numbers(400) });
    const beside = await running({ text: 'beside' });
    const [first] = [await call(jobId, ACCEPTED), await call(jobId, ACCEPTED)];
    await storage.jobs.finish(jobId);
    expect([await toSettle(draftId), (await jobOf(jobId))?.parts]).toEqual([false, 800]);
    // Nobody is left in it.
    await storage.sql`
      update attempt set state = 'rejected', blocked = recipients, recipients = '{}', message_keys = '{}' where id = ${first.id}`;
    expect(await toSettle(draftId)).toBe(false);
    await storage.sql`update attempt set recipients = blocked, blocked = '{}' where id = ${first.id}`;
    await storage.sql`update job set kept = 'counts' where id = ${jobId}`;
    expect(await toSettle(draftId)).toBe(false);
    await storage.sql`update job set kept = 'all' where id = ${jobId}`;
    expect(await toSettle(draftId)).toBe(true);
    await storage.jobs.settle(draftId);
    expect([(await jobOf(jobId))?.parts, (await jobOf(beside.jobId))?.parts]).toEqual([400, 450]);
    // Of nothing there is nothing less.
    await stop(beside.jobId);
    expect([(await jobOf(beside.jobId))?.parts, await toSettle(beside.draftId)]).toEqual([0, false]);
  });

  test('keeps what is out, and what was sent again, as spent', async () => {
    const { jobId, draftId } = await running();
    const out = await goOut(jobId);
    const resent = await call(jobId, UNKNOWN);
    await storage.sql`update attempt set state = 'closed' where id = ${resent.id}`;
    await stop(jobId);
    expect((await jobOf(jobId))?.parts).toBe(400);
    await storage.jobs.record(out.id, out.epoch, REJECTED);
    await storage.jobs.settle(draftId);
    expect((await jobOf(jobId))?.parts).toBe(200);
  });

  test('is nothing once it is undone, and all of it when all has left', async () => {
    const { id: draftId } = await storage.drafts.create(storage.draftIn(place));
    const made = await storage.drafts.confirm({
      draftId,
      version: 1,
      personId: place.ownerId,
      updateId: storage.next(),
      undoSeconds: 60,
      timeZone: ZONE,
    });
    const jobId = made.result === 'confirmed' ? made.jobId : '';
    expect(await storage.jobs.undo(jobId, place.ownerId, storage.next())).toBe(true);
    expect((await jobOf(jobId))?.parts).toBe(0);
    expect(await resume(jobId)).toEqual({ result: 'nothing' });
    const whole = await running({ recipients: numbers(200) });
    await storage.sql`update job set price_rial = 7 where id = ${whole.jobId}`;
    await call(whole.jobId, ACCEPTED);
    expect(await storage.jobs.finish(whole.jobId)).toBe(true);
    expect(await jobOf(whole.jobId)).toMatchObject({ state: 'done', parts: 200, price_rial: 7 });
  });

  test('is measured over the messages that left where each has its own', async () => {
    const text = (n: number): string => 'س'.repeat(n % 2 === 0 ? 10 : 100);
    const rows = numbers(150).map((recipient, n) => ({
      line: '3000123456',
      recipient,
      text: text(n),
      flash: false,
    }));
    const { jobId } = await running({
      outgoing: { kind: 'multi', rows },
      text: '',
      recipients: numbers(150),
    });
    expect((await jobOf(jobId))?.parts).toBe(75 + 150);
    await call(jobId, ACCEPTED);
    await stop(jobId);
    expect((await jobOf(jobId))?.parts).toBe(50 + 100);
    expect(await resume(jobId)).toMatchObject({ result: 'resumed', recipients: 50 });
    expect((await jobOf(jobId))?.parts).toBe(225);
  });

  test('is one part for each recipient of a pattern', async () => {
    const outgoing = { kind: 'pattern', patternId: '1', variables: {}, perCall: 200 } as const;
    const { jobId } = await running({ outgoing, text: '' });
    await call(jobId, ACCEPTED);
    await stop(jobId);
    expect(await jobOf(jobId)).toMatchObject({ parts: 200, price_rial: null });
  });
});

describe('going on', () => {
  async function stopped(more: Partial<NewDraft> = {}) {
    const { jobId, draftId } = await running(more);
    await call(jobId, ACCEPTED);
    await stop(jobId);
    return { jobId, draftId };
  }

  test('is held against the day’s cap with all of the job, whose rest was given back', async () => {
    const { jobId } = await stopped();
    await limit({ cap: { unit: 'parts', parts: 500 } });
    await storage.addRunningJob(place, { recipients: numbers(51, 5000) });
    expect(await resume(jobId)).toMatchObject({
      result: 'limited',
      verdict: { kind: 'cap', whose: 'chat', cap: 500, used: 51, wanted: 450 },
    });
    expect(await jobOf(jobId)).toMatchObject({ state: 'stopped', parts: 200 });
    await limit({ cap: { unit: 'parts', parts: 501 } });
    expect(await resume(jobId)).toMatchObject({ result: 'resumed' });
    expect((await limits.spentToday(place.chat.id, ZONE)).parts).toBe(501);
  });

  test('is held against the cap of whoever confirmed it, whoever presses', async () => {
    const { jobId } = await stopped();
    const ann = await storage.addPerson(place.chat.id, 'operator', 'Ann');
    await storage.addRunningJob(place, { recipients: numbers(50, 5000) });
    await limit({ personCap: { unit: 'parts', parts: 499 } });
    expect(await resume(jobId, ann)).toMatchObject({
      result: 'limited',
      verdict: { kind: 'cap', whose: 'person', cap: 499, used: 50, wanted: 450 },
    });
    await limit({ personCap: { unit: 'parts', parts: 500 } });
    expect(await resume(jobId, ann)).toMatchObject({ result: 'resumed' });
    expect((await limits.spentToday(place.chat.id, ZONE, ann)).parts).toBe(0);
    expect((await limits.spentToday(place.chat.id, ZONE, place.ownerId)).parts).toBe(500);
  });

  test('counts on the day in which it goes on', async () => {
    const { jobId } = await stopped();
    await storage.sql`update job set leaves_at = now() - interval '2 days' where id = ${jobId}`;
    expect((await limits.spentToday(place.chat.id, ZONE)).parts).toBe(0);
    await resume(jobId);
    expect((await limits.spentToday(place.chat.id, ZONE)).parts).toBe(450);
  });

  test('waits for the sending window, in a pause too', async () => {
    const { jobId } = await running();
    await pause(jobId);
    const minute = (
      await storage.sql<{ now: number }[]>`
      select (extract(hour from now() at time zone ${ZONE}) * 60 + extract(minute from now() at time zone ${ZONE}))::int as now`
    )[0]?.now;
    const from = ((minute ?? 0) + 120) % 1440;
    await limit({ window: { from, to: (from + 60) % 1440 } });
    expect(await resume(jobId)).toMatchObject({ result: 'limited', verdict: { kind: 'window', from } });
    await limit({ window: null });
    expect(await resume(jobId)).toMatchObject({ result: 'resumed' });
  });

  test('of a rest above the limit needs a second person, whose own press is the yes', async () => {
    const { jobId } = await stopped();
    await limit({ approvalParts: 249 });
    const none = await resume(jobId);
    expect(none).toMatchObject({ result: 'limited', verdict: { kind: 'approval', above: 249 } });
    for (const role of ['viewer', 'operator'] as const satisfies readonly Role[]) {
      const weak = await storage.addPerson(place.chat.id, role);
      expect(await resume(jobId, weak)).toMatchObject({ verdict: { kind: 'approval' } });
    }
    // What somebody may do elsewhere says nothing here.
    const elsewhere = await storage.addPerson((await storage.addChat()).id, 'owner', 'Eve');
    expect(await resume(jobId, elsewhere)).toMatchObject({ verdict: { kind: 'approval' } });
    const ann = await storage.addPerson(place.chat.id, 'approver', 'Ann');
    expect(await resume(jobId, ann)).toEqual({ result: 'resumed', recipients: 250, approved: true });
    expect((await jobOf(jobId))?.approved_by).toBe(ann);
    // The yes stands for a day, for this very send.
    await stop(jobId);
    expect(await resume(jobId)).toMatchObject({ result: 'resumed', approved: false });
    await stop(jobId);
    await storage.sql`update job set confirmed_at = now() - interval '25 hours' where id = ${jobId}`;
    expect(await resume(jobId)).toMatchObject({ verdict: { kind: 'approval' } });
  });

  test('needs nobody where the rest is below the limit, or was only paused', async () => {
    const { jobId } = await stopped();
    await limit({ approvalParts: 250 });
    expect(await resume(jobId)).toMatchObject({ result: 'resumed' });
    await limit({ approvalParts: 0 });
    await pause(jobId);
    expect(await resume(jobId)).toMatchObject({ result: 'resumed', approved: false });
  });

  test('of what the gateway was to keep until a time that is over is refused', async () => {
    const local = { year: '1405', month: '09', day: '03', hour: '10', minute: '00' };
    const at = Math.floor(Date.now() / 1000) + 3600;
    const { jobId } = await stopped({ outgoing: { kind: 'future', at, local } });
    await storage.sql`update draft set details = jsonb_set(details, '{at}', to_jsonb(${at - 3550}::int))
      where id = (select draft_id from job where id = ${jobId})`;
    expect(await resume(jobId)).toEqual({ result: 'past' });
  });

  test.each([
    ['stopped', { result: 'limited', verdict: { kind: 'approval' } }],
    ['unlinked', { result: 'not_connected' }],
  ] as const)('waits for whoever has it %s in that moment', async (how, result) => {
    const { jobId } = await running();
    await call(jobId, ACCEPTED);
    await pause(jobId);
    await limit({ approvalParts: 0 });
    const { going } = await storage.sql.begin(async (tx) => {
      if (how === 'stopped') await tx`update job set state = 'stopped', ended_at = now() where id = ${jobId}`;
      else await tx`update binding set state = 'gone' where id = ${place.bindingId}`;
      const going = resume(jobId);
      const over = going.then(() => true);
      for (let waits = false; !waits;) {
        const locks = await storage.sql`select 1 from pg_locks where locktype <> 'advisory' and not granted`;
        waits = locks.length > 0 || (await Promise.race([over, Promise.resolve(false)]));
      }
      return { going };
    });
    expect(await going).toMatchObject(result);
  });

  test('of two jobs that fit alone lets one, at the same moment', async () => {
    for (let round = 0; round < 8; round += 1) {
      place = await storage.addPlace();
      const [one, two] = [
        await stopped({ text: `one ${round}` }),
        await stopped({ text: `two ${round}`, recipients: numbers(450, 2000) }),
      ];
      await limit({ cap: { unit: 'parts', parts: 899 } });
      const done = await Promise.all([resume(one.jobId), resume(two.jobId)]);
      expect(done.map(({ result }) => result).toSorted()).toEqual(['limited', 'resumed']);
      expect((await limits.spentToday(place.chat.id, ZONE)).parts).toBeLessThanOrEqual(899);
    }
  });
});

describe('what somebody has let go last', () => {
  const held = async (more: Partial<NewDraft> = {}, of = place) => {
    const { id: draftId } = await storage.drafts.create(storage.draftIn(of, more));
    const by = { personId: more.authorId ?? of.ownerId, updateId: storage.next() };
    const done = await storage.drafts.confirm({
      draftId,
      version: 1,
      ...by,
      undoSeconds: 60,
      timeZone: ZONE,
    });
    if (done.result !== 'confirmed') throw new Error(`not confirmed: ${done.result}`);
    return { draftId, jobId: done.jobId };
  };
  const last = async (personId = place.ownerId) =>
    await storage.jobs.lastLetGo(place.chat.id, personId, storage.next());

  test('is the one that the same update has taken back before', async () => {
    const own = await held();
    await held();
    const updateId = storage.next();
    await storage.jobs.undo(own.jobId, place.ownerId, updateId);
    const again = await storage.jobs.lastLetGo(place.chat.id, place.ownerId, updateId);
    expect(again).toEqual({ ...own, canUndo: true, isOwn: true });
  });

  test('is the own newest in its hold, before what runs and before a colleague’s', async () => {
    const colleague = await storage.addPerson(place.chat.id, 'operator');
    await held();
    const own = await held();
    await running({ text: 'Runs' });
    const theirs = await held({ authorId: colleague });
    expect(await last()).toEqual({ ...own, canUndo: true, isOwn: true });
    expect(await last(colleague)).toEqual({ ...theirs, canUndo: true, isOwn: true });
    const onlooker = await storage.addPerson(place.chat.id, 'operator');
    expect(await last(onlooker)).toEqual({ ...theirs, canUndo: true, isOwn: false });
  });

  test('is what they have let go, whoever wrote it', async () => {
    const author = await storage.addPerson(place.chat.id, 'operator');
    const { draftId, jobId } = await running();
    await storage.sql`update draft set author_id = ${author} where id = ${draftId}`;
    const found = { draftId, jobId, canUndo: false, isOwn: true };
    expect(await last()).toEqual(found);
    expect(await last(author)).toEqual(found);
    await storage.sql`update job set confirmed_by = ${author} where id = ${jobId}`;
    expect(await last()).toBe(null);
    await storage.sql`update job set approved_by = ${place.ownerId} where id = ${jobId}`;
    expect(await last()).toEqual(found);
  });

  test('is not what came by itself, nor what has ended or is long gone, nor of another chat', async () => {
    await held({}, await storage.addPlace());
    const series = await running({ text: 'The next of a series' });
    await storage.sql`update draft set source_update = null where id = ${series.draftId}`;
    await running({ text: 'An automatic answer', updateId: -storage.next() });
    await stop((await running({ text: 'Ended' })).jobId);
    const old = await running({ text: 'Old' });
    await storage.sql`update job set leaves_at = now() - interval '8 days' where id = ${old.jobId}`;
    expect(await last()).toBe(null);
    await storage.sql`update job set leaves_at = now() - interval '6 days' where id = ${old.jobId}`;
    expect(await last()).toEqual({ ...old, canUndo: false, isOwn: true });
  });

  test('is nothing where a draft of theirs is newer and still to be decided', async () => {
    const colleague = await storage.addPerson(place.chat.id, 'operator');
    await storage.drafts.create(storage.draftIn(place));
    const job = await held();
    await storage.drafts.create(storage.draftIn(place, { authorId: colleague }));
    await storage.drafts.create(storage.draftIn(await storage.addPlace(), { authorId: place.ownerId }));
    expect(await last()).toEqual({ ...job, canUndo: true, isOwn: true });
    const { id } = await storage.drafts.create(storage.draftIn(place));
    expect(await last()).toBe(null);
    await storage.sql`update draft set expires_at = now() where id = ${id}`;
    expect(await last()).toEqual({ ...job, canUndo: true, isOwn: true });
  });

  test('of a send without a hold cannot be undone', async () => {
    const { draftId, jobId } = await running();
    await storage.sql`update job set state = 'holding' where id = ${jobId}`;
    expect(await last()).toEqual({ draftId, jobId, canUndo: false, isOwn: true });
  });
});

test('the numbers of a job add up after whatever happens to it', async () => {
  const { jobId, draftId } = await running({ recipients: numbers(1000) });
  const steps: (() => Promise<unknown>)[] = [
    () => call(jobId, ACCEPTED),
    () => pause(jobId),
    () => resume(jobId),
    () => call(jobId, UNKNOWN),
    () => goOut(jobId),
    () => stop(jobId),
    () => resume(jobId),
    () => call(jobId, REJECTED),
    () => stop(jobId),
  ];
  for (const step of steps) {
    await step();
    const sum = (await tally(draftId)).reduce((one, other) => one + other, 0);
    expect(sum).toBe(1000);
  }
  expect(await tally(draftId)).toEqual([200, 400, 200, 200]);
});
