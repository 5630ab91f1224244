import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDriver, type Driver, type Person } from './control/driver.ts';
import { startPlayground, type Playground } from './server.ts';
import { callApi, getUpdates, messageOf } from './test-api.ts';

let pg: Playground;
let driver: Driver;
let sara: Person;
let nima: Person;

beforeEach(async () => {
  pg = await startPlayground();
  driver = createDriver(pg);
  sara = driver.user({ first_name: 'Sara', username: 'sara_nik', language_code: 'en' });
  nima = driver.user({ first_name: 'Nima', language_code: 'fa' });
});
afterEach(async () => {
  driver.close();
  await pg.close();
});

/** Everything that came since the last look, without the ids. */
async function news(): Promise<Record<string, unknown>[]> {
  const updates = await getUpdates(pg);
  const last = updates.at(-1)?.update_id;
  if (last !== undefined) await getUpdates(pg, { offset: last + 1 });
  return updates.map(({ update_id: _id, ...rest }) => rest);
}

async function texts(): Promise<unknown[]> {
  const updates = await news();
  return updates.map((update) => messageOf(update['message']).text);
}

describe('private chats', () => {
  it('opens by a deep link with its payload', async () => {
    sara.start('abc_-1');
    expect(await news()).toMatchObject([
      {
        message: {
          message_id: 1,
          text: '/start abc_-1',
          entities: [{ type: 'bot_command', offset: 0, length: 6 }],
          chat: { id: sara.id, type: 'private', first_name: 'Sara', username: 'sara_nik' },
          from: { id: sara.id, is_bot: false, language_code: 'en' },
        },
      },
    ]);
    expect(() => sara.start('a b')).toThrow('payload');
    expect(() => sara.start('a'.repeat(65))).toThrow('payload');
  });

  it('refuses a bot that was blocked, and tells the bot about both steps', async () => {
    sara.start();
    await news();
    sara.block(true);
    expect(await callApi(pg, 'sendMessage', { chat_id: sara.id, text: 'x' })).toMatchObject({
      status: 403,
      description: 'Forbidden: bot was blocked by the user',
    });
    sara.start();
    const updates = await news();
    expect(updates).toMatchObject([
      { my_chat_member: { old_chat_member: { status: 'member' }, new_chat_member: { status: 'kicked' } } },
      { my_chat_member: { old_chat_member: { status: 'kicked' }, new_chat_member: { status: 'member' } } },
      { message: { text: '/start' } },
    ]);
  });

  it('refuses a deleted account', async () => {
    sara.start();
    pg.control.deactivate(sara.id);
    expect(await callApi(pg, 'sendMessage', { chat_id: sara.id, text: 'x' })).toMatchObject({
      status: 403,
      description: 'Forbidden: user is deactivated',
    });
  });

  it('sends an edit as a new update of its own kind', async () => {
    const message = sara.send(sara, '/send 1');
    await news();
    sara.edit(message, '/send 2');
    expect(await news()).toMatchObject([
      {
        edited_message: {
          message_id: message.message_id,
          text: '/send 2',
          edit_date: expect.any(Number),
        },
      },
    ]);
  });
});

describe('privacy mode', () => {
  it('shows a plain member commands, replies to itself and service messages, and nothing else', async () => {
    const group = driver.group({ creator: sara, members: [nima] });
    await callApi(pg, 'sendMessage', { chat_id: group, text: 'card' });
    const card = await driver.waitForMessage(group, ({ text }) => text === 'card');
    await news();
    sara.send(group, 'between us');
    sara.send(group, 'look here @PeykSandboxBot');
    sara.send(group, '/help@OtherBot');
    sara.send(group, '/help');
    sara.send(group, '/help@peyksandboxbot now');
    sara.send(group, 'an answer', { replyTo: card });
    expect(await texts()).toEqual(['/help', '/help@peyksandboxbot now', 'an answer']);
    const reply = driver.messages(group).at(-1);
    expect(reply?.reply_to_message).toMatchObject({ text: 'card' });
  });

  it('shows an administrator everything, and a member after it was switched off', async () => {
    const group = driver.group({ creator: sara, bot: 'administrator' });
    const other = driver.group({ creator: sara });
    await news();
    sara.send(group, 'between us');
    sara.send(other, 'not seen');
    pg.control.privacy({ enabled: false });
    sara.send(other, 'seen');
    expect(await texts()).toEqual(['between us', 'seen']);
  });

  it('gives callback queries from any member, with the real id of an anonymous administrator', async () => {
    const group = driver.group({ creator: sara, members: [nima] });
    const reply_markup = { inline_keyboard: [[{ text: 'Go', callback_data: 'go' }]] };
    await callApi(pg, 'sendMessage', { chat_id: group, text: 'card', reply_markup });
    const card = await driver.waitForMessage(group, ({ text }) => text === 'card');
    await news();
    const anonymous = sara.send(group, '/go', { asAnonymous: true });
    expect(anonymous).toMatchObject({
      from: { id: 1087968824, is_bot: true },
      sender_chat: { id: group, type: 'supergroup' },
    });
    sara.tap(card, 'Go');
    nima.tap(card, 'Go');
    nima.forge(card, 'made up');
    expect(await news()).toMatchObject([
      { message: { text: '/go' } },
      { callback_query: { from: { id: sara.id }, data: 'go', message: { message_id: card.message_id } } },
      { callback_query: { from: { id: nima.id }, data: 'go' } },
      { callback_query: { from: { id: nima.id }, data: 'made up' } },
    ]);
    expect(() =>
      pg.control.tap({ user_id: nima.id, chat_id: group, message_id: card.message_id, data: 'no' }),
    ).toThrow('no button');
  });

  it('lets a button be pressed as it was seen, when the card was drawn anew in that moment', async () => {
    sara.start();
    const drawn = (data: string) => ({ inline_keyboard: [[{ text: 'Go', callback_data: data }]] });
    await callApi(pg, 'sendMessage', { chat_id: sara.id, text: 'card', reply_markup: drawn('first') });
    const card = await driver.waitForMessage(sara, ({ text }) => text === 'card');
    const place = { chat_id: sara.id, message_id: card.message_id };
    await callApi(pg, 'editMessageReplyMarkup', { ...place, reply_markup: drawn('second') });
    await callApi(pg, 'editMessageReplyMarkup', place);
    await news();
    sara.tap(card, 'Go');
    expect(await news()).toMatchObject([{ callback_query: { data: 'first' } }]);
  });

  it('shows an inaccessible message when a button of a deleted one is pressed', async () => {
    sara.start();
    const reply_markup = { inline_keyboard: [[{ text: 'Go', callback_data: 'go' }]] };
    await callApi(pg, 'sendMessage', { chat_id: sara.id, text: 'card', reply_markup });
    const card = await driver.waitForMessage(sara, ({ text }) => text === 'card');
    await callApi(pg, 'deleteMessage', { chat_id: sara.id, message_id: card.message_id });
    await news();
    sara.forge(card, 'go');
    expect(await news()).toMatchObject([{ callback_query: { message: { date: 0, chat: { id: sara.id } } } }]);
    expect(driver.messages(sara).some(({ text }) => text === 'card')).toBe(false);
  });
});

describe('channels', () => {
  it('posts without from, with sender_chat, both ways', async () => {
    const channel = driver.group({ creator: sara, type: 'channel', bot: 'administrator' });
    const reply = await callApi(pg, 'sendMessage', { chat_id: channel, text: 'news' });
    expect(reply.result).toMatchObject({ sender_chat: { id: channel, type: 'channel' } });
    expect(reply.result).not.toHaveProperty('from');
    await news();
    sara.send(channel, 'a post');
    const [update] = await news();
    expect(update).toMatchObject({ channel_post: { text: 'a post', sender_chat: { id: channel } } });
    expect(update?.['channel_post']).not.toHaveProperty('from');
  });
});

describe('members', () => {
  it('refuses a kicked bot with the kind of the chat', async () => {
    const wanted = [
      ['group', 'Forbidden: bot was kicked from the group chat'],
      ['supergroup', 'Forbidden: bot was kicked from the supergroup chat'],
      ['channel', 'Forbidden: bot was kicked from the channel chat'],
    ] as const;
    for (const [type, description] of wanted) {
      const chat = driver.group({ creator: sara, type, bot: 'administrator' });
      const botId = pg.control.state().bots[0]?.id ?? 0;
      pg.control.member({ chat_id: chat, user_id: botId, status: 'kicked' });
      const reply = await callApi(pg, 'sendMessage', { chat_id: chat, text: 'x' });
      expect(reply).toMatchObject({ status: 403, description });
    }
  });

  it('leaves a chat, hears of it, and is refused afterwards', async () => {
    const group = driver.group({ creator: sara });
    await news();
    expect((await callApi(pg, 'leaveChat', { chat_id: group })).result).toBe(true);
    expect(await news()).toMatchObject([
      { my_chat_member: { new_chat_member: { status: 'left' } } },
      { message: { left_chat_member: { is_bot: true } } },
    ]);
    expect((await callApi(pg, 'sendMessage', { chat_id: group, text: 'x' })).description).toBe(
      'Forbidden: bot is not a member of the supergroup chat',
    );
  });

  it('tells roles, administrators and numbers', async () => {
    const group = driver.group({ creator: sara, members: [nima] });
    pg.control.member({ chat_id: group, user_id: nima.id, status: 'administrator', custom: 'Boss' });
    const member = await callApi(pg, 'getChatMember', { chat_id: group, user_id: nima.id });
    expect(member.result).toMatchObject({
      status: 'administrator',
      custom_title: 'Boss',
      can_delete_messages: true,
      can_promote_members: false,
    });
    const stranger = driver.user({});
    const left = await callApi(pg, 'getChatMember', { chat_id: group, user_id: stranger.id });
    expect(left.result).toMatchObject({ status: 'left', user: { id: stranger.id } });
    const admins = await callApi(pg, 'getChatAdministrators', { chat_id: group });
    expect(admins.result).toMatchObject([{ status: 'creator' }, { status: 'administrator' }]);
    expect((await callApi(pg, 'getChatMemberCount', { chat_id: group })).result).toBe(3);
  });

  it('deletes the messages of others with the right to it', async () => {
    const group = driver.group({ creator: sara, bot: 'administrator' });
    const message = sara.send(group, 'my key is …');
    const target = { chat_id: group, message_id: message.message_id };
    expect((await callApi(pg, 'deleteMessage', target)).result).toBe(true);
    expect((await callApi(pg, 'deleteMessage', target)).description).toBe(
      'Bad Request: message to delete not found',
    );
  });
});

describe('migration to a supergroup', () => {
  it('sends both service messages, starts new message ids, and refuses the old id with the new one', async () => {
    const group = driver.group({ creator: sara, members: [nima], type: 'group' });
    await news();
    const target = pg.control.migrate({ chat_id: group }).id;
    expect(target).toBeLessThan(-1_000_000_000_000);
    expect(await news()).toMatchObject([
      { message: { chat: { id: group, type: 'group' }, migrate_to_chat_id: target } },
      { message: { message_id: 1, chat: { id: target, type: 'supergroup' }, migrate_from_chat_id: group } },
    ]);
    expect(await callApi(pg, 'sendMessage', { chat_id: group, text: 'x' })).toMatchObject({
      status: 400,
      description: 'Bad Request: group chat was upgraded to a supergroup chat',
      parameters: { migrate_to_chat_id: target },
    });
    expect((await callApi(pg, 'sendMessage', { chat_id: target, text: 'x' })).ok).toBe(true);
    const member = await callApi(pg, 'getChatMember', { chat_id: target, user_id: sara.id });
    expect(member.result).toMatchObject({ status: 'creator' });
    expect(() => pg.control.migrate({ chat_id: target })).toThrow('basic group');
  });
});

describe('forum topics', () => {
  it('are made, written in, closed, opened and deleted', async () => {
    const forum = driver.group({ creator: sara, type: 'forum', bot: 'administrator' });
    await news();
    const made = await callApi(pg, 'createForumTopic', { chat_id: forum, name: 'Orders' });
    const thread = messageOf(made.result).message_thread_id ?? 0;
    const inTopic = { chat_id: forum, message_thread_id: thread };
    const sent = await callApi(pg, 'sendMessage', { ...inTopic, text: 'here' });
    expect(sent.result).toMatchObject({
      message_thread_id: thread,
      is_topic_message: true,
      chat: { is_forum: true },
      reply_to_message: { forum_topic_created: { name: 'Orders' } },
    });
    const general = await callApi(pg, 'sendMessage', { chat_id: forum, text: 'general' });
    expect(general.result).not.toHaveProperty('message_thread_id');
    sara.send(forum, '/help', { threadId: thread });
    expect(await news()).toMatchObject([
      { message: { forum_topic_created: { name: 'Orders' } } },
      { message: { text: '/help', message_thread_id: thread, is_topic_message: true } },
    ]);
    expect((await callApi(pg, 'closeForumTopic', inTopic)).result).toBe(true);
    expect((await callApi(pg, 'closeForumTopic', inTopic)).description).toBe(
      'Bad Request: TOPIC_NOT_MODIFIED',
    );
    expect((await callApi(pg, 'reopenForumTopic', inTopic)).result).toBe(true);
    expect((await callApi(pg, 'editForumTopic', { ...inTopic, name: 'Sales' })).result).toBe(true);
    expect((await callApi(pg, 'deleteForumTopic', inTopic)).result).toBe(true);
    expect((await callApi(pg, 'sendMessage', { ...inTopic, text: 'x' })).description).toBe(
      'Bad Request: message thread not found',
    );
  });

  it('is refused when closed, for a bot without the right', async () => {
    const forum = driver.group({ creator: sara, type: 'forum' });
    const topic = pg.control.topic({ chat_id: forum, name: 'Orders' });
    topic.closed = true;
    const reply = await callApi(pg, 'sendMessage', {
      chat_id: forum,
      message_thread_id: topic.id,
      text: 'x',
    });
    expect(reply.description).toBe('Bad Request: TOPIC_CLOSED');
  });
});

function file(name: string) {
  return { field: 'file', name, mime: 'text/csv', bytes: Buffer.from(name) };
}

describe('people in groups', () => {
  it('post albums as one update each, with one group id and the caption on the first', async () => {
    pg.control.upload({ user_id: sara.id, chat_id: sara.id, caption: '/send' }, [
      file('a.csv'),
      file('b.csv'),
    ]);
    const [first, second] = await news();
    expect(first).toMatchObject({
      message: {
        caption: '/send',
        caption_entities: [{ type: 'bot_command' }],
        document: { file_name: 'a.csv' },
      },
    });
    expect(second).toMatchObject({ message: { document: { file_name: 'b.csv' } } });
    expect(second?.['message']).not.toHaveProperty('caption');
    const groupIds = [first, second].map((update) => messageOf(update?.['message']).media_group_id);
    expect(new Set(groupIds).size).toBe(1);
  });

  it('may speak as their channel', () => {
    const group = driver.group({ creator: sara });
    const channel = driver.group({ creator: sara, type: 'channel' });
    expect(sara.send(group, '/help', { viaChannel: true })).toMatchObject({
      from: { id: 136817688 },
      sender_chat: { id: channel, type: 'channel' },
    });
  });
});

describe('command menus', () => {
  it('are found by the scope order, then by language', async () => {
    const group = driver.group({ creator: sara, members: [nima] });
    const set = (name: string, scope: object, language_code = '') =>
      callApi(pg, 'setMyCommands', { commands: [{ command: name, description: 'd' }], scope, language_code });
    const menu = (person: Person, chat: number) =>
      pg.control.commands({ chat, user: person.id }).map(({ command }) => command);
    await set('default', { type: 'default' });
    await set('farsi', { type: 'default' }, 'fa');
    expect(menu(sara, sara.id)).toEqual(['default']);
    expect(menu(nima, nima.id)).toEqual(['farsi']);
    await set('groups', { type: 'all_group_chats' });
    await set('admins', { type: 'all_chat_administrators' });
    await set('thischat', { type: 'chat', chat_id: group });
    expect(menu(nima, group)).toEqual(['thischat']);
    await set('nima', { type: 'chat_member', chat_id: group, user_id: nima.id });
    expect([menu(nima, group), menu(sara, group)]).toEqual([['nima'], ['thischat']]);
    await callApi(pg, 'deleteMyCommands', { scope: { type: 'chat', chat_id: group } });
    expect(menu(sara, group)).toEqual(['admins']);
    const got = await callApi(pg, 'getMyCommands', { language_code: 'fa' });
    expect(got.result).toEqual([{ command: 'farsi', description: 'd' }]);
  });
});

describe('copies and pins', () => {
  it('forwards with the origin, copies without, and pins with a service message', async () => {
    const group = driver.group({ creator: sara, bot: 'administrator' });
    const message = sara.send(sara, 'hello');
    const from = { chat_id: group, from_chat_id: sara.id, message_id: message.message_id };
    const forwarded = await callApi(pg, 'forwardMessage', from);
    expect(forwarded.result).toMatchObject({
      text: 'hello',
      forward_origin: { type: 'user', sender_user: { id: sara.id } },
    });
    const copied = await callApi(pg, 'copyMessage', from);
    const { message_id } = messageOf(copied.result);
    await news();
    expect((await callApi(pg, 'pinChatMessage', { chat_id: group, message_id })).result).toBe(true);
    expect(await news()).toMatchObject([{ message: { pinned_message: { message_id, text: 'hello' } } }]);
    const chat = await callApi(pg, 'getChat', { chat_id: group });
    expect(chat.result).toMatchObject({ pinned_message: { message_id } });
    await callApi(pg, 'unpinChatMessage', { chat_id: group });
    expect((await callApi(pg, 'getChat', { chat_id: group })).result).not.toHaveProperty('pinned_message');
  });
});
