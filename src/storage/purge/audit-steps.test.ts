import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyAudit, type ChainHead } from '../audit-chain.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';

let storage: TestStorage;

beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage.close());

/** Rows of the audit as they were written so many days ago, one transaction each. */
async function write(chatId: string | null, daysAgo: readonly number[]): Promise<void> {
  for (const days of daysAgo)
    await storage.sql`
      insert into audit (chat_id, action, details, at)
      values (${chatId}, 'act', ${'{"days":1}'}::text::jsonb, now() - ${days} * interval '1 day')`;
}

const left = async (chatId: string): Promise<number> =>
  (await storage.sql`select 1 from audit where chat_id = ${chatId}`).length;
const headOf = async (chatId: string): Promise<ChainHead | undefined> =>
  (await verifyAudit(storage.sql)).heads.find((head) => head.chatId === chatId);
const first = (heads: readonly (ChainHead | undefined)[]) => heads.filter((head) => head !== undefined);

test('what is past its time goes from the beginning of each chain, in batches, and what is left is still proved', async () => {
  const [long, short, young] = [await storage.addChat(), await storage.addChat(), await storage.addChat()];
  const bulk = async (rows: number) =>
    await storage.sql`
      insert into audit (chat_id, action, details, at)
      select ${long.id}, 'act', '{}', now() - interval '50 days' from generate_series(1, ${rows}::int)`;
  await bulk(1000);
  const early = await headOf(long.id);
  await bulk(100);
  // A row whose transaction began earlier than that of the one before it goes only with that one.
  await write(long.id, [20, 60, 10]);
  await write(short.id, [45, 44]);
  await write(young.id, [5]);
  const late = await headOf(long.id);
  const ended = await headOf(short.id);

  expect(await storage.purge({ audit: 40 })).toEqual({ audit: 1102 });
  expect(await Promise.all([long, short, young].map(({ id }) => left(id)))).toEqual([3, 0, 1]);
  expect(await verifyAudit(storage.sql, first([late, ended]))).toMatchObject({
    gone: 1102,
    past: 0,
    broken: [],
  });
  // A chain of which nothing is left goes on where it ended.
  await write(short.id, [1, 0]);
  const report = await verifyAudit(storage.sql, first([early, late, ended]));
  expect(report).toMatchObject({ gone: 1102, past: 1, forgotten: 0, broken: [] });
  expect(report.heads.find(({ chatId }) => chatId === short.id)?.rows).toBe(4);
  // A head of lately that is not passed any more is no matter of time.
  const claimed = first([early]).map((head) => ({ ...head, at: new Date() }));
  expect((await verifyAudit(storage.sql, claimed)).broken).toMatchObject([{ chatId: long.id, why: 'head' }]);

  expect(await storage.audit(young.id)).toHaveLength(1);
  const noted =
    await storage.sql`select details from audit where chat_id is null and action = 'audit_purged'`;
  expect(noted).toEqual([{ details: { entries: 1102 } }]);
  expect(await storage.purge({ audit: 40 })).toEqual({});
});

test('the triggers let go of nothing else', async () => {
  const { sql } = storage;
  const chat = await storage.addChat();
  await write(chat.id, [50, 49, 3]);
  const links = await sql<{ id: number; audit_id: number; hash: Buffer }[]>`
    select id, audit_id, hash from audit_link where chat_id = ${chat.id} order by id`;
  const [one, two, three] = links;
  const only = 'audit rows are only ever added';
  await expect(sql`delete from audit_link where chat_id = ${chat.id}`).rejects.toThrow(only);
  await expect(sql`update audit set action = 'x' where chat_id = ${chat.id}`).rejects.toThrow(only);
  await expect(sql`update audit set details = '{}' where chat_id = ${chat.id}`).rejects.toThrow(only);
  await expect(sql`update audit_link set hash = '' where chat_id = ${chat.id}`).rejects.toThrow(only);
  await expect(sql`truncate audit cascade`).rejects.toThrow(only);
  const begin = async (rows: number, at: typeof one, hash = at?.hash) =>
    await sql`
      insert into audit_base (chat_id, rows, link_id, hash, until)
      select ${chat.id}, ${rows}, ${at?.id ?? 0}, ${hash ?? null}, at from audit where id = ${at?.audit_id ?? 0}`;
  const there = 'cannot begin there';
  await expect(begin(3, two)).rejects.toThrow(there);
  await expect(begin(2, two, one?.hash)).rejects.toThrow(there);
  await expect(begin(3, three)).rejects.toThrow(there);
  await begin(2, two);
  await expect(sql`delete from audit_base`).rejects.toThrow('not taken back');
  await expect(sql`delete from audit where id = ${two?.audit_id ?? 0}`).rejects.toThrow();
  await expect(sql`delete from audit_link where id = ${three?.id ?? 0}`).rejects.toThrow(only);
  await expect(
    sql`update audit_base set rows = 1, link_id = ${one?.id ?? 0}, hash = ${one?.hash ?? null} where chat_id = ${chat.id}`,
  ).rejects.toThrow(there);
});
