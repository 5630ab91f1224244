import type { Message } from '@grammyjs/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { giveRole, quiet } from '../support/quiet.ts';
import {
  cardSays,
  dataOf,
  draft,
  gatewaySaw,
  hasButton,
  isCard,
  linkedGroup,
  linkedPeople,
  PATIENT,
  says,
} from '../support/story.ts';
import { startWorld, type World } from '../support/world.ts';

const NAMES = [
  'Sara',
  'Lena',
  'Nima',
  'Mina',
  'Parisa',
  'Bahar',
  'Dara',
  'Kian',
  'Yas',
  'Victim',
  'Thief',
  'Tester',
  'Twice',
] as const;

let world: World;
let people: Awaited<ReturnType<typeof linkedPeople<(typeof NAMES)[number]>>>;
beforeAll(async () => {
  world = await startWorld({}, { deliverySeconds: 600 });
  people = await linkedPeople(world, NAMES);
});
afterAll(async () => {
  await world.stop();
});

const ONE_CALL = { calls: 1, sends: 1, recipients: 1 };
const NO_CALL = { calls: 0, sends: 0, recipients: 0 };
const PRESSED_ALREADY = /^You pressed this already, at \d/u;

async function answer(queryId: string): Promise<string> {
  return (await world.driver.waitForAnswer(queryId, PATIENT)).text ?? '';
}

/** The update that carries this text or press. */
function updateWith(...parts: readonly string[]): number {
  const found = world.playground.control
    .updates()
    .find(({ json }) => parts.every((part) => json.includes(part)));
  if (found === undefined) throw new Error(`no update has ${parts.join(' and ')}`);
  return found.id;
}

async function cardsIn(chat: number | Person): Promise<Message[]> {
  await quiet(world);
  return world.driver.messages(chat).filter(isCard);
}

describe('presses on the same card', () => {
  test('of a double tap the first sends, and the second is told that it was pressed already', async () => {
    const { person, account } = people.Sara;
    const card = await draft(world, person, { to: '9121110001', text: 'double tap' });
    const taps = [person.tap(card, '✅ Send'), person.tap(card, '✅ Send'), person.tap(card, '✅ Send')];
    const [first, second, third] = await Promise.all(taps.map(answer));
    expect(first).toBe('');
    expect(second).toMatch(PRESSED_ALREADY);
    expect(third).toMatch(PRESSED_ALREADY);
    await cardSays(world, card, '1 accepted');
    await quiet(world);
    expect(gatewaySaw(world, account)).toEqual(ONE_CALL);
  });

  test('a tap on the old keyboard after the message has gone is told so, and sends nothing', async () => {
    const { person, account } = people.Lena;
    const card = await draft(world, person, { to: '9121110002', text: 'late tap' });
    const cancel = dataOf(card, '✖ Cancel');
    expect(await answer(person.tap(card, '✅ Send'))).toBe('');
    await cardSays(world, card, '1 accepted');
    expect(await answer(person.forge(card, cancel))).toContain('changed since');
    await quiet(world);
    expect(gatewaySaw(world, account)).toEqual(ONE_CALL);
    expect((await cardsIn(person))[0]?.text).not.toContain('cancelled');
  });

  test('of send and cancel pressed at once the first wins, and the card says what is true', async () => {
    const { person, account } = people.Nima;
    const card = await draft(world, person, { to: '9121110003', text: 'cancel wins' });
    const cancel = person.tap(card, '✖ Cancel');
    const send = person.tap(card, '✅ Send');
    expect(await answer(cancel)).toBe('');
    expect(await answer(send)).toContain('changed since');
    await cardSays(world, card, 'cancelled, none of it was sent');
    await quiet(world);
    expect(gatewaySaw(world, account)).toEqual(NO_CALL);
  });

  test('a double tap on "to me" sends one test message, and the draft stays open', async () => {
    const { person, account } = people.Tester;
    const { message_id: after } = person.send(person, '/send 9121110015 tested first');
    const card = await world.driver.waitForMessage(person, isCard, { ...PATIENT, after });
    person.tap(card, '🧪 To me');
    await world.driver.waitForMessage(person, says('Your own mobile number'), PATIENT);
    person.send(person, '09121110016');
    await world.driver.waitForMessage(person, (m) => isCard(m) && says('1 accepted')(m), PATIENT);
    await quiet(world);
    expect(gatewaySaw(world, account)).toEqual(ONE_CALL);
    const fresh = await cardSays(world, card, 'Draft');
    const taps = [person.tap(fresh, '🧪 To me'), person.tap(fresh, '🧪 To me')];
    const [first, second] = await Promise.all(taps.map(answer));
    expect(first).toBe('');
    expect(second).toMatch(PRESSED_ALREADY);
    await quiet(world);
    expect(gatewaySaw(world, account)).toEqual({ calls: 2, sends: 2, recipients: 2 });
  });

  test('of two people in a group only the one who asked confirms; the other is told why', async () => {
    const { group, owner, members, account } = await linkedGroup(world, { owner: 'Reza', members: ['Omid'] });
    const omid = members[0] as Person;
    omid.send(group, '/whoami');
    await world.driver.waitForMessage(group, says('Omid'), PATIENT);
    await giveRole(world, group, omid.id, 'operator');
    const card = await draft(world, owner, { to: '9121110004', text: 'two people', in: group });
    const send = dataOf(card, '✅ Send');
    const [other, own] = [omid.tap(card, '✅ Send'), owner.tap(card, '✅ Send')];
    expect(await answer(other)).toBe('Only the person who asked can press this.');
    expect(await answer(own)).toBe('');
    await cardSays(world, card, '1 accepted');
    expect(await answer(omid.forge(card, send))).toBe('Only the person who asked can press this.');
    await quiet(world);
    expect(gatewaySaw(world, account)).toEqual(ONE_CALL);
  });
});

describe('updates that come again', () => {
  test('a command that Telegram delivers again makes one draft and one card', async () => {
    const { person } = people.Mina;
    person.send(person, '/send 9121110005 replayed command');
    const id = updateWith('replayed command');
    world.playground.control.resendUpdate(id);
    await world.driver.waitForMessage(person, (m) => isCard(m), PATIENT);
    for (let again = 0; again < 3; again += 1) {
      world.playground.control.resendUpdate(id);
      await world.driver.whenPolled();
    }
    expect(await cardsIn(person)).toHaveLength(1);
    const [drafts] = await world.database.sql<{ count: number }[]>`
      select count(*)::int as count from draft where text = 'replayed command'`;
    expect(drafts?.count).toBe(1);
  });

  test('a question that Telegram delivers again is answered once', async () => {
    const { person } = people.Twice;
    const { message_id: after } = person.send(person, '/credit');
    const id = updateWith('"text":"/credit"', `"from":{"id":${person.id},`);
    await world.driver.waitForMessage(person, says('💰'), { ...PATIENT, after });
    for (let again = 0; again < 3; again += 1) {
      world.playground.control.resendUpdate(id);
      await world.driver.whenPolled();
    }
    person.send(person, '/whoami');
    await world.driver.waitForMessage(person, says('owner'), { ...PATIENT, after });
    const answers = world.driver.messages(person).filter((m) => m.message_id > after && says('💰')(m));
    expect(answers).toHaveLength(1);
  });

  test('a press that Telegram delivers again makes one call, before and after it was done', async () => {
    const { person, account } = people.Parisa;
    const card = await draft(world, person, { to: '9121110006', text: 'replayed press' });
    const query = person.tap(card, '✅ Send');
    const id = updateWith(`"${query}"`);
    world.playground.control.resendUpdate(id);
    expect(await answer(query)).toBe('');
    await cardSays(world, card, '1 accepted');
    for (let again = 0; again < 3; again += 1) {
      world.playground.control.resendUpdate(id);
      await world.driver.whenPolled();
    }
    await quiet(world);
    expect(gatewaySaw(world, account)).toEqual(ONE_CALL);
    const [jobs] = await world.database.sql<{ count: number }[]>`
      select count(*)::int as count from job j join draft d on d.id = j.draft_id where d.text = 'replayed press'`;
    expect(jobs?.count).toBe(1);
  });

  test('a press whose update was forgotten and is handled anew still makes no second call', async () => {
    const { person, account } = people.Bahar;
    const card = await draft(world, person, { to: '9121110007', text: 'forgotten update' });
    const query = person.tap(card, '✅ Send');
    await cardSays(world, card, '1 accepted');
    await quiet(world);
    const id = updateWith(`"${query}"`);
    const forgotten = await world.database.sql`delete from update where update_id = ${id} returning 1`;
    expect(forgotten).toHaveLength(1);
    world.playground.control.resendUpdate(id);
    await world.driver.whenPolled();
    await quiet(world);
    const [again] = await world.database
      .sql`select 1 from update where update_id = ${id} and done_at is not null`;
    expect(again).toBeDefined();
    expect(gatewaySaw(world, account)).toEqual(ONE_CALL);
  });
});

describe('presses that come too late', () => {
  test('the button of a draft that was edited since sends nothing; the new one sends the new text once', async () => {
    const { person, account } = people.Dara;
    const old = await draft(world, person, { to: '9121110008', text: 'first wording' });
    person.tap(old, '✏️ Text');
    await world.driver.waitForMessage(person, says('What should the message say?'), PATIENT);
    person.send(person, 'second wording');
    const card = await cardSays(world, old, 'second wording');
    expect(await answer(person.forge(card, dataOf(old, '✅ Send')))).toContain('changed since');
    await quiet(world);
    expect(gatewaySaw(world, account)).toEqual(NO_CALL);
    expect(await answer(person.tap(card, '✅ Send'))).toBe('');
    await cardSays(world, card, '1 accepted');
    await quiet(world);
    expect(gatewaySaw(world, account)).toEqual(ONE_CALL);
    const sent = world.sandbox.ledger.sends().filter((send) => send.account === account.username);
    expect(sent.map(({ text }) => text)).toEqual(['second wording']);
  });

  test('an expired button is told as expired, and an expired draft shows it; neither sends', async () => {
    const { person, account } = people.Kian;
    const card = await draft(world, person, { to: '9121110009', text: 'too old' });
    const age = async (table: 'button' | 'draft'): Promise<void> => {
      const { sql } = world.database;
      const past = sql`set expires_at = now() - interval '1 second'`;
      await (table === 'draft'
        ? sql`update draft ${past} where text = 'too old'`
        : sql`update button b ${past} from draft d where d.id = b.draft_id and d.text = 'too old'`);
    };
    await age('draft');
    const [fresh, expired] = [dataOf(card, '✅ Send'), dataOf(card, '✖ Cancel')];
    await answer(person.forge(card, fresh));
    const shown = await cardSays(world, card, 'expired, none of it was sent');
    expect(hasButton(shown, '✅')).toBe(false);
    await age('button');
    expect(await answer(person.forge(card, expired))).toContain('expired');
    await quiet(world);
    expect(gatewaySaw(world, account)).toEqual(NO_CALL);
  });

  test('a button that was pressed on another day is told with that day', async () => {
    const { person } = people.Kian;
    const card = await draft(world, person, { to: '9121110019', text: 'of yesterday' });
    const send = dataOf(card, '✅ Send');
    await answer(person.forge(card, send));
    await cardSays(world, card, 'accepted');
    expect(await answer(person.forge(card, send))).toMatch(/ at \d\d:\d\d\.$/u);
    await world.database.sql`
      update button b set used_at = used_at - interval '1 day' from draft d
      where d.id = b.draft_id and d.text = 'of yesterday' and b.used_at is not null`;
    expect(await answer(person.forge(card, send))).toMatch(/ at \d\d:\d\d, \d+ \p{L}+ \d{4}\.$/u);
  });

  test('an account that was unlinked or replaced since sends nothing, and the presser is told', async () => {
    const { person, account } = people.Yas;
    const card = await draft(world, person, { to: '9121110010', text: 'account is gone' });
    person.send(person, '/disconnect');
    const asked = await world.driver.waitForMessage(person, (m) => hasButton(m, '🔌 Unlink'), PATIENT);
    person.tap(asked, '🔌 Unlink');
    await world.driver.waitForMessage(person, says('Unlinked'), PATIENT);
    person.tap(card, '✅ Send');
    await world.driver.waitForMessage(person, says('No gateway account is linked to this chat'), PATIENT);
    await quiet(world);
    expect(gatewaySaw(world, account)).toEqual(NO_CALL);
  });
});

describe('presses by the wrong hands', () => {
  test('data copied into another chat, or made up, does nothing there and is called what it is', async () => {
    const { person: victim, account } = people.Victim;
    const { person: thief, account: own } = people.Thief;
    const { group, owner } = await linkedGroup(world, { owner: 'Boss', members: [] });
    const card = await draft(world, victim, { to: '9121110011', text: 'not for others' });
    const send = dataOf(card, '✅ Send');
    const inThiefsChat = await draft(world, thief, { to: '9121110012', text: 'a chat of the thief' });
    const inGroup = await draft(world, owner, { to: '9121110013', text: 'a group', in: group });

    expect(await answer(thief.forge(inThiefsChat, send))).toBe('This button belongs to another chat.');
    expect(await answer(owner.forge(inGroup, send))).toBe('This button belongs to another chat.');
    const madeUp = [
      'p1:AAAAAAAAAAAAAAAAAAAAAA',
      `${send}x`,
      send.toLowerCase(),
      'send',
      `p1:${'0'.repeat(60)}`,
    ];
    const told = await Promise.all(madeUp.map(async (data) => await answer(thief.forge(inThiefsChat, data))));
    expect(told.map((text) => text.slice(0, 25))).toEqual(madeUp.map(() => 'I do not know this button'));
    await quiet(world);
    expect(gatewaySaw(world, account)).toEqual(NO_CALL);
    expect(gatewaySaw(world, own)).toEqual(NO_CALL);

    // None of it has used the button up.
    expect(await answer(victim.tap(card, '✅ Send'))).toBe('');
    await cardSays(world, card, '1 accepted');
    expect(gatewaySaw(world, account)).toEqual(ONE_CALL);
  });

  test.each(['viewer', null])(
    'whoever has become %s between preview and press sends nothing',
    async (now) => {
      const names = { owner: `Boss of ${now ?? 'nobody'}`, members: ['Omid'] };
      const { group, members, account } = await linkedGroup(world, names);
      const omid = members[0] as Person;
      omid.send(group, '/whoami');
      await world.driver.waitForMessage(group, says('Omid'), PATIENT);
      await giveRole(world, group, omid.id, 'operator');
      const card = await draft(world, omid, { to: '9121110014', text: 'role is gone', in: group });
      await giveRole(world, group, omid.id, now);
      expect(await answer(omid.tap(card, '✅ Send'))).toContain('Your role in this chat does not allow this');
      expect(await answer(omid.tap(card, '✖ Cancel'))).toContain(
        'Your role in this chat does not allow this',
      );
      await quiet(world);
      expect(gatewaySaw(world, account)).toEqual(NO_CALL);
      await giveRole(world, group, omid.id, 'operator');
      expect(await answer(omid.tap(card, '✅ Send'))).toBe('');
      await cardSays(world, card, '1 accepted');
      await quiet(world);
      expect(gatewaySaw(world, account)).toEqual(ONE_CALL);
    },
  );
});
