import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTagStore } from './tag-store.ts';
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

const set = (code: string, tag: string | null, chatId = place.chat.id) =>
  createTagStore(storage.database).set({ chatId, code, tag, personId: place.ownerId, updateId: 7 });

const audited = async () =>
  await storage.sql<{ action: string; details: unknown }[]>`
    select action, details from audit where chat_id = ${place.chat.id} and action like 'card_%' order by id`;

test('a card gets its tag, keeps it when it is given again, and loses it', async () => {
  const { id } = await storage.drafts.create(storage.draftIn(place));
  expect(await set('a1', 'promo')).toEqual({ code: 'A1', was: null });
  expect((await storage.drafts.card(id))?.draft).toMatchObject({ tag: 'promo', version: 1 });
  expect([...(await storage.queued()).keys()]).toContain(`card:${id}`);
  expect(await set('A1', 'promo')).toEqual({ code: 'A1', was: 'promo' });
  expect(await set('A1', null)).toEqual({ code: 'A1', was: 'promo' });
  expect((await storage.drafts.card(id))?.draft.tag).toBeUndefined();
  expect(await set('A1', null)).toEqual({ code: 'A1', was: null });
  expect(await audited()).toEqual([
    { action: 'card_tagged', details: { code: 'A1', name: 'promo' } },
    { action: 'card_untagged', details: { code: 'A1', name: 'promo' } },
  ]);
});

test('a job can be tagged, and no card of another chat', async () => {
  const { draftId } = await storage.addRunningJob(place);
  expect(await set('A1', 'promo')).toEqual({ code: 'A1', was: null });
  expect((await storage.drafts.card(draftId))?.draft.tag).toBe('promo');
  const other = await storage.addPlace();
  expect(await set('A1', 'theirs', other.chat.id)).toBeNull();
  expect(await set('A9', 'promo')).toBeNull();
});
