import type { Locale } from '../i18n/define.ts';
import type { ChatView } from '../ports/stores.ts';
import type { LinkButton } from './buttons.ts';
import { kitTexts } from './texts.ts';

/** Supergroups and channels have ids from here down; links leave this part out. */
const CHANNEL_IDS = 1_000_000_000_000;

/**
 * Gives the address of a message, which opens for those who are in its chat, with or without a public name. Undefined where
 * messages have none: in basic groups and private chats.
 */
export function messageLink(
  { type, telegramId }: Pick<ChatView, 'type' | 'telegramId'>,
  messageId: number | null,
): string | undefined {
  if (messageId === null || (type !== 'supergroup' && type !== 'channel')) return undefined;
  return `https://t.me/c/${-telegramId - CHANNEL_IDS}/${messageId}`;
}

/** Makes the button that leads out of the private chat to a message of the group where it was begun, if that has an address. */
export function wayBack(locale: Locale, address: string | undefined): LinkButton | undefined {
  return address === undefined ? undefined : { label: kitTexts(locale).openGroup, url: address };
}
