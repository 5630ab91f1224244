import type { CallbackQuery, Chat } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { queueOf } from '../../src/playground/emulator.ts';
import type { UpdateKind } from '../../src/playground/types.ts';
import { dataOf, isFromBot } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* What comes from Telegram in other shapes than a person's message or press has no role, even with the owner's id in it. */

const { world, talk } = useWorld({}, { deliverySeconds: 1 });

const COMMANDS = ['/whoami', '/credit', '/send 09121234567 Hello', '/disconnect'];

/** An owner with an account in the private chat and one in a group. */
async function linked() {
  const owner = world.driver.user({ first_name: 'Olga', language_code: 'en' });
  const group = world.driver.group({ creator: owner, bot: 'administrator' });
  const account = talk.account();
  await talk.connects(owner, { apiKey: account.apiKey });
  await talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
  await talk.hears(group, 'Linked by Olga');
  return { owner, group, account };
}

/** An update of any kind, past what the emulator would let a person do. */
function push(kind: UpdateKind, body: object): void {
  const { emulator, token } = world.playground;
  queueOf(emulator, Number(token.split(':')[0])).push(kind, JSON.stringify(body), 'any');
}

function messageOf(person: Person, chat: object, text: string) {
  const length = text.split(' ', 1).join('').length;
  return {
    message_id: 900_000,
    date: Math.floor(Date.now() / 1000),
    from: person.user,
    chat,
    text,
    entities: [{ type: 'bot_command', offset: 0, length }],
  };
}

const heard = (place: number | Person) => world.driver.messages(place).filter(isFromBot).length;

describe.concurrent('a command in the owner’s name', () => {
  test.each<readonly [UpdateKind, object]>([
    ['business_message', { business_connection_id: 'b1' }],
    ['edited_business_message', { business_connection_id: 'b1', edit_date: 1 }],
    ['edited_message', { edit_date: 1 }],
    ['channel_post', {}],
    ['edited_channel_post', { edit_date: 1 }],
  ])('as %s has no effect', async (kind, more) => {
    const { owner, group, account } = await linked();
    const said = [heard(owner), heard(group)];
    const calls = talk.hits(account.username).length;
    const places = [
      { id: owner.id, type: 'private', first_name: 'Olga' },
      { id: group, type: 'supergroup', title: 'Team' },
    ] satisfies Partial<Chat>[];
    for (const chat of places)
      for (const text of COMMANDS) push(kind, { ...messageOf(owner, chat, text), ...more });
    await talk.settled(owner, owner);
    await talk.settled(owner, group);
    // The answer to what was asked last, and nothing else; of an edit in private, that it changes nothing.
    const told = world.driver
      .messages(owner)
      .filter(({ text }) => text?.startsWith('Nothing was changed: editing'));
    expect(told).toHaveLength(kind === 'edited_message' ? COMMANDS.length : 0);
    expect([heard(owner) - told.length, heard(group)]).toEqual(said.map((count) => count + 1));
    expect(talk.hits(account.username)).toHaveLength(calls);
    expect(await talk.bindings(group)).toMatchObject([{ state: 'live' }]);

    // The same as a person's message has one.
    push('message', messageOf(owner, { id: owner.id, type: 'private', first_name: 'Olga' }, '/credit'));
    await talk.hears(owner, 'rial');
    expect(talk.hits(account.username).length).toBeGreaterThan(calls);
  });
});

describe.concurrent('the data of a button that is good', () => {
  test.each<readonly [string, Partial<CallbackQuery>]>([
    ['from a message that was sent inline', { inline_message_id: 'AAAAAA' }],
    ['without a message', {}],
  ])('%s is answered, and does nothing', async (_, more) => {
    const { owner, account } = await linked();
    const card = await talk.asks(owner, owner, '/send 09121234567 Hello', '#A1');
    const told = await pressedAs(owner, { ...more, from: owner.user, data: dataOf(card, '✅') });
    expect(told).toBe('Press this in the chat where the message is.');
    expect(talk.sends(account.username)).toEqual([]);
    expect(await talk.presses(owner, card, '✅')).toBe('');
    await talk.turns(card, /1 (accepted|delivered)/);
    expect(talk.sends(account.username)).toHaveLength(1);
  });

  test('from a bot does nothing', async () => {
    const { owner, account } = await linked();
    const card = await talk.asks(owner, owner, '/send 09121234567 Hello', '#A1');
    await pressedAs(owner, {
      from: { ...owner.user, is_bot: true },
      message: card,
      data: dataOf(card, '✅'),
    });
    expect(talk.sends(account.username)).toEqual([]);
    expect(await talk.presses(owner, card, '✅')).toBe('');
    await talk.turns(card, /1 (accepted|delivered)/);
    expect(talk.sends(account.username)).toHaveLength(1);
  });
});

/** A press of another shape than those that the emulator makes; gives what is told of it. */
async function pressedAs(person: Person, query: Partial<CallbackQuery>): Promise<string> {
  const { emulator, token } = world.playground;
  const id = String(5_000_000_000_000_000_000n + BigInt(emulator.world.nextCallbackId++));
  emulator.world.callbacks.set(id, {
    id,
    botId: Number(token.split(':')[0]),
    userId: person.id,
    chatKey: String(person.id),
    messageId: 1,
    at: emulator.now(),
    answered: false,
  });
  push('callback_query', { id, chat_instance: '1', ...query });
  const { text = '' } = await world.driver.waitForAnswer(id);
  return text;
}
