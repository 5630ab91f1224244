import { ApiError, badRequest, forbidden, refusals } from '../errors.ts';
import type { Emulator } from '../emulator.ts';
import { isIn, may, memberOf } from '../people/members.ts';
import type { Params } from './params.ts';
import type { BotState, ChatState, StoredMessage, TopicState } from '../types.ts';
import { chatByUsername, chatForBot } from '../world.ts';

export type Access = 'read' | 'edit' | 'write';

/** The chat of `chat_id`, or of another parameter, with the bot's access to it checked in Telegram's order. */
export function chatFor(
  em: Emulator,
  bot: BotState,
  params: Params,
  access: Access,
  name = 'chat_id',
): ChatState {
  return chatById(em, bot, params.str(name), access);
}

export function chatById(em: Emulator, bot: BotState, text: string, access: Access): ChatState {
  if (text === '') throw badRequest('chat_id is empty');
  const id = text.startsWith('@') ? undefined : Number(text);
  const chat = id === undefined ? chatByUsername(em.world, text.slice(1)) : chatForBot(em.world, bot.id, id);
  if (chat === undefined) {
    const isPerson = id !== undefined && em.world.users.has(id);
    if (isPerson && access === 'write') throw forbidden(refusals.cannotInitiate);
    throw badRequest('chat not found');
  }
  checkAccess(em, bot, chat, access);
  return chat;
}

/** The message of `message_id` in that chat; `what` begins the refusal, for instance `message to edit`. */
export function messageFor(chat: ChatState, id: number, what: string): StoredMessage {
  const stored = chat.messages.get(id);
  if (stored === undefined || stored.deleted) throw badRequest(`${what} not found`);
  return stored;
}

/** The open topic of `message_thread_id`; undefined for General and outside forums. */
export function topicFor(bot: BotState, chat: ChatState, params: Params): TopicState | undefined {
  const id = params.int('message_thread_id', 0);
  if (!chat.isForum) return undefined;
  if (id === 0) {
    if (chat.general.closed && !may(chat, bot.id, 'can_manage_topics')) throw badRequest('TOPIC_CLOSED');
    return undefined;
  }
  const topic = chat.topics.get(id);
  if (id === 1 || topic === undefined || topic.deleted) throw badRequest('message thread not found');
  if (topic.closed && !may(chat, bot.id, 'can_manage_topics')) throw badRequest('TOPIC_CLOSED');
  return topic;
}

/** Whether the bot may write here at all, and things of this kind (`text messages`, `documents`, …). */
export function checkWriteRight(bot: BotState, chat: ChatState, right: string, what: string): void {
  if (chat.type === 'private') return;
  if (chat.type === 'channel') {
    if (!may(chat, bot.id, 'can_post_messages')) {
      throw badRequest('need administrator rights in the channel chat');
    }
    return;
  }
  if (!may(chat, bot.id, right)) throw badRequest(`not enough rights to send ${what} to the chat`);
}

function checkAccess(em: Emulator, bot: BotState, chat: ChatState, access: Access): void {
  if (chat.type === 'private') {
    if (access === 'read') return;
    if (em.world.deactivated.has(chat.id)) throw forbidden(refusals.deactivated);
    if (chat.blocked) throw forbidden(refusals.blocked);
    return;
  }
  if (chat.migratedTo !== undefined) {
    if (access === 'read') return;
    throw new ApiError(400, `Bad Request: ${refusals.upgraded}`, { migrate_to_chat_id: chat.migratedTo });
  }
  if (chat.deleted) throw forbidden('the group chat was deleted');
  const member = memberOf(chat, bot.id);
  const isReadable = access === 'read' && (chat.type === 'group' || chat.username !== undefined);
  if (member.status === 'kicked' && !(access === 'read' && chat.type === 'group')) {
    throw forbidden(`bot was kicked from the ${chat.type} chat`);
  }
  if (!isIn(member) && !isReadable) throw forbidden(`bot is not a member of the ${chat.type} chat`);
}
