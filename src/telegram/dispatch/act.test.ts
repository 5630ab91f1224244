import type { Update, ReactionType } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import { defineCommand, type Command } from '../feature.ts';
import { actIn, emojiSet, type ActContext } from './act.ts';

const me = { id: 42, username: 'PeykBot' };
const plain = { permission: null, about: () => '', args: {}, run: () => Promise.resolve() };
const commands = [
  defineCommand({ ...plain, name: 'help' }),
  defineCommand({ ...plain, name: 'credit', facet: 'credit' }),
  defineCommand({ ...plain, name: 'cancel', urgent: true }),
  defineCommand({
    ...plain,
    name: 'limits',
    urgent: (typed) => typed['limit'] === 'stop',
    args: { limit: word() },
  }),
  defineCommand({ ...plain, name: 'form-of-something', about: null }),
];
const context: ActContext = {
  me,
  commands: new Map<string, Command>(commands.map((each) => [each.name, each])),
};

function word(): Command['args'][string] {
  const said = () => '' as never;
  return {
    schema: { safeParse: () => ({ success: true }) } as never,
    usage: () => '',
    ask: said,
    problem: said,
  };
}

const sara = { id: 5, is_bot: false, first_name: 'Sara' };
const bot = { id: me.id, is_bot: true, first_name: 'Peyk', username: me.username };
const PRIVATE = { id: 5, type: 'private', first_name: 'Sara' } as const;
const GROUP = { id: -9, type: 'supergroup', title: 'Shop' } as const;

function said(more: object): Update {
  return {
    update_id: 1,
    message: { message_id: 7, date: 1, chat: PRIVATE, from: sara, text: 'hi', ...more },
  };
}

function kindsOf(more: object): readonly string[] | null {
  return actIn(said(more), context)?.kinds ?? null;
}

const document = { file_id: 'f', file_unique_id: 'u' };
const card = { message_id: 3, date: 1, chat: GROUP, from: bot, text: 'a card' };

describe('what an update asks of the bot', () => {
  test('nothing, where it is about the bot itself in a place: that must not be missed', () => {
    const now = { user: bot, status: 'member' } as const;
    const change = { chat: GROUP, from: sara, date: 1, old_chat_member: now, new_chat_member: now };
    expect(actIn({ update_id: 1, my_chat_member: change }, context)).toBeNull();
  });

  test.each([
    ['a command', { text: '/help' }, ['command']],
    ['one that needs the gateway', { text: '/credit now' }, ['command', 'read']],
    ['one with a file', { text: undefined, caption: '/credit', document }, ['command', 'read', 'upload']],
    ['an unknown one in private, which is answered', { text: '/sned' }, ['command']],
    ['a text in private, which may be an answer', {}, ['command']],
    ['a file in private', { text: undefined, document }, ['command', 'upload']],
    ['a command in a group', { chat: GROUP, text: '/credit@peykbot' }, ['command', 'read']],
    ['an answer in a group', { chat: GROUP, reply_to_message: card }, ['command']],
    [
      'a file as an answer',
      { chat: GROUP, text: undefined, document, reply_to_message: card },
      ['command', 'upload'],
    ],
  ])('counts %s', (_, more, kinds) => {
    expect(kindsOf(more)).toEqual(kinds);
  });

  test.each([
    ['talk among people', { chat: GROUP }],
    ['a file for people', { chat: GROUP, text: undefined, document }],
    ['a command for another bot', { chat: GROUP, text: '/help@OtherBot' }],
    ['a command that nobody here knows', { chat: GROUP, text: '/roll' }],
    ['the name of a form', { chat: GROUP, text: '/form-of-something' }],
    [
      'a command for another bot in reply to this one',
      { chat: GROUP, text: '/roll', reply_to_message: card },
    ],
    ['what a bot says', { chat: GROUP, text: '/help', from: { ...sara, is_bot: true } }],
    [
      'what a channel says',
      { chat: GROUP, text: '/help', sender_chat: { id: -1, type: 'channel', title: 'News' } },
    ],
  ])('is nothing with %s', (_, more) => {
    expect(kindsOf(more)).toBe(null);
  });

  test('is urgent where that is declared, with the words that make it so', () => {
    const urgent = (text: string) => actIn(said({ text }), context)?.urgent;
    expect(
      ['/cancel', 'cancel!', '/limits stop', '/limits', '/help', 'cancel it for me'].map(urgent),
    ).toEqual([true, true, true, false, false, false]);
  });

  test('of a press may be urgent, and comes from its person in the chat of its message', () => {
    const press = {
      update_id: 1,
      callback_query: { id: '1', from: sara, chat_instance: 'x', data: 'x', message: card },
    };
    expect(actIn(press as Update, context)).toEqual({
      kinds: ['press'],
      person: 5,
      chat: -9,
      urgent: 'perhaps',
    });
    const stray = { update_id: 1, callback_query: { id: '1', from: sara, chat_instance: 'x', data: 'x' } };
    expect(actIn(stray as Update, context)).toBe(null);
  });

  test('of an anonymous admin is the group’s', () => {
    const anonymous = {
      chat: GROUP,
      text: '/help',
      from: { id: 1087968824, is_bot: true, first_name: 'Group' },
      sender_chat: GROUP,
    };
    expect(actIn(said(anonymous), context)).toMatchObject({ person: -9, chat: -9, kinds: ['command'] });
  });
});

const emoji = (each: '👀' | '👌' | '❤'): ReactionType => ({ type: 'emoji', emoji: each });
const set = (before: ReactionType[], after: ReactionType[]): readonly string[] => {
  const reaction: NonNullable<Update['message_reaction']> = {
    chat: { id: 7, type: 'private', first_name: 'Sara' },
    user: { id: 7, is_bot: false, first_name: 'Sara' },
    message_id: 1,
    date: 1,
    old_reaction: before,
    new_reaction: after,
  };
  return emojiSet(reaction);
};

test('what was set just now counts, and neither what stood before, nor what was taken away, nor one of a person’s own', () => {
  expect(set([], [emoji('👀')])).toEqual(['👀']);
  expect(set([emoji('👀')], [emoji('👀'), emoji('👌')])).toEqual(['👌']);
  expect(set([emoji('👌')], [])).toEqual([]);
  expect(set([], [{ type: 'custom_emoji', custom_emoji_id: '✅' }, { type: 'paid' }])).toEqual([]);
  expect(emojiSet(undefined)).toEqual([]);
});
