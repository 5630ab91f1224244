import type { Message } from '@grammyjs/types';
import { chatById, chatFor, checkWriteRight, topicFor } from '../access.ts';
import { post, type NewMessage } from '../../deliver.ts';
import { badRequest } from '../../errors.ts';
import { isRecord } from '../params.ts';
import { checkMarkupForChat, readReplyMarkup } from '../reply-markup.ts';
import type { ChatState } from '../../types.ts';
import { messageToWire } from '../../wire.ts';
import { everybody, receiverOf } from './ephemeral.ts';
import type { Call } from './method.ts';

/** The right that a kind of message needs in a group, and how Telegram names the kind when it is missing. */
export type Needed = readonly [right: string, what: string];
export const TEXT: Needed = ['can_send_messages', 'text messages'];

/** Checks chat, topic, reply, keyboard, rights and limits in Telegram's order, then puts the message there, for everybody. */
export function send(call: Call, needed: Needed, make: () => Partial<NewMessage>): Message {
  return sendTo(call, targetOf(call, needed), make);
}

/** The same for the methods whose messages may be ephemeral. */
export function sendToAllOrOne(
  call: Call,
  needed: readonly Needed[],
  make: () => Partial<NewMessage>,
): Message {
  return sendTo(call, targetFor(call, receiverOf, needed), make);
}

function sendTo(call: Call, target: Target, make: () => Partial<NewMessage>): Message {
  const markup = readReplyMarkup(call.params, false);
  checkMarkupForChat(markup, target.chat);
  const draft = make();
  target.count();
  return target.place({ markup, ...draft });
}

/** Sends what is made already, one after another, into one place. */
export function sendAll(call: Call, drafts: readonly Partial<NewMessage>[]): Message[] {
  const target = targetOf(call, TEXT);
  target.count();
  return drafts.map(target.place);
}

interface Target {
  chat: ChatState;
  /** Puts a message there and returns it as it is shown. */
  place: (draft: Partial<NewMessage>) => Message;
  /** Counts the message against the limits; called when nothing else can refuse it. */
  count: () => void;
}

/** Where a message for everybody goes and who writes it. Throws what Telegram refuses of chat, topic, reply and rights. */
export function targetOf(call: Call, ...needed: readonly Needed[]): Target {
  return targetFor(call, everybody, needed);
}

function targetFor(call: Call, receiver: typeof receiverOf, needed: readonly Needed[]): Target {
  const { em, bot, params } = call;
  const chat = chatFor(em, bot, params, 'write');
  const topic = topicFor(bot, chat, params);
  const only = receiver(call, chat);
  const replyTo = replyTarget(call, chat);
  for (const [right, what] of needed) checkWriteRight(bot, chat, right, what);
  const author =
    chat.type === 'channel' ? { senderChat: chat, botId: bot.id } : { from: bot.user, botId: bot.id };
  const marks = params.bool('protect_content') ? { has_protected_content: true as const } : {};
  return {
    chat,
    place({ content, ...draft }) {
      const rest = { ...author, only, replyTo, threadId: topic?.id, ...draft };
      return messageToWire(chat, post(em, chat, { ...rest, content: { ...content, ...marks } }));
    },
    count: () => em.limiter?.message(chat.key, chat.type === 'group' || chat.type === 'supergroup'),
  };
}

function replyTarget({ em, bot, params }: Call, chat: ChatState): number | undefined {
  const value = params.json('reply_parameters', 'reply parameters');
  if (value !== undefined && !isRecord(value)) throw badRequest('object expected as reply parameters');
  const options = isRecord(value) ? value : {};
  const id = Number(options['message_id'] ?? params.int('reply_to_message_id', 0));
  if (!(id > 0)) return undefined;
  const otherChat = options['chat_id'];
  const from =
    typeof otherChat === 'string' || typeof otherChat === 'number'
      ? chatById(em, bot, String(otherChat), 'read')
      : chat;
  const original = from.messages.get(id);
  if (original !== undefined && !original.deleted) return from === chat ? id : undefined;
  const mayDrop =
    options['allow_sending_without_reply'] === true || params.bool('allow_sending_without_reply');
  if (mayDrop) return undefined;
  throw badRequest('message to be replied not found');
}
