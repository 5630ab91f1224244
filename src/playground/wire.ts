import type { Chat, Message } from '@grammyjs/types';
import { allPermissions } from './people/members.ts';
import { isRecord } from './bot-api/params.ts';
import type {
  Button,
  ChatState,
  InlineMarkup,
  KeyboardMarkup,
  ReplyMarkup,
  StoredMessage,
  World,
} from './types.ts';

/** The chat as it stands in a message. */
export function chatToWire(world: World, chat: ChatState): Chat {
  const username = chat.username === undefined ? {} : { username: chat.username };
  switch (chat.type) {
    case 'private': {
      const user = world.users.get(chat.id);
      return {
        id: chat.id,
        first_name: user?.first_name ?? '',
        ...(user?.last_name === undefined ? {} : { last_name: user.last_name }),
        ...(user?.username === undefined ? {} : { username: user.username }),
        type: 'private',
      };
    }
    case 'group':
      return { id: chat.id, title: chat.title, type: 'group' };
    case 'supergroup':
      return {
        id: chat.id,
        title: chat.title,
        ...username,
        type: 'supergroup',
        ...(chat.isForum ? { is_forum: true as const } : {}),
      };
    case 'channel':
      return { id: chat.id, title: chat.title, ...username, type: 'channel' };
  }
}

/** The chat as getChat shows it. */
export function fullChat(world: World, chat: ChatState): Record<string, unknown> {
  const pinnedId = chat.pinned.at(-1);
  const pinned = pinnedId === undefined ? undefined : chat.messages.get(pinnedId);
  const gifts = {
    unlimited_gifts: false,
    limited_gifts: false,
    unique_gifts: false,
    premium_subscription: false,
    gifts_from_channels: false,
  };
  return {
    ...chatToWire(world, chat),
    ...(chat.username === undefined ? {} : { active_usernames: [chat.username] }),
    ...(chat.description === undefined ? {} : { description: chat.description }),
    ...(chat.type === 'group' || chat.type === 'supergroup'
      ? { permissions: { ...allPermissions(), ...chat.permissions } }
      : {}),
    ...(pinned === undefined || pinned.deleted ? {} : { pinned_message: messageToWire(chat, pinned, false) }),
    accepted_gift_types: gifts,
    max_reaction_count: 11,
    accent_color_id: 0,
  };
}

/**
 * The message as the Bot API shows it: with the message it replies to (one level deep, as long as that
 * still exists), and with inline keyboards only. An ephemeral message has the id 0.
 */
export function messageToWire(chat: ChatState, stored: StoredMessage, withReply = true): Message {
  const wire: Message = { ...stored.wire, ...(stored.only !== undefined && { message_id: 0 }) };
  if (withReply && stored.replyTo !== undefined) {
    const original = chat.messages.get(stored.replyTo);
    if (original !== undefined && !original.deleted) {
      Object.assign(wire, { reply_to_message: messageToWire(chat, original, false) });
    }
  }
  return isInline(stored.markup) ? Object.assign(wire, { reply_markup: stored.markup }) : wire;
}

/** The buttons within a rich message, wherever they stand. */
export function richButtons(value: unknown): Button[] {
  if (Array.isArray(value)) return value.flatMap((one: unknown) => richButtons(one));
  if (!isRecord(value)) return [];
  const own = isRecord(value['button']) ? [value['button']] : [];
  const row = Array.isArray(value['buttons']) ? value['buttons'].filter(isRecord) : [];
  const labelled = [...own, ...row].map((one) => ({ ...one, text: plainOf(one['text']) }));
  return [
    ...labelled,
    ...Object.values(value).flatMap((inner) =>
      isRecord(inner) || Array.isArray(inner) ? richButtons(inner) : [],
    ),
  ];
}

/** Rich text without its looks. */
function plainOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((one: unknown) => plainOf(one)).join('');
  return isRecord(value) ? plainOf(value['text'] ?? value['alternative_text'] ?? value['expression']) : '';
}

export function isInline(markup: ReplyMarkup | undefined): markup is InlineMarkup {
  return markup !== undefined && 'inline_keyboard' in markup;
}

export function isKeyboard(markup: ReplyMarkup): markup is KeyboardMarkup {
  return 'keyboard' in markup;
}
