import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message } from '@grammyjs/types';
import { expect, onTestFinished, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { readiness, startBadDay } from '../support/bad-day.ts';
import { startOnSmallDisk } from '../support/full-disk.ts';
import { hurry } from '../support/quiet.ts';
import { given } from '../support/talk.ts';
import {
  arrives,
  cardSays,
  draft,
  gatewaySaw,
  inboxLookedAt,
  linkedPerson,
  PATIENT,
  says,
  shownOn,
  until,
} from '../support/story.ts';

/* A disk that is really full, under a real server: what the user sees, and what becomes of sends. */

const FULL = 'telegram: what it brings cannot be written down: the disk of the database is full';
const WORDS =
  'I cannot save anything right now, so nothing has been done about this yet. I will do it by myself as soon as I can. The bot’s administrator can see why.';

const PRESS_WORDS =
  'I cannot save anything right now, so this press has done nothing yet. Look at the card again in a while; if nothing has changed by then, press once more.';
/** More than find room where rows have been changed, also where something was cleaned up meanwhile. */
const DRAFTS = 24;

test('a full disk: nothing new is confirmed, people are told, and with room again everything is done once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'peyk-full-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const disk = await startOnSmallDisk(folder);
  if (typeof disk === 'string') {
    process.stdout.write(`NOT SHOWN here: a full disk needs a mount namespace, and there is none: ${disk}\n`);
    return;
  }
  onTestFinished(async () => await disk.stop());
  const day = await startBadDay({ target: disk.target });
  onTestFinished(async () => await day.close());
  // Nothing makes room behind its back.
  await day.database.sql`alter system set autovacuum = off`;
  await day.database.sql`select pg_reload_conf()`;
  const one = await day.start({ UNDO_SECONDS: '15' });
  await using peyk = one.peyk;
  await readiness(one);
  const { person, account } = await linkedPerson(day, 'Full');
  await inboxLookedAt(day, account);
  const drafts: Message[] = [];
  for (let n = 0; n < DRAFTS; n += 1)
    drafts.push(await draft(day, person, { to: `91255500${40 + n}`, text: `${n}, pressed on a full disk` }));
  const waiting = await draft(day, person, { to: '9125550032', text: 'due on a full disk' });
  person.tap(waiting, '✅ Send');
  await cardSays(day, waiting, 'leaving in');

  await disk.fill();
  // Every table has room for some more rows, and gets some where rows have been changed; then nothing can be written down.
  const comers: Person[] = [];
  for (let reasons: readonly string[] = []; !reasons.includes(FULL); reasons = await one.reasons()) {
    const comer = day.driver.user({ first_name: `Comer${comers.length}`, language_code: 'en' });
    comers.push(comer);
    comer.start();
    await day.driver.waitForMessage(comer, (m) => says('I am Peyk')(m) || says(WORDS)(m), PATIENT);
  }
  arrives(day, account, 'received on a full disk');
  const pressed: Message[] = [];
  for (let told = ''; told !== PRESS_WORDS;) {
    const next = given(drafts[pressed.length]);
    pressed.push(next);
    ({ text: told = '' } = await day.driver.waitForAnswer(person.tap(next, '✅ Send'), PATIENT));
  }
  // The time of the other one comes: a call is made only where its beginning could be written down.
  await until(async () => {
    const due = await day.database.sql`
      select 1 from job j join draft d on d.id = j.draft_id where d.text = 'due on a full disk' and j.hold_until < now()`;
    expect(due).toHaveLength(1);
  });
  const refused = `${pressed.length - 1}, pressed on a full disk`;
  expect(day.sandbox.ledger.sends().some(({ text }) => text === refused)).toBe(false);

  await disk.free();
  for (const comer of comers) await day.driver.waitForMessage(comer, says('I am Peyk'), PATIENT);
  // Time passes, and what failed is tried again.
  const all = pressed.length + 1;
  await until(async () => {
    await hurry(day);
    expect(gatewaySaw(day, account)).toEqual({ calls: all, sends: all, recipients: all });
  });
  for (const card of pressed) await cardSays(day, card, '1 accepted');
  await cardSays(day, waiting, '1 accepted');
  await day.driver.waitForMessage(person, says('received on a full disk'), PATIENT);
  await readiness(one);
  expect(gatewaySaw(day, account)).toEqual({ calls: all, sends: all, recipients: all });
  for (const comer of comers) expect(day.driver.messages(comer).filter(says('I am Peyk'))).toHaveLength(1);
  for (const card of [...pressed, waiting])
    for (const text of shownOn(day, card)) expect(text).not.toMatch(/unknown|not sent/u);
  const told = comers.filter((comer) => day.driver.messages(comer).some(says(WORDS)));
  expect(told.length).toBeGreaterThan(0);
  process.stdout.write(`the disk was full after ${comers.length} people and ${pressed.length} presses\n`);
  expect(await peyk.stop()).toBe(0);
});
