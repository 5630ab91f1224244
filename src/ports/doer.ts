import type { ChatType } from './stores.ts';

/** Who changes something, by which update. */
export interface Doer {
  readonly personId: number;
  readonly updateId: number;
}

/** The same, and the chat that it is changed for. */
export interface ChatDoer extends Doer {
  readonly chatId: string;
}

/** The same, and the place that the bot comes into or goes out of. */
export interface PlaceChange extends Doer {
  readonly chatTelegramId: number;
  /** The place, where Telegram itself tells of the change. */
  readonly place?: { readonly type: ChatType; readonly title: string };
}
