import type { Message } from '@grammyjs/types';
import { afterAll, describe, expect, test } from 'vitest';
import { post } from '../../src/playground/deliver.ts';
import type { Person } from '../../src/playground/control/driver.ts';
import { given, isFromBot, PATIENCE, plain, type Place } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* Keys where a message is not simply written: edited, in the name of a file, in the name of a channel. And who is told. */

const KEY = '9f31bd77c2a04e5510';
const LEAKED = /treat it as leaked/;

const { world, talk } = useWorld();
afterAll(async () => {
  expect(world.logs.filter((line) => line.includes(KEY))).toEqual([]);
});

const control = () => world.playground.control;
const botId = () => Number(world.playground.token.split(':')[0]);
const someone = (first_name: string, language_code = 'en') =>
  world.driver.user({ first_name, language_code });
const isGone = ({ chat, message_id: id }: Message): boolean =>
  !world.driver.messages(chat.id).some((each) => each.message_id === id);
const saidBy = (place: Place): string => world.driver.messages(place).filter(isFromBot).map(plain).join('\n');

/** A group, who made it, and a member; neither has a private chat with the bot. */
function team() {
  const [creator, member] = [someone('Olga'), someone('Mina')];
  return { creator, member, group: world.driver.group({ creator, members: [member], bot: 'administrator' }) };
}

async function exposures(chat: number): Promise<unknown[]> {
  const found = await world.database.sql<{ person: number | null; details: object }[]>`
    select a.person_id as person, a.details from audit a join chat c on c.id = a.chat_id
    where c.telegram_id = ${chat} and a.action = 'key_exposed'`;
  return found.map(({ person, details }) => ({ person, ...details }));
}

describe.concurrent('a key that comes into a message of a group by an edit', () => {
  test.each([
    ['that announces it', `my key is ${KEY}`],
    ['to nothing else', KEY],
    ['behind /connect', '/connect hunter2'],
  ])('%s is deleted and called leaked', async (_, text) => {
    const { member, group } = team();
    const said = member.send(group, 'wait a moment');
    member.edit(said, text);
    const told = plain(await talk.hears(group, LEAKED, said.message_id));
    expect(told).toContain('Mina');
    expect(told).not.toMatch(/9f31bd77|hunter2/);
    expect(isGone(said)).toBe(true);
    expect(await exposures(group)).toEqual([{ person: member.id, deleted: true }]);
  });

  test('and is in use is known, whatever it looks like; a word like it is none', async () => {
    const { creator, member, group } = team();
    await talk.connects(someone('Kian'), { apiKey: talk.account({ apiKey: 'editedword' }).apiKey });
    const [harmless, said] = [member.send(group, 'one'), member.send(group, 'two')];
    member.edit(harmless, 'try editedwork please');
    await talk.settled(creator, group);
    member.edit(said, 'try editedword please');
    await talk.hears(group, LEAKED, said.message_id);
    expect([harmless, said].map(isGone)).toEqual([false, true]);
    expect(await exposures(group)).toHaveLength(1);
  });

  test('and is a password is known where it is used', async () => {
    const { creator, member, group } = team();
    const account = talk.account({ password: 'letmeinnow' });
    await talk.connects(creator, { username: account.username, password: 'letmeinnow' }, { chat: group });
    const said = member.send(group, 'hello');
    member.edit(said, 'it is letmeinnow');
    await talk.hears(group, LEAKED, said.message_id);
    expect(isGone(said)).toBe(true);
  });

  test('is called leaked also where the bot may not delete', async () => {
    const creator = someone('Olga');
    const group = world.driver.group({ creator, bot: 'member' });
    const said = creator.send(group, '/whoami');
    creator.edit(said, `/whoami the key is ${KEY}`);
    await talk.hears(group, 'not allowed to delete', said.message_id);
    expect(await exposures(group)).toEqual([{ person: creator.id, deleted: false }]);
  });

  test('changes no draft and runs no command', async () => {
    const { creator, group } = team();
    await talk.connects(creator, { apiKey: talk.account().apiKey }, { chat: group });
    const asked = creator.send(group, '/send 09121234567 Hello');
    const card = await talk.hears(group, '#A1', asked.message_id);
    creator.edit(asked, `/send 09351112233 the key is ${KEY}`);
    await talk.hears(creator, LEAKED);
    await talk.settled(creator, group);
    expect(isGone(asked)).toBe(true);
    const [now] = world.driver.messages(group).filter((each) => each.message_id === card.message_id);
    expect(now).toEqual(card);
    expect(saidBy(group)).not.toContain('#A2');
  });

  test('in a topic is called leaked in that topic', async () => {
    const [creator, member] = [someone('Olga'), someone('Mina')];
    const group = world.driver.group({ creator, members: [member], type: 'forum', bot: 'administrator' });
    const { id: threadId } = control().topic({ chat_id: group, name: 'Sales' });
    const said = member.send(group, 'wait', { threadId });
    member.edit(said, KEY);
    const told = await talk.hears(group, LEAKED, said.message_id);
    expect(told.message_thread_id).toBe(threadId);
  });

  test('an edit that holds none leaves no trace of who made it', async () => {
    const [creator, stranger] = [someone('Olga'), someone('Nobody')];
    const group = world.driver.group({ creator, members: [stranger] });
    const said = stranger.send(group, 'before the bot came');
    control().member({ chat_id: group, user_id: botId(), status: 'administrator' });
    stranger.edit(said, 'after the bot came');
    await talk.settled(creator, group);
    expect(isGone(said)).toBe(false);
    expect(await world.database.sql`select 1 from person where telegram_id = ${stranger.id}`).toHaveLength(0);
  });
});

describe.concurrent('a key in the name of a file in a group', () => {
  test.each([`api_key_${KEY}.txt`, '123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw-.txt'])(
    'is deleted and called leaked: %s',
    async (name) => {
      const { member, group } = team();
      const said = member.upload(group, name, Buffer.from('x'), 'see here');
      expect(plain(await talk.hears(group, LEAKED, said.message_id))).toContain('Mina');
      expect(isGone(said)).toBe(true);
      expect(await exposures(group)).toEqual([{ person: member.id, deleted: true }]);
    },
  );

  test('that is in use is known, and names that programs give are none', async () => {
    const { creator, member, group } = team();
    await talk.connects(someone('Kian'), { apiKey: talk.account({ apiKey: 'namedword' }).apiKey });
    const harmless = ['IMG_20261122_101530.jpg', '5d41402abc4b2a76b9719d911017c592.pdf', 'namedwork.txt'].map(
      (name) => member.upload(group, name, Buffer.from('x')),
    );
    await talk.settled(creator, group);
    const said = member.upload(group, 'namedword.txt', Buffer.from('x'));
    await talk.hears(group, LEAKED, said.message_id);
    expect(isGone(said)).toBe(true);
    expect(harmless.map(isGone)).toEqual([false, false, false]);
    expect(await exposures(group)).toHaveLength(1);
  });
});

describe.concurrent('a key that is written in nobody’s own name', () => {
  test('in a group, in the name of a channel, is deleted and called leaked there', async () => {
    const { creator, group } = team();
    world.driver.group({ creator, type: 'channel', title: 'Shop news' });
    const said = creator.send(group, `our token: ${KEY}`, { viaChannel: true });
    expect(plain(await talk.hears(group, LEAKED, said.message_id))).toContain('Shop news');
    expect(isGone(said)).toBe(true);
    expect(await exposures(group)).toEqual([{ person: null, deleted: true, nameless: true }]);
    // An edit of such a message as well.
    const next = creator.send(group, 'fine', { viaChannel: true });
    creator.edit(next, KEY);
    await talk.hears(group, LEAKED, next.message_id);
    expect(isGone(next)).toBe(true);
    const audit = await talkOfAudit(creator, group);
    expect(audit).toContain('Peyk: found what looked like a key in a message that names no person');
  });

  test('in a group, passed on from the linked channel or written by another bot, is deleted as well', async () => {
    const { creator, group } = team();
    const { emulator } = world.playground;
    const chat = given(emulator.world.chats.get(String(group)));
    const channel = world.driver.group({ creator, type: 'channel', title: 'Linked' });
    const passedOn = post(emulator, chat, {
      from: { id: 777_000, is_bot: false, first_name: 'Telegram' },
      senderChat: given(emulator.world.chats.get(String(channel))),
      content: { text: `the key: ${KEY}`, is_automatic_forward: true },
    });
    expect(plain(await talk.hears(group, LEAKED, passedOn.wire.message_id))).toContain('Linked');
    const written = post(emulator, chat, {
      from: { id: 55_001, is_bot: true, first_name: 'Helper' },
      content: { text: `the key: ${KEY}` },
    });
    expect(plain(await talk.hears(group, LEAKED, written.wire.message_id))).toContain('Helper');
    expect([passedOn.wire, written.wire].map(isGone)).toEqual([true, true]);
  });

  test.each(['post', 'edit'] as const)(
    'in a channel is deleted, and its administrators read of it in private: %s',
    async (kind) => {
      const [owner, second] = [someone('Olga'), someone('Amir')];
      const channel = world.driver.group({
        creator: owner,
        type: 'channel',
        title: 'News',
        bot: 'administrator',
      });
      control().member({ chat_id: channel, user_id: second.id, status: 'administrator' });
      await talk.asks(owner, owner, '/start', 'I am Peyk');
      const said = owner.send(channel, kind === 'post' ? `key: ${KEY}` : 'good morning');
      if (kind === 'edit') owner.edit(said, `key: ${KEY}`);
      const told = plain(await talk.hears(owner, LEAKED));
      expect(told).toContain('A message in News looked like a key');
      expect(told).not.toContain(KEY);
      expect(isGone(said)).toBe(true);
      await talk.settled(owner, owner);
      expect(world.driver.messages(channel)).toEqual([]);
    },
  );

  test('in a channel whose administrators do not know the bot is called leaked there', async () => {
    const owner = someone('Olga');
    const channel = world.driver.group({
      creator: owner,
      type: 'channel',
      title: 'News',
      bot: 'administrator',
    });
    const said = owner.send(channel, KEY);
    // What a bot posts in a channel has no sender.
    const told = await world.driver.waitForMessage(channel, (each) => LEAKED.test(plain(each)), PATIENCE);
    expect(plain(told)).toContain('News');
    expect(isGone(said)).toBe(true);
  });

  test('in a channel where the bot may not delete, its administrators are told that it stands there', async () => {
    const owner = someone('Sara');
    const channel = world.driver.group({ creator: owner, type: 'channel', title: 'خبر' });
    control().member({
      chat_id: channel,
      user_id: botId(),
      status: 'administrator',
      custom: { can_delete_messages: false },
    });
    await talk.asks(owner, owner, '/lang fa', 'فارسی');
    const said = owner.send(channel, `کلید: ${KEY}`);
    await talk.hears(owner, 'اجازهٔ پاک‌کردن ندارم');
    expect(isGone(said)).toBe(false);
    expect(world.driver.messages(channel)).toHaveLength(1);
  });
});

describe.concurrent('who has written a key in a group and knows the bot', () => {
  test.each([
    ['en', 'I am Peyk', 'A message in Team looked like a key', false],
    ['fa', 'پیک', 'پیامی در Team شبیه یک کلید بود', true],
  ] as const)(
    'reads of it in private, and the group hears nothing: %s',
    async (lang, hello, word, isEdit) => {
      const [creator, member] = [someone('Olga'), someone('Mina', lang)];
      const group = world.driver.group({ creator, members: [member], title: 'Team', bot: 'administrator' });
      await talk.asks(member, member, '/start', hello);
      const said = member.send(group, isEdit ? 'hello' : `the key is ${KEY}`);
      if (isEdit) member.edit(said, `the key is ${KEY}`);
      const told = plain(await talk.hears(member, word));
      expect(told).toContain('/connect');
      expect(told).not.toContain(KEY);
      expect(isGone(said)).toBe(true);
      await talk.settled(creator, group);
      expect(saidBy(group)).not.toContain('leaked');
      expect(await exposures(group)).toEqual([{ person: member.id, deleted: true }]);
    },
  );

  test('but whose message still stands is told in the group, where others can delete it', async () => {
    const [creator, member] = [someone('Olga'), someone('Mina')];
    const group = world.driver.group({ creator, members: [member], bot: 'member' });
    await talk.asks(member, member, '/start', 'I am Peyk');
    const said = member.send(group, `/connect ${KEY}`);
    await talk.hears(group, 'not allowed to delete', said.message_id);
    expect(isGone(said)).toBe(false);
  });

  test('but has blocked it is told in the group', async () => {
    const { member, group } = team();
    await talk.asks(member, member, '/start', 'I am Peyk');
    member.block(true);
    const said = member.send(group, KEY);
    expect(plain(await talk.hears(group, LEAKED, said.message_id))).toContain('Mina');
    expect(isGone(said)).toBe(true);
  });
});

/** What the audit of a group says to its creator, who links an account for that. */
async function talkOfAudit(creator: Person, group: number): Promise<string> {
  await talk.connects(creator, { apiKey: talk.account().apiKey }, { chat: group });
  return plain(await talk.asks(creator, group, '/audit', 'looked like a key'));
}
