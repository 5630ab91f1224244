import type { AttemptState, UnknownReason, WireFailure } from '../domain/attempt.ts';
import type { JobState, StopReason } from '../domain/job.ts';
import type { Outgoing } from '../domain/kinds/index.ts';
import type { OutgoingRow } from '../domain/kinds/kind.ts';
import type { Doer } from './doer.ts';
import type { StatusEntry } from './gateway.ts';
import type { Earlier, Limited } from './stores.ts';

/*
 * Confirmed sends: what people and the clock do to a job, the calls it makes, and the reports that come in for it.
 */

export interface AttemptView {
  readonly id: string;
  readonly jobId: string;
  readonly bindingId: string;
  readonly state: AttemptState;
  readonly epoch: number;
  readonly line: string;
  readonly recipients: readonly string[];
  readonly text: string;
  readonly flash: boolean;
  readonly outgoing: Outgoing;
  /** The messages of this call, where each recipient has one of its own. */
  readonly messages: readonly OutgoingRow[] | null;
  /** How often it was tried before without leaving. */
  readonly tries: number;
}

export type Reservation =
  | {
      readonly ok: true;
      readonly attempts: readonly [AttemptView, ...AttemptView[]];
      /** Where the next look begins: everything before was looked at. */
      readonly next: number;
    }
  | {
      readonly ok: false;
      readonly reason: 'none_left' | 'not_running' | 'earlier_unknown' | 'earlier_in_flight';
    }
  /** Its pace or its hours let none be taken: to be looked at again after so long, at the latest. */
  | { readonly ok: false; readonly reason: 'paced'; readonly afterMs: number };

export type AttemptResult =
  | {
      readonly outcome: 'accepted';
      /** One for each recipient, in their order; '' where it is not known whose is whose. */
      readonly messageIds: readonly string[];
      /** Whose these are: the attempt may have been split since. Absent: it has not. */
      readonly recipients?: readonly string[];
      readonly raw: string;
    }
  | {
      readonly outcome: 'rejected';
      readonly code: number;
      /** RefusalName; '' where Peyk itself refused before the call. */
      readonly name: string;
      readonly raw: string;
    }
  | { readonly outcome: 'unknown'; readonly reason: UnknownReason; readonly raw: string }
  | { readonly outcome: 'not_sent'; readonly reason: WireFailure };

/** What the answer of a call proves otherwise than a person has decided about it, and was told too late to be minded. */
export interface LateAnswer {
  readonly jobId: string;
  /** `sent_again`: by another card, whose code is `again`. */
  readonly untrue: 'said_sent' | 'said_not_sent' | 'sent_again';
  readonly recipients: number;
  /** Who decided. */
  readonly by: string;
  /** The card by which some of them were sent to again; null: there is none. */
  readonly again: string | null;
}

/** What a person wants of a job. */
export interface JobPress extends Doer {
  readonly jobId: string;
}

/**
 * `nothing`: it is not paused, or has nothing left that could leave; `not_connected`: the account that it was confirmed
 * for is not the chat's any more; `past`: the time that the gateway was to keep it for is too near or over.
 */
export type ResumeResult =
  | {
      readonly result: 'resumed';
      readonly recipients: number;
      /** The press was a second person's yes. */
      readonly approved: boolean;
    }
  | { readonly result: 'nothing' | 'not_connected' | 'past' }
  /** So many are left by now: calls that were out came back unsent. */
  | { readonly result: 'more'; readonly recipients: number }
  /** Some of those who are left may have it, as has come to be known since. */
  | { readonly result: 'known'; readonly earlier: Earlier }
  | Limited;

/** A send that can still be ended; `isOwn`: by who asks. */
export interface LetGo {
  readonly jobId: string;
  readonly draftId: string;
  readonly canUndo: boolean;
  readonly isOwn: boolean;
}

/** What a person or the clock does to a whole job. Every change is a compare-and-set on its state. */
export interface JobControl {
  draftOf(jobId: string): Promise<string | null>;
  /**
   * Takes a job whose time or hold has passed to running, and makes what follows it in its series; `waitMs` says how
   * long to look again. A scheduled one that comes more than half an hour late becomes `missed`: nobody wants the
   * morning's messages at night; so does one that the limits of then do not let leave (MissReason). While the chat's
   * switch is thrown nothing starts: what was held is paused by it.
   */
  start(jobId: string): Promise<StartedJob | null>;
  /** Within the hold only: no call was made, none will be. What it was made of is a draft again, see `backAs`. */
  undo(jobId: string, personId: number, updateId: number): Promise<boolean>;
  /**
   * What the person has let go last in this chat and has not ended, or anybody and is in its hold, unless a
   * draft of the person's is newer still; what comes by itself, such as the next of a series, is not meant. `canUndo`: it is
   * in its hold. An update that is handled once more finds what it has undone.
   */
  lastLetGo(chatId: string, personId: number, updateId: number): Promise<LetGo | null>;
  /** Ends what has not ended; what is on the wire finishes. The rest can still be sent. */
  stop(jobId: string, reason: StopReason, personId: number | null, updateId: number | null): Promise<boolean>;
  /** Holds a running job up that has something left; what is on the wire finishes. */
  pause(press: JobPress): Promise<boolean>;
  /**
   * Lets a job go on that is paused, or that has stopped with something left. The chat's limits are held against it
   * anew, and what it counts is reserved, in the same transaction.
   * @param timeZone the chat's: of its day and its sending window.
   * @param seen how many recipients were shown as left; where more are, nothing goes on.
   * @param told what was said of earlier tries for them; where worse is known, nothing goes on.
   * @param words those that were shown for which a second person is asked: the press is a second person's yes to no others.
   */
  resume(
    press: JobPress & {
      readonly timeZone: string;
      readonly seen?: number;
      readonly told?: Earlier;
      readonly words?: readonly string[];
    },
  ): Promise<ResumeResult>;
  /** Ends a job that has no attempt left to make; starts the polling of its reports. */
  finish(jobId: string): Promise<boolean>;
  /**
   * Brings a draft's job up to what its calls have come to since: one that was paused with nothing left is done, and
   * what an ended one counts against the caps goes down to what may have been spent.
   */
  settle(draftId: string): Promise<void>;
  /** Has a job taken up, or its reports looked at, in that time at the latest; what is due before stays so. */
  schedule(jobId: string, task: 'send' | 'track', afterMs: number): Promise<void>;
}

/**
 * The calls of jobs, and the fence before each. What several calls ask for at the same time is written together; each
 * waits for the commit of its own.
 */
export interface CallStore {
  /**
   * Takes planned calls of a running job for this process, in their order: at most `most` (default 1), from the place
   * `from` on (default 0, the first). One that equals another in doubt or in flight, or one that is taken with it, is
   * left where it is. With `earlier_…` some are planned, and all of them are left for that reason. Of a job with a pace
   * one call, when that lets it: what has passed is counted in the same transaction.
   */
  reserve(jobId: string, owner: string, most?: number, from?: number): Promise<Reservation>;
  /** Takes numbers that are blocked out of a reserved call, before it leaves. What is left of it; null: it is not held. */
  dropBlocked(
    attemptId: string,
    epoch: number,
    numbers: readonly string[],
  ): Promise<Pick<AttemptView, 'recipients' | 'messages'> | null>;
  /**
   * Has these numbers, of those that were confirmed, named by calls of their own, in place of a reserved call that names
   * their phonebook. What is left out is told on the card. Nothing where the call is not held.
   */
  nameNumbers(attemptId: string, epoch: number, recipients: readonly string[]): Promise<void>;
  /**
   * Sets the job of a reserved call that names a phonebook aside, and has a person asked: who is in the book now would
   * leave, or nobody does as long as it is empty. Nothing where the call is not held.
   */
  askAboutBook(attemptId: string, epoch: number, recipients: readonly string[]): Promise<void>;
  /** The fence: true only when `on_wire` is committed and this process still holds the attempt. */
  goOnWire(attemptId: string, epoch: number): Promise<boolean>;
  /** Gives a reservation back, or a call that has surely written nothing though the fence may have let it through. */
  release(attemptId: string, epoch: number): Promise<void>;
  /**
   * What came of a call that this process has held, whatever has become of the attempt since: what others concluded gives
   * way as domain/attempt.ts says, and people are told where that is more than the end of a question.
   */
  record(attemptId: string, epoch: number, result: AttemptResult): Promise<void>;
  /** The owners of attempts that are reserved or on the wire, and every process that counts as alive. */
  owners(): Promise<string[]>;
  /** What a dead process held: reserved goes back to planned, on the wire becomes unknown. Returns the jobs concerned. */
  abandon(owners: readonly string[]): Promise<string[]>;
  /** The same for what this living process holds by the rows alone, and does not know of. */
  takeUp(owner: string): Promise<string[]>;
}

export interface StartedJob {
  readonly state: JobState;
  readonly waitMs: number;
  readonly bindingId: string;
  /** The gateway's user of the binding: several bindings may share it. */
  readonly account: string;
}

/** Messages whose report can still change, as many as are asked for at a time. */
export interface ReportPage {
  readonly messageIds: readonly string[];
  /** The calls that these belong to. */
  readonly calls: { readonly from: number; readonly to: number };
  /** Where those begin that are left; null: these were the last. */
  readonly next: ReportCursor | null;
}

/** A job whose reports are asked for, and where to begin. */
export interface OpenReports extends ReportPage {
  readonly bindingId: string;
  readonly account: string;
  /** Since the last of the job left; below 0 while the gateway keeps it until its time. */
  readonly ageSeconds: number;
}

/** A place in the order of calls and ids. */
export interface ReportCursor {
  readonly call: number;
  readonly messageId: string;
}

/** What the gateway reports of messages that it has accepted. */
export interface DeliveryStore {
  /**
   * Message ids behind a place whose report can still change, of about 5,000 recipients. Each recipient of an accepted
   * call has a report of its own by then. Null: the job has none, or they are asked for no longer.
   */
  unsettled(jobId: string, after?: ReportCursor): Promise<OpenReports | null>;
  /** The next such messages behind a place, of a job whose reports are being asked for. */
  openReports(jobId: string, after: ReportCursor): Promise<ReportPage>;
  /**
   * Writes down what was reported, of the given calls or of all. Whether anything has changed, and how many reports of
   * these calls can change yet.
   */
  recordReports(
    jobId: string,
    entries: readonly StatusEntry[],
    calls?: ReportPage['calls'],
  ): Promise<{ readonly changed: boolean; readonly left: number }>;
  /** Has the reports behind a place looked at next, at once. */
  trackOn(jobId: string, after: ReportCursor): Promise<void>;
  /** Stops asking: what is open stays "no report". */
  endPolling(jobId: string): Promise<void>;
  /** Moves some reports that an earlier release has kept otherwise; true while there may be more. */
  moveReports(): Promise<boolean>;
}

export type JobStore = JobControl & CallStore & DeliveryStore;
