import { describe, expect, test } from 'vitest';
import { post } from '../../src/playground/deliver.ts';
import type { Person } from '../../src/playground/control/driver.ts';
import { HELD } from '../support/story.ts';
import { given, isFromBot, plain, rows } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';
import { until } from '../support/until.ts';

/* Groups: to whom the bot listens, with whose rights, where it answers, and what changes of the group do. */

const { world, talk } = useWorld({}, { deliverySeconds: 1 });

const BOT = 'PeykSandboxBot';
const someone = (first_name: string) => world.driver.user({ first_name, language_code: 'en' });
const control = () => world.playground.control;

/** A group with a linked account, its owner, and a member without a role. */
async function linked(type: 'group' | 'supergroup' | 'forum' = 'supergroup') {
  const [owner, member] = [someone('Olga'), someone('Mina')];
  const group = world.driver.group({ creator: owner, members: [member], type, bot: 'administrator' });
  const account = talk.account();
  await talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
  await talk.hears(group, 'Linked by Olga');
  return { owner, member, group, account };
}

/** What the bot has said in a chat after a message of it. */
const since = (chat: number, after: number): string[] =>
  world.driver
    .messages(chat)
    .filter((each) => isFromBot(each) && each.message_id > after)
    .map(plain);

describe.concurrent('to whom the bot listens', () => {
  test('a command to another bot is none, a command to this bot is one, in any case of letters', async () => {
    const owner = someone('Olga');
    const group = world.driver.group({ creator: owner, bot: 'administrator' });
    const said = owner.send(group, '/whoami@OtherSandboxBot');
    await talk.settled(owner, group);
    expect(since(group, said.message_id).filter((text) => text.includes(String(owner.id)))).toHaveLength(1);
    await talk.asks(owner, group, `/WhoAmI@${BOT.toLowerCase()}`, `id ${owner.id}`);
  });

  test('a command that nobody knows is left to other bots in a group', async () => {
    const owner = someone('Olga');
    const group = world.driver.group({ creator: owner, bot: 'administrator' });
    const said = owner.send(group, '/pin something');
    await talk.settled(owner, group);
    expect(since(group, said.message_id).join()).not.toContain('do not know');
  });

  test('an edited message never runs a command; that of an open draft changes it', async () => {
    const { owner, group } = await linked();
    const chatter = owner.send(group, 'hello all');
    owner.edit(chatter, '/whoami');
    const card = await talk.asks(owner, group, '/send 09121234567 Hello', '#A1');
    const command = given(world.driver.messages(group).find((m) => m.text === '/send 09121234567 Hello'));
    owner.edit(command, '/send 09121234567 Hello again');
    await talk.settled(owner, group);
    const told = since(group, chatter.message_id);
    const changed = expect.stringMatching(/^✉️ Draft #A1 [^]*\nHello again\n/u);
    expect(told.filter((text) => text.includes('#A'))).toEqual(['⬇️ #A1 continues below.', changed]);
    expect(plain(card)).toContain('\nHello\n');
    expect(told.filter((text) => text.includes(`id ${owner.id}`))).toHaveLength(1);
  });

  test.each([
    { name: 'in the name of a channel', from: { id: 136_817_688, is_bot: true }, channel: true },
    { name: 'passed on from the linked channel', from: { id: 777_000, is_bot: false }, channel: true },
    { name: 'of another bot', from: { id: 55_001, is_bot: true }, channel: false },
    { name: 'through an inline bot', from: { id: 55_002, is_bot: false }, channel: false, via: true },
  ])('a message $name has no effect', async ({ from, channel, via }) => {
    const { owner, group, account } = await linked();
    const before = given(world.driver.messages(group).at(-1)).message_id;
    const chat = given(world.playground.emulator.world.chats.get(String(group)));
    const calls = talk.hits(account.username).length;
    for (const text of ['/whoami', '/credit', '/send 09121234567 Hello', '/disconnect']) {
      post(world.playground.emulator, chat, {
        from: { first_name: 'Somebody', ...from },
        content: {
          text,
          entities: [{ type: 'bot_command', offset: 0, length: text.split(' ', 1).join('').length }],
          ...(channel ? { is_automatic_forward: true as const } : {}),
          ...(via === true ? { via_bot: { id: 9, is_bot: true, first_name: 'Inline' } } : {}),
        },
        ...(channel
          ? { senderChat: given(world.playground.emulator.world.chats.get(String(channelOf(owner)))) }
          : {}),
      });
    }
    await talk.settled(owner, group);
    expect(since(group, before)).toHaveLength(1);
    expect(talk.hits(account.username)).toHaveLength(calls);
  });

  test('a post in a channel has no effect', async () => {
    const owner = someone('Olga');
    const channel = channelOf(owner);
    owner.send(channel, '/whoami');
    owner.send(channel, '/connect');
    await world.driver.whenPolled();
    await talk.settled(owner, owner);
    expect(world.driver.messages(channel)).toHaveLength(2);
  });
});

describe.concurrent('an administrator who writes as the group', () => {
  test('is offered a button, and whoever presses it goes on with their own role', async () => {
    const { owner, member, group, account } = await linked();
    const viewer = someone('Vida');
    control().member({ chat_id: group, user_id: viewer.id, status: 'administrator' });
    await talk.gives('viewer', viewer, group);

    const asked = await talk.asks(viewer, group, '/line 50001234', 'cannot see who you are', {
      asAnonymous: true,
    });
    expect(rows(asked)).toEqual([['➡ Continue as myself']]);
    expect(await talk.presses(viewer, asked, '➡')).toBe('');
    await talk.hears(group, 'needs the role operator', asked.message_id);

    const again = await talk.asks(viewer, group, '/credit', 'cannot see who you are', { asAnonymous: true });
    await talk.presses(viewer, again, '➡');
    await talk.hears(group, '10,000,000 rial', again.message_id);
    expect(await talk.presses(owner, again, '➡')).toContain('Already pressed by Vida');

    const third = await talk.asks(viewer, group, '/credit', 'cannot see who you are', { asAnonymous: true });
    const calls = talk.hits(account.username).length;
    await talk.presses(member, third, '➡');
    await talk.hears(group, 'needs the role viewer', third.message_id);
    expect(talk.hits(account.username)).toHaveLength(calls);
  });

  test('is not asked for what is no command', async () => {
    const { owner, group } = await linked();
    const said = owner.send(group, 'good morning', { asAnonymous: true });
    await talk.settled(owner, group);
    expect(since(group, said.message_id)).toHaveLength(1);
  });
});

describe.concurrent('when the group changes', () => {
  test('a group that becomes a supergroup keeps account, roles, line and drafts', async () => {
    const { owner, member, group, account } = await linked('group');
    await talk.gives('viewer', member, group);
    const card = await talk.asks(owner, group, '/send 09121234567 Hello', '#A1');
    const { id: supergroup } = control().migrate({ chat_id: group, member_updates: true });

    await talk.asks(member, supergroup, '/whoami', 'Role: viewer');
    await talk.asks(owner, supergroup, '/whoami', 'Role: owner');
    await talk.asks(member, supergroup, '/credit', 'rial');
    expect(await talk.bindings(supergroup)).toMatchObject([{ state: 'live', line: '3000123456' }]);
    expect(await talk.bindings(group)).toEqual([]);

    // The old card stands in the chat that is gone, and its button says so; the draft has one where the group is now.
    const there = await talk.hears(supergroup, 'Draft #A1');
    expect(await talk.presses(owner, card, '✅')).toMatch(/another chat/);
    expect(talk.sends(account.username)).toEqual([]);
    await talk.presses(owner, there, '✅');
    await talk.turns(there, /1 (accepted|delivered)/);
    expect(talk.sends(account.username)).toHaveLength(1);

    // What is new goes on from there.
    const next = await talk.asks(owner, supergroup, '/send 09121234567 Hello again', '#A2');
    await talk.presses(owner, next, '✅');
    await talk.turns(next, /1 (accepted|delivered)/);
  });

  test('the bot that is thrown out in the middle of a send finishes it, and nothing breaks', async () => {
    const { owner, group, account } = await linked();
    const card = await talk.asks(owner, group, '/send 09121234567 Hello', '#A1');
    const rule = world.sandbox.faults.add({
      ...HELD,
      operation: 'send',
      account: account.username,
    });
    await talk.presses(owner, card, '✅');
    await until(async () =>
      expect(
        await world.database.sql`
            select 1 from attempt a join job j on j.id = a.job_id join chat c on c.id = j.chat_id
            where c.telegram_id = ${group} and a.state = 'on_wire'`,
      ).toHaveLength(1),
    );
    const botId = Number(world.playground.token.split(':')[0]);
    control().member({ chat_id: group, user_id: botId, status: 'kicked', actor_id: owner.id });
    const other = someone('Omid');
    await talk.connects(other, { apiKey: talk.account().apiKey });
    await talk.asks(other, other, '/credit', 'rial');
    world.sandbox.faults.remove(rule);
    await until(() => expect(talk.sends(account.username)).toHaveLength(1));
  });

  test('a forum’s answers stay in the topic, with card, report and errors', async () => {
    const { owner, member, group } = await linked('forum');
    const topic = control().topic({ chat_id: group, name: 'Orders' }).id;
    const inTopic = { threadId: topic };
    const refused = await talk.asks(member, group, '/credit', 'needs the role viewer', inTopic);
    const credit = await talk.asks(owner, group, '/credit', 'rial', inTopic);
    const card = await talk.asks(owner, group, '/send 09121234567 Hello', '#A1', inTopic);
    await talk.presses(owner, card, '⚡');
    const flash = await talk.turns(card, '⚡ flash');
    await talk.presses(owner, flash, '✅');
    const done = await talk.turns(card, '1 delivered');
    const copy = await talk.asks(owner, group, '/status A1', '1 delivered', inTopic);
    const general = await talk.asks(owner, group, '/credit', 'rial');
    expect([refused, credit, card, done, copy].map((m) => m.message_thread_id)).toEqual(
      Array.from({ length: 5 }, () => topic),
    );
    expect(general.is_topic_message).toBeUndefined();
  });
});

function channelOf(creator: Person): number {
  return world.driver.group({ creator, type: 'channel', bot: 'administrator', title: 'News' });
}
