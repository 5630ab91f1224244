import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTalkStore } from './talk-store.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';
import { receiveIn } from '../testing/received.ts';

let storage: TestStorage;
let talks: ReturnType<typeof createTalkStore>;

beforeAll(async () => {
  storage = await openTestStorage();
  talks = createTalkStore(storage.database);
});
afterAll(() => storage.close());

async function talked() {
  const place = await storage.addPlace();
  const received = receiveIn(storage, place);
  const { talkId } = await received.message('989120000001', 'hello');
  const [sara, omid] = [
    await storage.addPerson(place.chat.id, 'operator', 'Sara'),
    await storage.addPerson(place.chat.id, 'operator', 'Omid'),
  ];
  return { ...received, place, talkId, sara, omid };
}

test('the first to take somebody has them, and another only when they say so', async () => {
  const { talkId, sara, omid } = await talked();
  const first = await talks.take(talkId, sara, false);
  expect(first?.takenBy).toEqual({ id: sara, name: 'Sara' });
  expect((await talks.take(talkId, omid, false))?.takenBy?.id).toBe(sara);
  const again = await talks.take(talkId, sara, false);
  expect(again?.takenAt).toEqual(first?.takenAt);
  expect((await talks.take(talkId, omid, true))?.takenBy?.id).toBe(omid);
  expect(await talks.take('00000000-0000-4000-8000-000000000000', sara, true)).toBeNull();
});

test('of two who take at once one wins', async () => {
  const { talkId, sara, omid } = await talked();
  const both = await Promise.all([talks.take(talkId, sara, false), talks.take(talkId, omid, false)]);
  expect(new Set(both.map((view) => view?.takenBy?.id)).size).toBe(1);
});

test('whoever answers what nobody has taken has it then; what somebody has stays theirs', async () => {
  const { talkId, sara, omid } = await talked();
  expect(await talks.answered(talkId, sara)).toMatchObject({
    takenBy: { id: sara },
    answeredBy: { id: sara },
  });
  expect(await talks.answered(talkId, omid)).toMatchObject({
    takenBy: { id: sara },
    answeredBy: { id: omid },
  });
});

test('what is done with is open again by a press, and free for anyone to take', async () => {
  const { talkId, sara, omid } = await talked();
  await talks.take(talkId, sara, false);
  const done = await talks.done(talkId, sara, true);
  expect(done?.doneBy?.id).toBe(sara);
  expect((await talks.done(talkId, omid, true))?.doneBy?.id).toBe(sara);
  expect((await talks.done(talkId, omid, false))?.doneBy).toBeNull();
  await talks.done(talkId, sara, true);
  expect(await talks.take(talkId, omid, false)).toMatchObject({ takenBy: { id: omid }, doneBy: null });
});

test('a later message is done with anew', async () => {
  const { talkId, sara, omid, message } = await talked();
  await talks.done(talkId, sara, true);
  await message('989120000001', 'once more');
  expect((await talks.done(talkId, omid, true))?.doneBy?.id).toBe(omid);
});

test('the newest ten messages are kept up to date, in their order', async () => {
  const { talkId, message } = await talked();
  const ids: number[] = [];
  for (let index = 0; index < 11; index += 1) ids.push((await message('989120000001', `text ${index}`)).id);
  expect(await talks.cards(talkId)).toEqual(ids.slice(1));
});
