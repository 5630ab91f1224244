import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestStorage, type TestStorage } from '../src/storage/testing.ts';
import { strandedRows, tablesWithStates, WAYS_OUT } from './support/stranded-rows.ts';

let storage: TestStorage;
beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage.close());

test('every table that has a state says of each what leads out of it', () => {
  expect(tablesWithStates().toSorted()).toEqual(Object.keys(WAYS_OUT).toSorted());
});

test('a row that nothing leads out of is found, and no other', async () => {
  const { sql } = storage;
  const place = await storage.addPlace();
  const { jobId, draftId } = await storage.addRunningJob(place);
  expect(await strandedRows(sql)).toEqual([]);
  await storage.emptyQueue();
  expect(await strandedRows(sql)).toEqual([`job running ${jobId}`]);
  const [attempt] = await sql<{ id: string }[]>`select id from attempt where job_id = ${jobId}`;
  const id = attempt?.id ?? '';
  await sql`update job set state = 'done' where id = ${jobId}`;
  for (const state of ['planned', 'reserved', 'on_wire', 'unknown']) {
    await sql`update attempt set state = ${state}, owner = 'process-1' where id = ${id}`;
    expect(await strandedRows(sql)).toEqual([`attempt ${state} ${id}`]);
  }
  await sql`update attempt set state = 'not_sent' where id = ${id}`;
  expect(await strandedRows(sql)).toEqual([]);
  await sql`update draft set state = 'half' where id = ${draftId}`;
  expect(await strandedRows(sql)).toEqual([`draft half ${draftId}`]);
});
