import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMemoryLog } from '../../../test/support/memory-log.ts';
import { until } from '../../../test/support/until.ts';
import { startLeader } from '../database/leader.ts';
import { createLiveness } from '../database/liveness.ts';
import { readOpenWork } from './open-work.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';

let storage: TestStorage;

beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage.close());

test('what stands is nothing in an empty database', async () => {
  expect(await readOpenWork(storage.database)).toEqual({
    attempts: { reserved: 0, on_wire: 0, unknown: 0, asked: 0 },
    oldestOnWireSeconds: 0,
    oldestUnknownSeconds: 0,
    jobsDue: 0,
    oldestJobSeconds: 0,
    jobsFailed: 0,
    updatesOpen: 0,
    accounts: 0,
    accountsHalted: 0,
    heldSeconds: null,
    accountsFailing: 0,
    pollLagSeconds: 0,
    alarms: {},
    processes: 0,
    leaders: 0,
    databaseBytes: expect.any(Number),
    databaseConnections: expect.any(Number),
  });
});

test('what is open is counted over all chats, and how old the oldest is', async () => {
  const { sql } = storage;
  for (const state of ['unknown', 'asked', 'on_wire', 'accepted']) {
    const place = await storage.addPlace();
    await storage.addRunningJob(place);
    await sql`
      update attempt set state = ${state}, ended_at = case when ${state} in ('unknown', 'asked') then now() - interval '2 hours' end,
        on_wire_at = now() - interval '40 seconds'
      where binding_id = ${place.bindingId}`;
  }
  const [account] = await sql<{ id: string; chat_id: string }[]>`
    update account set due_at = now() - interval '90 seconds' returning id, chat_id`;
  await sql`
    insert into alarm (chat_id, account_id, kind, subject, level, facts)
    values (${account?.chat_id ?? ''}, ${account?.id ?? ''}, 'credit', '', 1, '{}')`;
  await sql`
    insert into alarm (chat_id, account_id, kind, facts) select chat_id, id, 'gateway', '{}' from account order by id limit 1`;
  await sql`update account set failing_since = now() where id = (select id from account order by id limit 1 offset 1)`;
  await sql`update chat_limits set halted_at = now() where chat_id = ${account?.chat_id ?? ''}`;
  await sql`update deployment set held_at = now() - interval '1 minute'`;
  await storage.emptyQueue();
  await sql`select graphile_worker.add_job('card', '{}', run_at := now() - interval '30 seconds')`;
  await sql`select graphile_worker.add_job('card', '{}', run_at := now() + interval '30 seconds')`;
  await sql`insert into update (bot_id, update_id, payload) values (1, 1, '\\x00')`;
  const standing = await readOpenWork(storage.database);
  expect(standing).toMatchObject({
    attempts: { reserved: 0, on_wire: 1, unknown: 1, asked: 1 },
    jobsDue: 1,
    updatesOpen: 1,
    accounts: 4,
    accountsHalted: 1,
    accountsFailing: 2,
    alarms: { credit: 1, gateway: 1 },
  });
  expect(Math.round(standing.heldSeconds ?? 0)).toBe(60);
  expect(standing.databaseBytes).toBeGreaterThan(1_000_000);
  expect(standing.databaseConnections).toBeGreaterThan(0);
  expect(standing.oldestOnWireSeconds).toBeCloseTo(40, -1);
  expect(standing.oldestUnknownSeconds).toBeCloseTo(7200, -2);
  expect(standing.oldestJobSeconds).toBeCloseTo(30, -1);
  expect(standing.pollLagSeconds).toBeCloseTo(90, -2);
});

test('who is alive and who leads is told by the connections that hold their locks', async () => {
  const { database } = storage;
  const { target } = database;
  const log = createMemoryLog();
  const alive = [await createLiveness({ target, log }), await createLiveness({ target, log })];
  let begun = (): void => undefined;
  const leading = new Promise<void>((begins) => {
    begun = begins;
  });
  const lead = () =>
    startLeader({
      target,
      log,
      name: 'the only one',
      work: async (signal) => {
        begun();
        await new Promise<void>((over) => signal.addEventListener('abort', () => over()));
      },
    });
  const leaders = [lead(), lead()];
  await leading;
  expect(await readOpenWork(database)).toMatchObject({ processes: 2, leaders: 1 });
  await Promise.all([...leaders, ...alive].map(async (each) => await each.close()));
  await until(async () => expect(await readOpenWork(database)).toMatchObject({ processes: 0, leaders: 0 }));
});
