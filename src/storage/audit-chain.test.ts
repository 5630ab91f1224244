import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TransactionSql } from 'postgres';
import { verifyAudit, type ChainReport } from './audit-chain.ts';
import { openTestStorage, type TestStorage } from './testing.ts';

let storage: TestStorage;
let chats: readonly string[];

beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage.close());

beforeEach(async () => {
  chats = [(await storage.addChat()).id, (await storage.addChat()).id];
});

const add = async (chatId: string | null, n: number, details: Record<string, unknown> = {}) =>
  await storage.audits.add({ chatId, personId: n, updateId: n, action: `act_${n}`, details });

/** Does harm that the triggers would refuse, looks, and takes it back. */
async function afterHarm(
  harm: (tx: TransactionSql) => Promise<unknown>,
  look: () => Promise<ChainReport>,
): Promise<ChainReport> {
  await storage.sql.unsafe(`
    create table kept_audit as select * from audit; create table kept_link as select * from audit_link;
    alter table audit disable trigger user; alter table audit_link disable trigger user;
    alter table audit_link drop constraint audit_link_audit_id_audit_id_fk`);
  try {
    await storage.sql.begin(async (tx) => {
      await harm(tx);
    });
    return await look();
  } finally {
    await storage.sql.unsafe(`
      delete from audit_link; delete from audit;
      insert into audit overriding system value select * from kept_audit;
      insert into audit_link overriding system value select * from kept_link;
      alter table audit_link add constraint audit_link_audit_id_audit_id_fk foreign key (audit_id) references audit (id);
      alter table audit enable trigger user; alter table audit_link enable trigger user;
      drop table kept_audit; drop table kept_link`);
  }
}

const idsOf = async (chatId: string): Promise<number[]> => {
  const rows = await storage.sql<
    { id: number }[]
  >`select id from audit where chat_id = ${chatId} order by id`;
  return rows.map(({ id }) => id);
};

test('rows of several chats and of none are chained as they are written, and hold', async () => {
  for (let n = 1; n <= 4; n += 1) {
    await add(chats[n % 2] ?? '', n, { text: 'سلام «x» \u0007', nested: { list: [1, 2.5, null] } });
    await add(null, n);
  }
  const { heads, broken } = await verifyAudit(storage.sql);
  expect(broken).toEqual([]);
  const own = heads.filter(({ chatId }) => chatId === null || chats.includes(chatId));
  expect(own.map(({ rows }) => rows)).toEqual([expect.any(Number), 2, 2]);
  for (const { hash } of heads) expect(hash).toMatch(/^[0-9a-f]{64}$/u);
});

test('those who write at the same moment get one chain, and a transaction that is given up leaves no link', async () => {
  const [chat = ''] = chats;
  const given = storage.sql.begin(async (tx) => {
    await tx`insert into audit (chat_id, action, details) values (${chat}, 'never', '{}')`;
    throw new Error('given up');
  });
  await expect(given).rejects.toThrow('given up');
  await Promise.all(Array.from({ length: 30 }, (_, n) => add(chat, n)));
  const { heads, broken } = await verifyAudit(storage.sql);
  expect(broken).toEqual([]);
  expect(heads.find(({ chatId }) => chatId === chat)).toMatchObject({ rows: 30 });
});

test('a time zone of the session changes nothing', async () => {
  const [chat = ''] = chats;
  await storage.sql.begin(async (tx) => {
    await tx`set local time zone 'Asia/Tehran'`;
    await tx`insert into audit (chat_id, action, details) values (${chat}, 'elsewhere', '{}')`;
  });
  expect((await verifyAudit(storage.sql)).broken).toEqual([]);
});

describe('whoever owns the database', () => {
  const place = fc.integer({ min: 0, max: 5 });
  const harms = fc.oneof(
    fc.record({
      what: fc.constant('change' as const),
      place,
      column: fc.constantFrom(
        "action = action || 'x'",
        'person_id = person_id + 1',
        'person_id = null',
        'update_id = update_id + 1',
        "at = at + interval '1 microsecond'",
        `details = details || '{"more": 1}'`,
        'chat_id = null',
      ),
    }),
    fc.record({ what: fc.constant('delete' as const), place: fc.integer({ min: 0, max: 4 }) }),
    fc.record({ what: fc.constant('delete with link' as const), place: fc.integer({ min: 0, max: 4 }) }),
    fc.record({ what: fc.constant('swap' as const), place: fc.integer({ min: 0, max: 4 }) }),
    fc.record({ what: fc.constant('insert' as const), place }),
    fc.record({ what: fc.constant('unlink' as const), place }),
  );

  test('changes, takes out, moves or slips in no row that is not found, and it is the first', async () => {
    const [chat = '', other = ''] = chats;
    for (let n = 0; n < 6; n += 1) {
      await add(chat, n);
      await add(other, n);
    }
    const ids = await idsOf(chat);
    await fc.assert(
      fc.asyncProperty(harms, async (harm) => {
        const [id = '', next = ''] = [ids[harm.place], ids[harm.place + 1]];
        const report = await afterHarm(
          async (tx) => {
            switch (harm.what) {
              case 'change':
                return await tx.unsafe(`update audit set ${harm.column} where id = ${id}`);
              case 'delete':
                return await tx`delete from audit where id = ${id}`;
              case 'delete with link':
                await tx`delete from audit_link where audit_id = ${id}`;
                return await tx`delete from audit where id = ${id}`;
              case 'swap':
                await tx`update audit_link set audit_id = -1 where audit_id = ${id}`;
                await tx`update audit_link set audit_id = ${id} where audit_id = ${next}`;
                return await tx`update audit_link set audit_id = ${next} where audit_id = -1`;
              case 'insert':
                return await tx`insert into audit (chat_id, action, details) values (${chat}, 'slipped', '{}')`;
              case 'unlink':
                return await tx`delete from audit_link where audit_id = ${id}`;
            }
          },
          async () => await verifyAudit(storage.sql),
        );
        const found = report.broken.filter(({ chatId }) => chatId === chat);
        expect(found).toHaveLength(1);
        expect(report.broken.some(({ chatId }) => chatId === other)).toBe(false);
        if (harm.what === 'change' || harm.what === 'delete') expect(found[0]?.auditId).toBe(id);
        if (harm.what === 'delete with link') expect(found[0]?.auditId).toBe(next);
      }),
      { numRuns: 60 },
    );
    expect((await verifyAudit(storage.sql)).broken).toEqual([]);
  });

  test('cuts rows off the end unseen, but not past a head that was written down', async () => {
    const [chat = ''] = chats;
    for (let n = 0; n < 4; n += 1) await add(chat, n);
    const { heads } = await verifyAudit(storage.sql);
    const [last = ''] = (await idsOf(chat)).slice(-1);
    const cut = async (tx: TransactionSql) => {
      await tx`delete from audit_link where audit_id = ${last}`;
      await tx`delete from audit where id = ${last}`;
    };
    const blind = await afterHarm(cut, async () => await verifyAudit(storage.sql));
    expect(blind.broken).toEqual([]);
    const seen = await afterHarm(cut, async () => await verifyAudit(storage.sql, heads));
    expect(seen.broken).toEqual([{ chatId: chat, why: 'head', auditId: null, at: null }]);
    for (let n = 4; n < 6; n += 1) await add(chat, n);
    expect((await verifyAudit(storage.sql, heads)).broken).toEqual([]);
  });

  test('makes all hashes anew after a change, which a head that was written down shows', async () => {
    const [chat = ''] = chats;
    for (let n = 0; n < 3; n += 1) await add(chat, n);
    const { heads } = await verifyAudit(storage.sql);
    const [first = ''] = await idsOf(chat);
    const forge = async (tx: TransactionSql) => {
      await tx`update audit set action = 'something else' where id = ${first}`;
      await tx`delete from audit_link where chat_id = ${chat}`;
      for (const id of await idsOf(chat)) await tx`select link_audit(a) from audit a where id = ${id}`;
    };
    const report = await afterHarm(forge, async () => await verifyAudit(storage.sql, heads));
    expect(report.broken).toEqual([{ chatId: chat, why: 'head', auditId: null, at: null }]);
    expect((await afterHarm(forge, async () => await verifyAudit(storage.sql))).broken).toEqual([]);
  });
});
