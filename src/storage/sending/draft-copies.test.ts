import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copyDraft } from './draft-copies.ts';
import { createReconcileStore } from './reconcile-store.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';

/* Copies are held against the tables as they are: a column that is added tomorrow is filled and compared as well. */

let storage: TestStorage;
let place: Awaited<ReturnType<TestStorage['addPlace']>>;

beforeAll(async () => {
  storage = await openTestStorage();
  place = await storage.addPlace();
});
afterAll(() => storage.close());

type Row = Readonly<Record<string, unknown>>;

/** What no column has by default and no other row has either, as Postgres reads it. */
const SAMPLES: Readonly<Record<string, (nth: number) => string>> = {
  text: (nth) => `word ${nth}`,
  integer: String,
  bigint: String,
  boolean: () => 'true',
  uuid: () => randomUUID(),
  bytea: (nth) => `\\x${nth.toString(16).padStart(8, '0')}`,
  jsonb: (nth) => `{"n": ${nth}}`,
  'text[]': (nth) => `{word ${nth}}`,
  'timestamp with time zone': (nth) => new Date(Date.UTC(2031, 0, nth)).toISOString(),
};

/** Fills every column of one row but those that are given, and returns it as it is then. */
async function filled(table: string, id: string, but: readonly string[]): Promise<Row> {
  const columns = await storage.sql<{ name: string; type: string }[]>`
    select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`;
  for (const { name, type } of columns) {
    if (but.includes(name)) continue;
    const value = SAMPLES[type]?.(storage.next());
    if (value === undefined) throw new Error(`no sample of ${type} for ${name}`);
    await storage.sql`
      update ${storage.sql(table)} set ${storage.sql(name)} = ${value}::text::${storage.sql.unsafe(type)} where id = ${id}`;
  }
  return await rowOf(table, id);
}

async function rowOf(table: string, id: string): Promise<Row> {
  const [row] = await storage.sql<Row[]>`select * from ${storage.sql(table)} where id = ${id}`;
  return row ?? {};
}

/** The columns in which a copy is another than what it was made from. */
const otherIn = (origin: Row, copy: Row): string[] =>
  Object.keys(origin)
    .filter((name) => JSON.stringify(origin[name]) !== JSON.stringify(copy[name]))
    .toSorted();

const KEYS = ['id', 'chat_id', 'binding_id'];

async function draftWithAll() {
  const { id } = await storage.drafts.create(storage.draftIn(place));
  return { id, row: await filled('draft', id, KEYS) };
}

describe('a draft that is copied', () => {
  test('has every column of the first but its key, its card and how it stands', async () => {
    const { id, row } = await draftWithAll();
    const copy = randomUUID();
    await storage.sql.begin(async (tx) => await copyDraft(tx, id, { id: copy, but: ['n'] }));
    const made = await rowOf('draft', copy);
    expect(otherIn(row, made)).toEqual([
      'blocked',
      'call_message_id',
      'card_message_id',
      'card_shown_by',
      'code',
      'created_at',
      'details',
      'expires_at',
      'id',
      'panel',
      'shown_row',
      'source_update',
      'state',
      'version',
    ]);
    expect(made).toMatchObject({
      code: expect.stringMatching(/^A\d+$/) as string,
      state: 'open',
      version: 1,
      details: {},
      source_update: null,
    });
  });

  test('has the rows of its file, whole', async () => {
    const { id } = await storage.drafts.create(storage.draftIn(place));
    await storage.sql`insert into bulk_source (draft_id, block, rows) values (${id}, 3, '[[1, ["x"]]]')`;
    await storage.sql`insert into bulk_skipped (draft_id, block, rows) values (${id}, 4, '[[2, "y", "invalid"]]')`;
    await storage.sql`
      insert into bulk_call (draft_id, chunk, recipients, texts, row_numbers, payload_sha256)
      values (${id}, 5, '{989120000001}', '{Hi}', '{1}', '\\x01')`;
    const copy = randomUUID();
    await storage.sql.begin(async (tx) => await copyDraft(tx, id, { id: copy, but: [] }));
    for (const table of ['bulk_source', 'bulk_skipped', 'bulk_call']) {
      const of = async (draftId: string) =>
        await storage.sql<Row[]>`
          select to_jsonb(t) - 'draft_id' as row from ${storage.sql(table)} t where draft_id = ${draftId}`;
      expect(await of(copy), table).toEqual(await of(id));
      expect(await of(copy), table).toHaveLength(1);
    }
  });
});

describe('a draft that sends part of another again', () => {
  /** What it is made with, and so not taken from the other. */
  const MADE = [
    'author_id',
    'blocked',
    'bot_id',
    'call_message_id',
    'card_message_id',
    'card_shown_by',
    'code',
    'created_at',
    'details',
    'expires_at',
    'flash',
    'id',
    'invalid',
    'kind',
    'lang',
    'line',
    'panel',
    'recipients',
    'recur',
    'repeated',
    'send_at',
    'shown_row',
    'source_update',
    'state',
    'text',
    'thread_id',
    'version',
  ];

  test('of those whom it did not reach has whatever else that one has', async () => {
    const { id, row } = await draftWithAll();
    const resendOf = { draftId: id, code: 'A1', unknown: 0, blocked: 0 };
    const again = await storage.drafts.create(storage.draftIn(place, { resendOf }));
    expect(otherIn(row, await rowOf('draft', again.id))).toEqual(MADE);
  });

  test('of those in doubt has the same but the tag', async () => {
    const { jobId, draftId } = await storage.addRunningJob(place);
    const row = await filled('draft', draftId, KEYS);
    const [call] = await storage.sql<{ id: string }[]>`select id from attempt where job_id = ${jobId}`;
    const again = await storage.drafts.create(storage.draftIn(place, { resends: [call?.id ?? ''] }));
    expect(otherIn(row, await rowOf('draft', again.id))).toEqual([...MADE, 'tag'].toSorted());
  });
});

test('what is found of a call has every column of the call but its outcome and its messages', async () => {
  const recipients = ['989120000001', '989120000002'];
  const { jobId } = await storage.addRunningJob(place, { recipients });
  const [call] = await storage.sql<{ id: string }[]>`
    update attempt set state = 'unknown' where job_id = ${jobId} returning id`;
  const id = call?.id ?? '';
  const kept = [
    'id',
    'job_id',
    'binding_id',
    'chunk',
    'n',
    'state',
    'recipients',
    'message_keys',
    'messages',
  ];
  const row = await filled('attempt', id, kept);
  const asked = await createReconcileStore(storage.database).ask(id, {
    found: [{ recipient: recipients[0] ?? '', messageId: `${storage.next()}` }],
    blocked: [],
    absent: recipients.slice(1),
    proven: false,
    look: null,
  });
  expect(asked).toBe(true);
  const [found] = await storage.sql<Row[]>`select * from attempt where job_id = ${jobId} and id <> ${id}`;
  expect(otherIn(row, found ?? {})).toEqual([
    'blocked',
    'checks',
    'chunk',
    'gateway_code',
    'id',
    'last_look',
    'message_ids',
    'message_keys',
    'outcome',
    'recipients',
    'settled_by',
    'shared',
    'size',
    'state',
    'uncounted',
  ]);
});
