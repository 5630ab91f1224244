import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newBulk, type Bulk } from '../../domain/bulk.ts';
import type { NewDraft } from '../../ports/stores.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';

/* What was undone, rejected or has lapsed, and is a draft again. */

let storage: TestStorage;
let place: Awaited<ReturnType<TestStorage['addPlace']>>;
let author: number;

beforeAll(async () => {
  storage = await openTestStorage();
});
beforeEach(async () => {
  place = await storage.addPlace();
  author = await storage.addPerson(place.chat.id, 'operator', 'Omid');
  await storage.emptyQueue();
});
afterAll(() => storage.close());

const ZONE = 'Asia/Tehran';
const FILE: Bulk = {
  ...newBulk({ name: 'people.csv', reference: 'file' }),
  step: 'review',
  rows: 1,
  columns: ['mobile'],
  phone: 0,
  numbers: { good: 1, repeated: 0, invalid: 0 },
  summary: {
    recipients: 1,
    skipped: [],
    blockedIsKnown: true,
    missing: 0,
    lengths: [{ encoding: 'gsm7', parts: 1, messages: 1 }],
    personal: false,
    perCall: 200,
    digest: 'd',
  },
};

const press = (draftId: string, personId = author) => ({
  draftId,
  version: 1,
  personId,
  updateId: storage.next(),
});

async function draft(more: Partial<NewDraft> = {}, of = place): Promise<string> {
  return (await storage.drafts.create(storage.draftIn(of, { authorId: author, ...more }))).id;
}

/** A draft of a file with one row. */
async function fileDraft(): Promise<string> {
  const id = await draft({ outgoing: FILE, recipients: [] });
  await storage.sql`
    insert into bulk_call (draft_id, chunk, recipients, row_numbers, payload_sha256) values (${id}, 0, '{989120000001}', '{1}', '\\x00')`;
  await storage.sql`
    insert into bulk_source (draft_id, block, rows) values (${id}, 0, '[[1, ["09120000001"]]]')`;
  return id;
}

async function confirm(draftId: string): Promise<string> {
  const done = await storage.drafts.confirm({ ...press(draftId), undoSeconds: 60, timeZone: ZONE });
  if (done.result !== 'confirmed') throw new Error(done.result);
  return done.jobId;
}

const cardOf = async (id: string) => {
  const card = await storage.drafts.card(id);
  if (card === null) throw new Error('there is no such draft');
  return card;
};

/** The draft that another has become. */
async function backOf(draftId: string) {
  const [row] = await storage.sql<
    {
      id: string;
      code: string;
      state: string;
      recur: string | null;
      binding_id: string;
      left: number;
      undo: unknown;
      again: unknown;
    }[]
  >`
    select b.id, b.code, b.state, b.recur, b.binding_id, extract(epoch from b.expires_at - now())::float8 as left,
      b.details -> 'undoOf' as undo, b.details -> 'againOf' as again
    from draft d join draft b on b.chat_id = d.chat_id and b.code = d.details ->> 'backAs' where d.id = ${draftId}`;
  return row;
}

const detailsOf = async (ids: readonly string[]) =>
  await storage.sql`select details, recur, binding_id, expires_at from draft where id = any(${[...ids]}::uuid[]) order by id`;

describe('a send that is undone', () => {
  test('ends, and is a draft again that says of what and by whom, and nothing happens to any other', async () => {
    const [before, other] = [await draft({ text: 'before' }), await storage.addPlace()];
    const elsewhere = await draft({}, other);
    const [id, beside] = [await draft(), await draft({ text: 'beside' })];
    const [jobId, besideJob] = [await confirm(id), await confirm(beside)];
    const others = await detailsOf([before, elsewhere, beside]);
    const sara = place.ownerId;
    expect(await storage.jobs.undo(jobId, sara, storage.next())).toBe(true);
    expect(await storage.jobs.undo(jobId, sara, storage.next())).toBe(false);
    const jobs = await storage.sql`
      select id, state, stopped_by, ended_at is not null as ended from job where chat_id = ${place.chat.id} order by confirmed_at`;
    expect(jobs).toEqual([
      { id: jobId, state: 'undone', stopped_by: sara, ended: true },
      { id: besideJob, state: 'holding', stopped_by: null, ended: false },
    ]);
    const back = await backOf(id);
    expect(back).toMatchObject({
      code: 'A4',
      state: 'open',
      binding_id: place.bindingId,
      undo: { code: 'A2', by: 'Sara', rowsGone: false },
    });
    expect(back?.left).toBeGreaterThan(890);
    expect(await detailsOf([before, elsewhere, beside])).toEqual(others);
    expect((await storage.audit(place.chat.id)).at(-1)).toMatchObject({
      action: 'send_undone',
      person_id: sara,
      details: { code: 'A2' },
    });
  });

  test('of a file has its rows again, or says that they are gone', async () => {
    const [kept, gone] = [await fileDraft(), await fileDraft()];
    const jobs = [await confirm(kept), await confirm(gone)];
    await storage.sql`delete from bulk_source where draft_id = ${gone}`;
    for (const jobId of jobs) await storage.jobs.undo(jobId, author, storage.next());
    expect((await backOf(kept))?.undo).toMatchObject({ by: 'Omid', rowsGone: false });
    expect((await backOf(gone))?.undo).toMatchObject({ by: 'Omid', rowsGone: true });
  });

  test('leaves its series to the next, and is of the account that the chat has by then', async () => {
    const id = await draft({
      sendAt: new Date(Date.now() + 3_600_000),
      recur: { every: 'day', minute: 600 },
    });
    const jobId = await confirm(id);
    await storage.sql`update job set hold_until = now() - interval '1 hour' where id = ${jobId}`;
    expect((await storage.jobs.start(jobId))?.state).toBe('missed');
    const schedule = await storage.schedule.sendNow({
      jobId,
      chatId: place.chat.id,
      personId: author,
      updateId: storage.next(),
      undoSeconds: 60,
      timeZone: ZONE,
    });
    const again = schedule.pressed.result === 'confirmed' ? schedule.pressed.jobId : '';
    const now = await storage.link(place.chat.id, place.ownerId);
    await storage.sql`update job set state = 'holding', stop_reason = null, ended_at = null where id = ${again}`;
    expect(await storage.jobs.undo(again, author, storage.next())).toBe(true);
    expect(await backOf(id)).toMatchObject({ recur: null, binding_id: now });
    const next = await storage.sql`
      select recur is not null as follows from draft where chat_id = ${place.chat.id} and id <> ${id} and send_at is not null`;
    expect(next).toEqual([{ follows: true }]);
  });
});

describe('what was rejected or has lapsed', () => {
  const takeUp = async (id: string, personId = author) => await storage.drafts.takeUp(id, personId);
  const lapse = async (id: string) =>
    void (await storage.sql`update draft set expires_at = now() where id = ${id}`);

  test('is taken up by its author alone, once, and names who had said no', async () => {
    const ann = await storage.addPerson(place.chat.id, 'approver', 'Ann');
    await storage.sql`
      insert into chat_limits (chat_id, approval_parts, updated_by) values (${place.chat.id}, 0, ${place.ownerId})`;
    const [id, lapsed] = [await draft(), await draft()];
    expect(await takeUp(id)).toBe(null);
    await storage.drafts.ask(press(id));
    await storage.drafts.ask(press(lapsed));
    expect(await takeUp(id)).toBe(null);
    expect(await storage.drafts.reject(press(id, ann))).toEqual({ result: 'rejected' });
    expect(await takeUp(id, ann)).toBe(null);
    const both = await Promise.all([takeUp(id), takeUp(id)]);
    const back = await backOf(id);
    expect(both).toEqual([back?.id, back?.id]);
    expect(await takeUp(id)).toBe(back?.id);
    expect(back).toMatchObject({ state: 'open', again: { code: 'A1', rejectedBy: 'Ann' } });
    const own = await draft();
    await storage.drafts.cancel(own, 1, author, storage.next());
    expect((await cardOf(own)).approval.rejectedByName).toBe(null);
    await lapse(lapsed);
    await takeUp(lapsed);
    expect((await backOf(lapsed))?.again).toEqual({ code: 'A2', rejectedBy: null });
    // What has come back and lapses is taken up like any other.
    await lapse(back?.id ?? '');
    await takeUp(back?.id ?? '');
    expect((await backOf(back?.id ?? ''))?.again).toEqual({ code: 'A3', rejectedBy: null });
  });

  test('is not what a draft of the same code in another chat was refused for', async () => {
    const other = await storage.addPlace();
    const [id, elsewhere] = [await draft({}, other), await draft()];
    const ann = await storage.addPerson(other.chat.id, 'approver', 'Ann');
    await storage.sql`
      insert into chat_limits (chat_id, approval_parts, updated_by) values (${other.chat.id}, 0, ${other.ownerId})`;
    await storage.drafts.ask(press(id));
    expect(await storage.drafts.reject(press(id, ann))).toEqual({ result: 'rejected' });
    await storage.drafts.cancel(elsewhere, 1, author, storage.next());
    expect((await cardOf(elsewhere)).approval.rejectedByName).toBe(null);
    await takeUp(id);
    await takeUp(elsewhere);
    expect((await backOf(id))?.again).toEqual({ code: 'A1', rejectedBy: 'Ann' });
    expect((await backOf(elsewhere))?.again).toEqual({ code: 'A1', rejectedBy: null });
    expect(await cardOf(elsewhere)).toMatchObject({ draft: { state: 'cancelled' } });
  });

  test('is nothing that was confirmed, and of a file as long as its rows are kept', async () => {
    const sent = await draft();
    await confirm(sent);
    await lapse(sent);
    expect(await takeUp(sent)).toBe(null);
    const kept = await fileDraft();
    await storage.sql`
      update draft set details = jsonb_set(details, '{head}', '[[1, ["mobile"]]]') where id = ${kept}`;
    await lapse(kept);
    const id = await takeUp(kept);
    const rows = await storage.sql`select rows from bulk_source where draft_id = ${id}`;
    expect(rows).toEqual([{ rows: [[1, ['09120000001']]] }]);
  });
});
