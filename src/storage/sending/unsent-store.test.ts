import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newBulk, type Bulk } from '../../domain/bulk.ts';
import type { AttemptResult, AttemptView } from '../../ports/jobs.ts';
import type { ResendPress, Unsent } from '../../ports/unsent.ts';
import { readRows } from '../../ports/bulk.ts';
import type { Earlier, NewDraft } from '../../ports/stores.ts';
import { createBulkStore } from './bulk-store.ts';
import { confirmIn } from './draft-confirmation.ts';
import { enqueue } from '../enqueue.ts';
import { forgetNumber } from '../forget.ts';
import { voidResendsIn } from './resent-in.ts';
import { createUnsentStore } from './unsent-store.ts';
import { BOT_ID, LINE, openTestStorage, type TestStorage } from '../testing.ts';
import { rewriteReports } from '../../../test/support/reported.ts';
import { until } from '../../../test/support/until.ts';

/* Whom a job has not reached: as a list, and as a draft that sends to them again. */

let storage: TestStorage;
let rests: ReturnType<typeof createUnsentStore>;
let bulks: ReturnType<typeof createBulkStore>;
let place: Awaited<ReturnType<TestStorage['addPlace']>>;

beforeAll(async () => {
  storage = await openTestStorage();
  rests = createUnsentStore(storage.database);
  bulks = createBulkStore(storage.database);
});
beforeEach(async () => {
  await storage.sql`update attempt set state = 'closed' where state in ('reserved', 'on_wire', 'unknown')`;
  place = await storage.addPlace();
  await storage.emptyQueue();
});
afterAll(() => storage.close());

const REJECTED: AttemptResult = { outcome: 'rejected', code: 23, name: 'invalid_line', raw: '' };
const LATE = { jobId: '', untrue: 'said_not_sent', recipients: 0, by: '', again: null } as const;
const UNKNOWN: AttemptResult = { outcome: 'unknown', reason: 'timeout', raw: '' };

function numbers(count: number, from = 1): string[] {
  return Array.from({ length: count }, (_, n) => `98912${String(from + n).padStart(7, '0')}`);
}

async function call(jobId: string, result?: AttemptResult): Promise<AttemptView> {
  const reserved = await storage.jobs.reserve(jobId, 'process-1');
  if (!reserved.ok) throw new Error(reserved.reason);
  const [attempt] = reserved.attempts;
  if (!(await storage.jobs.goOnWire(attempt.id, attempt.epoch))) throw new Error('the fence refused');
  const accepted: AttemptResult = {
    outcome: 'accepted',
    raw: '{}',
    messageIds: attempt.recipients.map((_, index) => String(index + 1)),
  };
  await storage.jobs.record(attempt.id, attempt.epoch, result ?? accepted);
  return attempt;
}

async function report(jobId: string, recipient: string, kind: 'failed' | 'delivered' | 'blocked') {
  await storage.jobs.unsettled(jobId);
  await rewriteReports(storage.sql, [jobId], (_, number) => (number === recipient ? { kind } : {}));
}

const goOn = async (jobId: string, told: Earlier) =>
  await storage.jobs.resume({ ...pressOf(''), jobId, seen: 3, told });
const stop = async (jobId: string) => await storage.jobs.stop(jobId, 'person', place.ownerId, storage.next());

const pressOn = (jobId: string): ResendPress => ({
  jobId,
  chatId: place.chat.id,
  bindingId: place.bindingId,
  botId: BOT_ID,
  personId: place.ownerId,
  updateId: storage.next(),
  lang: 'en',
  threadId: undefined,
});

async function resend(jobId: string, press: ResendPress = pressOn(jobId)) {
  const done = await rests.resend(press);
  const view = done.result === 'nothing' ? null : await storage.drafts.card(done.draftId);
  return { result: done.result, view, draft: view?.draft, id: view?.draft.id ?? '' };
}

const pressOf = (draftId: string) => ({
  draftId,
  version: 1,
  personId: place.ownerId,
  updateId: storage.next(),
  undoSeconds: 60,
  timeZone: 'UTC',
});

const confirm = async (draftId: string) => await storage.drafts.confirm(pressOf(draftId));

const resendOf = async (draftId: string) => (await storage.drafts.card(draftId))?.job?.resend;

async function all(jobId: string): Promise<Unsent[]> {
  const rows: Unsent[] = [];
  for await (const block of rests.unsent(jobId)) rows.push(...block);
  return rows;
}

/** A confirmed file: rows of their own texts, or one text for all. */
async function fromFile(count: number, options: { personal: boolean; perCall: number }) {
  const { personal, perCall } = options;
  const recipients = numbers(count);
  const bulk: Bulk = {
    ...newBulk({ name: 'orders.xlsx', reference: 'r' }),
    step: 'review',
    columns: personal ? ['mobile', 'name'] : ['mobile'],
    phone: 0,
    rows: count,
    numbers: { good: count, repeated: 0, invalid: 0 },
    summary: {
      recipients: count,
      skipped: [],
      blockedIsKnown: true,
      missing: 0,
      lengths: [{ encoding: 'gsm7', parts: 1, messages: count }],
      personal,
      perCall,
      digest: `${count}${String(personal)}`,
    },
  };
  const text = personal ? 'Hi {name}' : 'Hello all';
  const { id: draftId } = await storage.drafts.create(
    storage.draftIn(place, { outgoing: bulk, text, recipients: [] }),
  );
  for (let from = 0; from < count; from += perCall) {
    const some = recipients.slice(from, from + perCall);
    await storage.sql`
      insert into bulk_call (draft_id, chunk, recipients, texts, row_numbers, payload_sha256)
      values (${draftId}, ${from / perCall}, ${some}, ${personal ? some.map((_, n) => `Hi number ${from + n}`) : null},
        ${some.map((_, n) => from + n + 2)}, '\\x00')`;
  }
  await storage.sql`
    insert into chat_limits (chat_id, approval_parts, updated_by) values (${place.chat.id}, null, ${place.ownerId})
    on conflict (chat_id) do nothing`;
  const made = await confirm(draftId);
  if (made.result !== 'confirmed') throw new Error(made.result);
  await storage.sql`update job set state = 'running', started_at = now() where id = ${made.jobId}`;
  return { draftId, jobId: made.jobId, recipients };
}

describe('whom a job has not left for', () => {
  test('are those whose turn did not come, who were refused, and who were blocked: as many as its card says', async () => {
    const recipients = numbers(450);
    const { jobId, draftId } = await storage.addRunningJob(place, { recipients });
    const refused = await call(jobId, REJECTED);
    await call(jobId);
    await storage.sql`
      update attempt set recipients = recipients[2:], blocked = recipients[1:1] where job_id = ${jobId} and chunk = 2`;
    await stop(jobId);
    const rows = await all(jobId);
    expect(rows.map(({ recipient }) => recipient).toSorted()).toEqual(
      [...recipients.slice(0, 200), ...recipients.slice(400)].toSorted(),
    );
    expect(rows.filter(({ why }) => why === 'refused').map(({ recipient }) => recipient)).toEqual(
      refused.recipients,
    );
    expect(rows.filter(({ why }) => why === 'stopped')).toHaveLength(49);
    expect(rows.filter(({ why }) => why === 'blocked')).toMatchObject([{ recipient: recipients[400] }]);
    expect(rows[0]).toEqual({ recipient: recipients[0], why: 'refused', line: LINE, text: null });
    const counts = (await storage.drafts.card(draftId))?.job?.counts;
    expect(rows).toHaveLength((counts?.planned ?? 0) + (counts?.rejected ?? 0) + (counts?.blocked ?? 0));
  });

  test('have the text that was meant for them, planned or refused, of rows and of files', async () => {
    const rows = numbers(150).map((recipient, n) => ({
      line: n === 0 ? '50001234' : LINE,
      recipient,
      text: `text ${n}`,
      flash: false,
    }));
    const multi = await storage.addRunningJob(place, {
      outgoing: { kind: 'multi', rows },
      text: '',
      recipients: numbers(150),
    });
    await call(multi.jobId, REJECTED);
    await stop(multi.jobId);
    const left = await all(multi.jobId);
    expect(left.map(({ text }) => text)).toEqual(rows.map(({ text }) => text));
    expect(left[0]).toMatchObject({ line: '50001234', why: 'refused' });
    expect(left[149]).toMatchObject({ line: LINE, why: 'stopped' });

    const file = await fromFile(5, { personal: true, perCall: 2 });
    await call(file.jobId, REJECTED);
    await stop(file.jobId);
    expect((await all(file.jobId)).map(({ recipient, text, why }) => [recipient, text, why])).toEqual(
      file.recipients.map((recipient, n) => [recipient, `Hi number ${n}`, n < 2 ? 'refused' : 'stopped']),
    );
  });

  test('have it too where their line’s list had them, before the send or at it', async () => {
    const [ann, ben, eve] = numbers(3) as [string, string, string];
    const rows = [
      [LINE, ann, 'One'],
      ['50001234', ann, 'Two'],
      ['50001234', ben, 'Three'],
      [LINE, ann, 'Four'],
      [LINE, eve, 'Five'],
    ].map(([line = '', recipient = '', text = '']) => ({ line, recipient, text, flash: false }));
    const { id } = await storage.drafts.create(
      storage.draftIn(place, { outgoing: { kind: 'multi', rows }, text: '', recipients: [ann, ben, eve] }),
    );
    await storage.drafts.setBlocked(id, 1, {
      blocked: [
        { line: LINE, recipient: ann },
        { line: LINE, recipient: ann },
      ],
      untold: [],
    });
    const made = await confirm(id);
    const jobId = made.result === 'confirmed' ? made.jobId : '';
    await storage.sql`update job set state = 'running', started_at = now() where id = ${jobId}`;
    const reserved = await storage.jobs.reserve(jobId, 'process-1');
    const [call] = reserved.ok ? reserved.attempts : [];
    expect(call?.messages?.map(({ text }) => text)).toEqual(['Two', 'Three', 'Five']);
    const left = await storage.jobs.dropBlocked(call?.id ?? '', call?.epoch ?? 0, [ben]);
    expect(left?.messages?.map(({ text }) => text)).toEqual(['Two', 'Five']);
    await storage.jobs.dropBlocked(call?.id ?? '', call?.epoch ?? 0, [ann]);
    expect((await all(jobId)).map(({ recipient, why, line, text }) => [recipient, why, line, text])).toEqual([
      [eve, 'stopped', LINE, 'Five'],
      [ben, 'blocked', '50001234', 'Three'],
      [ann, 'blocked', '50001234', 'Two'],
      [ann, 'blocked', LINE, 'One'],
      [ann, 'blocked', LINE, 'Four'],
    ]);
  });

  test('of many calls come block by block', async () => {
    const { jobId } = await storage.addRunningJob(place, { recipients: numbers(12_000) });
    await stop(jobId);
    const sizes: number[] = [];
    for await (const block of rests.unsent(jobId)) sizes.push(block.length);
    expect(sizes).toEqual([10_000, 2000]);
  });
});

describe('a draft to those who got nothing', () => {
  /** Refused, accepted and failed, accepted and blocked, delivered, unknown. */
  async function mixed(more: Partial<NewDraft> = {}) {
    const recipients = numbers(700);
    const { jobId, draftId } = await storage.addRunningJob(place, { recipients, ...more });
    await call(jobId, REJECTED);
    await call(jobId);
    await call(jobId, UNKNOWN);
    await call(jobId);
    await storage.jobs.finish(jobId);
    await report(jobId, recipients[200] ?? '', 'failed');
    await report(jobId, recipients[201] ?? '', 'failed');
    await report(jobId, recipients[202] ?? '', 'blocked');
    await report(jobId, recipients[203] ?? '', 'delivered');
    return { jobId, draftId, recipients };
  }

  test('holds exactly them, and says how many are left out and why', async () => {
    const { jobId, draftId, recipients } = await mixed();
    expect(await resendOf(draftId)).toEqual({ failures: 202, by: [] });
    const { result, draft, view } = await resend(jobId);
    expect(result).toBe('made');
    expect(draft?.recipients).toEqual([...recipients.slice(0, 200), recipients[200], recipients[201]]);
    expect(draft).toMatchObject({
      state: 'open',
      outgoing: { kind: 'text' },
      text: 'Hello',
      line: LINE,
      authorId: place.ownerId,
      resendOf: { code: 'A1', unknown: 200, blocked: 1 },
    });
    expect(view?.job).toBe(null);
  });

  test('is one at a time: a second press finds it, also at the same moment', async () => {
    const { jobId } = await mixed();
    const both = await Promise.all([resend(jobId), resend(jobId)]);
    expect(both.map(({ result }) => result).toSorted()).toEqual(['made', 'open']);
    expect(both[0]?.id).toBe(both[1]?.id);
    const press = pressOn(jobId);
    expect((await resend(jobId, press)).result).toBe('open');
    await storage.drafts.cancel(both[0]?.id ?? '', 1, place.ownerId, storage.next());
    const again = await resend(jobId, press);
    expect(again.result).toBe('made');
    expect((await resend(jobId, press)).id).toBe(again.id);
  });

  test('once confirmed, is told by the first card, and is in no later one', async () => {
    const { jobId, draftId, recipients } = await mixed();
    const first = await resend(jobId);
    await storage.emptyQueue();
    const made = await confirm(first.id);
    expect(made.result).toBe('confirmed');
    expect((await storage.queued()).has(`card:${draftId}`)).toBe(true);
    expect(await resendOf(draftId)).toEqual({ failures: 0, by: ['A2'] });
    expect((await resend(jobId)).result).toBe('nothing');
    // A report that comes later is of somebody new.
    await report(jobId, recipients[204] ?? '', 'failed');
    expect(await resendOf(draftId)).toEqual({ failures: 1, by: ['A2'] });
    const second = await resend(jobId);
    expect(second.draft?.recipients).toEqual([recipients[204]]);
    await confirm(second.id);
    expect(await resendOf(draftId)).toEqual({ failures: 0, by: ['A2', 'A3'] });
  });

  test('is void, and no other is, once one of them is no failure any more', async () => {
    const { jobId, draftId } = await mixed();
    const given = await resend(jobId);
    await storage.drafts.cancel(given.id, 1, place.ownerId, storage.next());
    const open = await resend(jobId);
    await storage.sql`update attempt set state = 'closed' where state = 'unknown'`;
    const other = await resend((await mixed()).jobId);
    await storage.emptyQueue();
    await storage.sql.begin(async (tx) => await voidResendsIn(tx, draftId));
    const rows = await storage.sql<{ id: string; state: string; version: number }[]>`
      select id, state, version from draft where id in (${given.id}, ${open.id}, ${other.id})`;
    expect(new Map(rows.map(({ id, state, version }) => [id, [state, version]]))).toEqual(
      new Map([
        [given.id, ['cancelled', 2]],
        [open.id, ['cancelled', 2]],
        [other.id, ['open', 1]],
      ]),
    );
    expect([...(await storage.queued()).keys()].filter((key) => key.startsWith('card:'))).toEqual([
      `card:${open.id}`,
    ]);
    expect((await confirm(open.id)).result).not.toBe('confirmed');
  });

  async function letOut(recipients: string[]) {
    const { jobId, draftId } = await storage.addRunningJob(place, { recipients });
    const { id, epoch } = await call(jobId, UNKNOWN);
    await storage.jobs.finish(jobId);
    await storage.sql`
      update attempt set state = 'not_sent', settled_by = ${place.ownerId} where id = ${id}`;
    const again = await resend(jobId);
    const made = await confirm(again.id);
    const againId = made.result === 'confirmed' ? made.jobId : '';
    return { draftId, id, epoch, again, againId };
  }

  test.each([
    ['scheduled', 'missed', 'answered'],
    ['holding', 'missed', 'answered'],
    ['running', 'paused', 'answered'],
    ['paused', 'paused', 'answered'],
    ['done', 'done', null],
  ])('that is %s when the first send is heard to have been accepted is %s', async (state, then, reason) => {
    const recipients = numbers(3);
    const { draftId, id, epoch, again, againId } = await letOut(recipients);
    await storage.sql`
      update job set state = ${state}, ended_at = case when ${state} = 'done' then now() end,
        stop_reason = case when ${state} = 'paused' then 'halted' end where id = ${againId}`;
    await storage.emptyQueue();
    await storage.jobs.record(id, epoch, { outcome: 'accepted', raw: '{}', messageIds: recipients });
    const queued = await storage.queued();
    if (reason !== null) expect(queued.has(`card:${again.id}`) || queued.has(`missed:${againId}`)).toBe(true);
    expect(await storage.sql`select state, stop_reason from job where id = ${againId}`).toEqual([
      { state: then, stop_reason: reason },
    ]);
    const { draft } = (await storage.drafts.card(again.id)) ?? {};
    expect(draft?.resendOf?.answered).toBe(reason === null ? undefined : true);
    const [first] = await storage.sql`select state from attempt where id = ${id}`;
    expect([first, await resendOf(draftId)]).toMatchObject([{ state: 'accepted' }, { failures: 0 }]);
  });

  test.each([
    ['late', 'answered'],
    ['restored', 'restored'],
  ])(
    'that was missed as %s says so, and leaves by no press that has not seen what is heard of the first send',
    async (reason, then) => {
      const recipients = numbers(3);
      const { id, epoch, again, againId } = await letOut(recipients);
      await storage.sql`update job set state = 'missed', stop_reason = ${reason} where id = ${againId}`;
      await storage.jobs.record(id, epoch, { outcome: 'accepted', raw: '{}', messageIds: recipients });
      const { draft, job } = (await storage.drafts.card(again.id)) ?? {};
      expect([job?.missReason, draft?.resendOf?.answered]).toEqual([then, true]);
      const press = { ...pressOf(again.id), jobId: againId, chatId: place.chat.id };
      const now = async (answered: boolean) =>
        (await storage.schedule.sendNow({ ...press, answered })).pressed.result;
      expect([await now(false), await now(true)]).toEqual(['answered', 'confirmed']);
    },
  );

  test('asks though somebody has it in hand when the first send is heard to have been accepted', async () => {
    const recipients = numbers(3);
    const { id, epoch, again, againId } = await letOut(recipients);
    let isHeard = false;
    const accepted: AttemptResult = { outcome: 'accepted', raw: '{}', messageIds: recipients };
    const heard: Promise<void>[] = [];
    await storage.sql.begin(async (tx) => {
      await tx`update draft set card_message_id = 1 where id = ${again.id}`;
      heard.push(storage.jobs.record(id, epoch, accepted).then(() => void (isHeard = true)));
      await until(async () => {
        const waits = await storage.sql`select 1 from pg_locks where not granted`;
        expect(isHeard || waits.length > 0).toBe(true);
      });
    });
    await Promise.all(heard);
    expect(await storage.sql`select state from job where id = ${againId}`).toEqual([{ state: 'missed' }]);
  });

  /** A call in doubt, and the draft by which it would be sent again. */
  async function inDoubt(recipients: string[]) {
    const { jobId } = await storage.addRunningJob(place, { recipients });
    const { id, epoch } = await call(jobId, UNKNOWN);
    await storage.jobs.finish(jobId);
    await storage.sql`update attempt set state = 'asked' where id = ${id}`;
    const again = await storage.drafts.create(storage.draftIn(place, { recipients, resends: [id] }));
    return { jobId, id, epoch, again };
  }

  /** How many wait for somebody else's lock. */
  const waiting = async (): Promise<number> => {
    const rows = await storage.sql`
      select 1 from pg_locks where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`;
    return rows.length;
  };

  test('asks also when it is confirmed in the moment in which the first send is heard to have been accepted', async () => {
    const recipients = numbers(3);
    const { jobId, id, epoch, again } = await inDoubt(recipients);
    const heard: Promise<void>[] = [];
    let isHeard = false;
    await storage.sql.begin(async (card) => {
      await storage.sql.begin(async (track) => {
        await enqueue(track, 'track', { jobId }, { key: `track:${jobId}` });
        await storage.sql.begin(async (press) => {
          expect(await confirmIn(press, pressOf(again.id))).toMatchObject({ result: 'confirmed' });
          heard.push(
            storage.jobs
              .record(id, epoch, { outcome: 'accepted', raw: '{}', messageIds: recipients })
              .then(() => void (isHeard = true)),
          );
          await until(async () => expect(await waiting()).toBe(1));
        });
        // It holds the call now, and a write of the card holds the draft.
        await until(async () => expect(await waiting()).toBe(1));
        await card`select 1 from draft where id = ${again.id} for no key update skip locked`;
      });
      await until(async () => expect(isHeard || (await waiting()) > 0).toBe(true));
    });
    await Promise.all(heard);
    expect(await storage.sql`select state from job where draft_id = ${again.id}`).toEqual([
      { state: 'missed' },
    ]);
  });

  test('is not made of what is heard to have been accepted in this moment', async () => {
    const recipients = numbers(3);
    const { jobId } = await storage.addRunningJob(place, { recipients });
    const { id, epoch } = await call(jobId, UNKNOWN);
    await storage.jobs.finish(jobId);
    await storage.sql`update attempt set state = 'not_sent', settled_by = ${place.ownerId} where id = ${id}`;
    const both: [Promise<void>[], ReturnType<typeof resend>[]] = [[], []];
    await storage.sql.begin(async (track) => {
      await enqueue(track, 'late-answer', LATE, { key: `late-answer:${id}` });
      both[0].push(
        storage.jobs.record(id, epoch, { outcome: 'accepted', raw: '{}', messageIds: recipients }),
      );
      await until(async () => expect(await waiting()).toBe(1));
      let isMade = false;
      both[1].push(resend(jobId).finally(() => (isMade = true)));
      await until(async () => expect(isMade || (await waiting()) === 2).toBe(true));
    });
    await Promise.all(both[0]);
    expect((await both[1][0])?.result).toBe('nothing');
  });

  test.each([['stopped'], ['paused']])(
    'that is %s tells of its rest what came of the first try',
    async (state) => {
      const recipients = numbers(3);
      const { id, epoch, again, againId } = await letOut(recipients);
      const earlier = async () => (await storage.drafts.card(again.id))?.job?.earlier;
      await storage.sql`
      update job set state = ${state}, stop_reason = 'person', ended_at = case when ${state} = 'stopped' then now() end
      where id = ${againId}`;
      expect(await earlier()).toEqual({});
      await storage.emptyQueue();
      await storage.jobs.record(id, epoch, { outcome: 'accepted', raw: '{}', messageIds: recipients });
      expect((await storage.queued()).has(`card:${again.id}`)).toBe(true);
      if (state === 'paused') await stop(againId);
      expect(await earlier()).toEqual({ answered: true });
      // A press on the card as it was drawn before goes by what that said.
      expect(await goOn(againId, {})).toEqual({ result: 'known', earlier: { answered: true } });
      await storage.sql`update attempt set state = 'accepted', message_ids = recipients where job_id = ${againId}`;
      expect(await earlier()).toBeUndefined();
    },
  );

  test('that sends again what nobody knows of, and is stopped, says of its rest that the first try is in doubt', async () => {
    const recipients = numbers(3);
    const { id, epoch, again } = await inDoubt(recipients);
    const made = await confirm(again.id);
    const againId = made.result === 'confirmed' ? made.jobId : '';
    await stop(againId);
    expect((await storage.drafts.card(again.id))?.job?.earlier).toEqual({ doubted: true });
    expect(await goOn(againId, {})).toEqual({ result: 'known', earlier: { doubted: true } });
    await storage.jobs.record(id, epoch, { outcome: 'accepted', raw: '{}', messageIds: recipients });
    expect((await storage.drafts.card(again.id))?.job?.earlier).toEqual({ answered: true });
    expect(await goOn(againId, { doubted: true })).toMatchObject({ result: 'known' });
    expect(await goOn(againId, { answered: true })).toMatchObject({ result: 'resumed' });
  });

  /** A call in doubt that a person has sent again, which was refused. */
  async function refusedAgain(recipients: string[]) {
    const { id, epoch, again } = await inDoubt(recipients);
    const made = await confirm(again.id);
    const againId = made.result === 'confirmed' ? made.jobId : '';
    await storage.sql`update job set state = 'running', started_at = now() where id = ${againId}`;
    await call(againId, REJECTED);
    await storage.jobs.finish(againId);
    const answer = async () =>
      await storage.jobs.record(id, epoch, { outcome: 'accepted', raw: '{}', messageIds: recipients });
    return { againId, answer };
  }

  test('of what was sent again unknown says that the first try is in doubt, or what came of it', async () => {
    const { againId, answer } = await refusedAgain(numbers(3));
    const doubted = await resend(againId);
    expect(doubted.draft?.resendOf).toMatchObject({ doubted: true });
    await answer();
    expect((await storage.drafts.card(doubted.id))?.draft.state).toBe('cancelled');
    expect((await resend(againId)).draft?.resendOf).toMatchObject({ answered: true });
    // Of those alone whom it is about.
    const other = await refusedAgain(numbers(3, 50));
    const { draft } = await resend(other.againId);
    expect(draft?.resendOf).toMatchObject({ doubted: true });
  });

  test.each([['holding'], ['running']])(
    'of what was sent again unknown, that is %s when the first is heard to have been accepted, asks',
    async (state) => {
      const { againId, answer } = await refusedAgain(numbers(3));
      const made = await confirm((await resend(againId)).id);
      const lastId = made.result === 'confirmed' ? made.jobId : '';
      await storage.sql`update job set state = ${state}, started_at = now() where id = ${lastId}`;
      await answer();
      expect(await storage.sql`select state, stop_reason from job where id = ${lastId}`).toEqual([
        { state: state === 'holding' ? 'missed' : 'paused', stop_reason: 'answered' },
      ]);
    },
  );

  test('that is undone has sent to nobody', async () => {
    const { jobId, draftId } = await mixed();
    const first = await resend(jobId);
    const made = await confirm(first.id);
    await storage.emptyQueue();
    await storage.jobs.undo(made.result === 'confirmed' ? made.jobId : '', place.ownerId, storage.next());
    expect((await storage.queued()).has(`card:${draftId}`)).toBe(true);
    expect(await resendOf(draftId)).toEqual({ failures: 202, by: [] });
    const back = await resend(jobId);
    expect(back.draft?.recipients).toHaveLength(202);
    await storage.drafts.cancel(back.id, 1, place.ownerId, storage.next());
    expect((await resend(jobId)).draft?.recipients).toHaveLength(202);
  });

  test('that has expired makes way, and can then not be confirmed by anybody', async () => {
    const { jobId } = await mixed();
    const expired = await resend(jobId);
    await storage.sql`update draft set expires_at = now() where id = ${expired.id}`;
    const next = await resend(jobId);
    expect(next.result).toBe('made');
    expect(next.id).not.toBe(expired.id);
    await storage.sql`update draft set expires_at = now() + interval '1 hour' where id = ${expired.id}`;
    expect(await confirm(expired.id)).toMatchObject({ result: 'cancelled' });
    expect((await confirm(next.id)).result).toBe('confirmed');
  });

  test('that is confirmed in the moment of its end is the only one that is', async () => {
    const found = { confirmed: 0, made: 0 };
    for (let round = 0; round < 12; round += 1) {
      const recipients = numbers(3, 3000 + round * 10);
      const { jobId } = await storage.addRunningJob(place, { recipients });
      await call(jobId, REJECTED);
      await storage.jobs.finish(jobId);
      const first = await resend(jobId);
      await storage.sql`
        update draft set expires_at = clock_timestamp() + ${round % 4} * interval '1 millisecond' where id = ${first.id}`;
      const [confirmed, again] = await Promise.all([confirm(first.id), resend(jobId)]);
      const isSent = confirmed.result === 'confirmed';
      if (isSent) found.confirmed += 1;
      if (again.result === 'made') found.made += 1;
      const second = again.result === 'nothing' ? null : await confirm(again.id);
      const sent = [confirmed, second].filter((each) => each?.result === 'confirmed');
      expect(sent.length).toBeLessThanOrEqual(1);
      if (isSent) expect(again.result).not.toBe('made');
    }
    expect(found.confirmed + found.made).toBeGreaterThan(0);
  });

  test('is for jobs of this chat that have ended with somebody who failed', async () => {
    const { jobId } = await mixed();
    const elsewhere = await storage.addPlace();
    expect(await rests.resend({ ...pressOn(jobId), chatId: elsewhere.chat.id })).toEqual({
      result: 'nothing',
    });
    const good = await storage.addRunningJob(place, { recipients: numbers(2, 8000) });
    expect((await resend(good.jobId)).result).toBe('nothing');
    await call(good.jobId);
    await storage.jobs.finish(good.jobId);
    expect((await resend(good.jobId)).result).toBe('nothing');
  });

  test('leaves out what goes on with the rest: what was refused for the sake of the account alone', async () => {
    const { jobId } = await storage.addRunningJob(place, { recipients: numbers(2) });
    await call(jobId, { outcome: 'rejected', code: 22, name: 'insufficient_credit', raw: '' });
    await storage.jobs.stop(jobId, 'credit', null, null);
    expect((await resend(jobId)).result).toBe('nothing');
    expect(await all(jobId)).toHaveLength(2);
  });

  test('leaves out whom the gateway’s lists or a person have shown to be blocked or sent', async () => {
    const { jobId, draftId } = await storage.addRunningJob(place, { recipients: numbers(3) });
    const attempt = await call(jobId, UNKNOWN);
    await storage.jobs.finish(jobId);
    await storage.sql`update attempt set state = 'not_sent', outcome = 'blocked' where id = ${attempt.id}`;
    expect(await resendOf(draftId)).toEqual({ failures: 0, by: [] });
    expect((await resend(jobId)).result).toBe('nothing');
    await storage.sql`update attempt set outcome = 'undecided' where id = ${attempt.id}`;
    expect(await resendOf(draftId)).toEqual({ failures: 3, by: [] });
    await storage.sql`update attempt set state = 'sent' where id = ${attempt.id}`;
    expect(await resendOf(draftId)).toEqual({ failures: 0, by: [] });
  });

  test('leaves out whose number was forgotten: there is nobody to send to any more', async () => {
    const recipients = numbers(3, 7001);
    const [gone = '', failed = ''] = recipients;
    const { jobId, draftId } = await storage.addRunningJob(place, { recipients });
    await call(jobId);
    for (const recipient of [gone, failed]) await report(jobId, recipient, 'failed');
    await storage.jobs.finish(jobId);
    expect(await forgetNumber(storage.sql, gone, 'root')).toMatchObject({ result: 'forgotten' });
    expect(await resendOf(draftId)).toEqual({ failures: 1, by: [] });
    expect((await resend(jobId)).draft?.recipients).toEqual([failed]);
  });

  test('leaves out what says a number that was forgotten: a mark in its place tells nobody anything', async () => {
    const [said = '', one = '', other = ''] = numbers(3, 7101);
    const phone = `0${said.slice(2)}`;
    const row = (recipient: string, text: string) => ({ line: LINE, recipient, text, flash: false });
    const rows = [row(one, `Call ${phone}`), row(other, 'Call us')];
    const variables = { phone };
    const sends = [
      await storage.addRunningJob(place, { recipients: [one], text: `Call ${phone}` }),
      await storage.addRunningJob(place, {
        recipients: [one, other],
        outgoing: { kind: 'multi', rows },
        text: '',
      }),
      await storage.addRunningJob(place, {
        recipients: [one],
        outgoing: { kind: 'pattern', patternId: '1', variables, perCall: 1 },
        text: '',
      }),
    ];
    for (const { jobId } of sends) {
      await call(jobId, REJECTED);
      await storage.jobs.finish(jobId);
    }
    expect(await forgetNumber(storage.sql, said, 'root')).toMatchObject({ result: 'forgotten' });
    const [again, counted] = [[], []] as [unknown[], unknown[]];
    for (const { jobId, draftId } of sends) {
      counted.push((await resendOf(draftId))?.failures);
      again.push((await resend(jobId)).draft?.recipients ?? null);
    }
    expect(counted).toEqual([0, 1, 0]);
    expect(again).toEqual([null, [other], null]);
  });

  test('of rows keeps the text and the line of each', async () => {
    const rows = numbers(3).map((recipient, n) => ({
      line: n === 0 ? '50001234' : LINE,
      recipient,
      text: `text ${n}`,
      flash: n === 2,
    }));
    const outgoing = { kind: 'multi', rows } as const;
    const { jobId } = await storage.addRunningJob(place, { outgoing, text: '', recipients: numbers(3) });
    await call(jobId);
    await storage.jobs.finish(jobId);
    await report(jobId, numbers(3)[0] ?? '', 'failed');
    await report(jobId, numbers(3)[2] ?? '', 'failed');
    const { draft } = await resend(jobId);
    expect(draft?.outgoing).toEqual({ kind: 'multi', rows: [rows[0], rows[2]] });
    expect(draft?.recipients).toEqual([numbers(3)[0], numbers(3)[2]]);
  });

  test('of rows has the second of a number that fails later, and neither of them twice', async () => {
    const [number = '', other = ''] = numbers(2);
    const rows = ['First', 'Second', 'Third'].map((text) => ({
      line: LINE,
      recipient: number,
      text,
      flash: false,
    }));
    const outgoing = {
      kind: 'multi',
      rows: [...rows, { line: LINE, recipient: other, text: 'First', flash: false }],
    } as const;
    const { jobId, draftId } = await storage.addRunningJob(place, {
      outgoing,
      text: '',
      recipients: [number, other],
    });
    await call(jobId, REJECTED);
    await call(jobId);
    await call(jobId);
    await storage.jobs.finish(jobId);
    const first = await resend(jobId);
    expect(first.draft?.outgoing).toMatchObject({ rows: [{ text: 'First' }, { text: 'First' }] });
    await confirm(first.id);
    expect(await resendOf(draftId)).toEqual({ failures: 0, by: ['A2'] });
    await storage.jobs.unsettled(jobId);
    const [second] = await storage.sql<{ id: string }[]>`
      select id from attempt where job_id = ${jobId} and messages -> 0 ->> 'text' = 'Second'`;
    await storage.sql`
      update call_report set words = jsonb_set(words, '{0,kind}', '"failed"') where attempt_id = ${second?.id ?? ''}`;
    expect(await resendOf(draftId)).toEqual({ failures: 1, by: ['A2'] });
    const later = await resend(jobId);
    expect(later.draft?.outgoing).toEqual({ kind: 'multi', rows: [rows[1]] });
    await confirm(later.id);
    expect(await resendOf(draftId)).toEqual({ failures: 0, by: ['A2', 'A3'] });
    expect((await resend(jobId)).result).toBe('nothing');
  });

  test('of rows has each with its own text wherever it stands, and nobody who is blocked when it goes again', async () => {
    const recipients = numbers(3);
    const rows = recipients.map((recipient, n) => ({
      line: LINE,
      recipient,
      text: `Text ${n}`,
      flash: false,
    }));
    const { jobId, draftId } = await storage.addRunningJob(place, {
      outgoing: { kind: 'multi', rows },
      text: '',
      recipients,
    });
    await call(jobId);
    await storage.jobs.finish(jobId);
    const [first = '', , last = ''] = recipients;
    for (const number of [first, last]) await report(jobId, number, 'failed');
    const again = await resend(jobId);
    expect(again.draft?.outgoing).toEqual({ kind: 'multi', rows: [rows[0], rows[2]] });
    const made = await confirm(again.id);
    expect(await resendOf(draftId)).toEqual({ failures: 0, by: ['A2'] });
    if (made.result !== 'confirmed') throw new Error(made.result);
    await storage.sql`update job set state = 'running', started_at = now() where id = ${made.jobId}`;
    const reserved = await storage.jobs.reserve(made.jobId, 'process-1');
    if (!reserved.ok) throw new Error(reserved.reason);
    for (const { id, epoch } of reserved.attempts)
      expect((await storage.jobs.dropBlocked(id, epoch, [first]))?.recipients).toEqual([last]);
    expect(await resendOf(draftId)).toEqual({ failures: 0, by: ['A2'] });
  });

  test('of a phonebook names its numbers, not the book', async () => {
    const outgoing = { kind: 'book', bookId: '7', title: 'VIP', way: 'call' } as const;
    const { jobId } = await storage.addRunningJob(place, { outgoing });
    await call(jobId, REJECTED);
    await storage.jobs.finish(jobId);
    expect((await resend(jobId)).draft).toMatchObject({
      outgoing: { kind: 'text' },
      recipients: numbers(2),
    });
  });

  test('of a time that is over leaves at once', async () => {
    const local = { year: '1405', month: '09', day: '03', hour: '10', minute: '00' };
    const at = Math.floor(Date.now() / 1000) + 3600;
    const { jobId, draftId } = await storage.addRunningJob(place, {
      outgoing: { kind: 'future', at, local },
    });
    await call(jobId, REJECTED);
    await storage.jobs.finish(jobId);
    const kept = await resend(jobId);
    expect(kept.draft?.outgoing).toMatchObject({ kind: 'future', at });
    await storage.drafts.cancel(kept.id, 1, place.ownerId, storage.next());
    await storage.sql`update draft set details = jsonb_set(details, '{at}', to_jsonb(${at - 3600}::int)) where id = ${draftId}`;
    expect((await resend(jobId)).draft?.outgoing).toEqual({ kind: 'text' });
  });

  test('of a file is a file again, whose rows are the numbers with the text that each had', async () => {
    const { jobId, draftId, recipients } = await fromFile(1205, { personal: true, perCall: 100 });
    for (let calls = 0; calls < 13; calls += 1) await call(jobId, calls === 3 ? undefined : REJECTED);
    await storage.jobs.finish(jobId);
    expect(await resendOf(draftId)).toEqual({ failures: 1105, by: [] });
    await storage.emptyQueue();
    const { draft, id } = await resend(jobId);
    expect(draft).toMatchObject({
      text: '{text}',
      recipients: [],
      outgoing: {
        kind: 'bulk',
        step: 'counting',
        rows: 1105,
        columns: ['number', 'text'],
        phone: 0,
        header: 0,
        numbers: { good: 1105, repeated: 0, invalid: 0 },
        summary: null,
      },
    });
    expect([...(await storage.queued()).keys()]).toContain(`bulk-count:${id}`);
    const rows: unknown[] = [];
    for await (const block of bulks.rows(id)) rows.push(...readRows(block));
    const expected = recipients.filter((_, n) => n < 300 || n >= 400);
    expect(rows).toHaveLength(1105);
    expect(rows.map((row) => (row as [number, string[]])[1][0])).toEqual(expected);
    expect(rows[0]).toEqual([1, [recipients[0], 'Hi number 0']]);
    expect(rows[300]).toEqual([301, [recipients[400], 'Hi number 400']]);
  });

  test('of a file with one text for all keeps that text', async () => {
    const { jobId, recipients } = await fromFile(3, { personal: false, perCall: 200 });
    await call(jobId, REJECTED);
    await storage.jobs.finish(jobId);
    const { draft, id } = await resend(jobId);
    expect(draft).toMatchObject({ text: 'Hello all', outgoing: { columns: ['number'] } });
    const rows: unknown[] = [];
    for await (const block of bulks.rows(id)) rows.push(...readRows(block));
    expect(rows).toEqual(recipients.map((recipient, n) => [n + 1, [recipient]]));
  });
});
