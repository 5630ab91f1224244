import type { User } from '@grammyjs/types';
import { post } from '../deliver.ts';
import { chatChanged, type Emulator } from '../emulator.ts';
import { ControlError } from '../errors.ts';
import { isAdmin, memberOf } from './members.ts';
import { migrate, setMember } from './membership.ts';
import { firstBot } from './people.ts';
import { createTopic } from './topics.ts';
import type { ChatState, MemberState, MemberStatus, TopicState } from '../types.ts';
import { addChat, addUser, newMember } from '../world.ts';

export interface NewUser {
  id?: number | undefined;
  first_name: string;
  last_name?: string | undefined;
  username?: string | undefined;
  language_code?: string | undefined;
}

export interface NewChat {
  /** Absent: the next free one. */
  id?: number | undefined;
  type: 'group' | 'supergroup' | 'forum' | 'channel';
  title: string;
  creator_id: number;
  members?: readonly number[] | undefined;
  /** What the (first) bot is there; absent means that it is not there. */
  bot?: MemberStatus | undefined;
  username?: string | undefined;
}

/** A title of an administrator, or rights by their Bot API names with `custom_title` and `is_anonymous`. */
type CustomMember = string | Readonly<Record<string, string | boolean>>;

export interface MemberChange {
  chat_id: number;
  user_id: number;
  status: MemberStatus;
  custom?: CustomMember | undefined;
  /** Who does it; a person joins and leaves by themselves, the creator does the rest. */
  actor_id?: number | undefined;
}

export function makeUser(em: Emulator, person: NewUser): User {
  const { id, first_name: first, last_name: last, username, language_code: language } = person;
  const user = addUser(em.world, {
    ...(id !== undefined && { id }),
    first_name: first,
    ...(last !== undefined && { last_name: last }),
    ...(username !== undefined && { username }),
    ...(language !== undefined && { language_code: language }),
  });
  em.world.version++;
  em.bus.emit({ type: 'chat', data: { user } });
  return user;
}

/** A new chat. The members are just there; only the bot's coming is told to the bot. */
export function makeChat(em: Emulator, wanted: NewChat): ChatState {
  const creator = personOf(em, wanted.creator_id);
  const chat = addChat(em.world, {
    type: wanted.type === 'forum' ? 'supergroup' : wanted.type,
    title: wanted.title,
    isForum: wanted.type === 'forum',
    ...(wanted.id !== undefined && { id: wanted.id }),
    ...(wanted.username !== undefined && { username: wanted.username }),
  });
  chat.members.set(creator.id, newMember(creator.id, 'creator'));
  for (const id of wanted.members ?? []) {
    chat.members.set(personOf(em, id).id, newMember(id, 'member'));
  }
  if (wanted.type === 'group') {
    post(em, chat, { from: creator, service: true, content: { group_chat_created: true } });
  } else if (wanted.type !== 'channel') {
    post(em, chat, { from: creator, service: true, content: { supergroup_chat_created: true } });
  }
  if (wanted.bot !== undefined) {
    setMember(em, chat, newMember(firstBot(em).id, wanted.bot), creator);
  }
  chatChanged(em, chat);
  return chat;
}

export function changeMember(em: Emulator, change: MemberChange): MemberState {
  const chat = groupOf(em, change.chat_id);
  const person = personOf(em, change.user_id);
  const custom = typeof change.custom === 'object' ? change.custom : {};
  const title = typeof change.custom === 'string' ? change.custom : custom['custom_title'];
  const rights = Object.entries(custom).flatMap(([name, value]) =>
    typeof value === 'boolean' ? [[name, value] as const] : [],
  );
  const member: MemberState = {
    userId: person.id,
    status: change.status,
    anonymous: custom['is_anonymous'] === true,
    customTitle: typeof title === 'string' && title !== '' ? title : undefined,
    rights: Object.fromEntries(rights),
  };
  setMember(em, chat, member, actorOf(em, chat, change, person));
  return member;
}

export function upgrade(
  em: Emulator,
  wanted: { chat_id: number; member_updates?: boolean | undefined },
): ChatState {
  const group = groupOf(em, wanted.chat_id);
  if (group.type !== 'group' || group.migratedTo !== undefined) {
    throw new ControlError('only a basic group can be upgraded, and once');
  }
  const target = addChat(em.world, { type: 'supergroup', title: group.title });
  migrate(em, group, target, creatorOf(em, group), wanted.member_updates === true);
  return target;
}

export function makeTopic(em: Emulator, wanted: { chat_id: number; name: string }): TopicState {
  const chat = groupOf(em, wanted.chat_id);
  if (!chat.isForum) throw new ControlError('the chat is not a forum');
  return createTopic(em, chat, {
    name: wanted.name,
    iconColor: 0x6f_b9_f0,
    author: { user: creatorOf(em, chat) },
  });
}

export function groupOf(em: Emulator, chatId: number): ChatState {
  const chat = em.world.chats.get(String(chatId));
  if (chat === undefined || chat.type === 'private') throw new ControlError(`unknown group ${chatId}`);
  return chat;
}

function actorOf(em: Emulator, chat: ChatState, change: MemberChange, person: User): User {
  if (change.actor_id !== undefined) return personOf(em, change.actor_id);
  const isOwnStep = change.status === 'left' || change.status === 'member';
  const wasAdmin = isAdmin(memberOf(chat, person.id));
  return isOwnStep && !person.is_bot && !wasAdmin ? person : creatorOf(em, chat);
}

function creatorOf(em: Emulator, chat: ChatState): User {
  for (const member of chat.members.values()) {
    if (member.status === 'creator') return personOf(em, member.userId);
  }
  throw new ControlError('the chat has no creator');
}

function personOf(em: Emulator, id: number): User {
  const user = em.world.users.get(id);
  if (user === undefined) throw new ControlError(`unknown user ${id}`);
  return user;
}
