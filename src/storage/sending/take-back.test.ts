import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AttemptView } from '../../ports/jobs.ts';
import { takeBackIn } from './take-back.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';

let storage: TestStorage;
let place: Awaited<ReturnType<TestStorage['addPlace']>>;

beforeAll(async () => {
  storage = await openTestStorage();
});
beforeEach(async () => {
  place = await storage.addPlace();
});
afterAll(() => storage.close());

/** A running job of three calls. */
async function running(): Promise<string> {
  const recipients = Array.from({ length: 450 }, (_, n) => `98912${String(n).padStart(7, '0')}`);
  return (await storage.addRunningJob(place, { recipients })).jobId;
}

async function reserve(jobId: string): Promise<AttemptView> {
  const reserved = await storage.jobs.reserve(jobId, 'process-1');
  if (!reserved.ok) throw new Error(reserved.reason);
  return reserved.attempts[0];
}

async function attempts(jobId: string) {
  return await storage.sql<{ id: string; state: string; owner: string | null; epoch: number }[]>`
    select id, state, owner, epoch from attempt where job_id = ${jobId} order by chunk, n`;
}

async function takeBack(...jobIds: string[]): Promise<void> {
  await storage.sql.begin(async (tx) => await takeBackIn(tx, jobIds));
}

test('a call that was taken and has not passed the fence does not leave by its holder any more', async () => {
  const jobId = await running();
  const held = await reserve(jobId);
  await takeBack(jobId);
  expect(await attempts(jobId)).toContainEqual({
    id: held.id,
    state: 'planned',
    owner: null,
    epoch: held.epoch + 1,
  });
  expect(await storage.jobs.goOnWire(held.id, held.epoch)).toBe(false);
});

test('it can be taken again, and leaves by the new holder alone', async () => {
  const jobId = await running();
  const before = await reserve(jobId);
  await takeBack(jobId);
  const after = await reserve(jobId);
  expect(after.id).toBe(before.id);
  expect(await storage.jobs.goOnWire(before.id, before.epoch)).toBe(false);
  expect(await storage.jobs.goOnWire(after.id, after.epoch)).toBe(true);
});

test.each(['planned', 'on_wire', 'unknown', 'accepted', 'rejected', 'not_sent', 'closed'])(
  'a call that is %s stays as it is',
  async (state) => {
    const jobId = await running();
    const { id } = await reserve(jobId);
    await storage.sql`update attempt set state = ${state} where id = ${id}`;
    const before = await attempts(jobId);
    await takeBack(jobId);
    expect(await attempts(jobId)).toEqual(before);
  },
);

test('calls of other jobs stay with their holders, and several jobs can be named at once', async () => {
  const [one, two, other] = [await running(), await running(), await running()];
  for (const jobId of [one, two, other]) await reserve(jobId);
  const before = await attempts(other);
  await takeBack();
  await takeBack(one, two);
  expect(await attempts(other)).toEqual(before);
  for (const jobId of [one, two]) {
    expect((await attempts(jobId)).map(({ state }) => state)).toEqual(['planned', 'planned', 'planned']);
  }
});

test('a call that is at the fence in this very moment is left to it, and nobody waits for that', async () => {
  const jobId = await running();
  const held = await reserve(jobId);
  await storage.sql.begin(async (fence) => {
    await fence`update attempt set state = 'on_wire' where id = ${held.id}`;
    await storage.sql.begin(async (tx) => {
      await tx`set local lock_timeout = 50`;
      await takeBackIn(tx, [jobId]);
    });
  });
  const [first] = await attempts(jobId);
  expect(first).toMatchObject({ id: held.id, state: 'on_wire', owner: 'process-1', epoch: held.epoch });
});

test('nothing is taken back where the transaction fails', async () => {
  const jobId = await running();
  const held = await reserve(jobId);
  const failing = storage.sql.begin(async (tx) => {
    await takeBackIn(tx, [jobId]);
    await tx`select 1 / 0`;
  });
  await expect(failing).rejects.toThrow(/division/u);
  expect(await storage.jobs.goOnWire(held.id, held.epoch)).toBe(true);
});
