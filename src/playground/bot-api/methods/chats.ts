import { chatFor, messageFor } from '../access.ts';
import { post } from '../../deliver.ts';
import { badRequest } from '../../errors.ts';
import { isAdmin, isIn, may, memberOf, memberToWire } from '../../people/members.ts';
import { setMember } from '../../people/membership.ts';
import { react, readReactions } from '../../people/reactions.ts';
import { newMember } from '../../world.ts';
import { fullChat, messageToWire } from '../../wire.ts';
import { chatChanged } from '../../emulator.ts';
import type { ChatState, StoredMessage } from '../../types.ts';
import type { Call, Method } from './method.ts';

export const chatMethods: Readonly<Record<string, Method>> = {
  getChat: ({ em, bot, params }) => fullChat(em.world, chatFor(em, bot, params, 'read')),
  getChatMember: ({ em, bot, params }) => {
    const userId = params.int('user_id', 0);
    if (userId <= 0) throw badRequest('invalid user_id specified');
    const chat = chatFor(em, bot, params, 'read');
    if (!em.world.users.has(userId)) throw badRequest('PARTICIPANT_ID_INVALID');
    if (chat.type === 'private') {
      if (userId !== chat.id && userId !== bot.id) throw badRequest('member not found');
      return memberToWire(em.world, chat, newMember(userId, 'member'));
    }
    if (chat.type === 'channel' && userId !== bot.id && !isAdmin(memberOf(chat, bot.id))) {
      throw badRequest('CHAT_ADMIN_REQUIRED');
    }
    return memberToWire(em.world, chat, memberOf(chat, userId));
  },
  getChatAdministrators: ({ em, bot, params }) => {
    const chat = chatFor(em, bot, params, 'read');
    if (chat.type === 'private') throw badRequest('there are no administrators in the private chat');
    return [...chat.members.values()]
      .filter((member) => isAdmin(member))
      .filter((member) => member.userId === bot.id || !em.world.bots.has(member.userId))
      .map((member) => memberToWire(em.world, chat, member));
  },
  getChatMemberCount: ({ em, bot, params }) => {
    const chat = chatFor(em, bot, params, 'read');
    return chat.type === 'private' ? 2 : [...chat.members.values()].filter(isIn).length;
  },
  leaveChat: ({ em, bot, params }) => {
    const chat = chatFor(em, bot, params, 'edit');
    if (chat.type === 'private') throw badRequest("chat member status can't be changed in private chats");
    setMember(em, chat, newMember(bot.id, 'left'), bot.user);
    return true;
  },
  pinChatMessage: (call) => {
    const { em, bot, params } = call;
    const chat = chatFor(em, bot, params, 'write');
    const stored = messageFor(chat, params.int('message_id', 0), 'message to pin');
    checkPinRight(call);
    const id = stored.wire.message_id;
    if (chat.pinned.at(-1) === id) return true;
    chat.pinned = [...chat.pinned.filter((pinned) => pinned !== id), id];
    const pinned = messageToWire(chat, stored, false);
    post(em, chat, {
      from: bot.user,
      botId: bot.id,
      service: true,
      threadId: stored.wire.is_topic_message === true ? stored.wire.message_thread_id : undefined,
      content: { pinned_message: pinned },
    });
    chatChanged(em, chat);
    return true;
  },
  unpinChatMessage: (call) => {
    const { em, bot, params } = call;
    const chat = chatFor(em, bot, params, 'write');
    const id = params.int('message_id', chat.pinned.at(-1) ?? 0);
    if (params.has('message_id')) messageFor(chat, id, 'message to unpin');
    checkPinRight(call);
    chat.pinned = chat.pinned.filter((pinned) => pinned !== id);
    chatChanged(em, chat);
    return true;
  },
  unpinAllChatMessages: (call) => {
    const chat = chatFor(call.em, call.bot, call.params, 'write');
    checkPinRight(call);
    chat.pinned = [];
    chatChanged(call.em, chat);
    return true;
  },
  getUserChatBoosts: (call) => {
    if (call.params.int('user_id', 0, 0) === 0) throw badRequest('invalid user_id specified');
    chatFor(call.em, call.bot, call.params, 'read');
    return { boosts: [] };
  },
  deleteMessageReaction: (call) => {
    const { em, bot, params } = call;
    const chat = chatFor(em, bot, params, 'write');
    const stored = messageFor(chat, params.int('message_id', 0), 'message to delete reactions');
    clearReactions(call, chat, [stored]);
    return true;
  },
  deleteAllMessageReactions: (call) => {
    const chat = chatFor(call.em, call.bot, call.params, 'write');
    clearReactions(call, chat, [...chat.messages.values()]);
    return true;
  },
  setMessageReaction: ({ em, bot, params }) => {
    const chat = chatFor(em, bot, params, 'read');
    const reactions = readReactions(params.json('reaction', 'reaction types') ?? []);
    const stored = messageFor(chat, params.int('message_id', 0), 'message to react');
    if (stored.service) throw badRequest('REACTION_INVALID');
    react(em, chat, stored, bot.user, reactions);
    return true;
  },
};

/** Takes one person's reactions away; only an administrator that may delete messages does. */
function clearReactions({ em, bot, params }: Call, chat: ChatState, from: readonly StoredMessage[]): void {
  const user = em.world.users.get(params.int('user_id', 0));
  if (user === undefined) throw badRequest('PARTICIPANT_ID_INVALID');
  if (
    chat.type === 'private' ||
    !isAdmin(memberOf(chat, bot.id)) ||
    !may(chat, bot.id, 'can_delete_messages')
  ) {
    throw badRequest('CHAT_ADMIN_REQUIRED');
  }
  for (const stored of from) react(em, chat, stored, user, [], false);
}

function checkPinRight({ em, bot, params }: Call): void {
  const chat = chatFor(em, bot, params, 'write');
  if (chat.type === 'private') return;
  const right = chat.type === 'channel' ? 'can_edit_messages' : 'can_pin_messages';
  if (!may(chat, bot.id, right)) {
    throw badRequest('not enough rights to manage pinned messages in the chat');
  }
}
