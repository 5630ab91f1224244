import type { AttemptState } from '../domain/attempt.ts';
import type { TimeSpan } from '../domain/time-range.ts';
import type { DeliveryState } from './gateway.ts';
import type { JobState, StopReason } from './jobs.ts';

/** What is kept of one recipient of a job: the call that was for it, and what the gateway said of it since. */
export interface RecipientRecord {
  readonly call: AttemptState;
  /** Null until the gateway has accepted the call. */
  readonly delivery: DeliveryState['kind'] | null;
  /** The gateway's own word for it; '' where it gave none. */
  readonly word: string;
}

export interface RecordedRecipient extends RecipientRecord {
  readonly recipient: string;
  readonly messageId: string | null;
  /** The gateway's own number for the state; '' where it gave none. */
  readonly rawState: string;
  readonly checkedAt: Date | null;
}

export interface ReportedJob {
  readonly state: JobState;
  readonly confirmedBy: string;
  readonly approvedBy: string | null;
  readonly confirmedAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly stopReason: StopReason | null;
  /** 0 where it was not counted. */
  readonly parts: number;
  /** Nothing of it can change any more, or it is asked for no longer. */
  readonly settled: boolean;
  readonly tallies: readonly (RecipientRecord & { readonly recipients: number })[];
  readonly refusals: readonly Refusals[];
}

/** What a refusal means (RefusalName; '' where Peyk itself refused), and how many recipients met it. */
export interface Refusals {
  readonly name: string;
  readonly recipients: number;
}

export interface ReportedCard {
  readonly draftId: string;
  readonly code: string;
  /** Empty where each recipient has one of its own, or the gateway keeps it. */
  readonly text: string;
  /** Every recipient gets this very text. */
  readonly isOneText: boolean;
  /** Sender lines, in no order. */
  readonly lines: readonly string[];
  /** Null while it is a draft, or was never more. */
  readonly job: ReportedJob | null;
}

/** What Peyk itself knows of what a chat has sent; nothing here asks the gateway. */
export interface ReportStore {
  /** Null where the chat has no such card. */
  card(chatId: string, code: string): Promise<ReportedCard | null>;
  /** The recipients of a card's job in the order of the calls, at most `limit`. */
  recipients(draftId: string, limit: number): Promise<readonly RecordedRecipient[]>;
  /** Why calls of a chat were refused in a time, most frequent first. */
  refusals(chatId: string, span: TimeSpan): Promise<readonly Refusals[]>;
}
