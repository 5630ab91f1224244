import type { Message, User } from '@grammyjs/types';
import { shownMessage } from '../deliver.ts';
import type { Emulator } from '../emulator.ts';
import { ControlError } from '../errors.ts';
import { isIn, memberOf } from './members.ts';
import { chatOf, firstBot, shownChatId } from './people.ts';
import type { BotState, ChatState, StoredMessage } from '../types.ts';

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
  bots: { id: number; username: string; first_name: string; inline?: true }[];
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
    bots: [...em.world.bots.values()].map(({ user, inline }) => ({
      id: user.id,
      username: user.username ?? '',
      first_name: user.first_name,
      ...(inline !== undefined && { inline: true as const }),
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
  return messagesSeenBy(chat, wanted.user)
    .filter((stored) => stored.wire.message_id > (wanted.after ?? 0) && isThere(stored))
    .map((stored) => shownMessage(chat, stored));
}

/** The messages of a chat in order, with those that only this person sees; without a person with everybody's. */
export function messagesSeenBy(chat: ChatState, userId?: number): StoredMessage[] {
  const own = [...chat.ephemeral.values()].filter(({ only }) => (userId ?? only?.userId) === only?.userId);
  const all = [...chat.messages.values()];
  if (own.length === 0) return all;
  return [...all, ...own].sort((a, b) => a.wire.message_id - b.wire.message_id);
}

export function canSee(chat: ChatState, userId: number): boolean {
  if (chat.type === 'private') return chat.userId === userId;
  return isIn(memberOf(chat, userId));
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
