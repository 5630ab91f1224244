import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createMemoryLog } from '../../../test/support/memory-log.ts';
import { until } from '../../../test/support/until.ts';
import { AppError } from '../../domain/errors.ts';
import type { Facets, SmsGateway } from '../../ports/gateway.ts';
import type { Clock } from '../../ports/runtime.ts';
import { createAccountStore } from '../../storage/accounts/account-store.ts';
import { createInboundStore } from '../../storage/inbox/inbound-store.ts';
import type { Stores } from '../../storage/stores.ts';
import { openTestStorage, type TestStorage } from '../../storage/testing.ts';
import { startPoller, type Poller, type PollerDeps } from './poller.ts';

/* Pollers of several processes on one database. */

let storage: TestStorage;
let accounts: Stores['accounts'];

beforeAll(async () => {
  storage = await openTestStorage();
  accounts = createAccountStore(storage.database);
});
beforeEach(async () => {
  await storage.sql`update account set due_at = null`;
});
afterAll(() => storage.close());

const clock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
  sleep: async (ms, signal) => await sleep(ms, undefined, signal === undefined ? {} : { signal }),
};

/** Others get their turn while an answer is under way. */
const nextTurn = async (): Promise<void> => {
  for (let n = 0; n < 5; n += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** How often each binding was asked, and whether ever by two at once. */
function createGateways(answer: () => Promise<void> = async () => undefined) {
  const asked = new Map<string, number>();
  const at = new Set<string>();
  let twice = 0;
  let most = 0;
  const gatewayOf = (bindingId: string) =>
    ({
      has: (facet: string) => facet === 'inbox',
      use: () =>
        ({
          page: async () => {
            if (at.has(bindingId)) twice += 1;
            at.add(bindingId);
            most = Math.max(most, at.size);
            asked.set(bindingId, (asked.get(bindingId) ?? 0) + 1);
            try {
              await answer();
            } finally {
              at.delete(bindingId);
            }
            return { messages: [], paging: { totalCount: 0, currentPage: 1, totalPages: 0, pageSize: 200 } };
          },
        }) as unknown as Facets['inbox'],
    }) as unknown as SmsGateway;
  return {
    gateways: { of: async (bindingId: string) => gatewayOf(bindingId) },
    asked,
    twice: () => twice,
    most: () => most,
  };
}

function start(owner: string, more: Partial<PollerDeps> & Pick<PollerDeps, 'gateways'>): Poller {
  return startPoller({
    accounts,
    inbound: createInboundStore(storage.database),
    alarms: { find: async () => 'same', tell: async () => undefined },
    evaluator: async () => undefined,
    clock,
    log: createMemoryLog(),
    owner,
    timeZone: 'Asia/Tehran',
    inboxSeconds: 0.01,
    creditSeconds: 300,
    ...more,
  });
}

async function places(count: number): Promise<string[]> {
  const made: string[] = [];
  for (let n = 0; n < count; n += 1) made.push((await storage.addPlace()).bindingId);
  return made;
}
const lease = async (bindingId: string) =>
  await storage.sql<{ lease_owner: string | null }[]>`
    select lease_owner from account where binding_id = ${bindingId}`;

test('share the accounts, and never ask for one account at once', async () => {
  const bindings = await places(30);
  const { gateways, asked, twice } = createGateways(nextTurn);
  const pollers = ['p1', 'p2', 'p3'].map((owner) => start(owner, { gateways }));
  await until(() => {
    for (const bindingId of bindings) expect(asked.get(bindingId) ?? 0).toBeGreaterThanOrEqual(4);
  });
  await Promise.all(pollers.map((poller) => poller.stop()));
  expect(twice()).toBe(0);
});

test('ask for no more accounts at once than they may', async () => {
  const bindings = await places(12);
  const { gateways, asked, most } = createGateways(nextTurn);
  const poller = start('p1', { gateways, atOnce: 3 });
  await until(() => expect(asked.size).toBe(bindings.length));
  await poller.stop();
  expect(most()).toBeLessThanOrEqual(3);
});

test('go on as long as more is due, however soon they are done with what they have', async () => {
  const bindings = await places(12);
  const { gateways, asked } = createGateways();
  let open = 0;
  const quick: Stores['accounts'] = {
    ...accounts,
    async claim(...most) {
      const claimed = await accounts.claim(...most);
      await until(() => expect(open).toBe(0), 1);
      open += claimed.length;
      return claimed;
    },
    async end(...how) {
      await accounts.end(...how);
      open -= 1;
    },
  };
  // Nothing comes of waiting.
  const still: Clock = {
    ...clock,
    sleep: async (ms, signal) => await clock.sleep(ms >= 5000 ? ms : 600_000, signal),
  };
  const poller = start('p1', { accounts: quick, gateways, clock: still, atOnce: 4, inboxSeconds: 60 });
  await until(() => expect(asked.size).toBe(bindings.length));
  await poller.stop();
});

test('take over the account of one that died as soon as its lease is over', async () => {
  const [bindingId = ''] = await places(1);
  await accounts.claim('dead', 9, 25);
  const { gateways, asked } = createGateways();
  const poller = start('p2', { gateways });
  const [other = ''] = await places(1);
  await until(() => expect(asked.has(other)).toBe(true));
  expect(asked.has(bindingId)).toBe(false);
  await storage.sql`update account set lease_until = now() - interval '1 second' where binding_id = ${bindingId}`;
  await until(() => expect(asked.has(bindingId)).toBe(true));
  await poller.stop();
});

test('let go what they hold when they stop, also in the middle of a call', async () => {
  const [bindingId = ''] = await places(1);
  let answered = (): void => undefined;
  const { gateways, asked } = createGateways(
    async () =>
      await new Promise<void>((resolve) => {
        answered = resolve;
      }),
  );
  // The five seconds that are left to a call are over at once.
  const quick: Clock = {
    ...clock,
    sleep: async (ms, signal) => await clock.sleep(ms >= 5000 ? 0 : ms, signal),
  };
  const poller = start('p1', { gateways, clock: quick });
  await until(() => expect(asked.has(bindingId)).toBe(true));
  expect(await lease(bindingId)).toEqual([{ lease_owner: 'p1' }]);
  await poller.stop();
  expect(await lease(bindingId)).toEqual([{ lease_owner: null }]);
  answered();
  expect((await accounts.claim('p2', 9, 25)).length).toBe(1);
});

test('go on whatever becomes of one account', async () => {
  const [bad = '', good = ''] = await places(2);
  const { gateways, asked } = createGateways();
  const log = createMemoryLog();
  const poller = start('p1', {
    log,
    gateways: {
      of: async (bindingId) => {
        if (bindingId === bad) throw new AppError('crypto', 'a seal does not open');
        return await gateways.of(bindingId);
      },
    },
  });
  await until(() => expect(asked.get(good) ?? 0).toBeGreaterThanOrEqual(3));
  await log.line(({ level }) => level === 'error');
  await poller.stop();
});

test('adopt the bindings of an earlier version when they start', async () => {
  const [bindingId = ''] = await places(1);
  await storage.sql`delete from account where binding_id = ${bindingId}`;
  const { gateways, asked } = createGateways();
  const poller = start('p1', { gateways });
  await until(() => expect(asked.has(bindingId)).toBe(true));
  await poller.stop();
});
