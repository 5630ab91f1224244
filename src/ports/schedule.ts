import type { JobState } from '../domain/job.ts';
import type { Pace } from '../domain/pace.ts';
import type { Recurrence } from '../domain/recurrence.ts';
import type { ChatDoer } from './doer.ts';

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
  /** How fast it leaves; null: as fast as it goes. */
  readonly pace: Pace | null;
  readonly authorName: string;
  /** Messages that would leave. */
  readonly messages: number;
  readonly priceRial: number | null;
  /** The code of a change of it that is open. */
  readonly change: string | null;
  /** Whether it was missed, and somebody's word lets it leave all the same. */
  readonly canLeaveNow: boolean;
  /** Its account is not linked now, and without it it will be missed. */
  readonly isUnlinked: boolean;
  /** Whether it may be given another time, or be written anew: not what sends again whose outcome is unknown. */
  readonly takesTime: boolean;
}

/** A press about one job; what it may change is read from the roles of that moment. */
export interface WaitingPress extends ChatDoer {
  readonly jobId: string;
}

/**
 * `gone`: it waits no longer: it has begun to leave, or somebody was faster. `not_yours`: only its author, or somebody
 * who may approve, changes it.
 */
export type Refused = { readonly result: 'gone' } | { readonly result: 'not_yours' };
