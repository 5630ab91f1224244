import type { ReactionType, ReactionTypeEmoji, User } from '@grammyjs/types';
import { pushReactions, shownMessage } from '../deliver.ts';
import type { Emulator } from '../emulator.ts';
import { badRequest } from '../errors.ts';
import { isRecord } from '../bot-api/params.ts';
import type { ChatState, StoredMessage } from '../types.ts';

/** The emoji that Telegram takes as a reaction. */
// prettier-ignore
const EMOJI: readonly ReactionTypeEmoji['emoji'][] = [
  '👍', '👎', '❤', '🔥', '🥰', '👏', '😁', '🤔', '🤯', '😱', '🤬', '😢', '🎉', '🤩', '🤮', '💩', '🙏', '👌', '🕊',
  '🤡', '🥱', '🥴', '😍', '🐳', '❤‍🔥', '🌚', '🌭', '💯', '🤣', '⚡', '🍌', '🏆', '💔', '🤨', '😐', '🍓', '🍾', '💋',
  '🖕', '😈', '😴', '😭', '🤓', '👻', '👨‍💻', '👀', '🎃', '🙈', '😇', '😨', '🤝', '✍', '🤗', '🫡', '🎅', '🎄', '☃',
  '💅', '🤪', '🗿', '🆒', '💘', '🙉', '🦄', '😘', '💊', '🙊', '😎', '👾', '🤷‍♂', '🤷', '🤷‍♀', '😡',
];

/** An emoji as a reaction, or undefined when Telegram has no such reaction. */
export function reactionOf(emoji: string): ReactionTypeEmoji | undefined {
  const bare = emoji.replaceAll('\uFE0F', '');
  const known = EMOJI.find((item) => item === bare);
  return known === undefined ? undefined : { type: 'emoji', emoji: known };
}

/** The `reaction` parameter. Throws Telegram's refusals; a bot has one reaction to a message, and no custom ones. */
export function readReactions(list: unknown): ReactionTypeEmoji[] {
  if (!Array.isArray(list)) throw badRequest('expected an Array of ReactionType');
  const emoji = list.map((item: unknown) => {
    const wrong = (reason: string) => badRequest(`can't parse ReactionType: ${reason}`);
    if (!isRecord(item)) throw wrong('expected an Object');
    const { type } = item;
    if (typeof type !== 'string') throw wrong('Can\'t find field "type"');
    if (type !== 'emoji' && type !== 'custom_emoji') throw wrong('invalid reaction type specified');
    const field = type === 'emoji' ? 'emoji' : 'custom_emoji_id';
    const value = item[field];
    if (typeof value !== 'string') throw wrong(`Can't find field "${field}"`);
    return type === 'emoji' ? reactionOf(value) : undefined;
  });
  const known = emoji.filter((reaction) => reaction !== undefined);
  if (known.length < emoji.length || known.length > 1) throw badRequest('REACTION_INVALID');
  return known;
}

/**
 * Puts someone's reactions to a message in place of those they had there. Bots are told of what people do, never of
 * what bots do.
 */
export function react(
  em: Emulator,
  chat: ChatState,
  stored: StoredMessage,
  user: User,
  next: readonly ReactionType[],
  isTold = !user.is_bot,
): void {
  const before = stored.reactions.filter(({ userId }) => userId === user.id).map(({ type }) => type);
  if (before.length === 0 && next.length === 0) return;
  const others = stored.reactions.filter(({ userId }) => userId !== user.id);
  stored.reactions = [...others, ...next.map((type) => ({ userId: user.id, type }))];
  em.world.version++;
  if (em.bus.active()) {
    em.bus.emit({ type: 'edit', chatKey: chat.key, data: { message: shownMessage(chat, stored) } });
  }
  if (isTold) pushReactions(em, chat, stored, user, before, next);
}
