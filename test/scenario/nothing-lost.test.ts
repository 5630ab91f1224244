import type { Message } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { schedulesIn } from '../support/scheduling.ts';
import { until } from '../support/story.ts';
import { dataOf, isFromBot, plain, rows, type Place } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* What somebody has begun is not thrown away: undone, edited, or interrupted by something else. */

const { world, made } = useWorld({ UNDO_SECONDS: '600' }, { deliverySeconds: 600 });
const on = made(schedulesIn);

const alone = async (language_code = 'en'): Promise<Person> => {
  const sara = world.driver.user({ first_name: 'Sara', language_code });
  const { username, password } = on.talk.account();
  await on.talk.connects(sara, { username, password });
  return sara;
};

const said = (place: Place): Message[] =>
  world.driver.messages(place).filter((each) => isFromBot(each) && each.text !== undefined);

/** The newest message by the bot, once it fits. */
const last = async (place: Place, fits: RegExp): Promise<Message> => {
  await until(() => {
    expect(plain(said(place).at(-1) as Message)).toMatch(fits);
  });
  return said(place).at(-1) as Message;
};

const labels = (message: Message): string[] => rows(message).flat();
const csv = Buffer.from('mobile,name\n09121110001,Sara\n09121110002,\n09121110003,Lena');

describe.concurrent('a send that is undone', () => {
  test('is a draft again, at the end of the chat, and can be sent', async () => {
    const sara = await alone();
    const card = await on.talk.asks(sara, sara, '/send 09121234567 Hello', 'Draft #A1');
    await on.talk.presses(sara, card, '✅');
    const holding = await on.talk.turns(card, 'leaving in');
    expect(await on.talk.presses(sara, holding, '↩️')).toBe('');
    const undone = await on.talk.turns(card, 'undone by Sara · not sent. It is draft #A2 again.');
    expect(rows(undone)).toEqual([]);
    const back = await last(
      sara,
      /Draft #A2[\s\S]*Hello[\s\S]*Sara has undone #A1: nothing of it was sent\./u,
    );
    expect(labels(back)[0]).toBe('✅ Send 1 · 1 part');
    await on.talk.presses(sara, back, '✅');
    await on.talk.turns(back, 'leaving in');
    expect(
      world.driver
        .messages(sara)
        .map(plain)
        .filter((text) => text.startsWith('⬇')),
    ).toEqual([]);
  });

  test('calls its author when somebody else has undone it, with the button that sends it', async () => {
    const { omid, ann, group } = await on.team();
    const card = await on.talk.asks(omid, group, '/send 09121234567 Hello', 'Draft #A1');
    await on.talk.presses(omid, card, '✅');
    await on.talk.presses(ann, await on.talk.turns(card, 'leaving in'), '↩️');
    await on.talk.turns(card, 'by Omid · undone by Ann · not sent');
    const call = await last(
      group,
      /^Omid: Ann has undone #A1, nothing of it was sent\. It is draft #A2 again\.$/u,
    );
    expect(plain(call.reply_to_message as Message)).toContain('Draft #A2');
    expect(labels(call)).toEqual(['✅ Send 1 · 1 part']);
    expect(await on.talk.presses(ann, call, '✅')).toContain('Only');
    expect(await on.talk.presses(omid, call, '✅')).toBe('');
    await on.talk.hears(group, 'leaving in', card.message_id);
  });

  test('has its button in the supergroup that its group becomes, and one that was missed asks there', async () => {
    const { owner, group, account } = await on.team('en', {}, 'group');
    const waits = await on.schedules(owner, group, 'tomorrow 9', 'Missed');
    await on.comes(group, 'A1', 1900);
    await on.talk.turns(waits, 'What should happen?');
    const card = await on.talk.asks(owner, group, '/send 09121234567 Hello', 'Draft #A2');
    await on.talk.presses(owner, card, '✅');
    await on.talk.turns(card, 'leaving in');
    const { id: supergroup } = world.playground.control.migrate({ chat_id: group });
    const holding = await on.talk.hears(supergroup, /#A2[\s\S]*leaving in/u);
    expect(await on.talk.presses(owner, holding, '↩️')).toBe('');
    await on.talk.turns(holding, 'undone by Olga');
    const missed = await on.talk.hears(supergroup, /#A1[\s\S]*What should happen\?/u);
    expect(await on.talk.presses(owner, missed, '🗑')).toBe('');
    await on.talk.turns(missed, 'cancelled');
    expect(on.talk.sends(account.username)).toEqual([]);
  });

  test('that was missed asks once in the supergroup, also while it is still being shown in the group', async () => {
    const { owner, group } = await on.team('en', {}, 'group');
    const waits = await on.schedules(owner, group, 'tomorrow 9', 'Missed');
    // It is shown, and nobody knows: it is edited again, and the group has become a supergroup by then.
    const match = { chat_id: group, message_id: waits.message_id };
    world.playground.control.fault({ method: 'editMessageText', match, drop: 'after' });
    await on.comes(group, 'A1', 1900);
    await on.talk.turns(waits, 'What should happen?');
    const { id: supergroup } = world.playground.control.migrate({ chat_id: group });
    const missed = await on.talk.hears(supergroup, /#A1[\s\S]*What should happen\?/u);
    expect(await on.talk.presses(owner, missed, '🗑')).toBe('');
    await on.talk.turns(missed, 'cancelled');
    const refused = () =>
      world.playground.control
        .calls({ method: 'editMessageText' })
        .filter(({ ok, params }) => !ok && params['chat_id'] === group);
    await until(() => expect(refused()).not.toEqual([]));
    const cards = said(supergroup)
      .map(plain)
      .filter((text) => !text.startsWith('Olga:'));
    expect(cards).toEqual([expect.stringContaining('#A1')]);
  });

  test('leaves what it held of the day’s cap to the drafts of others', async () => {
    const { omid, oscar, group } = await on.team();
    await on.limit(group, { cap: 1 });
    const card = await on.talk.asks(omid, group, '/send 09121234567 Hello', 'Draft #A1');
    await on.talk.presses(omid, card, '✅');
    const holding = await on.talk.turns(card, 'leaving in');
    const other = await on.talk.asks(oscar, group, '/send 09351112233 Hello', 'Draft #A2');
    expect(plain(other)).toContain('over the day’s cap');
    await on.talk.presses(omid, holding, '↩️');
    await on.talk.turns(other, (m) => !plain(m).includes('over the day’s cap'));
  });

  test('of a file has its rows, its text and its word for what is missing', async () => {
    const sara = await alone();
    const opened = sara.upload(sara, 'people.csv', csv, '/bulk').message_id;
    const card = await on.talk.hears(sara, (m) => labels(m)[0] === '▶ Continue', opened);
    await on.talk.presses(sara, card, '▶');
    await on.talk.hears(sara, 'What should the message say?', card.message_id);
    const counted = await on.talk.asks(
      sara,
      sara,
      'Dear {name}',
      (m) => labels(m)[0]?.startsWith('✅') === true,
    );
    await on.talk.presses(sara, counted, 'Fill in a word');
    await on.talk.hears(sara, 'What should be used where', counted.message_id);
    const filled = await on.talk.asks(
      sara,
      sara,
      'friend',
      (m) => labels(m)[0]?.startsWith('✅ Send 3') === true,
    );
    await on.talk.presses(sara, filled, '✅');
    await on.talk.presses(sara, await on.talk.turns(filled, 'leaving in'), '↩️');
    const back = await last(sara, /Draft #A2[\s\S]*people\.csv[\s\S]*Dear Sara/u);
    expect(plain(back)).toContain('friend');
    expect(labels(back)[0]).toMatch(/^✅ Send 3/u);
  });
});

describe.concurrent('a command that is edited', () => {
  test('changes its draft each time, and brings the card', async () => {
    const sara = await alone();
    const order = sara.send(sara, '/send 09121234567 Helo');
    const card = await on.talk.hears(sara, 'Draft #A1', order.message_id);
    sara.edit(order, '/send 09121234567 09351112233 Hello');
    const first = await on.talk.hears(sara, /Draft #A1[\s\S]*Hello\n/u, card.message_id);
    expect(labels(first)[0]).toBe('✅ Send 2 · 2 parts');
    sara.edit(order, '/send 0912 Hello');
    const told = await on.talk.hears(sara, 'the draft stays as it was', first.message_id);
    const stays = await on.talk.hears(sara, /Draft #A1[\s\S]*Hello\n/u, told.message_id);
    expect(labels(stays)[0]).toBe('✅ Send 2 · 2 parts');
    sara.edit(order, '/send 09121234567 Bye');
    await on.talk.hears(sara, /Draft #A1[\s\S]*Bye\n/u, stays.message_id);
    expect((await on.jobs(sara.id)).length).toBe(0);
  });

  test.each([
    ['en', '/schedule every day 10:00', '✅ Send 1 · 1 part', 'To be sent'],
    ['fa', '/schedule هر روز 10:00', '✅ ارسال به ۱ · ۱ پارت', 'زمان ارسال:'],
  ])(
    'to one that names no time has none, unless the card gave it one: %s',
    async (lang, timed, atOnce, later) => {
      const sara = await alone(lang);
      const order = sara.send(sara, `${timed} 09121234567 Hello`);
      const card = await on.talk.hears(sara, later, order.message_id);
      sara.edit(order, '/send 09121234567 Hello');
      const now = await on.talk.hears(
        sara,
        (m) => labels(m)[0]?.startsWith(atOnce) === true,
        card.message_id,
      );
      expect(plain(now)).not.toContain(later);
      await on.talk.presses(sara, now, '🕐');
      const when = await on.talk.hears(sara, '18:30', now.message_id);
      const set = await on.talk.asks(sara, sara, lang === 'en' ? 'tomorrow 10:00' : 'فردا ساعت ۱۰', later);
      expect(set.message_id).toBeGreaterThan(when.message_id);
      sara.edit(order, '/send 09121234567 Bye');
      const last = await on.talk.hears(sara, '\nBye\n', set.message_id);
      expect(plain(last)).toContain(later);
    },
  );

  test('to one that has the gateway keep it until its time is not kept here until another', async () => {
    const { owner, group, account } = await on.team();
    const order = owner.send(group, '/schedule tomorrow 10:00 09121234567 Hello');
    const card = await on.talk.hears(group, 'To be sent', order.message_id);
    await on.talk.presses(owner, card, '⚡');
    await on.talk.turns(card, '⚡ flash');
    owner.edit(order, '/future tomorrow 09:00 09121234567 Hello');
    const now = await on.talk.hears(group, 'waits at the gateway', card.message_id);
    expect(plain(now)).not.toContain('To be sent');
    // It cannot be one, and has no button to end it.
    expect(plain(now)).not.toContain('⚡');
    await on.talk.presses(owner, now, '✅');
    await on.talk.turns(now, 'leaving in');
    expect(await on.jobs(group)).toMatchObject([{ state: 'holding' }]);
    expect(on.talk.sends(account.username)).toEqual([]);
  });

  test.each([
    ['en', 'since #A1 was prepared, this chat’s account was unlinked or replaced', 'leaving in'],
    ['fa', 'بعد از آماده شدن #A1 حساب این گفتگو جدا یا عوض', 'ثانیهٔ دیگر ارسال'],
  ])('goes by the account of now, where another was linked since: %s', async (lang, other, leaving) => {
    const sara = await alone(lang);
    const order = sara.send(sara, '/send 09121234567 Hello');
    const card = await on.talk.hears(sara, '#A1', order.message_id);
    const { apiKey } = on.talk.account({ lines: ['50001234'] });
    await on.talk.connects(sara, { apiKey }, { line: null });
    await on.talk.asks(sara, sara, '/line 50001234', '50001234');
    await on.talk.presses(sara, card, '✅');
    const told = await on.talk.hears(sara, other, card.message_id);
    expect(await on.jobs(sara.id)).toEqual([]);
    sara.edit(order, '/send 09121234567 Hello there');
    const now = await on.talk.hears(sara, 'Hello there', told.message_id);
    expect(plain(now)).toContain('50001234');
    await on.talk.presses(sara, now, '✅');
    await on.talk.turns(now, leaving);
    const [job] = await world.database.sql`
      select b.state from job j join binding b on b.id = j.binding_id join chat c on c.id = j.chat_id where c.telegram_id = ${sara.id}`;
    expect(job).toEqual({ state: 'live' });
  });

  test('is told that nothing follows it once the draft was confirmed, and changes nothing', async () => {
    const sara = await alone();
    const order = sara.send(sara, '/send 09121234567 Hello');
    const card = await on.talk.hears(sara, 'Draft #A1', order.message_id);
    await on.talk.presses(sara, card, '✅');
    await on.talk.turns(card, 'leaving in');
    sara.edit(order, '/send 09121234567 Something else');
    const told = await on.talk.hears(sara, 'edits of the message are no longer followed', card.message_id);
    const now = await on.talk.hears(sara, 'leaving in', told.message_id);
    expect(plain(now)).toContain('Hello');
    expect(labels(now)).toEqual(['↩️ Undo']);
  });

  test('by somebody in a group makes an approval that was asked for void', async () => {
    const { omid, ann, group } = await on.team();
    await on.limit(group, { approval: 1 });
    const order = omid.send(group, '/send 09121234567 09351112233 Hello');
    const card = await on.talk.hears(group, 'Draft #A1', order.message_id);
    await on.talk.presses(omid, card, '➡');
    const call = await on.talk.hears(group, 'waits for approval.', card.message_id);
    omid.edit(order, '/send 09121234567 09351112233 Good bye');
    await last(group, /Draft #A1[\s\S]*Good bye/u);
    // The call is gone by now; a press that was on its way is worth nothing.
    const late = await world.driver.waitForAnswer(ann.forge(call, dataOf(call, '✅')));
    expect(late.text).toContain('changed');
    expect(await on.jobs(group)).toEqual([]);
  });
});

describe.concurrent('a question that a command interrupts', () => {
  test('is told, and a button goes on with it where it was', async () => {
    const sara = await alone();
    await on.talk.asks(sara, sara, '/send', 'To which numbers?');
    await on.talk.asks(sara, sara, '09121234567', 'What should the message say?');
    const told = await on.talk.asks(sara, sara, '/whoami', 'This question is still unanswered');
    expect(plain(told)).toContain('What should the message say?');
    const aside = sara.send(sara, 'nothing for the form');
    await on.talk.hears(sara, 'SMS', aside.message_id);
    await on.talk.presses(sara, told, '▶ Continue');
    await on.talk.hears(sara, 'What should the message say?', aside.message_id);
    const card = await on.talk.asks(sara, sara, 'Hello', 'Draft #A1');
    expect(labels(card)[0]).toBe('✅ Send 1 · 1 part');
  });

  test('waits behind the question of the other command, and is there after its end', async () => {
    const sara = await alone();
    await on.talk.asks(sara, sara, '/send', 'To which numbers?');
    const told = await on.talk.asks(sara, sara, '/bulk', 'This question is still unanswered');
    await on.talk.hears(sara, 'Which file?', told.message_id);
    await on.talk.asks(sara, sara, '/cancel', 'Question cancelled');
    const again = await on.talk.asks(sara, sara, '/schedule', 'When');
    await on.talk.presses(sara, again, '✖');
    const other = await on.talk.asks(sara, sara, '/send', 'To which numbers?');
    const behind = await on.talk.asks(sara, sara, '/bulk', 'This question is still unanswered');
    await on.talk.hears(sara, 'Which file?', behind.message_id);
    await on.talk.presses(sara, behind, '▶ Continue');
    const swapped = await on.talk.hears(sara, /still unanswered[\s\S]*Which file/u, behind.message_id);
    await on.talk.hears(sara, 'To which numbers?', swapped.message_id);
    await on.talk.asks(sara, sara, '09121234567', 'What should the message say?');
    await on.talk.asks(sara, sara, 'Hello', 'Draft #A1');
    await on.talk.presses(sara, swapped, '▶ Continue');
    await on.talk.hears(sara, 'Which file?', swapped.message_id + 1);
    expect(other.message_id).toBeLessThan(behind.message_id);
  });

  test('in a group is not interrupted by what is for another bot', async () => {
    const { omid, group } = await on.team();
    const asked = await on.talk.asks(omid, group, '/send', 'To which numbers?');
    omid.send(group, '/weather');
    const next = await on.talk.asks(omid, group, '09121234567', 'What should the message say?', {
      replyTo: asked,
    });
    expect(next.message_id).toBeGreaterThan(asked.message_id);
  });
});
