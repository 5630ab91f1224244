import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewDraft } from '../../ports/stores.ts';
import { BOT_ID, LINE, openTestStorage, type TestStorage } from '../testing.ts';

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

async function create(more: Partial<NewDraft> = {}): Promise<string> {
  return (await storage.drafts.create(storage.draftIn(place, more))).id;
}

async function expire(draftId: string): Promise<void> {
  await storage.sql`update draft set expires_at = now() where id = ${draftId}`;
}

function confirm(draftId: string, version = 1, undoSeconds = 10) {
  return storage.drafts.confirm({
    draftId,
    version,
    personId: place.ownerId,
    updateId: storage.next(),
    undoSeconds,
    timeZone: 'UTC',
  });
}

async function jobsOf(draftId: string): Promise<number> {
  return (await storage.sql`select 1 from job where draft_id = ${draftId}`).length;
}

describe('making a draft', () => {
  test('keeps what it was given, and numbers the cards of each chat', async () => {
    const second = await storage.addPlace();
    const id = await create({
      text: 'سلام «Ali»',
      recipients: ['989120000009', '989120000001'],
      repeated: [{ raw: '0912 000 0009', reason: '989120000009' }],
      invalid: [{ raw: '0912x', reason: 'too_short' }],
      lang: 'fa',
      threadId: 7,
    });
    const other = await storage.drafts.create(storage.draftIn(second));
    await create();
    const card = await storage.drafts.card(id);
    expect(card).toEqual({
      draft: {
        id,
        code: 'A1',
        chatId: place.chat.id,
        bindingId: place.bindingId,
        authorId: place.ownerId,
        authorName: 'Sara',
        state: 'open',
        expired: false,
        version: 1,
        text: 'سلام «Ali»',
        recipients: ['989120000009', '989120000001'],
        repeated: [{ raw: '0912 000 0009', reason: '989120000009' }],
        invalid: [{ raw: '0912x', reason: 'too_short' }],
        blocked: null,
        line: LINE,
        flash: false,
        resendOf: null,
        outgoing: { kind: 'text' },
        lang: 'fa',
        sendAt: null,
        recur: null,
      },
      sample: null,
      job: null,
      gauge: null,
      twin: null,
      template: null,
      approval: { need: null, by: [], rejectedByName: null },
      lacks: null,
      place: {
        chatTelegramId: place.chat.telegramId,
        threadId: 7,
        messageId: null,
        shownBy: null,
        callId: null,
        showsNumbers: null,
      },
      timeZone: null,
    });
    expect((await storage.drafts.card(other.id))?.draft.code).toBe('A1');
    expect(await storage.drafts.findByCode(place.chat.id, 'a2')).not.toBe(null);
    expect(await storage.drafts.findByCode(place.chat.id, 'A3')).toBe(null);
    expect(await storage.drafts.findByCode(second.chat.id, 'A1')).toBe(other.id);
  });

  test('of one update twice gives the draft that is there', async () => {
    const draft = storage.draftIn(place);
    const first = await storage.drafts.create(draft);
    const again = await storage.drafts.create({ ...draft, text: 'not this' });
    expect([first.created, again]).toEqual([true, { id: first.id, created: false }]);
    const otherBot = await storage.drafts.create({ ...draft, botId: BOT_ID + 1 });
    expect(otherBot.created).toBe(true);
  });

  test('of one update many times at the same moment makes one, and no code is left out', async () => {
    for (let round = 0; round < 10; round += 1) {
      const draft = storage.draftIn(place);
      const made = await Promise.all(Array.from({ length: 12 }, () => storage.drafts.create(draft)));
      expect(made.filter(({ created }) => created).length).toBe(1);
      expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    }
    expect((await storage.drafts.card(await create()))?.draft.code).toBe('A11');
  });

  test('expires by the clock of the database', async () => {
    const [short, long] = [await create(), await create()];
    await expire(short);
    expect((await storage.drafts.card(short))?.draft.expired).toBe(true);
    expect((await storage.drafts.card(long))?.draft.expired).toBe(false);
    expect(await confirm(short)).toEqual({ result: 'expired' });
    expect(await storage.drafts.edit(short, 1, { text: 'late' })).toBe(false);
    expect(await jobsOf(short)).toBe(0);
  });
});

describe('editing', () => {
  test('changes one thing, makes the next version and refuses the old one', async () => {
    const id = await create();
    expect(await storage.drafts.edit(id, 1, { text: 'Second' })).toBe(true);
    expect(await storage.drafts.edit(id, 1, { text: 'Third' })).toBe(false);
    expect(await storage.drafts.edit(id, 2, { flash: true })).toBe(true);
    expect(await storage.drafts.edit(id, 3, { line: '3000999' })).toBe(true);
    expect((await storage.drafts.card(id))?.draft).toMatchObject({
      text: 'Second',
      flash: true,
      line: '3000999',
      version: 4,
    });
    expect(await confirm(id, 3)).toEqual({ result: 'changed' });
  });

  test('at the same moment is won by one', async () => {
    const id = await create();
    const won = await Promise.all(
      Array.from({ length: 10 }, (_, n) => storage.drafts.edit(id, 1, { text: `by ${n}` })),
    );
    expect(won.filter(Boolean).length).toBe(1);
    expect((await storage.drafts.card(id))?.draft.version).toBe(2);
  });

  test('ends with a confirmation and with a cancellation', async () => {
    const [sent, left] = [await create(), await create()];
    await confirm(sent);
    await storage.drafts.cancel(left, 1, place.ownerId, storage.next());
    expect(await storage.drafts.edit(sent, 1, { text: 'x' })).toBe(false);
    expect(await storage.drafts.edit(left, 2, { text: 'x' })).toBe(false);
    expect(await confirm(left, 2)).toEqual({ result: 'cancelled' });
    expect(await storage.drafts.cancel(sent, 1, place.ownerId, storage.next())).toBe(false);
  });
});

describe('cancelling the newest', () => {
  test('takes the person’s own newest open one, tells the card, and leaves the others', async () => {
    const other = await storage.addPerson(place.chat.id, 'operator');
    const oldest = await create();
    const older = await create();
    const expired = await create();
    await expire(expired);
    const theirs = await create({ authorId: other });
    await storage.emptyQueue();
    const updateId = storage.next();
    expect(await storage.drafts.cancelNewest(place.chat.id, place.ownerId, updateId)).toBe('A2');
    expect([...(await storage.queued()).keys()]).toEqual([`card:${older}`]);
    // Handled once more it means the same one.
    expect(await storage.drafts.cancelNewest(place.chat.id, place.ownerId, updateId)).toBe('A2');
    for (const id of [oldest, expired, theirs])
      expect((await storage.drafts.card(id))?.draft.state).toBe('open');
    expect(await storage.audit(place.chat.id)).toContainEqual({
      action: 'draft_cancelled',
      person_id: place.ownerId,
      update_id: updateId,
      details: { code: 'A2' },
    });
  });
});

describe('confirming', () => {
  test('writes job, calls of at most 200, audit row and queue entries together', async () => {
    const recipients = Array.from({ length: 401 }, (_, n) => `98912${String(n).padStart(7, '0')}`);
    const id = await create({ recipients });
    await storage.emptyQueue();
    const updateId = storage.next();
    const made = await storage.drafts.confirm({
      draftId: id,
      version: 1,
      personId: place.ownerId,
      updateId,
      undoSeconds: 10,
      timeZone: 'UTC',
    });
    const jobId = made.result === 'confirmed' ? made.jobId : '';
    const attempts = await storage.sql<{ chunk: number; state: string; recipients: string[] }[]>`
      select chunk, state, recipients from attempt where job_id = ${jobId} order by chunk`;
    expect(attempts.map((attempt) => attempt.recipients.length)).toEqual([200, 200, 1]);
    expect(attempts.map((attempt) => attempt.state)).toEqual(['planned', 'planned', 'planned']);
    expect(attempts.flatMap((attempt) => attempt.recipients)).toEqual(recipients);
    expect(await storage.audit(place.chat.id)).toContainEqual({
      action: 'send_confirmed',
      person_id: place.ownerId,
      update_id: updateId,
      details: { code: 'A1', recipients: 401 },
    });
    const queued = await storage.queued();
    expect([...queued.keys()].toSorted()).toEqual([`card:${id}`, `send:${jobId}`]);
    expect(queued.get(`send:${jobId}`)).toMatchObject({ task: 'send', payload: { jobId } });
    expect(queued.get(`send:${jobId}`)?.in_ms).toBeGreaterThan(5000);
    expect(queued.get(`card:${id}`)).toMatchObject({ task: 'card', payload: { draftId: id } });
    expect(queued.get(`card:${id}`)?.in_ms).toBeLessThanOrEqual(0);
    const card = await storage.drafts.card(id);
    expect(card?.job).toMatchObject({ id: jobId, state: 'holding', settled: false, stopReason: null });
    expect(card?.job?.counts).toMatchObject({ planned: 401, accepted: 0, unknown: 0 });
  });

  test('twice, or by two people at once, makes one job', async () => {
    const id = await create();
    const results = await Promise.all(Array.from({ length: 12 }, () => confirm(id)));
    expect(results.map(({ result }) => result).toSorted()).toEqual(
      [...Array.from({ length: 11 }, () => 'already'), 'confirmed'].toSorted(),
    );
    expect(await confirm(id)).toEqual({ result: 'already' });
    expect(await jobsOf(id)).toBe(1);
    expect((await storage.audit(place.chat.id)).filter((row) => row.action === 'send_confirmed').length).toBe(
      1,
    );
  });

  test('and cancelling at the same moment: one of both holds', async () => {
    for (let round = 0; round < 20; round += 1) {
      const id = await create();
      const [confirmed, cancelled] = await Promise.all([
        confirm(id),
        storage.drafts.cancel(id, 1, place.ownerId, storage.next()),
      ]);
      expect(confirmed.result === 'confirmed').toBe(!cancelled);
      expect(await jobsOf(id)).toBe(cancelled ? 0 : 1);
    }
  });

  test('and editing at the same moment: what was previewed is what is sent', async () => {
    for (let round = 0; round < 20; round += 1) {
      const id = await create({ text: 'previewed' });
      const [confirmed, edited] = await Promise.all([
        confirm(id),
        storage.drafts.edit(id, 1, { text: 'changed' }),
      ]);
      expect(confirmed.result).toBe(edited ? 'changed' : 'confirmed');
      expect((await storage.drafts.card(id))?.draft.text).toBe(edited ? 'changed' : 'previewed');
    }
  });

  test('and unlinking at the same moment leaves no job that could still run', async () => {
    for (let round = 0; round < 20; round += 1) {
      place = await storage.addPlace();
      const id = await create();
      const [confirmed] = await Promise.all([
        confirm(id),
        storage.bindings.disconnect(place.chat.id, place.ownerId, storage.next()),
      ]);
      const state = (await storage.drafts.card(id))?.job?.state;
      expect([confirmed.result, state]).toEqual(
        confirmed.result === 'confirmed' ? ['confirmed', 'stopped'] : ['not_connected', undefined],
      );
    }
  });

  test('and linking another account at the same moment: both happen, and nothing leaves by the old one', async () => {
    for (let round = 0; round < 20; round += 1) {
      place = await storage.addPlace();
      const id = await create();
      const [confirmed] = await Promise.all([confirm(id), storage.link(place.chat.id, place.ownerId)]);
      const state = (await storage.drafts.card(id))?.job?.state;
      expect([confirmed.result, state]).toEqual(
        confirmed.result === 'confirmed' ? ['confirmed', 'stopped'] : ['not_connected', undefined],
      );
    }
  });

  test.each([
    ['the queue entry', 'graphile_worker._private_jobs', 'insert'],
    ['the audit row', 'audit', 'insert'],
    ['a call', 'attempt', 'insert'],
    ['the job', 'job', 'insert'],
  ])('leaves nothing behind when %s cannot be written', async (_what, table, when) => {
    const { sql } = storage;
    const id = await create({ recipients: Array.from({ length: 250 }, (_, n) => `98912${1_000_000 + n}`) });
    await storage.emptyQueue();
    const before = await storage.audit(place.chat.id);
    await sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''no room''; end'`;
    await sql.unsafe(
      `create trigger refuse before ${when} on ${table} for each statement execute function refuse()`,
    );
    try {
      await expect(confirm(id)).rejects.toThrow('no room');
    } finally {
      await sql.unsafe(`drop trigger refuse on ${table}`);
      await sql`drop function refuse()`;
    }
    expect(await jobsOf(id)).toBe(0);
    expect(
      await storage.sql`select 1 from attempt a join job j on j.id = a.job_id where j.draft_id = ${id}`,
    ).toHaveLength(0);
    expect(await storage.audit(place.chat.id)).toEqual(before);
    expect(await storage.queued()).toEqual(new Map());
    expect((await storage.drafts.card(id))?.draft).toMatchObject({ state: 'open', version: 1 });
    expect((await confirm(id)).result).toBe('confirmed');
  });

  test('knows different payloads apart', async () => {
    const drafts = [
      await create(),
      await create({ text: 'Hello ' }),
      await create({ line: '3000123457' }),
      await create({ recipients: ['989120000001'] }),
      await create(),
    ];
    await storage.drafts.edit(drafts[4] ?? '', 1, { flash: true });
    for (const [index, id] of drafts.entries()) await confirm(id, index === 4 ? 2 : 1);
    const rows = await storage.sql`
      select distinct payload_sha256 from job where draft_id = any(${drafts}::uuid[])`;
    expect(rows).toHaveLength(5);
    const calls = await storage.sql`
      select 1 from attempt a join job j on j.id = a.job_id
      where j.draft_id = any(${drafts}::uuid[]) and a.payload_sha256 = j.payload_sha256`;
    expect(calls).toHaveLength(5);
  });
});
