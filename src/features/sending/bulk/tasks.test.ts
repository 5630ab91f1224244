import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMemoryLog } from '../../../../test/support/memory-log.ts';
import { newBulk, type Bulk } from '../../../domain/bulk.ts';
import { AppError } from '../../../domain/errors.ts';
import { readRows, type BulkWork, type FileThread, type SkippedRow } from '../../../ports/bulk.ts';
import type { Blacklist, SmsGateway } from '../../../ports/gateway.ts';
import { createBulkStore } from '../../../storage/sending/bulk-store.ts';
import { createPeopleStore } from '../../../storage/people/people-store.ts';
import type { Stores } from '../../../storage/stores.ts';
import { openTestStorage, type TestStorage } from '../../../storage/testing.ts';
import { createTables } from '../../../tables/tables.ts';
import { checkSize } from './reader.ts';
import { createBulkTasks } from './tasks.ts';
import { createFileWorks } from './works.ts';

/* What the queue does behind the card of a file: the real stores and works, with a file on the disk. */

let storage: TestStorage;
let bulks: Stores['bulks'];
let people: Stores['people'];
let place: Awaited<ReturnType<TestStorage['addPlace']>>;
let folder = '';

beforeAll(async () => {
  storage = await openTestStorage();
  [bulks, people] = [createBulkStore(storage.database), createPeopleStore(storage.database)];
  folder = await mkdtemp(join(tmpdir(), 'peyk-tasks-'));
});
beforeEach(async () => {
  place = await storage.addPlace();
  await storage.emptyQueue();
});
afterAll(async () => {
  await storage.close();
  await rm(folder, { recursive: true });
});

const mobile = (index: number): string => `0912${String(index).padStart(7, '0')}`;
const sent = (...indexes: readonly number[]): string[] => indexes.map((each) => `98${mobile(each).slice(1)}`);
const NAMED = ['mobile,name', `${mobile(1)},Sara`, `${mobile(2)},Ali`, `${mobile(1)},Reza`, 'x,Mina'];

const works = createFileWorks(createTables());
/** As on a thread, where whoever asks ahead may leave before the answer is there. */
const files: FileThread = {
  begin(work, given) {
    const begun = works.begin(work, given);
    return {
      ...begun,
      next(input) {
        const answer = begun.next(input);
        answer.catch(() => undefined);
        return answer;
      },
    };
  },
};

interface Around {
  readonly lines?: readonly string[];
  /** Instead of the file. */
  readonly gone?: unknown;
  /** Before it is told how far a task has come. */
  readonly meanwhile?: () => Promise<unknown>;
  readonly blocked?: readonly string[] | Error;
  readonly versions?: readonly number[];
  /** Instead of an account. */
  readonly closed?: unknown;
}

/** Runs a task of a draft, on a clock by which each of its steps takes long. */
async function run(name: string, work: BulkWork, around: Around = {}) {
  const seen = {
    taken: new Array<unknown>(),
    given: 0,
    told: new Array<number>(),
    asked: new Array<unknown>(),
    cards: new Array<string>(),
    log: createMemoryLog(),
  };
  let now = 0;
  const blacklist: Pick<Blacklist, 'blocked'> = {
    blocked: async (line, numbers) => {
      seen.asked.push([line, numbers]);
      if (around.blocked instanceof Error) throw around.blocked;
      return await Promise.resolve((around.blocked ?? []).filter((each) => numbers.includes(each)));
    },
  };
  const gateway = {
    versions: around.versions ?? [3],
    has: (facet: string) => facet === 'blacklist' && around.blocked !== undefined,
    use: (facet: string) => (facet === 'blacklist' ? blacklist : undefined),
  } as unknown as SmsGateway;
  const tasks = createBulkTasks({
    bulks: {
      ...bulks,
      progress: async (of, done) => {
        seen.told.push(done);
        await around.meanwhile?.();
        return await bulks.progress(of, done);
      },
    },
    people,
    uploads: {
      take: async (...asked) => {
        seen.taken.push(asked.slice(0, 2));
        if (around.gone !== undefined) throw around.gone;
        const path = join(folder, 'people.csv');
        await writeFile(path, (around.lines ?? NAMED).join('\n'));
        return { path, [Symbol.asyncDispose]: async () => void (await Promise.resolve((seen.given += 1))) };
      },
      sweep: () => Promise.resolve(),
    },
    files,
    gateways: {
      of: async () => {
        if (around.closed !== undefined) throw around.closed;
        return await Promise.resolve(gateway);
      },
    } as never,
    cards: { follow: async (id) => void (await Promise.resolve(seen.cards.push(id))) },
    clock: {
      monotonic: () => (now += 5000),
      now: () => new Date(),
      sleep: async () => await new Promise(() => undefined),
    },
    log: seen.log,
  });
  const context = { signal: new AbortController().signal, log: seen.log };
  await tasks.find((each) => each.name === name)?.run(work, context as never);
  return seen;
}

async function started(bulk: Partial<Bulk> = {}, reference = 'file-1'): Promise<BulkWork> {
  const outgoing = { ...newBulk({ name: 'people.csv', reference }), ...bulk };
  const { id } = await storage.drafts.create(storage.draftIn(place, { outgoing, text: '', recipients: [] }));
  return { draftId: id, version: 1 };
}

async function bulkOf({ draftId }: BulkWork): Promise<Bulk> {
  const outgoing = (await storage.drafts.card(draftId))?.draft.outgoing;
  if (outgoing?.kind !== 'bulk') throw new Error('no draft of a file');
  return outgoing;
}

async function kept({ draftId }: BulkWork): Promise<unknown[]> {
  const rows = [];
  for await (const block of bulks.rows(draftId)) rows.push(...readRows(block));
  return rows;
}

/** One whose file was read, with a person's change of it. */
async function changed(to: Partial<Bulk>, text?: string, around: Around = {}): Promise<BulkWork> {
  const work = await started();
  await run('bulk-read', work, around);
  const bulk = { ...(await bulkOf(work)), ...to };
  const version = await bulks.change(work, { bulk, ...(text === undefined ? {} : { text }) });
  return { ...work, version: version ?? 0 };
}

/** Makes somebody change a draft. */
const edited =
  ({ draftId }: BulkWork) =>
  async () =>
    await storage.sql`update draft set version = version + 1 where id = ${draftId}`;
/** What fails where nobody expects it. */
const broken = () => Promise.reject(new TypeError('ours'));

/** What would leave, call by call, and what would not. */
async function planned({ draftId }: BulkWork) {
  const calls = await storage.sql<{ recipients: string[]; texts: string[] | null; row_numbers: number[] }[]>`
    select recipients, texts, row_numbers from bulk_call where draft_id = ${draftId} order by chunk`;
  const skipped: SkippedRow[] = [];
  for await (const block of bulks.skipped(draftId)) skipped.push(...block);
  return {
    calls: calls.map(({ recipients, texts, row_numbers: rows }) => [recipients, texts, rows]),
    skipped,
  };
}

describe('reading a file', () => {
  test('keeps its rows and what they hold, tells how far it has come, and gives the file back', async () => {
    const work = await started({ keep: { tag: 'club', outcome: null } });
    const many = Array.from({ length: 1500 }, (_, at) => `${mobile(at)},N${at}`);
    const { taken, given, told, cards } = await run('bulk-read', work, { lines: ['mobile,name', ...many] });
    expect([taken, given]).toEqual([[['file-1', 20 * 1024 * 1024]], 1]);
    expect([told, cards]).toEqual([
      [1000, 1501],
      [work.draftId, work.draftId],
    ]);
    expect(await bulkOf(work)).toMatchObject({
      step: 'columns',
      rows: 1501,
      done: 1501,
      columns: ['mobile', 'name'],
      file: { name: 'people.csv', reference: 'file-1', sheet: null },
      numbers: { good: 1500, repeated: 0, invalid: 0 },
      keep: { tag: 'club', outcome: null },
    });
    expect(await kept(work)).toHaveLength(1501);
    // A draft whose file was read is read no more.
    expect((await run('bulk-read', work)).taken).toEqual([]);
    expect((await run('bulk-read', { ...work, version: 2 })).taken).toEqual([]);
  });

  test('keeps nobody where no row names the columns, or nobody knows which one has the numbers', async () => {
    for (const lines of [
      [`${mobile(1)},Sara`, `${mobile(2)},Ali`],
      ['one,two', `${mobile(1)},${mobile(3)}`, `${mobile(2)},${mobile(4)}`],
    ]) {
      const work = await started({ keep: { tag: 'club', outcome: null } });
      await run('bulk-read', work, { lines });
      expect(await bulkOf(work)).toMatchObject({ step: 'columns', keep: null });
    }
  });

  test('tells on the card why it cannot be read, and where', async () => {
    const bad = (params: Record<string, string | number>) => new AppError('bad_input', 'no', { params });
    for (const [around, problem] of [
      [{ lines: ['mobile,name'] }, { reason: 'only_header', row: 1, limit: null }],
      [
        { gone: bad({ field: 'file', reason: 'too_large', limit: 7 }) },
        { reason: 'too_large', row: null, limit: 7 },
      ],
      [{ gone: bad({ field: 'file', reason: 'gone' }) }, { reason: 'gone', row: null, limit: null }],
    ] as const) {
      const work = await started();
      await run('bulk-read', work, around);
      expect(await bulkOf(work)).toMatchObject({ step: 'failed', problem });
      expect(await kept(work)).toEqual([]);
    }
    expect(() => checkSize({ size: 20 * 1024 * 1024 })).not.toThrow();
    expect(() => checkSize({ size: 20 * 1024 * 1024 + 1 })).toThrow(
      expect.objectContaining({
        code: 'bad_input',
        params: { field: 'file', reason: 'too_large', limit: 20 * 1024 * 1024 },
      }),
    );
  });

  test('is tried again after anything else, and ends where the draft is another by now', async () => {
    const work = await started();
    for (const gone of [
      new Error('the connection was lost'),
      new AppError('bad_input', 'no', { params: { field: 'text' } }),
      new AppError('gateway_no_answer', 'no', { params: { field: 'file' } }),
    ])
      await expect(run('bulk-read', work, { gone })).rejects.toBe(gone);
    expect((await bulkOf(work)).step).toBe('reading');
    const { told, cards } = await run('bulk-read', work, { meanwhile: edited(work) });
    expect([told, cards, await kept(work)]).toEqual([[5], [], []]);
    expect((await bulkOf(work)).step).toBe('reading');
  });
});

describe('reading the people under a tag', () => {
  const keep = async (indexes: readonly number[]): Promise<void> => {
    for (const index of indexes)
      await people.set(
        { chatId: place.chat.id, personId: place.ownerId, updateId: storage.next() },
        sent(index)[0] as never,
        { name: `N${index}`, fields: { city: `C${index}` }, tags: index === 3 ? ['other'] : ['club'] },
      );
  };

  test('makes rows of them below one that names their columns', async () => {
    await keep([1, 2, 3]);
    const work = await started({}, '#club');
    const { taken, told } = await run('bulk-read', work);
    expect([taken, told]).toEqual([[], [3]]);
    const rows = [
      [1, ['mobile', 'name', 'city']],
      [2, [mobile(1), 'N1', 'C1'], ...sent(1)],
      [3, [mobile(2), 'N2', 'C2'], ...sent(2)],
    ];
    expect(await kept(work)).toEqual(rows);
    expect(await bulkOf(work)).toMatchObject({
      step: 'columns',
      rows: 3,
      done: 3,
      header: 1,
      phone: 0,
      columns: ['mobile', 'name', 'city'],
      certainty: 'sure',
      numbers: { good: 2, repeated: 0, invalid: 0 },
      decided: { phone: 0, header: 1 },
      head: rows.map(([at, cells]) => [at, cells]),
    });
  });

  test('goes on from block to block', async () => {
    await storage.sql`
      insert into contact (chat_id, number, name, fields, tags, set_by)
      select ${place.chat.id}, '98912' || lpad(n::text, 7, '0'), 'N' || n, '{}', '{club}', ${place.ownerId}
      from generate_series(1, 1200) as n`;
    const work = await started({}, '#club');
    expect((await run('bulk-read', work)).told).toEqual([1001, 1201]);
    const rows = (await kept(work)) as [number, string[]][];
    expect(rows.map(([at, cells]) => [at, cells[0]]).slice(1)).toEqual(
      Array.from({ length: 1200 }, (_, at) => [at + 2, mobile(at + 1)]),
    );
    expect((await bulkOf(work)).head.map(([at]) => at)).toEqual([1, 2, 3, 4]);
  });

  test('says so where nobody is there', async () => {
    await keep([3]);
    const work = await started({}, '#club');
    await run('bulk-read', work);
    expect(await bulkOf(work)).toMatchObject({
      step: 'failed',
      problem: { reason: 'no_people', row: null, limit: null },
    });
  });
});

describe('counting a file', () => {
  test('tells what the chosen column holds', async () => {
    const rows = Array.from(
      { length: 1200 },
      (_, at) => `${mobile(at)},${at < 1100 ? mobile(at >> 1) : '-'}`,
    );
    const work = await changed({ phone: 1, numbers: null, done: 0 }, undefined, {
      lines: ['mobile,name', ...rows],
    });
    expect((await run('bulk-count', work)).told).toEqual([1000, 1201]);
    expect(await bulkOf(work)).toMatchObject({
      step: 'columns',
      done: 1201,
      numbers: { good: 550, repeated: 550, invalid: 100 },
    });
  });

  test('makes every call, without whom the line must not send to', async () => {
    const work = await changed({ step: 'counting' }, 'Hello {name}');
    const { asked, told } = await run('bulk-count', work, { blocked: sent(2) });
    expect(asked).toEqual([['3000123456', sent(1, 2)]]);
    expect(told).toEqual([5]);
    expect(await planned(work)).toEqual({
      calls: [[sent(1), ['Hello Sara'], [2]]],
      skipped: [
        [3, mobile(2), 'blocked'],
        [4, mobile(1), 'repeated'],
        [5, 'x', 'not_a_number'],
      ],
    });
    expect(await bulkOf(work)).toMatchObject({
      step: 'review',
      summary: { recipients: 1, blockedIsKnown: true, personal: true },
    });
  });

  test('holds texts to an address where version 4 alone serves the account', async () => {
    for (const [versions, reasons] of [
      [[4], ['comma', 'comma', 'comma', 'not_a_number']],
      [
        [4, 3],
        ['repeated', 'not_a_number'],
      ],
    ] as const) {
      const work = await changed({ step: 'counting' }, 'Hello, {name}');
      await run('bulk-count', work, { versions });
      expect((await planned(work)).skipped.map(([, , reason]) => reason)).toEqual(reasons);
    }
  });

  test('goes on without a blacklist: where nobody can tell, and where too many would be asked about', async () => {
    const unknown = { step: 'review', summary: { recipients: 2, blockedIsKnown: false } };
    for (const around of [
      {},
      { blocked: new AppError('gateway_no_answer', 'no') },
      { closed: new AppError('not_connected', 'no') },
    ]) {
      const work = await changed({ step: 'counting' }, 'Hello');
      expect((await run('bulk-count', work, around)).asked).toHaveLength('blocked' in around ? 1 : 0);
      expect(await bulkOf(work)).toMatchObject(unknown);
      expect((await planned(work)).calls).toEqual([[sent(1, 2), null, [2, 3]]]);
    }
    for (const [good, times] of [
      [20_000, 1],
      [20_001, 0],
    ] as const) {
      const work = await changed({ step: 'counting', numbers: { good, repeated: 0, invalid: 0 } }, 'Hello');
      expect((await run('bulk-count', work, { blocked: [] })).asked).toHaveLength(times);
    }
    const uncounted = await changed({ step: 'counting', numbers: null }, 'Hello');
    expect((await run('bulk-count', uncounted, { blocked: [] })).asked).toEqual([]);
  });

  test('hides no mistake of ours, and is for a draft as it is now', async () => {
    const work = await changed({ step: 'counting' }, 'Hello');
    const closed = new TypeError('ours');
    await expect(run('bulk-count', work, { closed })).rejects.toBe(closed);
    await expect(run('bulk-count', work, { meanwhile: broken })).rejects.toThrow('ours');
    await run('bulk-count', { ...work, version: 1 });
    expect((await bulkOf(work)).step).toBe('counting');
    await run('bulk-count', work);
    const { told, asked } = await run('bulk-count', work, { blocked: [] });
    expect([told, asked, (await bulkOf(work)).step]).toEqual([[], [], 'review']);
    const other = await changed({ step: 'counting' }, 'Hello');
    expect((await run('bulk-count', other, { meanwhile: edited(other) })).told).toEqual([5]);
    expect((await planned(other)).calls).toEqual([]);
  });
});

describe('keeping the people of a file', () => {
  const keep = { tag: 'club', outcome: null };
  const all = async () => {
    const found = [];
    for await (const block of people.each(place.chat.id, null)) found.push(...block);
    return found;
  };

  test('keeps each good number once, with what its row says, under the tag', async () => {
    const lines = [
      'mobile,name,tag,city',
      `${mobile(1)},Sara,vip,Rasht`,
      `${mobile(1)},Reza,,`,
      'x,Mina,,',
      `${mobile(2)},Ali,club,`,
    ];
    const work = await changed({ keep }, undefined, { lines });
    expect((await run('bulk-keep', work)).told).toEqual([5]);
    expect(await all()).toEqual([
      { number: sent(1)[0], name: 'Sara', fields: { city: 'Rasht' }, tags: ['vip', 'club'] },
      { number: sent(2)[0], name: 'Ali', fields: {}, tags: ['club'] },
    ]);
  });

  test('goes by the column that was chosen', async () => {
    const lines = ['mobile,other', `${mobile(1)},${mobile(3)}`, `${mobile(2)},`];
    const work = await changed({ keep, phone: 1 }, undefined, { lines });
    await run('bulk-keep', work);
    expect((await all()).map(({ number }) => number)).toEqual(sent(3));
  });

  test('leaves out the row that was chosen for the names', async () => {
    await run('bulk-keep', await changed({ keep, header: 2 }));
    expect((await all()).map(({ number }) => number)).toEqual(sent(1, 2));
    expect((await all())[0]?.name).toBe('Reza');
    await run('bulk-keep', await changed({ keep, decided: null }));
    expect((await all())[0]?.name).toBe('Sara');
  });

  test('keeps nobody of a draft that is another by now, or asks for nobody', async () => {
    const work = await changed({ keep });
    await run('bulk-keep', { ...work, version: 1 });
    await run('bulk-keep', await changed({ keep: null }));
    const unread = await changed({ keep, phone: null, numbers: null });
    await run('bulk-keep', unread);
    expect((await bulkOf(unread)).keep).toEqual(keep);
    await run('bulk-keep', await changed({ keep, step: 'text' }));
    const other = await changed({ keep });
    expect((await run('bulk-keep', other, { meanwhile: edited(other) })).told).toEqual([5]);
    await expect(run('bulk-keep', await changed({ keep }), { meanwhile: broken })).rejects.toThrow('ours');
    expect(await all()).toEqual([]);
  });
});
