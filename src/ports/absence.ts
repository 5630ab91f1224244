import type { ChatType, Lang } from './stores.ts';

/** By whose hand, and by which update. */
export interface PlaceChange {
  readonly chatTelegramId: number;
  readonly personId: number;
  readonly updateId: number;
}

/** What waits in a chat since the bot could write nothing there any more. */
export interface HeldSends {
  readonly chat: {
    readonly telegramId: number;
    readonly type: ChatType;
    readonly title: string;
    readonly lang: Lang | null;
  };
  readonly since: Date;
  /** Under way or confirmed then. */
  readonly paused: number;
  /** That wait for their time, or have missed it. */
  readonly scheduled: number;
  /** Whom to tell elsewhere. */
  readonly owners: readonly number[];
}

/** Chats in which the bot cannot say anything any more: nothing is sent for them, since nobody would see it. */
export interface AbsenceStore {
  /**
   * The bot was removed or blocked: the chat's switch is thrown, by nobody of the chat, as `LimitsStore.halt` throws it. A
   * chat without an account, and one whose switch is thrown already, stays as it is.
   */
  left(change: PlaceChange): Promise<void>;
  /**
   * It is back: the switch that it has thrown is taken back where nothing waits for it, and else left to a person. Cards of
   * sends of which something became known meanwhile are shown anew.
   */
  back(change: PlaceChange): Promise<void>;
  /** Null where nothing is held up for that. */
  heldIn(chatId: string): Promise<HeldSends | null>;
}
