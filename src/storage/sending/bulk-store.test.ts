import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newBulk, type Bulk, type BulkSummary, type SourceRow } from '../../domain/bulk.ts';
import { readRows, rowsText, type BulkWork, type PlannedCall, type SkippedRow } from '../../ports/bulk.ts';
import { joinCalls } from '../../features/sending/bulk/works.ts';
import { createBulkStore } from './bulk-store.ts';
import { createLimitsStore } from './limits-store.ts';
import { MAX_PEOPLE } from '../people/people-store.ts';
import type { Stores } from '../stores.ts';
import { LINE, openTestStorage, type TestStorage } from '../testing.ts';

let storage: TestStorage;
let bulks: Stores['bulks'];
let place: Awaited<ReturnType<TestStorage['addPlace']>>;

beforeAll(async () => {
  storage = await openTestStorage();
  bulks = createBulkStore(storage.database);
});
afterAll(async () => {
  await storage.close();
});
beforeEach(async () => {
  await storage.emptyQueue();
  place = await storage.addPlace();
});

const FOUND: Partial<Bulk> = {
  step: 'columns',
  rows: 3,
  columns: ['mobile', 'name'],
  phone: 0,
  certainty: 'sure',
  numbers: { good: 3, repeated: 0, invalid: 0 },
  decided: { phone: 0, header: 1 },
  head: [[1, ['mobile', 'name']]],
};
const SUMMARY: BulkSummary = {
  recipients: 5,
  skipped: [{ reason: 'no_number', rows: 1 }],
  blockedIsKnown: true,
  missing: 0,
  lengths: [{ encoding: 'gsm7', parts: 1, messages: 5 }],
  personal: true,
  perCall: 2,
  digest: 'd1',
};
const ROWS: SourceRow[] = [
  [1, ['mobile', 'name']],
  [2, ['09120000001', 'Sara']],
  [4, ['', 'سارا \u0000 \ud800 \\u0000 "\u001e\n']],
];
const SKIPPED: SkippedRow[] = [[4, 'what \u0000 \udfff stood there', 'no_number']];

function call(chunk: number, own: readonly string[] | null, count = own?.length ?? 2): PlannedCall {
  return {
    chunk,
    recipients: Array.from({ length: count }, (_, index) => `98912000${chunk}00${index}`),
    texts: own,
    rowNumbers: Array.from({ length: count }, (_, index) => chunk * 10 + index + 1),
    payloadSha256: Buffer.alloc(32, chunk + 1),
  };
}
const CALLS = [call(0, ['a', 'b\u001e"{},\\']), call(1, ['c\u001e0', 'NULL']), call(2, ['ه'])];

/** A draft whose file is to be read. */
async function started(): Promise<BulkWork> {
  const { id } = await storage.drafts.create(
    storage.draftIn(place, {
      outgoing: newBulk({ name: 'people.csv', reference: 'file-1' }),
      text: '',
      recipients: [],
    }),
  );
  return { draftId: id, version: 1 };
}

async function bulkOf({ draftId }: BulkWork): Promise<Bulk> {
  const outgoing = (await storage.drafts.card(draftId))?.draft.outgoing;
  if (outgoing?.kind !== 'bulk') throw new Error('no draft of a file');
  return outgoing;
}

async function all<T>(blocks: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const block of blocks) read.push(block);
  return read;
}

const fill = async (work: BulkWork, ...blocks: readonly (readonly SourceRow[])[]): Promise<boolean> =>
  await bulks.fill(work, async (save) => {
    for (const block of blocks) await save(rowsText(block));
    return { ...(await bulkOf(work)), ...FOUND };
  });

/** One with a text, to be counted. */
async function toCount(text = 'Hello {name}'): Promise<BulkWork> {
  const work = await started();
  expect(await fill(work, ROWS)).toBe(true);
  const version = await bulks.change(work, { bulk: { ...(await bulkOf(work)), step: 'counting' }, text });
  return { ...work, version: version ?? 0 };
}

const plan = async (
  work: BulkWork,
  summary: Partial<BulkSummary> = {},
  calls: readonly PlannedCall[] = CALLS,
): Promise<boolean> =>
  await bulks.plan(work, async (save) => {
    await save({ calls: joinCalls(calls.slice(0, 1)), skipped: rowsText(SKIPPED) });
    await save({ calls: joinCalls(calls.slice(1)), skipped: null });
    return { ...SUMMARY, ...summary };
  });

const left = async ({ draftId }: BulkWork) => {
  const [row] = await storage.sql<{ source: number; calls: number; skipped: number }[]>`
    select (select count(*)::int from bulk_source where draft_id = ${draftId}) as source,
      (select count(*)::int from bulk_call where draft_id = ${draftId}) as calls,
      (select count(*)::int from bulk_skipped where draft_id = ${draftId}) as skipped`;
  return row;
};

describe('the rows of a file', () => {
  it('are read by a task that exists as soon as the draft does', async () => {
    const work = await started();
    expect((await storage.queued()).get(`bulk-read:${work.draftId}`)).toMatchObject({
      task: 'bulk-read',
      payload: { draftId: work.draftId, version: 1 },
    });
    expect(await bulks.find(work)).toMatchObject({ line: '3000123456', text: '', bulk: { step: 'reading' } });
    expect(await bulks.find({ ...work, version: 2 })).toBeNull();
  });

  it('come back as they were, in their order, whatever stands in them', async () => {
    const work = await started();
    const many = Array.from({ length: 11 }, (_, block): SourceRow[] => [[block + 10, [`b${block}`]]]);
    expect(await fill(work, ROWS, ...many)).toBe(true);
    expect((await all(bulks.rows(work.draftId))).map(readRows)).toEqual([ROWS, ...many]);
    expect(await bulks.head(work.draftId, 2)).toEqual(ROWS.slice(0, 2));
    expect(await bulkOf(work)).toMatchObject({ ...FOUND, file: { reference: 'file-1' } });
    expect([...(await storage.queued()).keys()]).toContain(`card:${work.draftId}`);
    // A program of the release before has read the file: its rows do not say what their numbers are.
    await storage.sql`update draft set details = details - 'decided' where id = ${work.draftId}`;
    expect(await bulkOf(work)).toMatchObject({ ...FOUND, decided: null });
  });

  it('are those of the last try alone', async () => {
    const work = await started();
    const broken = bulks.fill(work, async (save) => {
      for (let block = 0; block < 9; block += 1) await save(rowsText(ROWS));
      throw new Error('killed');
    });
    await expect(broken).rejects.toThrow('killed');
    expect(await left(work)).toMatchObject({ source: 0 });
    expect(await bulkOf(work)).toMatchObject({ step: 'reading' });
    expect(await fill(work, ROWS)).toBe(true);
    // Whoever comes late finds that it is done.
    expect(await fill(work, ROWS, ROWS)).toBe(false);
    expect(await left(work)).toMatchObject({ source: 1 });
  });

  it('of two runs at once are kept once', async () => {
    const work = await started();
    const done = await Promise.all([fill(work, ROWS, ROWS), fill(work, ROWS, ROWS)]);
    expect(done.toSorted()).toEqual([false, true]);
    expect(await left(work)).toMatchObject({ source: 2 });
  });

  it('are not kept for a draft that was cancelled, or has expired, while they were read', async () => {
    for (const end of ['cancel', 'expire'] as const) {
      const work = await started();
      const kept = await bulks.fill(work, async (save) => {
        await save(rowsText(ROWS));
        if (end === 'cancel') await storage.drafts.cancel(work.draftId, 1, place.ownerId, storage.next());
        else await storage.sql`update draft set expires_at = now() where id = ${work.draftId}`;
        expect(await bulks.progress(work, 1)).toBe(false);
        return await bulkOf(work);
      });
      expect(kept).toBe(false);
      expect(await left(work)).toMatchObject({ source: 0 });
    }
  });

  it('that cannot be read say why', async () => {
    const work = await started();
    expect(await bulks.progress(work, 40)).toBe(true);
    expect(await bulkOf(work)).toMatchObject({ done: 40 });
    await bulks.fail(work, { reason: 'too_wide', row: 3, limit: 256 });
    expect(await bulkOf(work)).toMatchObject({
      step: 'failed',
      problem: { reason: 'too_wide', row: 3, limit: 256 },
    });
    expect(await bulks.progress(work, 41)).toBe(false);
  });
});

describe('the people of a file', () => {
  const SARA = { number: '989120000001', name: 'Sara', fields: {}, tags: ['vip'] };
  const people = async () =>
    (
      await storage.sql<{ number: string }[]>`select number from contact where chat_id = ${place.chat.id}`
    ).map(({ number }) => number);

  /** One whose people are to be kept. */
  async function toKeep(): Promise<BulkWork> {
    const work = await started();
    expect(await fill(work, ROWS)).toBe(true);
    const bulk = { ...(await bulkOf(work)), keep: { tag: 'vip', outcome: null } };
    return { ...work, version: (await bulks.change(work, { bulk })) ?? 0 };
  }

  it('are kept once, by a task, and end the draft', async () => {
    const work = await toKeep();
    expect((await storage.queued()).get(`bulk-keep:${work.draftId}`)?.payload).toEqual(work);
    const keep = async () => await bulks.keep(work, async (save) => await save([SARA]));
    await keep();
    expect(await bulkOf(work)).toMatchObject({ keep: { tag: 'vip', outcome: { people: 1, fresh: 1 } } });
    expect(await storage.drafts.card(work.draftId)).toMatchObject({ draft: { state: 'cancelled' } });
    expect((await storage.queued()).has(`expiry:${work.draftId}`)).toBe(false);
    await keep();
    expect(await people()).toEqual([SARA.number]);
    const kept = (await storage.audit(place.chat.id)).filter(({ action }) => action === 'people_kept');
    expect(kept).toMatchObject([{ details: { name: 'vip', numbers: 1 } }]);
  });

  it('are all kept or none, when it is cut short or cancelled meanwhile', async () => {
    const work = await toKeep();
    const broken = bulks.keep(work, async (save) => {
      await save([SARA]);
      throw new Error('killed');
    });
    await expect(broken).rejects.toThrow('killed');
    await bulks.keep(work, async (save) => {
      await save([SARA]);
      await storage.drafts.cancel(work.draftId, work.version, place.ownerId, storage.next());
    });
    expect(await people()).toEqual([]);
    expect(await bulkOf(work)).toMatchObject({ keep: { outcome: null } });
  });

  it('are none of them kept where it would be more than a chat keeps', async () => {
    const work = await toKeep();
    await storage.sql`
      insert into contact (chat_id, number, name, set_by)
      select ${place.chat.id}, '98910' || lpad(n::text, 7, '0'), '', ${place.ownerId} from generate_series(1, ${MAX_PEOPLE}) as n`;
    await bulks.keep(work, async (save) => await save([SARA]));
    expect(await bulkOf(work)).toMatchObject({ keep: { outcome: { limit: MAX_PEOPLE } } });
    expect(await people()).toHaveLength(MAX_PEOPLE);
    expect(await people()).not.toContain(SARA.number);
  });
});

describe('the calls of a file', () => {
  it('lie there exactly, with what was left out, and wait for a yes', async () => {
    const work = await toCount();
    expect((await storage.queued()).get(`bulk-count:${work.draftId}`)?.payload).toEqual(work);
    expect(await plan(work)).toBe(true);
    expect(await bulkOf(work)).toMatchObject({ step: 'review', summary: SUMMARY });
    const rows = await storage.sql<
      { chunk: number; recipients: string[]; texts: string[]; numbers: number[] }[]
    >`
      select chunk, recipients, texts, row_numbers as numbers from bulk_call where draft_id = ${work.draftId} order by chunk`;
    expect([...rows]).toEqual(
      CALLS.map(({ chunk, recipients, texts, rowNumbers }) => ({
        chunk,
        recipients,
        texts,
        numbers: rowNumbers,
      })),
    );
    expect(await all(bulks.skipped(work.draftId))).toEqual([SKIPPED]);
    const [view] = [await storage.drafts.card(work.draftId)];
    expect(view).toMatchObject({
      draft: { text: 'Hello {name}', version: 2 },
      sample: { index: 0, text: 'a' },
    });
    // What the prices say of it is looked up for the card.
    expect([...(await storage.queued()).keys()]).toContain(`gauge:${work.draftId}`);
  });

  it.each([
    ['equal', 2],
    ['unequal', null],
  ])('of %s length show each of their messages', async (_name, perCall) => {
    const work = await toCount();
    await plan(work, { perCall });
    const shown: unknown[] = [];
    for (let index = 0; index < 7; index += 1) {
      await storage.drafts.turn(work.draftId, 'look', index);
      const sample = (await storage.drafts.card(work.draftId))?.sample;
      shown.push([sample?.index, sample?.row, sample?.recipient, sample?.text]);
    }
    const messages = CALLS.flatMap(({ recipients, texts, rowNumbers }) =>
      recipients.map((recipient, index) => [rowNumbers[index], recipient, texts?.[index]]),
    );
    const expected = messages.map((each, index) => [index, ...each]);
    expect(shown).toEqual([...expected, expected[4], expected[4]]);
    const picked = await bulks.pick(work.draftId, 2);
    expect(picked).toHaveLength(2);
    for (const { row, recipient, text } of picked) expect(messages).toContainEqual([row, recipient, text]);
  });

  it('with one text for all have the text of the draft', async () => {
    const work = await toCount('Hello');
    await plan(work, { personal: false }, [call(0, null), call(1, null), call(2, null, 1)]);
    expect((await storage.drafts.card(work.draftId))?.sample).toMatchObject({ text: 'Hello' });
    expect((await bulks.pick(work.draftId, 1))[0]?.text).toBe('Hello');
  });

  it('of an earlier version are thrown away, however far they have come', async () => {
    const work = await toCount();
    const kept = await bulks.plan(work, async (save) => {
      await save({ calls: joinCalls(CALLS), skipped: rowsText(SKIPPED) });
      // It does not wait for the count that is under way.
      expect(await storage.drafts.edit(work.draftId, 2, { line: '50001234' })).toBe(true);
      expect(await bulks.progress(work, 2)).toBe(false);
      return SUMMARY;
    });
    expect(kept).toBe(false);
    expect(await left(work)).toMatchObject({ calls: 0, skipped: 0 });
    const next = { ...work, version: 3 };
    expect((await storage.queued()).get(`bulk-count:${work.draftId}`)?.payload).toEqual(next);
    expect(await bulks.find(next)).toMatchObject({
      line: '50001234',
      bulk: { step: 'counting', summary: null },
    });
    expect(await plan(work)).toBe(false);
    expect(await plan(next)).toBe(true);
  });

  it('are counted again after a change of text or line, and not after one of the kind', async () => {
    const work = await toCount();
    await plan(work);
    await storage.drafts.turn(work.draftId, 'look', 3);
    expect(await storage.drafts.edit(work.draftId, 2, { flash: true })).toBe(true);
    expect(await bulkOf(work)).toMatchObject({ step: 'review' });
    expect(await storage.drafts.edit(work.draftId, 3, { text: 'Hi {name}' })).toBe(true);
    expect(await bulkOf(work)).toMatchObject({ step: 'counting', summary: null });
    expect(await left(work)).toMatchObject({ calls: 0, skipped: 0, source: 1 });
    expect((await storage.drafts.card(work.draftId))?.sample).toBeNull();
    await plan({ ...work, version: 4 });
    expect((await storage.drafts.card(work.draftId))?.sample).toMatchObject({ index: 0 });
  });

  it('are counted again, also those that are being counted, when what is said of their line changes', async () => {
    const { chat, ownerId } = place;
    const counted = async () => {
      const work = await toCount();
      await plan(work);
      return work.draftId;
    };
    const [good, elsewhere] = [await counted(), await counted()];
    await storage.sql`update draft set chat_id = ${(await storage.addPlace()).chat.id} where id = ${elsewhere}`;
    await storage.sql`delete from bulk_source where draft_id = ${await counted()}`;
    for (const other of [
      storage.sql`line = '50001234'`,
      storage.sql`state = 'cancelled'`,
      storage.sql`expires_at = now()`,
      storage.sql`details = details || '{"step": "text"}'`,
      storage.sql`details = jsonb_set(details, '{summary,personal}', 'false')`,
    ])
      await storage.sql`update draft set ${other} where id = ${await counted()}`;
    const late = await toCount();
    await storage.emptyQueue();
    const isKept = await bulks.plan(late, async () => {
      const press = { chatId: chat.id, personId: ownerId, updateId: storage.next(), line: LINE };
      await createLimitsStore(storage.database).changeLine({ ...press, to: { words: ['free'] } });
      return SUMMARY;
    });
    expect(isKept).toBe(false);
    const queued = [...(await storage.queued())].filter(([key]) => key.startsWith('bulk-count:'));
    expect(new Set(queued.map(([, { payload }]) => payload['draftId']))).toEqual(
      new Set([good, late.draftId]),
    );
    expect(await plan({ ...late, version: 3 })).toBe(true);
  });

  it('do not leave before they were counted, or when nothing is left of them', async () => {
    const work = await toCount();
    const confirm = async () =>
      await storage.drafts.confirm({
        ...work,
        personId: place.ownerId,
        updateId: storage.next(),
        undoSeconds: 0,
        timeZone: 'UTC',
      });
    expect(await confirm()).toEqual({ result: 'changed' });
    await plan(work, { recipients: 0, lengths: [] });
    expect(await left(work)).toMatchObject({ calls: 0, skipped: 1 });
    expect(await confirm()).toEqual({ result: 'changed' });
  });

  it('become the calls of the job, and are told whole when their turn comes', async () => {
    const work = await toCount();
    await plan(work);
    const confirmed = await storage.drafts.confirm({
      ...work,
      personId: place.ownerId,
      updateId: storage.next(),
      undoSeconds: 0,
      timeZone: 'UTC',
    });
    expect(confirmed.result).toBe('confirmed');
    const attempts = await storage.sql<{ recipients: string[]; sha: string }[]>`
      select a.recipients, encode(a.payload_sha256, 'hex') as sha from attempt a join job j on j.id = a.job_id
      where j.draft_id = ${work.draftId} order by a.chunk`;
    expect([...attempts]).toEqual(
      CALLS.map(({ recipients, payloadSha256 }) => ({
        recipients,
        sha: Buffer.from(payloadSha256).toString('hex'),
      })),
    );
    const [job] = await storage.sql<
      { parts: number }[]
    >`select parts from job where draft_id = ${work.draftId}`;
    expect(job?.parts).toBe(5);
    expect((await storage.audit(place.chat.id)).at(-1)).toMatchObject({
      action: 'send_confirmed',
      details: { recipients: 5 },
    });
  });
});

describe('a change by a person', () => {
  it('holds for the version that was pressed, and gives the draft its time anew', async () => {
    const work = await started();
    await fill(work, ROWS);
    await storage.sql`update draft set expires_at = now() + interval '1 minute' where id = ${work.draftId}`;
    const bulk: Bulk = { ...(await bulkOf(work)), phone: 1, numbers: null };
    const both = await Promise.all([bulks.change(work, { bulk }), bulks.change(work, { bulk })]);
    expect(both.toSorted()).toEqual([2, null]);
    // The numbers of another column are counted before anything else.
    expect((await storage.queued()).get(`bulk-count:${work.draftId}`)?.payload).toEqual({
      ...work,
      version: 2,
    });
    expect((await storage.queued()).get(`expiry:${work.draftId}`)?.in_ms).toBeGreaterThan(7_000_000);
    await bulks.tally({ ...work, version: 2 }, { good: 1, repeated: 2, invalid: 0 });
    expect(await bulkOf(work)).toMatchObject({ numbers: { good: 1, repeated: 2, invalid: 0 }, done: 3 });
  });

  it('makes the question for an approval void', async () => {
    const work = await toCount();
    await plan(work);
    await storage.sql`update draft set state = 'asked' where id = ${work.draftId}`;
    expect(await bulks.change({ ...work, version: 1 }, { bulk: await bulkOf(work) })).toBeNull();
    expect(await bulks.change(work, { bulk: { ...(await bulkOf(work)), step: 'counting' } })).toBe(3);
    expect((await storage.drafts.card(work.draftId))?.draft).toMatchObject({ state: 'open', version: 3 });
    await storage.drafts.cancel(work.draftId, 3, place.ownerId, storage.next());
    expect(await bulks.change({ ...work, version: 4 }, { bulk: await bulkOf(work) })).toBeNull();
  });
});

describe('what nobody needs any more', () => {
  it('is forgotten: rows of what was confirmed, everything of what never will be', async () => {
    const [open, cancelled, expired, confirmed] = [
      await toCount(),
      await toCount(),
      await toCount(),
      await toCount(),
    ];
    for (const work of [open, cancelled, expired, confirmed]) await plan(work);
    await storage.drafts.cancel(cancelled.draftId, 2, place.ownerId, storage.next());
    await storage.sql`update draft set expires_at = now() - interval '23 hours' where id = ${expired.draftId}`;
    const yes = await storage.drafts.confirm({
      ...confirmed,
      personId: place.ownerId,
      updateId: storage.next(),
      undoSeconds: 0,
      timeZone: 'UTC',
    });
    expect(yes.result).toBe('confirmed');
    // What is still held can be taken back, and is a draft again then.
    await storage.purge();
    expect(await left(confirmed)).toEqual({ source: 1, calls: 3, skipped: 1 });
    await storage.sql`update job set state = 'running' where draft_id = ${confirmed.draftId}`;
    await storage.purge();
    const gone = { source: 0, calls: 0, skipped: 0 };
    expect(await left(open)).toEqual({ source: 1, calls: 3, skipped: 1 });
    expect(await left(cancelled)).toEqual(gone);
    // Its author may still take it up again.
    expect(await left(expired)).toEqual({ source: 1, calls: 3, skipped: 1 });
    await storage.sql`update draft set expires_at = now() - interval '25 hours' where id = ${expired.draftId}`;
    await storage.purge();
    expect(await left(expired)).toEqual(gone);
    expect(await storage.drafts.takeUp(expired.draftId, place.ownerId)).toBe(null);
    expect(await left(confirmed)).toEqual({ source: 0, calls: 3, skipped: 1 });
    expect(await Promise.all([open, confirmed].map(bulkOf))).toMatchObject([
      { head: ROWS.slice(0, 1) },
      { head: [] },
    ]);

    // Long after its end, as long as something of it can still be sent.
    await storage.sql`update job set state = 'stopped', ended_at = now() - interval '8 days' where draft_id = ${confirmed.draftId}`;
    await storage.purge();
    expect(await left(confirmed)).toEqual({ source: 0, calls: 3, skipped: 1 });
    await storage.sql`
      update attempt set state = 'accepted', message_keys = '{k}' where job_id in (select id from job where draft_id = ${confirmed.draftId})`;
    await storage.purge();
    expect(await left(confirmed)).toEqual(gone);
  });
});
