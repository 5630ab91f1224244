import type { User } from '@grammyjs/types';
import { chatFor } from '../access.ts';
import type { NewMessage } from '../../deliver.ts';
import { badRequest, refusals } from '../../errors.ts';
import { isAdmin, isIn, memberOf } from '../../people/members.ts';
import { isRecord } from '../params.ts';
import { readReplyMarkup } from '../reply-markup.ts';
import type { CallbackState, ChatState, StoredMessage } from '../../types.ts';
import { change, edits, remove, type Edit } from './editing.ts';
import type { Call, Method } from './method.ts';

/** How long a press or an ephemeral message may be answered by a bot that is no administrator. */
const REPLY_TTL_MS = 15_000;

export const ephemeralMethods: Readonly<Record<string, Method>> = {
  editEphemeralMessageText: (call) => editEphemeral(call, edits.text),
  editEphemeralMessageCaption: (call) => editEphemeral(call, edits.caption),
  editEphemeralMessageMedia: (call) => editEphemeral(call, edits.media),
  editEphemeralMessageReplyMarkup: (call) => editEphemeral(call, edits.markup),
  deleteEphemeralMessage: (call) => {
    const chat = chatFor(call.em, call.bot, call.params, 'write');
    remove(call, chat, ephemeralFor(call, chat, 'message to delete'));
    return true;
  },
};

function editEphemeral(call: Call, edit: Edit): true {
  const next = edit(call);
  const markup = readReplyMarkup(call.params, true);
  const chat = chatFor(call.em, call.bot, call.params, 'edit');
  change(call, chat, ephemeralFor(call, chat, 'message to edit'), next, markup);
  return true;
}

function ephemeralFor({ bot, params }: Call, chat: ChatState, what: string): StoredMessage {
  const stored = chat.ephemeral.get(params.int('ephemeral_message_id', 0));
  const receiver = stored?.wire.receiver_user?.id;
  const isOurs = stored?.botId === bot.id || receiver === bot.id;
  if (stored === undefined || stored.deleted || !isOurs || receiver !== params.int('receiver_user_id', 0)) {
    throw badRequest(`${what} not found`);
  }
  return stored;
}

/**
 * Who alone sees the message that is being sent; undefined when everybody does. Administrators may write so to any member,
 * other bots only to whoever has just pressed a button of theirs or written to them alone. Throws Telegram's refusals.
 */
export function receiverOf(call: Call, chat: ChatState): NewMessage['only'] {
  const { bot, params } = call;
  const value = params.json('ephemeral_message_parameters', 'ephemeral message parameters');
  // So the parameters stood in Bot API 10.2.
  const older = {
    receiver_user_id: params.int('receiver_user_id', 0),
    callback_query_id: params.str('callback_query_id') || undefined,
  };
  if (value === undefined && older.receiver_user_id === 0) {
    // An answer to what one person wrote is never for everybody.
    if (isReply(call, chat)) throw badRequest('message to be replied not found');
    return undefined;
  }
  const wanted = value ?? older;
  if (!isRecord(wanted)) throw badRequest('object expected as ephemeral message parameters');
  const receiver = personIn(call, chat, Number(wanted['receiver_user_id']));
  const query = pressed(call, chat, wanted['callback_query_id'], receiver.id);
  const isAnswer = query !== undefined || isReply(call, chat, receiver.id);
  if (!isAnswer && !isAdmin(memberOf(chat, bot.id))) throw badRequest('BOT_NOT_ADMIN');
  const isInPlace = query !== undefined && wanted['replace_callback_query_message'] === true;
  if (isInPlace && chat.ephemeral.has(query.messageId)) throw badRequest('MESSAGE_ID_INVALID');
  return { userId: receiver.id, receiver, replaces: isInPlace ? query.messageId : undefined };
}

/** For methods whose messages all see: what was meant for one person is refused rather than shown to everybody. */
export function everybody(call: Call, chat: ChatState): undefined {
  if (receiverOf(call, chat) !== undefined) throw badRequest('such a message can be no ephemeral message');
}

function personIn({ em }: Call, chat: ChatState, id: number): User {
  const user = em.world.users.get(id);
  // A private chat has one person already, and a channel nobody whom the bot could know.
  if (chat.type === 'private' || chat.type === 'channel') throw badRequest('BOT_NOT_ADMIN');
  if (user === undefined || user.is_bot || !isIn(memberOf(chat, id)))
    throw badRequest('USER_NOT_PARTICIPANT');
  return user;
}

function pressed({ em, bot }: Call, chat: ChatState, id: unknown, userId: number): CallbackState | undefined {
  if (id === undefined) return undefined;
  const query = typeof id === 'string' ? em.world.callbacks.get(id) : undefined;
  const isTheirs = query?.botId === bot.id && query.userId === userId && query.chatKey === chat.key;
  if (!isTheirs || em.now() - query.at >= REPLY_TTL_MS) throw badRequest(refusals.queryTooOld);
  return query;
}

function isReply({ em, bot, params }: Call, chat: ChatState, userId?: number): boolean {
  const reply = params.json('reply_parameters', 'reply parameters');
  const id = isRecord(reply) ? reply['ephemeral_message_id'] : undefined;
  if (id === undefined) return false;
  const original = chat.ephemeral.get(Number(id));
  const isTheirs =
    original?.wire.receiver_user?.id === bot.id &&
    original.only?.userId === (userId ?? original.only?.userId);
  if (!isTheirs || original.deleted || em.seconds() - original.wire.date > REPLY_TTL_MS / 1000) {
    throw badRequest('message to be replied not found');
  }
  return true;
}
