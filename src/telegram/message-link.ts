import type { ChatView } from '../ports/stores.ts';

/** Supergroups and channels have ids from here down; links leave this part out. */
const CHANNEL_IDS = 1_000_000_000_000;

/**
 * Gives the address of a message, which opens for those who are in its chat, with or without a public name. Null where
 * messages have none: in basic groups and private chats.
 */
export function messageLink(
  { type, telegramId }: Pick<ChatView, 'type' | 'telegramId'>,
  messageId: number,
): string | null {
  if (type !== 'supergroup' && type !== 'channel') return null;
  return `https://t.me/c/${-telegramId - CHANNEL_IDS}/${messageId}`;
}
