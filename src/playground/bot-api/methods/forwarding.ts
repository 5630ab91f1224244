import type { Message, MessageOrigin } from '@grammyjs/types';
import { chatFor, messageFor } from '../access.ts';
import type { NewMessage } from '../../deliver.ts';
import { badRequest } from '../../errors.ts';
import type { ChatState, StoredMessage, World } from '../../types.ts';
import { chatToWire } from '../../wire.ts';
import { captionContent, contentOf } from './content.ts';
import { messageIds } from './message-ids.ts';
import type { Call, Method } from './method.ts';
import { send, sendAll, TEXT } from './send.ts';

export const forwardingMethods: Readonly<Record<string, Method>> = {
  forwardMessage: (call) => {
    const { from, original } = originalOf(call, 'message to forward');
    if (!isForwardable(original)) throw badRequest("the message can't be forwarded");
    return send(call, TEXT, () => forwarded(call.em.world, from, original));
  },
  forwardMessages: (call) => {
    const drafts = originalsOf(call).map(({ from, original }) => forwarded(call.em.world, from, original));
    return sendAll(call, drafts).map(identifier);
  },
  copyMessage: (call) => {
    const { original } = originalOf(call, 'message to copy');
    if (!isForwardable(original)) throw badRequest("the message can't be copied");
    const content = contentOf(original.wire);
    if (call.params.has('caption') && content.text === undefined) {
      delete content.caption;
      delete content.caption_entities;
      Object.assign(content, captionContent(call));
    }
    return identifier(send(call, TEXT, () => ({ content })));
  },
  copyMessages: (call) => {
    const drafts = originalsOf(call).map(({ original }) => {
      const content = contentOf(original.wire);
      if (call.params.bool('remove_caption')) {
        delete content.caption;
        delete content.caption_entities;
      }
      return { content };
    });
    return sendAll(call, drafts).map(identifier);
  },
};

/** What a forward of a message is made of, whoever forwards it. */
export function forwarded(
  world: World,
  from: ChatState,
  original: StoredMessage,
): Pick<NewMessage, 'content' | 'markup'> {
  const { via_bot: via } = original.wire;
  const content = {
    forward_origin: originOf(world, from, original),
    ...(via !== undefined && { via_bot: via }),
    ...contentOf(original.wire),
  };
  return { content, markup: original.markup };
}

/** Neither service messages nor protected ones go further, whoever wants it. */
export function isForwardable({ deleted, service, wire }: StoredMessage): boolean {
  return !deleted && !service && wire.has_protected_content !== true;
}

interface Original {
  from: ChatState;
  original: StoredMessage;
}

function originalOf({ em, bot, params }: Call, what: string): Original {
  if (!params.has('from_chat_id')) throw badRequest('Parameter "from_chat_id" is required');
  const from = chatFor(em, bot, params, 'read', 'from_chat_id');
  return { from, original: messageFor(from, params.int('message_id', 0), what) };
}

/** What is gone or cannot be forwarded is left out. */
function originalsOf({ em, bot, params }: Call): Original[] {
  if (!params.has('from_chat_id')) throw badRequest('Parameter "from_chat_id" is required');
  const ids = messageIds(params);
  const from = chatFor(em, bot, params, 'read', 'from_chat_id');
  if (ids.some((id, index) => index > 0 && id <= (ids[index - 1] ?? 0))) {
    throw badRequest('message identifiers must be in a strictly increasing order');
  }
  const found = ids.flatMap((id) => {
    const original = from.messages.get(id);
    return original === undefined || original.deleted ? [] : [{ from, original }];
  });
  if (found.length === 0) throw badRequest('there are no messages to forward');
  const passing = found.filter(({ original }) => isForwardable(original));
  if (passing.length === 0) throw badRequest("messages can't be forwarded");
  return passing;
}

function identifier(message: Message): { message_id: number } {
  return { message_id: message.message_id };
}

function originOf(world: World, from: ChatState, original: StoredMessage): MessageOrigin {
  const { wire } = original;
  if (wire.forward_origin !== undefined) return wire.forward_origin;
  const date = wire.date;
  if (from.type === 'channel') {
    const chat = chatToWire(world, from);
    if (chat.type === 'channel') return { type: 'channel', date, chat, message_id: wire.message_id };
  }
  if (wire.sender_chat !== undefined) return { type: 'chat', date, sender_chat: wire.sender_chat };
  const user = wire.from ?? { id: 0, is_bot: false, first_name: '' };
  return { type: 'user', date, sender_user: user };
}
