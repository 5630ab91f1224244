import { afterAll, beforeAll, expect, test } from 'vitest';
import { newBulk } from '../../domain/bulk.ts';
import type { LineRule } from '../../domain/limits.ts';
import { jsonText } from '../json.ts';
import { writeOutgoing } from './kinds/details.ts';
import { createLimitsStore } from './limits-store.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';

/* What a chat says of its sender lines, by whom, and what shows it. */

const [LINE, OTHER] = ['3000123456', '50001234'];
let storage: TestStorage;
let limits: ReturnType<typeof createLimitsStore>;

beforeAll(async () => {
  storage = await openTestStorage();
  limits = createLimitsStore(storage.database);
});
afterAll(() => storage.close());

const ALL: Omit<LineRule, 'line'> = {
  purpose: 'service',
  required: 'لغو۱۱',
  words: ['free', 'prize'],
  window: { from: 540, to: 1260 },
};

async function chat() {
  const place = await storage.addPlace();
  const by = { chatId: place.chat.id, personId: place.ownerId };
  const says = async (line: string, to: Parameters<typeof limits.changeLine>[0]['to']) =>
    await limits.changeLine({ ...by, updateId: storage.next(), line, to });
  const rules = async () => (await limits.of(place.chat.id)).lines;
  return { place, by, says, rules };
}

test('each part is changed by itself, and the others stay', async () => {
  const { says, rules } = await chat();
  await says(LINE, { purpose: 'advertising' });
  await says(LINE, ALL);
  expect(await rules()).toEqual([{ line: LINE, ...ALL }]);
  await says(LINE, { window: { from: 0, to: 60 } });
  await says(LINE, { words: ['gift'] });
  await says(LINE, { required: null });
  await says(LINE, { purpose: 'advertising' });
  expect(await rules()).toEqual([
    { line: LINE, purpose: 'advertising', required: null, words: ['gift'], window: { from: 0, to: 60 } },
  ]);
});

test('a rule that says nothing any more is gone, and no other', async () => {
  const [one, two] = [await chat(), await chat()];
  await one.says(LINE, ALL);
  await one.says(OTHER, { purpose: 'advertising' });
  await two.says(LINE, { purpose: 'advertising' });
  await one.says(LINE, { purpose: null, required: null, words: [], window: null });
  expect(await one.rules()).toMatchObject([{ line: OTHER, purpose: 'advertising' }]);
  expect(await two.rules()).toMatchObject([{ line: LINE, purpose: 'advertising' }]);
});

test('who may change them is read in this chat', async () => {
  const [here, there] = [await chat(), await chat()];
  const admin = await storage.addPerson(there.place.chat.id, 'admin', 'Ali');
  const change = { personId: admin, updateId: storage.next(), line: LINE, to: ALL };
  expect(await limits.changeLine({ ...change, chatId: here.place.chat.id })).toBe(null);
  expect(await here.rules()).toEqual([]);
  expect(await limits.changeLine({ ...change, chatId: there.place.chat.id })).toMatchObject({ after: ALL });
});

test('what waits for its time from that line in that chat shows it, and nothing else', async () => {
  const [here, there] = [await chat(), await chat()];
  const wait = async ({ place }: typeof here, line: string) => {
    const sendAt = new Date(Date.now() + 3_600_000);
    const { id: draftId } = await storage.drafts.create(storage.draftIn(place, { line, sendAt }));
    const press = { draftId, version: 1, personId: place.ownerId, updateId: storage.next() };
    await storage.drafts.confirm({ ...press, undoSeconds: 0, timeZone: 'Asia/Tehran' });
    return draftId;
  };
  const waits = await wait(here, LINE);
  await wait(here, OTHER);
  await wait(there, LINE);
  await storage.addRunningJob(here.place, { line: LINE });
  await storage.emptyQueue();
  await here.says(LINE, { required: 'لغو۱۱' });
  const cards = [...(await storage.queued()).keys()].filter((key) => key.startsWith('card:'));
  expect(cards).toEqual([`card:${waits}`]);
});

test('what is left of a file is held to it by its calls, when the rows that it was made of are no longer kept', async () => {
  const { place, says } = await chat();
  const { draftId, jobId } = await storage.addRunningJob(place);
  const { details } = writeOutgoing({
    ...newBulk({ name: 'gifts.csv', reference: '' }),
    columns: ['mobile', 'gift'],
    step: 'review',
    summary: {
      recipients: 2,
      skipped: [],
      blockedIsKnown: true,
      missing: 0,
      lengths: [{ encoding: 'gsm7', parts: 1, messages: 2 }],
      personal: true,
      perCall: 100,
      digest: 'd',
      found: { required: null, lacking: 0, words: [], lookedFor: [] },
    },
  });
  const messages = ['gold', 'a FREE cake'].map((text) => ({ line: LINE, recipient: '', text, flash: false }));
  await storage.sql`
    update draft set kind = 'bulk', text = '{gift}', recipients = '{}', details = ${jsonText(details)}::text::jsonb where id = ${draftId}`;
  await storage.sql`
    update attempt set state = 'rejected', gateway_code = 418, messages = ${jsonText(messages)}::text::jsonb where job_id = ${jobId}`;
  await storage.jobs.stop(jobId, 'credit', null, null);
  await says(LINE, { words: ['free'] });
  const press = { jobId, personId: place.ownerId, updateId: storage.next(), timeZone: 'UTC' };
  expect(await storage.jobs.resume(press)).toMatchObject({
    result: 'limited',
    verdict: { kind: 'approval', words: ['free'] },
  });
});
