import type { Message } from '@grammyjs/types';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { workbook } from '../../src/tables/testing/files.ts';
import { startFaultyProxy } from '../chaos/proxy.ts';
import { type BadDay, startBadDay } from '../support/bad-day.ts';
import { TEST_MS } from '../support/patience.ts';
import { linkedGroup, linkedPeople, says } from '../support/story.ts';
import { given } from '../support/talk.ts';
import { until } from '../support/until.ts';

/* What comes in takes so much memory at most; and where that was too much, it is done by the process that follows. */

// Large inputs, and little room for them: collecting garbage takes most of the time.
vi.setConfig({ testTimeout: 2 * TEST_MS });

/** Of which a process takes some 40 for itself. */
const heap = (megabytes: number) => ({ NODE_OPTIONS: `--max-old-space-size=${megabytes}` });
const MANY = 'That is 20,000 rows; I take at most 1,000 at once.';
/** Updates in hand at which no more are asked for, and how many come with one question. */
const MAX_IN_HAND = 2000;
const BATCH = 100;
const WRITTEN = 2500;
const ASKED = 5;

let day: BadDay;
/** As much as is read of a workbook: small as it comes, and a hundred megabytes as rows of cells. */
let large: Uint8Array;

beforeAll(async () => {
  day = await startBadDay();
  const line = '<c><v>3000123456</v></c>';
  const text = `<c t="str"><v>${'سلام '.repeat(12)}</v></c>`;
  large = await workbook({ rows: `<row>${line}${text.repeat(15)}</row>`.repeat(20_000) });
  expect(large.length).toBeLessThan(200_000);
});
afterAll(async () => {
  await day.close();
});

const open = async (): Promise<number> =>
  (await day.database.sql`select 1 from update where done_at is null`).length;

async function answers(person: Person, { message_id: after }: Message, part: string): Promise<Message> {
  return await day.driver.waitForMessage(person, says(part), { after, timeoutMs: TEST_MS });
}

/** How often the bot has said this since. */
function times({ chat, message_id: after }: Message, part: string): number {
  return day.driver.messages(chat.id).filter((m) => m.message_id > after && says(part)(m)).length;
}

async function isDone(): Promise<void> {
  await until(async () => expect(await open()).toBe(0));
}

test('a process that dies of exhausted memory with updates in hand: the next one handles each of them, once', async () => {
  await using calm = (await day.start()).peyk;
  const { Greedy, Quiet } = await linkedPeople(day, ['Greedy', 'Quiet']);
  expect(await calm.stop()).toBe(0);
  const { peyk: narrow } = await day.start(heap(64));
  await using dying = narrow;
  const uploaded = Greedy.person.upload(Greedy.person, 'people.xlsx', large, '/multi');
  const behind = Greedy.person.send(Greedy.person, '/send 9125550001 waits behind the file');
  expect(
    await Promise.race([dying.ended, answers(Greedy.person, uploaded, '').then(() => 'an answer')]),
  ).toBe('SIGABRT');
  expect(dying.complaints()).toContain('heap out of memory');
  expect(await open()).toBeGreaterThan(0);
  expect(times(uploaded, '')).toBe(0);
  const meanwhile = Quiet.person.send(Quiet.person, '/send 9125550002 is typed while nobody is there');

  await using next = (await day.start()).peyk;
  await answers(Greedy.person, uploaded, MANY);
  await answers(Greedy.person, behind, 'waits behind the file');
  await answers(Quiet.person, meanwhile, 'is typed while nobody is there');
  await isDone();
  // Whatever comes after it in the same chat shows that nothing else was to be said.
  for (const person of [Greedy.person, Quiet.person])
    await answers(person, person.send(person, '/whoami'), 'owner');
  expect(times(uploaded, MANY)).toBe(1);
  expect(times(uploaded, 'waits behind the file')).toBe(1);
  expect(times(meanwhile, 'is typed while nobody is there')).toBe(1);
  expect(await next.stop()).toBe(0);
});

test('files that take the most memory, of many people at once: each is answered, by a process with little memory', async () => {
  await using calm = (await day.start()).peyk;
  const names = Array.from({ length: 6 }, (_, n) => `Uploader ${n}`);
  const people = Object.values(await linkedPeople(day, names)).map(({ person }) => person);
  expect(await calm.stop()).toBe(0);
  await using narrow = (await day.start(heap(256))).peyk;
  const uploads = people.map((person) => ({
    person,
    uploaded: person.upload(person, 'people.xlsx', large, '/multi'),
  }));
  for (const { person, uploaded } of uploads)
    await Promise.race([answers(person, uploaded, MANY), narrow.ended.then(endedEarly)]);
  await isDone();
  for (const { uploaded } of uploads) expect(times(uploaded, MANY)).toBe(1);
  expect(await narrow.stop()).toBe(0);
});

test('as many of the longest messages as are taken into hand, behind commands that hang: none is lost, by a process with little memory', async () => {
  const wire = await startFaultyProxy({ host: '127.0.0.1', port: Number(new URL(day.sandbox.baseUrl).port) });
  onTestFinished(async () => await wire.close());
  const through = { GATEWAY_BASE_URL: `http://127.0.0.1:${wire.port}`, ...heap(128) };
  await using narrow = (await day.start(through)).peyk;
  const { group, owner, members, account } = await linkedGroup(day, { owner: 'Olga', members: ['Writer'] });
  const writer = given(members[0]);
  await isDone();
  const before = given(day.playground.control.updates().at(-1)).id;
  const fault = day.sandbox.faults.add({ operation: 'credit', kind: 'hang', account: account.username });
  const asked = Array.from({ length: ASKED }, () => owner.send(group, '/credit'));
  const first = given(asked[0]);
  // Of a reply Telegram brings both texts, and Persian ones take two bytes a character.
  const text = 'سلام '.repeat(1000).slice(0, 4096);
  const answered = writer.send(group, text);
  for (let n = 0; n < WRITTEN; n += 1) writer.send(group, text, { replyTo: answered });
  const inHand = until(async () => expect(await open()).toBeGreaterThanOrEqual(MAX_IN_HAND));
  await Promise.race([inHand, narrow.ended.then(endedEarly)]);
  expect(times(first, '💰')).toBe(0);

  day.sandbox.faults.remove(fault);
  wire.cutAll();
  await isDone();
  const { message_id: after } = owner.send(group, '/whoami');
  const last = day.driver.waitForMessage(group, says('Role: owner'), { after });
  await Promise.race([last, narrow.ended.then(endedEarly)]);
  await isDone();
  // One that hung for long may have been given up.
  expect(times(first, '💰') + times(first, 'did not answer in time')).toBe(ASKED);
  // While the first command hung no more were taken in than there is room for. What came when the hands were full was taken up
  // from the database, and nothing was ever taken up a second time.
  const [row] = await day.database.sql<[{ all: number; meanwhile: number; again: number }]>`
    select count(*)::int as all, count(*) filter (where received_at < hung.done_at)::int as meanwhile,
      count(*) filter (where tries > 1)::int as again
    from update, (select update_id, done_at from update where update_id > ${before} order by update_id limit 1) as hung
    where update.update_id >= hung.update_id`;
  expect(row.all).toBe(ASKED + 1 + WRITTEN + 1);
  expect(row.meanwhile).toBeLessThan(MAX_IN_HAND + BATCH);
  expect(row.again).toBe(0);
  expect(await narrow.stop()).toBe(0);
});

function endedEarly(how: number | NodeJS.Signals): never {
  throw new Error(`the process ended with ${how}`);
}
