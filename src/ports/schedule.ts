import type { JobState, MissReason } from '../domain/job.ts';
import type { Recurrence } from '../domain/recurrence.ts';
import type { ApproveResult, AskResult, ConfirmResult, DraftChange } from './stores.ts';

/*
 * Sends that wait for their time, and those whose time passed while they could not leave.
 */

/** One that waits, or that a person is asked about. */
export interface WaitingSend {
  readonly jobId: string;
  readonly draftId: string;
  readonly code: string;
  readonly state: Extract<JobState, 'scheduled' | 'missed'>;
  readonly at: Date;
  readonly recur: Recurrence | null;
  readonly authorName: string;
  /** Messages that would leave. */
  readonly messages: number;
  readonly priceRial: number | null;
  /** The code of a change of it that is open. */
  readonly change: string | null;
  /** Why it could not leave; null while it waits. */
  readonly reason: MissReason | null;
}

/** A press about one job; what it may change is read from the roles of that moment. */
export interface WaitingPress {
  readonly jobId: string;
  readonly chatId: string;
  readonly personId: number;
  readonly updateId: number;
}

/**
 * `gone`: it waits no longer: it has begun to leave, or somebody was faster. `not_yours`: only its author, or somebody
 * who may approve, changes it.
 */
export type Refused = { readonly result: 'gone' } | { readonly result: 'not_yours' };

/** `code`: the change's own; `of`, `at`: the send that it changes, and when that one leaves, null where it was missed. */
export type ChangeResult =
  | {
      readonly result: 'opened';
      readonly draftId: string;
      readonly code: string;
      readonly of: string;
      readonly at: Date | null;
      readonly authorId: number;
      readonly authorName: string;
    }
  | Refused;

/** What the press of "send now" came to. Unless it was confirmed or asked for, everything stays as it was. */
export type SendNowResult =
  | { readonly draftId: string; readonly pressed: ConfirmResult | AskResult | ApproveResult }
  | { readonly draftId: string | null; readonly pressed: Refused };

export interface ScheduleStore {
  /** What waits in a chat, soonest first, and how many there are in all. */
  waiting(
    chatId: string,
    page: { readonly skip: number; readonly limit: number },
  ): Promise<{ readonly sends: readonly WaitingSend[]; readonly all: number }>;
  one(chatId: string, jobId: string): Promise<WaitingSend | null>;
  /**
   * Opens a draft that stands for a job that waits once it is confirmed, or changes the one that is open; no earlier
   * approval counts for it. The job itself stays as it is, and leaves at its time if nobody confirms the change before.
   * Of an account that was linked anew, the draft is the new one's.
   */
  change(press: WaitingPress, change: Pick<DraftChange, 'when'>): Promise<ChangeResult>;
  /**
   * Ends a job that waits. One of a series makes way for the next, unless `series` is to end too. False: it waits no
   * longer.
   */
  cancel(press: WaitingPress & { readonly series: boolean }): Promise<boolean>;
  /** Keeps one that waits for its time from leaving by itself, so that somebody has to say what shall happen. */
  pause(press: WaitingPress): Promise<{ readonly result: 'paused' } | Refused>;
  /**
   * Has a missed one confirmed again, to leave at once: by its author, or by somebody who may approve it, in the
   * author's name. Above the chat's limit the author's press asks for a second person.
   */
  sendNow(
    press: WaitingPress & {
      readonly undoSeconds: number;
      readonly timeZone: string;
      readonly warned?: boolean;
    },
  ): Promise<SendNowResult>;
  /** Wakes jobs whose time has come, or that run, and calls of unknown outcome, where nothing else will; how many. */
  wake(): Promise<number>;
}
