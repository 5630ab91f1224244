import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMemoryLog } from '../../../test/support/memory-log.ts';
import { AppError } from '../../domain/errors.ts';
import { Secret } from '../../domain/secret.ts';
import { createGateway } from '../../gateway/compose.ts';
import type { Condition } from '../../ports/alerts.ts';
import type { Facets, SmsGateway } from '../../ports/gateway.ts';
import { startSandbox, type Sandbox } from '../../sandbox/server.ts';
import { createAccountStore } from '../../storage/accounts/account-store.ts';
import { createInboundStore } from '../../storage/inbox/inbound-store.ts';
import type { Stores } from '../../storage/stores.ts';
import { openTestStorage, type TestStorage } from '../../storage/testing.ts';
import { pollAccount, type PollDeps } from './poll-account.ts';

/* One account of the sandbox, polled over HTTP into a real database. */

const LINE = '3000123456';
const OTHER = '50001234';
const DAY_MS = 86_400_000;

let sandbox: Sandbox;
let storage: TestStorage;
let accounts: Stores['accounts'];
let inbound: Stores['inbound'];
let gateway: SmsGateway;
let place: Awaited<ReturnType<TestStorage['addPlace']>>;
let accountId: string;
let username: string;
let conditions: Condition[];
let notes: Parameters<Stores['alarms']['tell']>[0][];
let made = 0;
let said = 0;
let now: Date;

beforeAll(async () => {
  sandbox = await startSandbox();
  storage = await openTestStorage();
  accounts = createAccountStore(storage.database);
  inbound = createInboundStore(storage.database);
});
beforeEach(async () => {
  made += 1;
  username = `shop${made}`;
  const account = { username, password: 'p', apiKey: `key-of-${username}`, token: `token-of-${username}` };
  sandbox.world.addAccount({ ...account, lines: [LINE, OTHER], credit: 1000 });
  gateway = createGateway({
    baseUrl: sandbox.baseUrl,
    wsUrl: sandbox.wsUrl,
    versions: [3],
    credentials: { apiKey: new Secret(account.apiKey) },
  });
  place = await storage.addPlace();
  accountId = (await accounts.ofBinding(place.bindingId)) ?? '';
  conditions = [];
  notes = [];
  said = 0;
  now = new Date();
});
afterEach(async () => {
  await storage.sql`update account set due_at = null`;
  sandbox.world.setSwitches({
    lagMs: 0,
    cap: null,
    shuffled: false,
    oldestFirst: false,
    hidesRead: false,
    inboxIds: 'own',
  });
  sandbox.faults.clear();
  await gateway.close();
});
afterAll(async () => {
  await sandbox.close();
  await storage.close();
});

function theirs() {
  const account = sandbox.world.account(username);
  if (account === undefined) throw new Error('no account');
  return account;
}

function receive(count: number, more: { line?: string; from?: string; ageMs?: number } = {}): void {
  const at = sandbox.world.now() - (more.ageMs ?? 0);
  for (let n = 0; n < count; n += 1) {
    const text = `message ${said}`;
    said += 1;
    sandbox.world.receive(theirs(), {
      from: more.from ?? '9121110001',
      line: more.line ?? LINE,
      text,
      at: at - (count - n) * 1000,
    });
  }
}

/** Claims the account, which is made due, and polls it. */
async function poll(more: Partial<PollDeps> = {}, inbox: Partial<Facets['inbox']> = {}): Promise<void> {
  await storage.sql`
    update account set due_at = now(), inbox_due_at = case when inbox_due_at is not null then now() end where id = ${accountId}`;
  const [work] = await accounts.claim('p1', 1, 25);
  if (work === undefined) throw new Error('it was not due');
  const real = gateway.has('inbox') ? gateway.use('inbox') : {};
  const watched: SmsGateway = {
    ...gateway,
    use: <F extends keyof Facets>(facet: F): Facets[F] =>
      facet === 'inbox' ? ({ ...real, ...inbox } as Facets[F]) : gateway.use(facet),
  };
  await pollAccount(
    {
      accounts,
      inbound,
      alarms: {
        find: async (condition) => {
          conditions.push(condition);
          return 'same';
        },
        tell: async (note) => void notes.push(note),
      },
      gateways: { of: async () => watched },
      evaluator: async () => undefined,
      clock: { now: () => now, monotonic: () => performance.now(), sleep: async () => undefined },
      log: createMemoryLog(),
      timeZone: 'Asia/Tehran',
      inboxSeconds: 15,
      creditSeconds: 300,
      random: () => 0,
      ...more,
    },
    work,
    'p1',
    async () => await accounts.renew(accountId, 'p1', 25),
  );
}

const stored = async (): Promise<string[]> => {
  const rows = await storage.sql<
    { text: string }[]
  >`select text from inbound where account_id = ${accountId} order by id`;
  return rows.map(({ text }) => text);
};
const listed = (): string[] => theirs().inbox.map(({ text }) => text);
const row = async () => {
  const [found] = await storage.sql<
    {
      failures: number;
      total: number | null;
      newest: boolean | null;
      inbox_ms: number | null;
      audited: string | null;
    }[]
  >`
    select failures, inbox_total as total, newest_first as newest, audited_on as audited,
      (extract(epoch from inbox_due_at - now()) * 1000)::float8 as inbox_ms from account where id = ${accountId}`;
  if (found === undefined) throw new Error('no account');
  return found;
};
const notifications = async (): Promise<number> =>
  (
    await storage.sql`select 1 from notice n join sink s on s.id = n.sink_id where s.chat_id = ${place.chat.id}`
  ).length;
const calls = (operation: string): number =>
  sandbox.ledger.hits().filter((hit) => hit.account === username && hit.operation === operation).length;

describe('an inbox of three pages', () => {
  test.each([
    ['as it comes', {}],
    ['the oldest first', { oldestFirst: true }],
    ['with shuffled pages', { shuffled: true }],
    ['without ids', { inboxIds: 'missing' }],
    ['with ids that two messages share', { inboxIds: 'shared' }],
    ['in lists of 70 at most', { cap: 70 }],
  ] as const)('is stored as a whole, each message once: %s', async (_, switches) => {
    receive(450);
    sandbox.world.setSwitches(switches);
    await poll();
    expect((await stored()).toSorted()).toEqual(listed().toSorted());
    // What was there before is told as one.
    expect(await notifications()).toBe(1);
    receive(3);
    await poll();
    expect((await stored()).toSorted()).toEqual(listed().toSorted());
    expect(await notifications()).toBe(4);
  });

  test('is stored although others read, delete and write while it is being looked through', async () => {
    receive(450);
    let looks = 0;
    await poll(
      {},
      {
        page: async (query) => {
          const page = await gateway.use('inbox').page(query);
          looks += 1;
          receive(2, { line: OTHER });
          await gateway.use('inbox').receive();
          if (looks === 2) theirs().inbox.splice(-5, 1);
          return page;
        },
      },
    );
    await poll();
    expect(new Set(await stored())).toEqual(new Set([...listed(), ...(await stored())]));
    for (const text of listed()) expect(await stored()).toContain(text);
    expect(new Set(await stored()).size).toBe((await stored()).length);
  });
});

test('a message that somebody else has fetched and marked read is stored and told all the same', async () => {
  await poll();
  receive(1);
  await gateway.use('inbox').receive();
  await poll();
  expect(await stored()).toEqual(['message 0']);
  expect(await notifications()).toBe(1);
  expect(calls('receive')).toBe(1);
});

test('a look at an inbox without news is one call and is due again by the time since its last message', async () => {
  receive(250, { ageMs: 3_600_000 });
  await poll();
  await poll();
  const before = calls('inboxpaged');
  await poll();
  expect(calls('inboxpaged')).toBe(before + 1);
  const { inbox_ms: ms, total, newest } = await row();
  expect(total).toBe(250);
  expect(newest).toBe(true);
  expect(ms).toBeGreaterThan(170_000);
  expect(ms).toBeLessThan(185_000);
  receive(1);
  await poll();
  expect((await row()).inbox_ms).toBeLessThanOrEqual(15_000);
});

describe('a gateway that fails', () => {
  const away = async (): Promise<never> => {
    throw new AppError('gateway_no_answer', 'nothing came');
  };

  test('is asked less and less often, an alarm stands from the third time on, and the next good answer ends it', async () => {
    receive(1);
    const pauses: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      await poll({}, { page: away });
      pauses.push(Math.round(((await row()).inbox_ms ?? 0) / 1000));
    }
    expect(pauses).toEqual([30, 60, 120, 240]);
    expect(conditions.map(({ kind, level }) => [kind, level])).toEqual([
      ['gateway', 1],
      ['gateway', 1],
    ]);
    expect(conditions.at(-1)).toMatchObject({
      chatId: place.chat.id,
      accountId,
      facts: { reason: 'no_answer' },
    });
    await poll();
    expect(conditions.at(-1)).toMatchObject({ kind: 'gateway', level: 0 });
    expect(await row()).toMatchObject({ failures: 0 });
    expect(await stored()).toEqual(['message 0']);
    await poll();
    expect(conditions.filter(({ kind }) => kind === 'gateway')).toHaveLength(3);
  });

  test('that refuses has answered: nothing is away', async () => {
    sandbox.faults.add({ kind: 'error', code: 3, operation: 'inboxpaged', account: username });
    for (let n = 0; n < 4; n += 1) await poll();
    expect(conditions).toEqual([]);
    expect((await row()).failures).toBe(0);
  });

  test('in the middle of a scan leaves what was read, and everything is read the next time', async () => {
    receive(450);
    let pages = 0;
    const twoPages: Facets['inbox']['page'] = async (query) => {
      pages += 1;
      return pages > 2 ? await away() : await gateway.use('inbox').page(query);
    };
    await poll({}, { page: twoPages });
    expect(await stored()).toHaveLength(400);
    expect((await row()).total).toBeNull();
    await poll();
    expect(await stored()).toHaveLength(450);
  });

  test('is judged by its answers about money too', async () => {
    await poll();
    await storage.sql`update account set credit_due_at = now() where id = ${accountId}`;
    await poll({ evaluator: away });
    expect((await row()).failures).toBe(1);
  });
});

test('what the database does not do is no failure of the gateway, and the account stays held for its lease', async () => {
  receive(1);
  const broken = { ...inbound, keep: async () => await Promise.reject(new Error('no database')) };
  await expect(poll({ inbound: broken })).rejects.toThrow('no database');
  expect(conditions).toEqual([]);
  expect(await accounts.claim('p2', 9, 25)).toEqual([]);
});

test('an account with version 1 alone has no inbox that could be due', async () => {
  await gateway.close();
  gateway = createGateway({
    wsUrl: sandbox.wsUrl,
    versions: [1],
    credentials: { token: new Secret(`token-of-${username}`) },
  });
  let evaluated = 0;
  const evaluator: PollDeps['evaluator'] = async () => void (evaluated += 1);
  await poll({ evaluator });
  expect(evaluated).toBe(1);
  expect((await row()).inbox_ms).toBeNull();
  await poll({ evaluator });
  expect((await row()).inbox_ms).toBeNull();
});

test('an account whose binding has ended sleeps', async () => {
  await poll({
    gateways: {
      of: async () => {
        await storage.sql`update binding set state = 'gone' where id = ${place.bindingId}`;
        throw new AppError('not_connected', 'the binding has ended');
      },
    },
  });
  expect(await storage.sql`select due_at, lease_owner from account where id = ${accountId}`).toEqual([
    { due_at: null, lease_owner: null },
  ]);
});

describe('once a day', () => {
  test('everything is read and held against the gateway’s counts of the last seven days', async () => {
    for (const days of [0, 1, 6]) receive(2, { ageMs: days * DAY_MS });
    await poll();
    expect(conditions).toEqual([
      expect.objectContaining({
        kind: 'inbox',
        subject: 'counts',
        level: 0,
        facts: { reason: 'counts', days: [] },
      }),
    ]);
    expect(calls('countinbox')).toBe(14);
    expect((await row()).audited).toMatch(/^\d{4}-\d\d-\d\d$/);
    await poll();
    expect(calls('countinbox')).toBe(14);
  });

  test('days of which messages are counted and not listed make an alarm, after everything was read again', async () => {
    receive(2);
    sandbox.world.setSwitches({ cap: 0 });
    await poll();
    expect(conditions).toEqual([
      expect.objectContaining({
        kind: 'inbox',
        subject: 'counts',
        level: 1,
        facts: { reason: 'counts', days: [{ day: expect.any(String), stored: 0, counted: 2 }] },
      }),
    ]);
    sandbox.world.setSwitches({ cap: null });
    now = new Date(now.getTime() + DAY_MS);
    await poll();
    expect(conditions.at(-1)).toMatchObject({ subject: 'counts', level: 0 });
    expect(await stored()).toHaveLength(2);
  });

  test('messages that were deleted at the gateway are no reason for an alarm', async () => {
    receive(3);
    await poll();
    theirs().inbox.length = 1;
    now = new Date(now.getTime() + DAY_MS);
    await poll();
    expect(conditions.map(({ level }) => level)).toEqual([0, 0]);
    expect(await stored()).toHaveLength(3);
  });

  test('counts that are refused are left for that day', async () => {
    receive(1);
    sandbox.faults.add({ kind: 'error', code: 3, operation: 'countinbox', account: username });
    await poll();
    expect(await stored()).toHaveLength(1);
    const before = calls('countinbox');
    await poll();
    expect(calls('countinbox')).toBe(before);
    expect(conditions).toEqual([]);
  });
});

test('a message that is listed with another content than before is kept beside it, and the team is told', async () => {
  receive(1);
  await poll();
  Object.assign(theirs().inbox[0] ?? {}, { text: 'something else' });
  await poll();
  expect(await stored()).toEqual(['message 0', 'something else']);
  expect(notes).toEqual([{ chatId: place.chat.id, kind: 'inbox', facts: { reason: 'changed', count: 1 } }]);
});

describe('marking read what was captured', () => {
  const marked = async (): Promise<void> => await accounts.change(accountId, { marksRead: true });
  const unread = (): number => theirs().inbox.filter(({ read }) => !read).length;
  const intent = async (): Promise<boolean> => {
    const [found] = await storage.sql<{ open: boolean }[]>`
      select receiving_at is not null as open from account where id = ${accountId}`;
    return found?.open === true;
  };

  test('is off', async () => {
    receive(3);
    await poll();
    expect([unread(), calls('receive')]).toEqual([3, 0]);
  });

  test('fetches line by line what is stored already, and takes its intent back', async () => {
    await marked();
    receive(60);
    receive(2, { line: OTHER });
    await poll();
    // 50 in one call: the rest at the next poll.
    expect([unread(), calls('receive'), await intent()]).toEqual([10, 2, false]);
    await poll();
    expect([unread(), await intent()]).toEqual([0, false]);
    expect(await stored()).toHaveLength(62);
    const before = calls('receive');
    await poll();
    expect(calls('receive')).toBe(before);
  });

  test('whose answer was lost loses nothing: the open intent has everything read again', async () => {
    receive(1);
    await gateway.use('inbox').receive();
    await poll();
    await marked();
    receive(2);
    await poll(
      {},
      {
        receive: async (query) => {
          // Comes in before the fetch and is marked by it: nobody has seen it unread.
          receive(1);
          await gateway.use('inbox').receive(query);
          throw new AppError('gateway_no_answer', 'the answer was lost', { params: { mayHaveActed: true } });
        },
      },
    );
    expect([unread(), await intent()]).toEqual([0, true]);
    expect(await stored()).toHaveLength(3);
    await poll();
    expect(await intent()).toBe(false);
    expect((await stored()).toSorted()).toEqual(listed().toSorted());
  });

  test('whose fetch cannot have acted leaves no intent', async () => {
    await marked();
    receive(1);
    await poll(
      {},
      {
        receive: async () => {
          throw new AppError('gateway_no_answer', 'it never left', { params: { mayHaveActed: false } });
        },
      },
    );
    expect([unread(), await intent()]).toEqual([1, false]);
  });

  test('ends where a gateway does not list what is read: there a lost answer would be a lost message', async () => {
    await marked();
    receive(2);
    await gateway.use('inbox').receive();
    receive(1);
    sandbox.world.setSwitches({ hidesRead: true });
    await poll();
    expect([unread(), calls('receive')]).toEqual([1, 1]);
    expect((await accounts.settings(accountId))?.marksRead).toBe(false);
    expect(notes).toEqual([{ chatId: place.chat.id, kind: 'inbox', facts: { reason: 'marking' } }]);
  });
});
