import type { Message } from '@grammyjs/types';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stripBidi } from '../../src/i18n/format.ts';
import type { Person } from '../../src/playground/control/driver.ts';
import { type OlderCopies, startOlderCopies } from '../support/older-copy.ts';
import {
  cardSays,
  dataOf,
  draft,
  gatewaySaw,
  harm,
  hasButton,
  inboxLookedAt,
  linkedPerson,
  PATIENT,
  says,
  until,
} from '../support/story.ts';
import { given } from '../support/talk.ts';

/*
 * The database is an older copy of itself: what had come in, was pressed and was received since comes once more.
 * Nothing of it leaves by itself, and nothing of it is lost.
 */

// Each test starts the process several times.
let stage: OlderCopies;

beforeAll(async () => {
  stage = await startOlderCopies({ INBOX_POLL_SECONDS: '0.5' });
});
afterAll(async () => {
  await stage.close();
});

const ASK_NUMBERS = 'To which numbers?';
const ASK_TEXT = 'What should the message say';
const HELD = 'The sends of all chats are stopped since';

const NOT_CONFIRMED = 'was restored from a backup in which it was not confirmed yet';

/** Says something, and gives the first answer with this in it. */
async function told(person: Person, text: string, part: string): Promise<Message> {
  const { message_id: after } = person.send(person, text);
  return await stage.driver.waitForMessage(person, says(part), { ...PATIENT, after });
}

/** When this is answered, all that the person did before has been handled: updates of a chat are, in their order. */
async function settled(person: Person): Promise<Message> {
  return await told(person, '/whoami', 'owner');
}

/** What Telegram has brought since, all of it, as if nobody had told it that it had arrived. */
function bringAgain(known: number): number {
  const since = stage.playground.control.updates().filter(({ id }) => id > known);
  for (const { id } of since) stage.playground.control.resendUpdate(id);
  return since.length;
}

const lastUpdate = (): number => given(stage.playground.control.updates().at(-1)).id;

/** A press as a phone makes it that has not heard yet that the card is another by now; what the person is told. */
async function presses(person: Person, card: Message, label: string): Promise<string> {
  const { text = '' } = await stage.driver.waitForAnswer(person.forge(card, dataOf(card, label)), PATIENT);
  return stripBidi(text);
}

test('what Telegram brings again since the backup makes drafts at most, and is answered as what it is', async () => {
  const [life, backup] = ['Again-life', 'Again-backup'];
  await using first = await stage.startOn(life);
  const { person, account } = await linkedPerson(stage, 'Again');
  const old = await draft(stage, person, { to: '9125550011', text: 'is confirmed after the backup' });
  expect(await first.stop()).toBe(0);
  await stage.backUp(first, life, backup);
  const known = lastUpdate();

  await using longer = await stage.startOn(life);
  person.tap(old, '✅ Send');
  await cardSays(stage, old, '1 accepted');
  const typed = await draft(stage, person, { to: '9125550012', text: 'is typed after the backup' });
  person.tap(typed, '✅ Send');
  await cardSays(stage, typed, '1 accepted');
  await told(person, '/send', ASK_NUMBERS);
  await told(person, '09125550013', ASK_TEXT);
  const asked = await told(person, 'is answered after the backup', '#A3');
  person.tap(asked, '✅ Send');
  await cardSays(stage, asked, '1 accepted');
  await told(person, '/credit', '💰');
  await longer.kill();
  const seen = gatewaySaw(stage, account);
  expect(seen).toEqual({ calls: 3, sends: 3, recipients: 3 });

  await stage.halt(backup, 'restored');
  expect(bringAgain(known)).toBe(8);
  const { message_id: before } = given(stage.driver.messages(person).at(-1));
  await using restored = await stage.startOn(backup);
  await settled(person);
  expect(gatewaySaw(stage, account)).toEqual(seen);
  await cardSays(stage, old, 'was restored from a backup', 'Whether it was sent since is not known here');
  // Each command has its answer once more, under numbers that nothing else has had.
  const since = stage.driver.messages(person).filter((m) => m.message_id > before && says('')(m));
  const cards = since.filter((m) => hasButton(m, '✅ Send'));
  expect(cards.map(({ text = '' }) => /#A\d+/u.exec(text)?.[0])).toEqual(['#A102', '#A103']);
  expect(cards[0]?.text).toContain('is typed after the backup');
  expect(cards[1]?.text).toContain('is answered after the backup');
  expect(since.filter(says('💰'))).toHaveLength(1);
  // The presses on cards that the copy does not know are answered too; nobody waits for these answers any more.
  const unknown = stage.driver
    .calls('answerCallbackQuery')
    .filter(({ params }) => /lost when a backup/u.test(String(params['text'])));
  expect(unknown).toHaveLength(2);
  expect(restored.complaints()).toBe('');

  // A card of what is typed once more sends nothing while sends are held, and what is new is served.
  const again = given(cards[0]);
  person.tap(again, '✅ Send');
  // The cards of the drafts say so too; the answer to the press is the message without their buttons.
  await stage.driver.waitForMessage(person, (m) => says(HELD)(m) && !hasButton(m, '✖ Cancel'), {
    ...PATIENT,
    after: again.message_id,
  });
  expect(await restored.stop()).toBe(0);
  await stage.halt(backup, 'off');

  // They come a third time: by now they are known.
  bringAgain(known);
  const { message_id: third } = given(stage.driver.messages(person).at(-1));
  await using after = await stage.startOn(backup);
  const { message_id: end } = await settled(person);
  const more = stage.driver.messages(person).filter((m) => m.message_id > third && m.message_id < end);
  expect(more.filter(says('')).map(({ text }) => text)).toEqual([]);
  expect(gatewaySaw(stage, account)).toEqual(seen);
  const fresh = await draft(stage, person, { to: '9125550014', text: 'is new' });
  person.tap(fresh, '✅ Send');
  await cardSays(stage, fresh, '1 accepted');
  expect(await after.stop()).toBe(0);
  expect(gatewaySaw(stage, account)).toEqual({ calls: 4, sends: 4, recipients: 4 });
});

test('a press on what was confirmed, or made, after the backup says what is not known, and sends nothing a second time', async () => {
  const [life, backup] = ['Pressed-life', 'Pressed-backup'];
  await using first = await stage.startOn(life);
  const { person, account } = await linkedPerson(stage, 'Pressed');
  const soon = await draft(stage, person, { to: '9125550021', text: 'is pressed while sends are held' });
  const late = await draft(stage, person, { to: '9125550022', text: 'is pressed when they go on' });
  const never = await draft(stage, person, { to: '9125550023', text: 'is never confirmed' });
  const held = await draft(stage, person, { to: '9125550024', text: 'can be taken back' });
  person.tap(held, '✅ Send');
  const undoable = await stage.driver.waitForMessage(
    person,
    (m) => m.message_id === held.message_id && hasButton(m, '↩️'),
    PATIENT,
  );
  await stage.backUp(first, life, backup);

  await using longer = await stage.startOn(life);
  for (const card of [soon, late]) person.tap(card, '✅ Send');
  for (const card of [soon, late, held]) await cardSays(stage, card, '1 accepted');
  const made = await draft(stage, person, { to: '9125550025', text: 'is not in the backup' });
  person.tap(made, '✅ Send');
  await cardSays(stage, made, '1 accepted');
  await longer.kill();
  const seen = gatewaySaw(stage, account);
  expect(seen).toEqual({ calls: 4, sends: 4, recipients: 4 });

  const looks = (): number =>
    stage.sandbox.ledger
      .hits()
      .filter((hit) => hit.account === account.username && /outbox/u.test(hit.operation ?? '')).length;
  const looked = looks();
  expect(await stage.halt(backup, 'restored')).toContain('Drafts that are void now: 3.');
  await using restored = await stage.startOn(backup);
  expect(await presses(person, made, '✅ Send')).toContain('lost when a backup was restored');
  expect(await presses(person, soon, '✅ Send')).toBe('');
  await cardSays(stage, soon, NOT_CONFIRMED, 'look at this chat');
  expect(await presses(person, undoable, '↩️')).toBe('');
  await stage.driver.waitForMessage(person, says('Too late to undo'), PATIENT);
  // What was to leave by itself is looked for in the gateway's lists, and found.
  await stage.driver.waitForMessage(
    person,
    (m) => m.message_id === held.message_id && says('1 accepted')(m) && says('was restored from a backup')(m),
    PATIENT,
  );
  expect(looks()).toBeGreaterThan(looked);
  expect(await restored.stop()).toBe(0);
  expect(gatewaySaw(stage, account)).toEqual(seen);

  await stage.halt(backup, 'off');
  await using after = await stage.startOn(backup);
  for (const card of [late, never]) {
    expect(await presses(person, card, '✅ Send')).toBe('');
    await cardSays(stage, card, NOT_CONFIRMED);
  }
  expect(await presses(person, soon, '✅ Send')).toContain('You pressed this already');
  expect(await presses(person, made, '✅ Send')).toContain('lost when a backup was restored');
  const fresh = await draft(stage, person, { to: '9125550026', text: 'is written after the restore' });
  person.tap(fresh, '✅ Send');
  await cardSays(stage, fresh, '1 accepted');
  expect(await after.stop()).toBe(0);
  expect(gatewaySaw(stage, account)).toEqual({ calls: 5, sends: 5, recipients: 5 });
});

test('who got nothing by the backup may have been sent to again since, and the card of a resend says so', async () => {
  const [life, backup] = ['Resent-life', 'Resent-backup'];
  await using first = await stage.startOn(life);
  const { person, account } = await linkedPerson(stage, 'Resent');
  const card = await draft(stage, person, { to: '9125550031', text: 'is refused at first' });
  harm(stage, account, { kind: 'error', status: 400, code: 24, times: 1 });
  person.tap(card, '✅ Send');
  const refused = await stage.driver.waitForMessage(
    person,
    (m) => m.message_id === card.message_id && hasButton(m, '🔁'),
    PATIENT,
  );
  await stage.backUp(first, life, backup);

  await using longer = await stage.startOn(life);
  person.tap(refused, '🔁');
  const certain = says('certainly got nothing');
  const isAgain = (m: Message): boolean => certain(m) && hasButton(m, '✅ Send');
  const again = await stage.driver.waitForMessage(person, isAgain, PATIENT);
  person.tap(again, '✅ Send');
  await cardSays(stage, again, '1 accepted');
  await longer.kill();

  await stage.halt(backup, 'restored');
  await using restored = await stage.startOn(backup);
  expect(await presses(person, refused, '🔁')).toBe('');
  const after = { ...PATIENT, after: again.message_id };
  const resend = await stage.driver.waitForMessage(person, says('may have been sent to again since'), after);
  expect(certain(resend)).toBe(false);
  expect(await restored.stop()).toBe(0);
});

test('what was received since the backup is captured and told again, read or not, and no rule answers it again', async () => {
  const [life, backup] = ['Heard-life', 'Heard-backup'];
  await using first = await stage.startOn(life);
  const { person, account } = await linkedPerson(stage, 'Heard');
  const gateway = given(stage.sandbox.world.account(account.username));
  const arrives = (from: string, text: string): void => {
    stage.sandbox.world.receive(gateway, { from, line: account.line, text });
  };
  const cards = (text: string): Message[] =>
    stage.driver.messages(person).filter((m) => says('📩')(m) && says(text)(m));
  const isTold = async (text: string, times: number): Promise<void> =>
    await until(() => expect(cards(text)).toHaveLength(times));
  await told(person, '/rule contains price → all answer «Ask at noon.»', '✅ Added');
  await inboxLookedAt(stage, account);
  arrives('9351110001', 'is in the backup');
  await isTold('is in the backup', 1);
  expect(await first.stop()).toBe(0);
  await stage.backUp(first, life, backup);

  await using longer = await stage.startOn(life);
  await told(person, '/rules read on', 'mark');
  arrives('9351110002', 'what is the price');
  arrives('9351110003', 'came after the backup');
  for (const text of ['what is the price', 'came after the backup']) await isTold(text, 1);
  await until(() => expect(gateway.inbox.every(({ read }) => read)).toBe(true));
  await until(() => expect(gatewaySaw(stage, account).sends).toBe(1));
  await longer.kill();
  // Another program fetches what comes while no Peyk runs.
  arrives('9351110004', 'was fetched by another program');
  for (const message of gateway.inbox) message.read = true;

  await stage.halt(backup, 'restored');
  await using restored = await stage.startOn(backup);
  for (const text of ['what is the price', 'came after the backup']) await isTold(text, 2);
  await isTold('was fetched by another program', 1);
  arrives('9351110005', 'is new, and asks for a price');
  await isTold('is new, and asks for a price', 1);
  await told(person, '/find price', '2 messages');
  expect(await restored.stop()).toBe(0);

  // The copy sees this one only when nothing holds sends any more.
  arrives('9351110006', 'asked for a price before sends went on');
  await stage.halt(backup, 'off');
  await using after = await stage.startOn(backup);
  await isTold('asked for a price before sends went on', 1);
  for (const text of ['what is the price', 'came after the backup']) expect(cards(text)).toHaveLength(2);
  for (const text of ['is in the backup', 'was fetched', 'is new']) expect(cards(text)).toHaveLength(1);
  // Whatever a rule had answered would have left before this does.
  const fresh = await draft(stage, person, { to: '9125550031', text: 'is written after the restore' });
  person.tap(fresh, '✅ Send');
  await cardSays(stage, fresh, '1 accepted');
  expect(await after.stop()).toBe(0);
  expect(gatewaySaw(stage, account)).toEqual({ calls: 2, sends: 2, recipients: 2 });
});
