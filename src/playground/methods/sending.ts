import type { Message, MessageOrigin } from '@grammyjs/types';
import { chatFor, chatById, checkWriteRight, messageFor, topicFor } from '../access.ts';
import { post, type NewMessage } from '../deliver.ts';
import { badRequest } from '../errors.ts';
import { isRecord } from '../params.ts';
import { checkMarkupForChat, readReplyMarkup } from '../reply-markup.ts';
import type { ChatState, MessageContent, StoredMessage } from '../types.ts';
import { chatToWire, messageToWire } from '../wire.ts';
import { captionContent, inputMedia, mediaContent, textContent } from './content.ts';
import type { Call, Method } from './method.ts';

const ACTIONS = new Set([
  'typing',
  'upload_photo',
  'record_video',
  'upload_video',
  'record_voice',
  'upload_voice',
  'upload_document',
  'choose_sticker',
  'find_location',
  'record_video_note',
  'upload_video_note',
]);

export const sendingMethods: Readonly<Record<string, Method>> = {
  sendMessage: (call) => {
    const { content, linkPreview } = textContent(call);
    return send(call, 'can_send_messages', 'text messages', () => ({ content, linkPreview }));
  },
  sendDocument: (call) =>
    send(call, 'can_send_documents', 'documents', () => {
      const source = call.params.str('document');
      const file = mediaContent(call, { type: 'document', source, field: 'document' });
      return { content: { ...file, ...captionContent(call) } };
    }),
  sendPhoto: (call) =>
    send(call, 'can_send_photos', 'photos', () => {
      const source = call.params.str('photo');
      const file = mediaContent(call, { type: 'photo', source, field: 'photo' });
      return { content: { ...file, ...captionContent(call) } };
    }),
  sendMediaGroup,
  sendChatAction: ({ em, bot, params }) => {
    if (!ACTIONS.has(params.str('action'))) throw badRequest('wrong parameter action in request');
    const chat = chatFor(em, bot, params, 'write');
    topicFor(bot, chat, params);
    return true;
  },
  forwardMessage: (call) => {
    const { em, bot, params } = call;
    const from = chatFor(em, bot, params, 'read', 'from_chat_id');
    const original = messageFor(from, params.int('message_id', 0), 'message to forward');
    if (original.service) throw badRequest("the message can't be forwarded");
    const origin = originOf(call, from, original);
    const content = { forward_origin: origin, ...contentOf(original.wire) };
    return send(call, 'can_send_messages', 'text messages', () => ({ content, markup: original.markup }));
  },
  copyMessage: (call) => {
    const { em, bot, params } = call;
    const from = chatFor(em, bot, params, 'read', 'from_chat_id');
    const original = messageFor(from, params.int('message_id', 0), 'message to copy');
    if (original.service) throw badRequest("the message can't be copied");
    const content = contentOf(original.wire);
    if (params.has('caption') && content.text === undefined) {
      delete content.caption;
      delete content.caption_entities;
      Object.assign(content, captionContent(call));
    }
    const sent = send(call, 'can_send_messages', 'text messages', () => ({ content }));
    return { message_id: sent.message_id };
  },
};

/** Checks chat, topic, reply, keyboard, rights and limits in Telegram's order, then puts the message there. */
function send(call: Call, right: string, what: string, make: () => Partial<NewMessage>): Message {
  const target = targetOf(call, right, what);
  const markup = readReplyMarkup(call.params, false);
  checkMarkupForChat(markup, target.chat);
  const draft = make();
  target.count();
  const stored = post(call.em, target.chat, {
    ...target.author,
    markup,
    content: {},
    ...draft,
  });
  return messageToWire(target.chat, stored);
}

function sendMediaGroup(call: Call): Message[] {
  const { em, params } = call;
  const list = params.json('media', 'media');
  if (!Array.isArray(list)) throw badRequest('expected an Array of InputMedia');
  const target = targetOf(call, 'can_send_documents', 'documents');
  if (list.length === 0) throw badRequest('there are no messages to send');
  if (list.length > 10) throw badRequest('too many messages to send as an album');
  const items = list.map((value: unknown) => inputMedia(call, value));
  const kinds = new Set(items.map((item) => item.kind));
  if (kinds.size > 1) throw badRequest("document can't be mixed with other media types");
  target.count();
  // A single one is sent as an ordinary message, without a group.
  const group = items.length > 1 ? { media_group_id: nextGroupId(call) } : {};
  return items.map(({ content }) => {
    const stored = post(em, target.chat, { ...target.author, content: { ...group, ...content } });
    return messageToWire(target.chat, stored);
  });
}

interface Target {
  chat: ChatState;
  author: Omit<NewMessage, 'content'>;
  /** Counts the message against the limits; called when nothing else can refuse it. */
  count: () => void;
}

function targetOf(call: Call, right: string, what: string): Target {
  const { em, bot, params } = call;
  const chat = chatFor(em, bot, params, 'write');
  const topic = topicFor(bot, chat, params);
  const replyTo = replyTarget(call, chat);
  checkWriteRight(bot, chat, right, what);
  const author =
    chat.type === 'channel' ? { senderChat: chat, botId: bot.id } : { from: bot.user, botId: bot.id };
  return {
    chat,
    author: { ...author, replyTo, threadId: topic?.id },
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

function originOf({ em }: Call, from: ChatState, original: StoredMessage): MessageOrigin {
  const { wire } = original;
  if (wire.forward_origin !== undefined) return wire.forward_origin;
  const date = wire.date;
  if (from.type === 'channel') {
    const chat = chatToWire(em.world, from);
    if (chat.type === 'channel') return { type: 'channel', date, chat, message_id: wire.message_id };
  }
  if (wire.sender_chat !== undefined) return { type: 'chat', date, sender_chat: wire.sender_chat };
  const user = wire.from ?? { id: 0, is_bot: false, first_name: '' };
  return { type: 'user', date, sender_user: user };
}

/** What is copied or forwarded of a message. */
function contentOf(wire: Message): MessageContent {
  const { text, entities, link_preview_options, photo, document, caption, caption_entities } = wire;
  const content = { text, entities, link_preview_options, photo, document, caption, caption_entities };
  return Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined));
}

function nextGroupId({ em }: Call): string {
  return String(13_900_000_000_000_000n + BigInt(em.world.nextMediaGroupId++));
}
