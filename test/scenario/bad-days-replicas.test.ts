import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Message } from '@grammyjs/types';
import type { Person } from '../../src/playground/control/driver.ts';
import { type BadDay, comeDue, readiness, startBadDay, type Started } from '../support/bad-day.ts';
import {
  arrives,
  cardSays,
  draft,
  gatewaySaw,
  hasButton,
  type GatewayAccount,
  inboxLookedAt,
  isCard,
  linkedPerson,
  PATIENT,
  says,
} from '../support/story.ts';

/* Three whole processes and one more that polls, all at the same work; and one of them with a clock that jumps by days. */

// The processes start with the first test.
const DAY_MS = 86_400_000;
const STEP = pathToFileURL(join(import.meta.dirname, '../support/stepped-clock-child.ts')).href;

let day: BadDay;
let running: Promise<readonly Started[]> | undefined;

beforeAll(async () => {
  day = await startBadDay();
});
afterAll(async () => {
  for (const { peyk } of (await running) ?? []) await peyk[Symbol.asyncDispose]();
  await day.close();
});

/** The first leads, and is the one whose clock can be set. */
async function processes(): Promise<readonly Started[]> {
  running ??= (async () => {
    const first = await day.start({
      NODE_OPTIONS: `--import=${STEP}`,
      CLOCK_STEPS: `${DAY_MS},${-DAY_MS},0`,
    });
    await first.peyk.line('this process leads');
    const second = await day.start();
    const third = await day.start();
    return [first, second, third, await day.start({ ROLES: 'poller' })];
  })();
  return await running;
}

const lines = (all: readonly Started[]): string[] => all.flatMap(({ peyk }) => peyk.lines);
const leaders = (all: readonly Started[]): number =>
  lines(all).filter((line) => line.includes('this process leads')).length;

/** A send with a time of its own, confirmed. */
async function schedules(person: Person, when: string, text: string): Promise<Message> {
  const { message_id: after } = person.send(person, `/schedule ${when} 09121234567 ${text}`);
  const card = await day.driver.waitForMessage(person, (m) => isCard(m) && hasButton(m, '✅'), {
    ...PATIENT,
    after,
  });
  person.tap(card, '✅ Send');
  return await cardSays(day, card, 'Scheduled for');
}

const sentTexts = ({ username }: GatewayAccount): string[] =>
  day.sandbox.ledger
    .sends()
    .flatMap(({ account, text }) => (account === username ? [text ?? ''] : []))
    .toSorted();

test('three replicas and a poller on one token and one database: one leads, and each update, message and schedule is dealt with once', async () => {
  const all = await processes();
  const { person, account } = await linkedPerson(day, 'Fought over');
  await inboxLookedAt(day, account);
  const texts = Array.from({ length: 5 }, (_, index) => `scheduled ${index}`);
  const cards = [];
  for (const text of texts) cards.push(await schedules(person, 'in 3 hours', text));
  const inbound = Array.from({ length: 8 }, (_, index) => `inbound number ${index}`);
  const comers = inbound.map((_, index) => day.driver.user({ first_name: `C${index}`, language_code: 'en' }));
  // All at once.
  for (const text of inbound) arrives(day, account, text);
  for (const comer of comers) comer.start();
  await comeDue(day, 'scheduled %');
  for (const card of cards) await cardSays(day, card, '1 accepted');
  for (const comer of comers) await day.driver.waitForMessage(comer, says('I am Peyk'), PATIENT);
  for (const text of inbound) await day.driver.waitForMessage(person, says(text), PATIENT);

  // What is said afterwards comes after whatever would have come twice.
  arrives(day, account, 'inbound at the end');
  await day.driver.waitForMessage(person, says('inbound at the end'), PATIENT);
  expect(sentTexts(account)).toEqual(texts);
  for (const comer of comers) expect(day.driver.messages(comer).filter(says('I am Peyk'))).toHaveLength(1);
  for (const text of inbound) expect(day.driver.messages(person).filter(says(text))).toHaveLength(1);
  const stored = await day.database.sql`select 1 from inbound where text like 'inbound number %'`;
  expect(stored).toHaveLength(inbound.length);
  expect(leaders(all)).toBe(1);
  expect(day.driver.calls('getUpdates').filter(({ error_code: code }) => code === 409)).toEqual([]);
  for (const each of all) await readiness(each);
});

test('a clock that jumps a day ahead, and then two back: no draft lives longer or dies, nothing leaves early or twice, and a daily cap stays a day’s', async () => {
  const all = await processes();
  const [stepped] = all;
  if (stepped === undefined) throw new Error('nothing runs');
  const { person, account } = await linkedPerson(day, 'Time traveller');
  await inboxLookedAt(day, account);
  const { person: capped, account: cappedAccount } = await linkedPerson(day, 'Capped');
  await day.database.sql`
    insert into chat_limits (chat_id, cap_parts, updated_by) select id, 2, 1 from chat where telegram_id = ${capped.id}
    on conflict (chat_id) do update set cap_parts = 2`;
  const tonight = await schedules(person, 'in 12 hours', 'not before its time');
  for (const [index, ms] of [DAY_MS, -DAY_MS].entries()) {
    const open = await draft(day, person, { to: '9125550051', text: `open before jump ${index}` });
    const over = await draft(day, person, { to: '9125550052', text: `over before jump ${index}` });
    const due = await schedules(person, 'in 2 days', `due at jump ${index}`);
    await day.database.sql`update draft set expires_at = now() where text like 'over before jump %'`;
    process.kill(stepped.peyk.pid, 'SIGUSR2');
    await stepped.peyk.line(`the clock is ${ms} ms ahead now`);
    arrives(day, account, `inbound at jump ${index}`);
    person.tap(over, '✅ Send');
    await cardSays(day, over, 'expired, none of it was sent');
    person.tap(open, '✅ Send');
    await cardSays(day, open, '1 accepted');
    await comeDue(day, `due at jump ${index}`);
    await cardSays(day, due, '1 accepted');
    await day.driver.waitForMessage(person, says(`inbound at jump ${index}`), PATIENT);
    const within = await draft(day, capped, { to: '9125550053', text: `capped at jump ${index}` });
    capped.tap(within, '✅ Send');
    await cardSays(day, within, '1 accepted');
    await readiness(stepped);
  }
  const beyond = await draft(day, capped, { to: '9125550054', text: 'over the cap of the day' });
  capped.tap(beyond, '✅ Send');
  await day.driver.waitForMessage(capped, says('It would go over the day’s cap'), PATIENT);
  expect(gatewaySaw(day, cappedAccount)).toEqual({ calls: 2, sends: 2, recipients: 2 });
  expect(gatewaySaw(day, account)).toEqual({ calls: 4, sends: 4, recipients: 4 });
  const inbound = day.driver.messages(person).filter(says('inbound at jump'));
  expect(inbound).toHaveLength(2);
  expect(sentTexts(account)).not.toContain('not before its time');
  const [waiting] = await day.database.sql`
    select j.state from job j join draft d on d.id = j.draft_id where d.text = 'not before its time'`;
  expect(waiting).toEqual({ state: 'scheduled' });
  await cardSays(day, tonight, 'Scheduled for');
  expect(leaders(all)).toBe(1);
  const warned = lines(all).filter((line) => /lock was lost|ended with calls in hand/u.test(line));
  expect(warned).toEqual([]);
});
