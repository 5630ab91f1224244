/** What a chat files its cards under, for reports. */
export interface TagStore {
  /**
   * Gives a card of a chat its tag, or takes it away (null); its message follows. `was` is the one it had; null where
   * the chat has no such card.
   */
  set(tagging: {
    readonly chatId: string;
    readonly code: string;
    readonly tag: string | null;
    readonly personId: number;
    readonly updateId: number;
  }): Promise<{ readonly code: string; readonly was: string | null } | null>;
}
