import type { Halt, Limits, LineRule, Spent } from '../domain/limits.ts';
import type { ChatDoer } from './doer.ts';

export interface LimitsStore {
  /** What the chat has set, or the defaults. */
  of(chatId: string): Promise<Limits>;
  /** What counts against the cap: confirmed and not undone, leaving on this day of a time zone; of one person or of all. */
  spentToday(chatId: string, timeZone: string, personId?: number): Promise<Spent>;
  /**
   * Changes some of the limits, with a row in the audit that holds the old and the new value of each that changed.
   * Null where the person's role, read now, does not allow it.
   */
  change(
    change: ChatDoer & { readonly to: Partial<Omit<Limits, 'halted' | 'heldAt' | 'lines'>> },
  ): Promise<{ readonly before: Limits; readonly after: Limits } | null>;
  /**
   * Changes some of the rule of a sender line, with the like row in the audit. Files whose messages are made from it are looked
   * through anew. Null as above; `full`: the chat has as many as it may have.
   */
  changeLine(
    change: ChatDoer & { readonly line: string; readonly to: Partial<Omit<LineRule, 'line'>> },
  ): Promise<{ readonly before: LineRule; readonly after: LineRule } | 'full' | null>;
  /** A time zone by its name, or a city that gives it one, as the database and this process both know it; null: there is none. */
  zoneCalled(typed: string): Promise<string | null>;
  /**
   * Sets the time zone of the chat, with the like row in the audit; false where the role does not allow it. What waits for its
   * time leaves at the moment for which it was confirmed.
   */
  changeZone(change: ChatDoer & { readonly zone: string }): Promise<boolean>;
  /**
   * Throws the switch: from its commit on no call of the chat passes the fence, in any process. What runs or is held is
   * paused with it. Null as above; `isNew` is false, and nothing has changed, where it was thrown before.
   */
  halt(
    press: ChatDoer,
  ): Promise<{ readonly halted: Halt; readonly isNew: boolean; readonly paused: number } | null>;
  /**
   * Takes the switch back. The jobs that it has paused go on, and no others; one that a limit forbids by now stays
   * paused, for a person to decide, and while the operator's switch stops all chats they wait for that. Null as above; `was` is null where it was not thrown.
   * @param timeZone the chat's: of its day and its sending window.
   */
  go(press: ChatDoer & { readonly timeZone: string }): Promise<{
    readonly was: Halt | null;
    readonly resumed: number;
    readonly kept: number;
  } | null>;
}
