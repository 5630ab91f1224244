import { randomUUID } from 'node:crypto';
import type { User } from '@grammyjs/types';
import type { BotState, ChatState, ChatType, MemberState, MemberStatus, World } from './types.ts';

/** Senders that stand for a chat; their numbers are Telegram's own. */
export const GROUP_ANONYMOUS_BOT: User = {
  id: 1_087_968_824,
  is_bot: true,
  first_name: 'Group',
  username: 'GroupAnonymousBot',
};
export const CHANNEL_BOT: User = {
  id: 136_817_688,
  is_bot: true,
  first_name: 'Channel',
  username: 'Channel_Bot',
};

/** An empty world. Every number in it is counted up from a fixed start, so that runs are alike. */
export function createWorld(firstId = 0): World {
  return {
    id: randomUUID(),
    users: new Map(),
    bots: new Map(),
    chats: new Map(),
    callbacks: new Map(),
    inlineQueries: new Map(),
    inlineMessages: new Map(),
    polls: new Map(),
    deactivated: new Set(),
    version: 1,
    nextUserId: 500_100_001 + firstId,
    nextGroupId: 4_100_001 + firstId,
    nextChannelId: 2_100_000_001 + firstId,
    nextCallbackId: 1,
    nextMediaGroupId: 1,
    nextDie: 0,
    nextPollId: 1,
    firstId,
  };
}

export function addBot(world: World, token: string, username: string): BotState {
  const id = Number(token.slice(0, token.indexOf(':')));
  const user: User = { id, is_bot: true, first_name: username.replace(/_?bot$/i, '') || username, username };
  const bot: BotState = {
    id,
    token,
    user,
    privacy: true,
    inline: undefined,
    commands: new Map(),
    texts: { name: new Map(), description: new Map(), short_description: new Map() },
    defaultRights: new Map(),
    menuButtons: new Map(),
    allowed: undefined,
    webhook: undefined,
  };
  world.bots.set(id, bot);
  world.users.set(id, user);
  return bot;
}

export function addUser(
  world: World,
  person: { id?: number; first_name: string; last_name?: string; username?: string; language_code?: string },
): User {
  const id = person.id ?? world.nextUserId++;
  const user: User = { id, is_bot: false, ...person };
  world.users.set(id, user);
  return user;
}

export function addChat(
  world: World,
  options: { id?: number; type: ChatType; title: string; isForum?: boolean; username?: string },
): ChatState {
  const id = options.id ?? nextChatId(world, options.type);
  const chat = emptyChat(world, String(id), id, options.type, options.title);
  chat.isForum = options.isForum ?? false;
  chat.username = options.username;
  world.chats.set(chat.key, chat);
  return chat;
}

function nextChatId(world: World, type: ChatType): number {
  return type === 'group' ? -world.nextGroupId++ : -(1_000_000_000_000 + world.nextChannelId++);
}

function privateKey(userId: number, botId: number): string {
  return `${userId}:${botId}`;
}

/** The private chat of a person and a bot; it comes into being with the person's first message. */
export function openPrivateChat(world: World, userId: number, botId: number): ChatState {
  const key = privateKey(userId, botId);
  const known = world.chats.get(key);
  if (known !== undefined) return known;
  const chat = emptyChat(world, key, userId, 'private', '');
  chat.userId = userId;
  chat.botId = botId;
  world.chats.set(key, chat);
  return chat;
}

/** The chat that a bot means by an id: its own private chat with that person, or a group or channel. */
export function chatForBot(world: World, botId: number, id: number): ChatState | undefined {
  return id > 0 ? world.chats.get(privateKey(id, botId)) : world.chats.get(String(id));
}

export function chatByUsername(world: World, username: string): ChatState | undefined {
  const wanted = username.toLowerCase();
  for (const chat of world.chats.values()) {
    if (chat.username?.toLowerCase() === wanted && chat.migratedTo === undefined) return chat;
  }
  return undefined;
}

export function botByUsername(world: World, username: string): BotState | undefined {
  const wanted = username.replace(/^@/, '').toLowerCase();
  for (const bot of world.bots.values()) {
    if (bot.user.username?.toLowerCase() === wanted) return bot;
  }
  return undefined;
}

export function newMember(userId: number, status: MemberStatus): MemberState {
  return { userId, status, anonymous: false, customTitle: undefined, rights: {} };
}

function emptyChat(world: World, key: string, id: number, type: ChatType, title: string): ChatState {
  return {
    key,
    id,
    type,
    title,
    username: undefined,
    description: undefined,
    permissions: undefined,
    isForum: false,
    userId: undefined,
    botId: undefined,
    blocked: false,
    draft: undefined,
    stoppedDraft: undefined,
    members: new Map(),
    messages: new Map(),
    ephemeral: new Map(),
    topics: new Map(),
    general: { name: 'General', closed: false, hidden: false },
    pinned: [],
    lastMessageId: world.firstId,
    migratedTo: undefined,
    deleted: false,
  };
}
