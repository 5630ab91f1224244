import type { ChatType } from './stores.ts';

/** By whose hand, and by which update. */
export interface PlaceChange {
  readonly chatTelegramId: number;
  readonly personId: number;
  readonly updateId: number;
  /** The place, where Telegram itself tells of the change. */
  readonly place?: { readonly type: ChatType; readonly title: string };
}
