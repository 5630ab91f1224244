import type { Message } from '@grammyjs/types';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { type OlderCopies, startOlderCopies } from '../support/older-copy.ts';
import {
  cardSays,
  draft,
  gatewaySaw,
  harm,
  hasButton,
  linkedPerson,
  numbers,
  PATIENT,
  says,
  shownOn,
} from '../support/story.ts';

/* A backup is brought back, as the guide says: what it does not know must not be sent again. */

// Each test starts the process several times.
let stage: OlderCopies;

beforeAll(async () => {
  stage = await startOlderCopies();
});
afterAll(async () => {
  await stage.close();
});

const toldIn =
  (person: Person) =>
  async (text: string, part: string): Promise<Message> => {
    const { message_id: after } = person.send(person, text);
    return await stage.driver.waitForMessage(person, says(part), { ...PATIENT, after });
  };

/** The card says this some time after the first look, which comes 20 seconds after a call became unknown. */
async function isFound(card: Message, part: string): Promise<void> {
  const fits = (m: Message): boolean => m.message_id === card.message_id && says(part)(m);
  await stage.driver.waitForMessage(card.chat.id, fits);
}

/** Questions to the gateway for what it has sent. */
function looksOf({ username }: { readonly username: string }) {
  return stage.sandbox.ledger
    .hits()
    .filter(({ account, operation }) => account === username && /outbox/u.test(operation ?? ''));
}

/** A send whose call is on the wire, one that waits for its undo hold to end, a kill, and a copy of the data. */
async function backedUp(name: string) {
  const [life, backup] = [`${name}-life`, `${name}-backup`];
  await using first = await stage.startOn(life);
  const { person, account } = await linkedPerson(stage, name);
  const lost = await draft(stage, person, { to: '9125550001', text: `${name}: its answer is lost` });
  const { struck, heal } = harm(stage, account, { kind: 'hang', when: 'after', times: 1 });
  person.tap(lost, '✅ Send');
  await struck();
  const held = await draft(stage, person, { to: '9125550002 9125550003', text: `${name}: has not left yet` });
  person.tap(held, '✅ Send');
  const isHeld = (m: Message): boolean => m.message_id === held.message_id && hasButton(m, '↩️');
  await stage.driver.waitForMessage(person, isHeld, PATIENT);
  await stage.backUp(first, life, backup);
  heal();
  return { life, backup, person, account, lost, held, told: toldIn(person) };
}

test('what was on the wire is found, and what had not left is asked about and does not leave', async () => {
  const { backup, person, account, lost, held, told } = await backedUp('Lost');
  const once = { calls: 1, sends: 1, recipients: 1 };
  expect(gatewaySaw(stage, account)).toEqual(once);
  expect(await stage.halt(backup, 'restored')).toContain('Calls that may have left then: 2.');
  const looked = looksOf(account).length;
  await using restored = await stage.startOn(backup);
  await cardSays(stage, held, 'was restored from a backup', '2 unknown');
  await isFound(lost, '1 accepted');
  expect(looksOf(account).length).toBeGreaterThan(looked);
  for (const text of shownOn(stage, lost).slice(1)) expect(text).not.toMatch(/not sent|fail/u);

  // Nothing new leaves either, and people are told why.
  const fresh = await draft(stage, person, { to: '9125550009', text: 'is written after the restore' });
  person.tap(fresh, '✅ Send');
  await stage.driver.waitForMessage(person, says('The sends of all chats are stopped since'), {
    ...PATIENT,
    after: fresh.message_id,
  });
  await told('/limits', 'The sends of all chats are stopped');
  await told('/limits go', 'Nobody in this chat has switched sends off');
  expect(await restored.stop()).toBe(0);
  expect(gatewaySaw(stage, account)).toEqual(once);

  expect(await stage.halt(backup, 'off')).toContain('Sends are not held.');
  await using after = await stage.startOn(backup);
  const again = await draft(stage, person, { to: '9125550009', text: 'is written after the restore' });
  person.tap(again, '✅ Send');
  await cardSays(stage, again, '1 accepted');
  await cardSays(stage, held, '2 unknown');
  expect(await after.stop()).toBe(0);
  expect(gatewaySaw(stage, account)).toEqual({ calls: 2, sends: 2, recipients: 2 });
});

test('what left after the backup was taken is found, and not sent again', async () => {
  const { life, backup, person, account, held } = await backedUp('Late');
  await using longer = await stage.startOn(life);
  await cardSays(stage, held, '2 accepted');
  const unknown = await draft(stage, person, { to: '9125550004', text: 'is not in the backup' });
  await longer.kill();
  const seen = gatewaySaw(stage, account);
  expect(seen).toEqual({ calls: 2, sends: 2, recipients: 3 });

  await stage.halt(backup, 'restored');
  await using restored = await stage.startOn(backup);
  await cardSays(stage, held, 'was restored from a backup');
  await isFound(held, '2 accepted');
  const told = await stage.driver.waitForAnswer(person.tap(unknown, '✅ Send'), PATIENT);
  expect(told.text).toContain('lost when a backup was restored');
  // Cards that are made now have other numbers than those that the backup does not know.
  const next = await draft(stage, person, { to: '9125550005', text: 'is made after the restore' });
  expect(next.text).toMatch(/#A1\d\d/u);
  expect(await restored.stop()).toBe(0);
  await stage.halt(backup, 'off');
  await using after = await stage.startOn(backup);
  await cardSays(stage, held, '2 accepted');
  expect(await after.stop()).toBe(0);
  expect(gatewaySaw(stage, account)).toEqual(seen);
});

test('of a file that was half sent, and of a draft that was confirmed since, nobody gets a message twice', async () => {
  const [life, backup] = ['File-life', 'File-backup'];
  await using first = await stage.startOn(life);
  const { person, account } = await linkedPerson(stage, 'File');
  const told = toldIn(person);
  await told('/limits approval off', 'Set by');
  const open = await draft(stage, person, { to: '9125550006', text: 'is confirmed after the backup' });
  const rows = numbers(1500).map((number, n) => `0${number},Number ${n}`);
  const { message_id: after } = person.upload(
    person,
    'people.csv',
    Buffer.from(['mobile,name', ...rows].join('\n')),
    '/bulk',
  );
  const isRead = (m: Message): boolean => hasButton(m, '▶');
  person.tap(await stage.driver.waitForMessage(person, isRead, { ...PATIENT, after }), '▶');
  await stage.driver.waitForMessage(person, says('What should the message say?'), { ...PATIENT, after });
  person.send(person, 'Hello {name}');
  const hasSend = (m: Message): boolean => m.message_id > after && hasButton(m, '✅ Send 1,500');
  const card = await stage.driver.waitForMessage(person, hasSend, PATIENT);
  // The first call is answered; those after it are carried out, and nobody hears of it.
  const { struck, heal } = harm(stage, account, {
    operation: 'multi',
    kind: 'hang',
    when: 'after',
    skip: 1,
  });
  person.tap(card, '✅ Send');
  await struck(2);
  await stage.backUp(first, life, backup);
  const inBackup = gatewaySaw(stage, account).recipients;
  heal();

  await using longer = await stage.startOn(life);
  person.tap(open, '✅ Send');
  await cardSays(stage, open, '1 accepted');
  await isFound(card, '1,500 accepted');
  await longer.kill();
  const seen = gatewaySaw(stage, account);
  expect(inBackup).toBeLessThan(1500);
  expect(seen.recipients).toBe(1501);

  expect(await stage.halt(backup, 'restored')).toContain('Drafts that are void now: 1.');
  await using restored = await stage.startOn(backup);
  await cardSays(stage, card, 'was restored from a backup');
  await isFound(card, '1,500 accepted');
  expect(await restored.stop()).toBe(0);
  expect(await stage.halt(backup, 'status')).toContain('No call is unknown.');
  await stage.halt(backup, 'off');
  await using last = await stage.startOn(backup);
  await told('/credit', 'rial');
  expect(await last.stop()).toBe(0);
  expect(gatewaySaw(stage, account)).toEqual(seen);
});
