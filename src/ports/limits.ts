import type { Limits, Spent } from '../domain/limits.ts';

export interface LimitsStore {
  /** What the chat has set, or the defaults. */
  of(chatId: string): Promise<Limits>;
  /** What counts against the cap: confirmed since the last midnight of a time zone, and not undone. */
  spentToday(chatId: string, timeZone: string): Promise<Spent>;
  /**
   * Changes some of the limits, with a row in the audit that holds the old and the new value of each that changed.
   * Null where the person's role, read now, does not allow it.
   */
  change(change: {
    readonly chatId: string;
    readonly personId: number;
    readonly updateId: number;
    readonly to: Partial<Limits>;
  }): Promise<{ readonly before: Limits; readonly after: Limits } | null>;
}
