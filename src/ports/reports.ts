import type { AttemptState } from '../domain/attempt.ts';
import type { JobState, PauseReason } from '../domain/job.ts';
import type { Operator } from '../domain/operator.ts';
import type { TimeSpan } from '../domain/time-range.ts';
import type { DeliveryState, Rial } from './gateway.ts';

/** What is kept of one recipient of a job: the call that was for it, and what the gateway said of it since. */
export interface RecipientRecord {
  readonly call: AttemptState;
  /** Null until the gateway has accepted the call. */
  readonly delivery: DeliveryState['kind'] | null;
  /** The gateway's own word for it; '' where it gave none. */
  readonly word: string;
}

/** Recipients of whom the same is known. */
export interface RecipientTally extends RecipientRecord {
  /** The gateway's own number for the state; '' where it gave none. */
  readonly rawState: string;
  readonly recipients: number;
}

/** Recipients of an operator of whom the same is known. */
export interface OperatorTally extends Pick<RecipientRecord, 'call' | 'delivery'> {
  readonly draftId: string;
  readonly operator: Operator;
  readonly job: JobState;
  readonly recipients: number;
}

/** Recipients whose call was made in the same minute, by what is known of them. */
export interface LeftTally extends Pick<RecipientRecord, 'call' | 'delivery'> {
  /** Epoch seconds at which the minute begins. */
  readonly at: number;
  readonly recipients: number;
}

/** Recipients whose report came in the same minute. */
export interface ReportedTally {
  /** Epoch seconds at which the minute begins. */
  readonly at: number;
  readonly delivery: 'delivered' | 'failed' | 'blocked';
  readonly recipients: number;
}

/** What sends were thought to cost when they were confirmed; of those that have ended, what has left of them. */
export interface Estimates {
  readonly sends: number;
  /** Of those that have a price. */
  readonly rial: Rial;
  readonly unpriced: number;
}

export interface RecordedRecipient extends RecipientRecord {
  readonly recipient: string;
  readonly messageId: string | null;
  /** The gateway's own number for the state; '' where it gave none. */
  readonly rawState: string;
  readonly checkedAt: Date | null;
}

export interface ReportedJob {
  readonly id: string;
  /** The account by which it went. */
  readonly bindingId: string;
  readonly state: JobState;
  /** Its recipients and texts were past their time: only counts are kept. */
  readonly isEmptied: boolean;
  readonly confirmedBy: string;
  readonly approvedBy: string | null;
  readonly confirmedAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly stopReason: PauseReason | null;
  /** 0 where it was not counted. */
  readonly parts: number;
  /** Who was on the blacklist of the line, and so was left out. They are in no tally. */
  readonly blacklisted: number;
  /** As estimated; once it has ended, for what has left. Null where no price was known. */
  readonly priceRial: Rial | null;
  /** From its first call to the answer of its last; null before any. */
  readonly called: TimeSpan | null;
  /** Nothing of it can change any more, or it is asked for no longer. */
  readonly settled: boolean;
  readonly tallies: readonly RecipientTally[];
  /** Oldest first. */
  readonly left: readonly LeftTally[];
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
  readonly tag: string | null;
  /** Null while it is a draft, or was never more. */
  readonly job: ReportedJob | null;
}

/** What has become of the sends of a tag. */
export interface TaggedReport {
  /** Oldest first. */
  readonly cards: readonly {
    readonly draftId: string;
    readonly code: string;
    readonly state: JobState;
    readonly isEmptied: boolean;
    /** The account by which it went. */
    readonly bindingId: string;
    /** What every recipient got; null where they did not get one text, or it is kept no longer. */
    readonly text: string | null;
  }[];
  readonly parts: number;
  readonly estimates: Estimates;
  readonly tallies: readonly (RecipientTally & { readonly job: JobState })[];
  /** Oldest first. */
  readonly left: readonly (LeftTally & { readonly job: JobState })[];
  readonly refusals: readonly Refusals[];
}
