import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FIRST_KINDS } from '../../domain/alerts.ts';
import { Secret } from '../../domain/secret.ts';
import { createAccountStore } from './account-store.ts';
import type { Stores } from '../stores.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';

let storage: TestStorage;
let accounts: Stores['accounts'];
let place: Awaited<ReturnType<TestStorage['addPlace']>>;

beforeAll(async () => {
  storage = await openTestStorage();
  accounts = createAccountStore(storage.database);
});
beforeEach(async () => {
  place = await storage.addPlace();
});
// What a test has left due must not be claimed by the next one.
afterEach(async () => void (await storage.sql`update account set due_at = null`));
afterAll(() => storage.close());

const idOf = async (bindingId = place.bindingId): Promise<string> => {
  const id = await accounts.ofBinding(bindingId);
  if (id === null) throw new Error('no account');
  return id;
};

async function row(id: string) {
  const [found] = await storage.sql<
    {
      due: boolean;
      binding_id: string;
      lease_owner: string | null;
      inbox_in_ms: number | null;
      inbox_total: number | null;
      failures: number;
      failing: boolean;
    }[]
  >`
    select due_at is not null as due, binding_id, lease_owner, inbox_total, failures, failing_since is not null as failing,
      (extract(epoch from inbox_due_at - now()) * 1000)::float8 as inbox_in_ms from account where id = ${id}`;
  if (found === undefined) throw new Error('no row');
  return found;
}

const linkAs = async (chatId: string, ownerId: number, accountName: string, key: string): Promise<string> => {
  const bindingId = await storage.bindings.savePending({
    chatId,
    personId: ownerId,
    credentials: { apiKey: new Secret(key) },
    keyTail: 'tail',
    accountName,
  });
  await storage.bindings.activate({ bindingId, personId: ownerId, updateId: storage.next() });
  return bindingId;
};

describe('the account of a binding', () => {
  test('is there as soon as the binding is live, due at once, with the chat as the place of its alerts', async () => {
    expect(await row(await idOf())).toMatchObject({ due: true, lease_owner: null });
    const destinations = await storage.sql`
      select telegram_id, kinds from sink where chat_id = ${place.chat.id}`;
    expect(destinations).toEqual([{ telegram_id: null, kinds: [...FIRST_KINDS] }]);
  });

  test('sleeps when the chat is unlinked, and what stood about it is over', async () => {
    const id = await idOf();
    await storage.sql`
      insert into alarm (chat_id, account_id, kind) values (${place.chat.id}, ${id}, 'gateway')`;
    await storage.bindings.disconnect(place.chat.id, place.ownerId, storage.next());
    expect(await row(id)).toMatchObject({ due: false });
    expect(await storage.sql`select 1 from alarm where account_id = ${id} and ended_at is null`).toHaveLength(
      0,
    );
    expect(await accounts.claim('p1', 9, 25)).toEqual([]);
  });

  test('is the same one when the account of that name is linked again, and is looked at from the beginning', async () => {
    const id = await idOf();
    await storage.sql`update account set inbox_total = 7 where id = ${id}`;
    const again = await storage.link(place.chat.id, place.ownerId);
    expect(await idOf(again)).toBe(id);
    expect(await row(id)).toMatchObject({ due: true, binding_id: again, inbox_total: null });
    expect(await storage.sql`select 1 from sink where chat_id = ${place.chat.id}`).toHaveLength(1);
  });

  test('is the same one when its key is, whatever it is called, and a nameless one is known by its key too', async () => {
    const first = await linkAs(place.chat.id, place.ownerId, '', 'nameless-key-1');
    const id = await idOf(first);
    const second = await linkAs(place.chat.id, place.ownerId, 'Now with a name', 'nameless-key-1');
    expect(await idOf(second)).toBe(id);
    const other = await linkAs(place.chat.id, place.ownerId, '', 'nameless-key-2');
    expect(await idOf(other)).not.toBe(id);
  });

  test('of another name is another one, and the one before sleeps', async () => {
    const id = await idOf();
    const other = await linkAs(place.chat.id, place.ownerId, 'Other', 'other-key-123456');
    expect(await row(id)).toMatchObject({ due: false });
    expect(await row(await idOf(other))).toMatchObject({ due: true });
  });

  test('is made for a binding of an earlier version of Peyk', async () => {
    await storage.sql`delete from account where binding_id = ${place.bindingId}`;
    expect(await accounts.adopt()).toBe(1);
    expect(await row(await idOf())).toMatchObject({ due: true });
    expect(await accounts.adopt()).toBe(0);
  });

  test('keeps the places of alerts that the chat has chosen', async () => {
    await storage.sql`update sink set kinds = '{digest}', telegram_id = -77 where chat_id = ${place.chat.id}`;
    await storage.link(place.chat.id, place.ownerId);
    const destinations = await storage.sql`select kinds from sink where chat_id = ${place.chat.id}`;
    expect(destinations).toEqual([{ kinds: ['digest'] }]);
  });
});

describe('a claim', () => {
  test('has the details read of whoever the gateway was not asked for yet: a binding of an earlier version of Peyk', async () => {
    const due = async () => {
      await storage.sql`update account set lease_owner = null, lease_until = null`;
      const [work] = await accounts.claim('p1', 9, 25);
      return work?.due.details;
    };
    await storage.sql`update account set details_due_at = now() + interval '1 hour' where id = ${await idOf()}`;
    expect(await due()).toBe(false);
    await storage.sql`update binding set user_marks = null where id = ${place.bindingId}`;
    expect(await due()).toBe(true);
    await storage.bindings.identify(place.bindingId, {});
    expect(await due()).toBe(false);
  });

  test('tells what is due, and nobody else gets the account while it is held', async () => {
    const id = await idOf();
    const [work] = await accounts.claim('p1', 9, 25);
    expect(work).toMatchObject({
      accountId: id,
      chatId: place.chat.id,
      bindingId: place.bindingId,
      due: { inbox: true, credit: true, details: true },
      inboxReadAt: null,
      sinceInboxOkMs: null,
      inboxTotal: null,
      newestFirst: null,
      failures: 0,
      marksRead: false,
      receivingAt: null,
    });
    expect(await accounts.claim('p2', 9, 25)).toEqual([]);
    expect(await accounts.renew(id, 'p2', 25)).toBe(false);
    expect(await accounts.renew(id, 'p1', 25)).toBe(true);
  });

  test('of many processes at once gives each account to one of them', async () => {
    for (let n = 0; n < 19; n += 1) await storage.addPlace();
    const all = await Promise.all(Array.from({ length: 8 }, (_, n) => accounts.claim(`p${n}`, 4, 25)));
    const ids = all.flat().map(({ accountId }) => accountId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(20);
    expect(all.every((each) => each.length <= 4)).toBe(true);
  });

  test('takes over what a dead process held when its lease is over, within 30 seconds', async () => {
    const id = await idOf();
    await storage.sql`update account set inbox_total = 7 where id = ${id}`;
    expect(await accounts.claim('dead', 9, 25)).toMatchObject([{ inboxTotal: 7 }]);
    await storage.sql`update account set lease_until = lease_until - interval '24 seconds' where id = ${id}`;
    expect(await accounts.claim('p2', 9, 25)).toEqual([]);
    await storage.sql`update account set lease_until = lease_until - interval '2 seconds' where id = ${id}`;
    // It may have stored half of what it saw: the count that is known says nothing any more.
    expect(await accounts.claim('p2', 9, 25)).toMatchObject([{ accountId: id, inboxTotal: null }]);
    expect(await accounts.renew(id, 'dead', 25)).toBe(false);
    // What the dead one would still write down is nothing any more.
    await accounts.end(id, 'dead', { next: { inboxMs: 5 }, inboxTotal: 99 });
    expect(await row(id)).toMatchObject({ lease_owner: 'p2', inbox_total: 7 });
  });

  test('is given back as it is by a process that stops', async () => {
    const id = await idOf();
    await storage.sql`update account set inbox_total = 7 where id = ${id}`;
    await accounts.claim('p1', 9, 25);
    await accounts.release('p1');
    expect(await accounts.claim('p2', 9, 25)).toMatchObject([{ accountId: id, inboxTotal: null }]);
  });
});

describe('the end of a poll', () => {
  test('writes down what is next, and only that', async () => {
    const id = await idOf();
    await accounts.claim('p1', 9, 25);
    await accounts.end(id, 'p1', {
      next: { inboxMs: 60_000, creditMs: 120_000, detailsMs: 180_000 },
      inboxTotal: 5,
      newestFirst: true,
      auditedOn: '2026-11-24',
      readWhole: true,
      inboxOk: true,
      ok: true,
    });
    expect(await accounts.claim('p1', 9, 25)).toEqual([]);
    await storage.sql`update account set due_at = now(), inbox_due_at = now() where id = ${id}`;
    const [work] = await accounts.claim('p1', 9, 25);
    expect(work).toMatchObject({
      due: { inbox: true, credit: false, details: false },
      inboxTotal: 5,
      newestFirst: true,
      auditedOn: '2026-11-24',
      inboxReadAt: expect.any(Date),
      sinceInboxOkMs: expect.any(Number),
    });
    await accounts.end(id, 'p1', { next: { inboxMs: 30_000 } });
    const [after] = await storage.sql<{ soon: boolean; kept: boolean }[]>`
      select due_at = inbox_due_at as soon, newest_first and inbox_total = 5 as kept from account where id = ${id}`;
    expect(after).toEqual({ soon: true, kept: true });
  });

  test('counts polls without an answer until the next good one, and not those that asked nothing', async () => {
    const id = await idOf();
    for (const ok of [false, false, undefined] as const) {
      await storage.sql`update account set due_at = now() where id = ${id}`;
      await accounts.claim('p1', 9, 25);
      await accounts.end(id, 'p1', { next: { inboxMs: 0 }, ...(ok === undefined ? {} : { ok }) });
    }
    expect(await row(id)).toMatchObject({ failures: 2, failing: true });
    await accounts.claim('p1', 9, 25);
    await accounts.end(id, 'p1', { next: {}, ok: true });
    expect(await row(id)).toMatchObject({ failures: 0, failing: false });
  });

  test('puts an inbox that cannot be read aside, and an account to sleep whose binding has ended', async () => {
    const id = await idOf();
    await accounts.claim('p1', 9, 25);
    await accounts.end(id, 'p1', { next: { inboxMs: null, creditMs: 0, detailsMs: 50_000 } });
    expect(await row(id)).toMatchObject({ inbox_in_ms: null, due: true });
    expect((await accounts.claim('p1', 9, 25))[0]?.due).toEqual({
      inbox: false,
      credit: true,
      details: false,
    });
    await storage.sql`update binding set state = 'gone' where id = ${place.bindingId}`;
    await accounts.end(id, 'p1', { next: {} });
    expect(await row(id)).toMatchObject({ due: false, lease_owner: null });
  });
});

test('an intent to fetch stays until it is taken back, from the time when it was first written', async () => {
  const id = await idOf();
  await accounts.receiving(id, true);
  const [first] = await storage.sql`select receiving_at from account where id = ${id}`;
  await accounts.receiving(id, true);
  expect(await storage.sql`select receiving_at from account where id = ${id}`).toEqual([first]);
  const [work] = await accounts.claim('p1', 9, 25);
  expect(work?.receivingAt).toBeInstanceOf(Date);
  await accounts.receiving(id, false);
  expect(await storage.sql`select receiving_at from account where id = ${id}`).toEqual([
    { receiving_at: null },
  ]);
});

test('settings change one by one', async () => {
  const id = await idOf();
  expect(await accounts.settings(id)).toEqual({
    marksRead: false,
    optOutLines: [],
    firstCreditRial: null,
    status: null,
    expiresAt: null,
  });
  const expiresAt = new Date('2027-01-01T00:00:00Z');
  await accounts.change(id, { marksRead: true, firstCreditRial: 9_000_000_000_000 });
  await accounts.change(id, { optOutLines: ['3000123456'], expiresAt, status: 'rep' });
  await accounts.change(id, { status: null });
  expect(await accounts.settings(id)).toEqual({
    marksRead: true,
    optOutLines: ['3000123456'],
    firstCreditRial: 9_000_000_000_000,
    status: null,
    expiresAt,
  });
});

describe('an inbox that nobody reads', () => {
  const after = { lateSeconds: 30, refusedSeconds: 900 };
  const stalled = async () => (await accounts.stalled(after)).map(({ accountId }) => accountId);

  test('is found when it is late and nobody is at it', async () => {
    const id = await idOf();
    expect(await stalled()).not.toContain(id);
    const late = async () =>
      await storage.sql`
        update account set due_at = now() - interval '31 seconds', inbox_due_at = now() - interval '31 seconds' where id = ${id}`;
    await late();
    expect(await accounts.stalled(after)).toEqual([
      { accountId: id, chatId: place.chat.id, since: expect.any(Date) },
    ]);
    await accounts.claim('p1', 9, 25);
    expect(await stalled()).not.toContain(id);
    await accounts.end(id, 'p1', { next: { inboxMs: 1000 } });
    expect(await stalled()).not.toContain(id);
  });

  test('is found when it was refused for long, but not when the gateway is away or it cannot be read at all', async () => {
    const id = await idOf();
    await storage.sql`
      update account set inbox_ok_at = now() - interval '16 minutes', inbox_due_at = now() + interval '1 minute' where id = ${id}`;
    expect(await stalled()).toContain(id);
    await storage.sql`update account set failing_since = now() where id = ${id}`;
    expect(await stalled()).not.toContain(id);
    await storage.sql`update account set failing_since = null, inbox_due_at = null where id = ${id}`;
    expect(await stalled()).not.toContain(id);
  });

  test('is known by its alarm until that ends', async () => {
    const id = await idOf();
    await storage.sql`
      insert into alarm (chat_id, account_id, kind, subject) values (${place.chat.id}, ${id}, 'inbox', 'stalled')`;
    expect(await accounts.alarmed('stalled')).toEqual([{ accountId: id, chatId: place.chat.id }]);
    expect(await accounts.alarmed('counts')).toEqual([]);
    await storage.sql`update alarm set ended_at = now() where account_id = ${id}`;
    expect(await accounts.alarmed('stalled')).toEqual([]);
  });
});
