import { html, type Html } from '../../telegram/html.ts';
import type { CardView } from '../../ports/stores.ts';
import { mention } from '../shared/mention.ts';

/** Calls the author of a card by what is said about it: names them, where there are others. */
export function callAuthor({ draft, place }: Pick<CardView, 'draft' | 'place'>, said: Html): Html {
  // Telegram's ids of private chats are those of people, of all others below zero.
  if (place.chatTelegramId > 0) return said;
  return html`${mention({ id: draft.authorId, name: draft.authorName })}: ${said}`;
}
