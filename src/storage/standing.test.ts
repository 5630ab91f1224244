import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStanding } from './standing.ts';
import { openTestStorage, type TestStorage } from './testing.ts';

let storage: TestStorage;

beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage.close());

test('what stands is nothing in an empty database', async () => {
  expect(await readStanding(storage.database)).toEqual({
    attempts: { reserved: 0, on_wire: 0, unknown: 0, asked: 0 },
    oldestUnknownSeconds: 0,
    jobsDue: 0,
    oldestJobSeconds: 0,
    jobsFailed: 0,
    updatesOpen: 0,
    accounts: 0,
    pollLagSeconds: 0,
    alarms: {},
  });
});

test('what is open is counted over all chats, and how old the oldest is', async () => {
  const { sql } = storage;
  for (const state of ['unknown', 'asked', 'on_wire', 'accepted']) {
    const place = await storage.addPlace();
    await storage.addRunningJob(place);
    await sql`
      update attempt set state = ${state}, ended_at = case when ${state} in ('unknown', 'asked') then now() - interval '2 hours' end
      where binding_id = ${place.bindingId}`;
  }
  const [account] = await sql<{ id: string; chat_id: string }[]>`
    update account set due_at = now() - interval '90 seconds' returning id, chat_id`;
  await sql`
    insert into alarm (chat_id, account_id, kind, subject, level, facts)
    values (${account?.chat_id ?? ''}, ${account?.id ?? ''}, 'credit', '', 1, '{}')`;
  await storage.emptyQueue();
  await sql`select graphile_worker.add_job('card', '{}', run_at := now() - interval '30 seconds')`;
  await sql`select graphile_worker.add_job('card', '{}', run_at := now() + interval '30 seconds')`;
  await sql`insert into update (bot_id, update_id, payload) values (1, 1, '\\x00')`;
  const standing = await readStanding(storage.database);
  expect(standing).toMatchObject({
    attempts: { reserved: 0, on_wire: 1, unknown: 1, asked: 1 },
    jobsDue: 1,
    updatesOpen: 1,
    accounts: 4,
    alarms: { credit: 1 },
  });
  expect(standing.oldestUnknownSeconds).toBeCloseTo(7200, -2);
  expect(standing.oldestJobSeconds).toBeCloseTo(30, -1);
  expect(standing.pollLagSeconds).toBeCloseTo(90, -2);
});
