import type { Message } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { schedulesIn } from '../support/scheduling.ts';
import { until } from '../support/story.ts';
import { isFromBot, plain, rows, type Place } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* The card of a send is where the person is: what they see last has the buttons. */

const BELOW = /^⬇️ #A1 continues below\.$/u;

const { world, made } = useWorld({}, { deliverySeconds: 600 });
const on = made(schedulesIn);

const alone = async (): Promise<Person> => {
  const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
  const { apiKey } = on.talk.account();
  await on.talk.connects(sara, { apiKey });
  return sara;
};

const last = (place: Place): Message => {
  const message = world.driver.messages(typeof place === 'number' ? place : place.id).at(-1);
  if (message === undefined) throw new Error('nothing was said here');
  return message;
};

const shownIn = (place: Place, code: RegExp): string[] =>
  world.driver
    .messages(typeof place === 'number' ? place : place.id)
    .filter((each) => isFromBot(each) && code.test(plain(each).split('\n')[0] ?? ''))
    .map((each) => (rows(each).length > 0 ? 'buttons' : plain(each)));

describe.concurrent('after an answer to what a card asked', () => {
  test.each([
    ['the text that was typed', '✏️ Text', 'What should the message say', 'New words', 'New words'],
    ['the time that was typed', '🕐 When', 'Choose, or type a time', 'tomorrow 10:15', '10:15'],
    ['the line that was typed', '📞 Line', 'line', '30007770099', '30007770099'],
  ])('the card stands below %s', async (_, button, question, answer, shows) => {
    const sara = await alone();
    const card = await on.talk.asks(sara, sara, '/send 09121234567 Old words', 'Draft');
    await on.talk.presses(sara, card, button);
    await on.talk.hears(sara, question, card.message_id);
    await on.talk.asks(sara, sara, answer, shows);
    await on.talk.turns({ ...card, text: '' }, shows);
    await world.driver.whenPolled();
    expect(plain(last(sara))).toContain(shows);
    expect(rows(last(sara)).flat()[0]).toMatch(/^✅ Send 1/u);
    await until(() => {
      expect(shownIn(sara, /#A1/u)).toEqual([expect.stringMatching(BELOW), 'buttons']);
    });
  });

  test('it follows to its end there', async () => {
    const sara = await alone();
    const card = await on.talk.asks(sara, sara, '/send 09121234567 Old words', 'Draft');
    await on.talk.presses(sara, card, '✏️ Text');
    await on.talk.hears(sara, 'What should the message say', card.message_id);
    const below = await on.talk.asks(sara, sara, 'New words', 'Draft');
    expect(await on.talk.presses(sara, below, '✅')).toBe('');
    await on.talk.turns(below, '1 accepted');
    expect(last(sara).message_id).toBe(below.message_id);
  });

  test('a test message stands above it', async () => {
    const sara = await alone();
    const card = await on.talk.asks(sara, sara, '/send 09121234567 Hello', 'Draft');
    await on.talk.presses(sara, card, '🧪 To me');
    const asked = await on.talk.hears(sara, 'Your own mobile number', card.message_id);
    await on.talk.asks(sara, sara, '09121111111', '#A2');
    const below = await on.talk.hears(sara, /Draft #A1/u, asked.message_id);
    await on.talk.hears(sara, /#A2[\s\S]*1 accepted/u, asked.message_id);
    expect(last(sara).message_id).toBe(below.message_id);
  });
});

describe.concurrent('the code of a card as a command', () => {
  test('brings it with its buttons, whatever it has become', async () => {
    const sara = await alone();
    await on.talk.asks(sara, sara, '/send 09121234567 Hello', 'Draft');
    const draft = await on.talk.asks(sara, sara, '/A1', 'Draft #A1');
    expect(rows(draft).flat()[0]).toBe('✅ Send 1 · 1 part');
    await until(() => {
      expect(shownIn(sara, /#A1/u)).toEqual([expect.stringMatching(BELOW), 'buttons']);
    });
    await on.talk.presses(sara, draft, '✅');
    await on.talk.turns(draft, '1 accepted');
    await on.talk.asks(sara, sara, '/a1', '1 accepted');
    await on.talk.asks(sara, sara, '/status #A1', '1 accepted');
    await until(() => {
      expect(shownIn(sara, /#A1/u).filter((each) => !BELOW.test(each))).toHaveLength(1);
    });
  });

  test('brings one that waits for its time, from the list too', async () => {
    const { omid, group } = await on.team();
    await on.schedules(omid, group, 'tomorrow 9:00', 'Later');
    const list = await on.talk.asks(omid, group, '/scheduled', '1 scheduled send');
    await on.talk.presses(omid, list, '#A1');
    const card = await on.talk.hears(group, 'Scheduled for', list.message_id);
    expect(rows(card)).toEqual([['✏️ Edit', '🕐 Time', '🗑 Cancel']]);
    await on.talk.presses(omid, card, '🗑 Cancel');
    await on.talk.turns(card, 'cancelled');
  });

  test('comes in the topic in which it was asked for', async () => {
    const olga = world.driver.user({ first_name: 'Olga', language_code: 'en' });
    const group = world.driver.group({ creator: olga, type: 'forum', bot: 'administrator' });
    await on.talk.connects(olga, { apiKey: on.talk.account().apiKey }, { chat: group });
    const threadId = world.playground.control.topic({ chat_id: group, name: 'Orders' }).id;
    await on.talk.asks(olga, group, '/send 09121234567 Hello', 'Draft #A1');
    const there = await on.talk.asks(olga, group, '/A1', 'Draft #A1', { threadId });
    expect(there.message_thread_id).toBe(threadId);
    await on.talk.presses(olga, there, '✅');
    await on.talk.turns(there, '1 accepted');
  });

  test('of none is told, and of another chat there is none', async () => {
    const sara = await alone();
    const { omid, group } = await on.team();
    await on.talk.asks(omid, group, '/send 09121234567 Hello', 'Draft #A1');
    const none = await on.talk.asks(sara, sara, '/A1', /no card|Draft/u);
    expect(plain(none)).toContain('There is no card A1 in this chat.');
  });
});
