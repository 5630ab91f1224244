import type { Chat, User } from '@grammyjs/types';
import { clip } from '../html.ts';

/** Telegram gives no longer names. Whoever else brings an update must not fill messages with one. */
const MAX_NAME = 255;

/** Gives a person's name as it is stored and shown. */
export function nameOf(user: User): string {
  const parts = [user.first_name, user.last_name].filter((part) => part !== undefined && part !== '');
  return clip(parts.join(' '), MAX_NAME);
}

/** Gives the title of a group or channel; empty for a private chat. */
export function titleOf(chat: Chat): string {
  return 'title' in chat && chat.title !== undefined ? clip(chat.title, MAX_NAME) : '';
}
