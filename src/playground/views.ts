import type { BotCommand, BotCommandScope, Message, User } from '@grammyjs/types';
import { shownMessage } from './deliver.ts';
import type { Emulator } from './emulator.ts';
import { ControlError } from './errors.ts';
import { isAdmin, isIn, memberOf } from './members.ts';
import { listKey } from './methods/bot.ts';
import { chatOf, firstBot, shownChatId } from './people.ts';
import type { BotState, ChatState } from './types.ts';
import { chatForBot } from './world.ts';

interface ShownChat {
  id: number;
  type: string;
  title?: string;
  username?: string;
  first_name?: string;
  is_forum?: true;
  bot_id?: number;
  blocked?: true;
  pinned?: number[];
  migrated_to?: number;
  members: { user_id: number; status: string; custom_title?: string }[];
  topics?: { message_thread_id: number; name: string; closed: boolean }[];
  last_message_id: number;
}

export interface ShownState {
  me: User[];
  users: User[];
  bots: { id: number; username: string; first_name: string }[];
  chats: ShownChat[];
  /** The same as long as ids mean the same. */
  world: string;
  version: number;
  welcome?: Emulator['welcome'];
  beside?: Emulator['beside'];
}

/** What one person sees: themself, everybody they may meet, the bots, and their chats. */
export function stateFor(em: Emulator, userId: number | undefined): ShownState {
  const people = [...em.world.users.values()].filter((user) => !user.is_bot);
  return {
    me: people.filter((user) => user.id === userId),
    users: people,
    bots: [...em.world.bots.values()].map(({ user }) => ({
      id: user.id,
      username: user.username ?? '',
      first_name: user.first_name,
    })),
    chats: [...em.world.chats.values()]
      .filter((chat) => userId === undefined || canSee(chat, userId))
      .map((chat) => shownChat(em, chat)),
    world: em.world.id,
    version: em.world.version,
    ...(em.welcome !== undefined && { welcome: em.welcome }),
    ...(em.beside !== undefined && { beside: em.beside }),
  };
}

/** The messages of a chat in order; `thread` 0 or 1 is the General topic of a forum. */
export function messagesFor(
  em: Emulator,
  wanted: {
    chat: number;
    user?: number | undefined;
    thread?: number | undefined;
    after?: number | undefined;
  },
): (Message & { deleted?: true })[] {
  const owner = wanted.user ?? (wanted.chat > 0 ? wanted.chat : firstBot(em).id);
  const chat = chatOf(em, owner, wanted.chat);
  if (wanted.user !== undefined && !canSee(chat, wanted.user)) {
    throw new ControlError('this person is not in the chat');
  }
  const isThere = ({ wire }: { wire: Message }): boolean => {
    if (wanted.thread === undefined || !chat.isForum) return true;
    const thread = wire.is_topic_message === true ? wire.message_thread_id : undefined;
    return wanted.thread <= 1 ? thread === undefined : thread === wanted.thread;
  };
  return [...chat.messages.values()]
    .filter((stored) => stored.wire.message_id > (wanted.after ?? 0) && isThere(stored))
    .map((stored) => shownMessage(chat, stored));
}

export function canSee(chat: ChatState, userId: number): boolean {
  if (chat.type === 'private') return chat.userId === userId;
  return isIn(memberOf(chat, userId));
}

/**
 * The menu that a person is shown in a chat: the first list there is, from the narrowest scope to the widest,
 * each in the person's language and then without a language.
 */
export function commandsFor(
  em: Emulator,
  wanted: { bot?: number | undefined; chat: number; user: number },
): BotCommand[] {
  const bot = wanted.bot === undefined ? firstBot(em) : em.world.bots.get(wanted.bot);
  const user = em.world.users.get(wanted.user);
  if (bot === undefined || user === undefined) throw new ControlError('unknown bot or user');
  const chat = wanted.chat > 0 ? undefined : chatForBot(em.world, bot.id, wanted.chat);
  const language = user.language_code?.slice(0, 2) ?? '';
  for (const scope of scopesFor(chat, user.id)) {
    const list = bot.commands.get(listKey(scope, language)) ?? bot.commands.get(listKey(scope, ''));
    if (list !== undefined) return list.commands;
  }
  return [];
}

/** A bot by its username, its id as text, or the first one when nothing is given. */
export function botOf(em: Emulator, name: string | undefined): BotState {
  if (name === undefined || name === '') return firstBot(em);
  const wanted = name.replace(/^@/, '').toLowerCase();
  for (const bot of em.world.bots.values()) {
    if (String(bot.id) === wanted || bot.user.username?.toLowerCase() === wanted) return bot;
  }
  throw new ControlError(`unknown bot ${name}`);
}

function scopesFor(chat: ChatState | undefined, userId: number): BotCommandScope[] {
  if (chat === undefined) {
    return [{ type: 'chat', chat_id: userId }, { type: 'all_private_chats' }, { type: 'default' }];
  }
  const id = chat.id;
  const admin = isAdmin(memberOf(chat, userId));
  return [
    { type: 'chat_member', chat_id: id, user_id: userId },
    ...(admin ? [{ type: 'chat_administrators', chat_id: id } as const] : []),
    { type: 'chat', chat_id: id },
    ...(admin ? [{ type: 'all_chat_administrators' } as const] : []),
    { type: 'all_group_chats' },
    { type: 'default' },
  ];
}

function shownChat(em: Emulator, chat: ChatState): ShownChat {
  const bot = chat.botId === undefined ? undefined : em.world.bots.get(chat.botId);
  const topics = [...chat.topics.values()].filter((topic) => !topic.deleted);
  return {
    id: shownChatId(em, chat),
    type: chat.type,
    ...(bot === undefined
      ? { title: chat.title, ...(chat.username !== undefined && { username: chat.username }) }
      : { first_name: bot.user.first_name, username: bot.user.username ?? '', bot_id: bot.id }),
    ...(chat.isForum && { is_forum: true as const }),
    ...(chat.blocked && { blocked: true as const }),
    ...(chat.pinned.length > 0 && { pinned: chat.pinned }),
    ...(chat.migratedTo !== undefined && { migrated_to: chat.migratedTo }),
    members: [...chat.members.values()].map((member) => ({
      user_id: member.userId,
      status: member.status,
      ...(member.customTitle !== undefined && { custom_title: member.customTitle }),
    })),
    ...(chat.isForum && {
      topics: topics.map((topic) => ({
        message_thread_id: topic.id,
        name: topic.name,
        closed: topic.closed,
      })),
    }),
    last_message_id: chat.lastMessageId,
  };
}
