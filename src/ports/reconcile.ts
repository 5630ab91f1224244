import type { OutgoingRow } from '../domain/kinds/kind.ts';
import type { UnixSeconds } from './gateway.ts';
import type { SeenCalls } from './stores.ts';

/** An attempt whose outcome is unknown, with all that is needed to look for it. */
export interface DoubtView {
  readonly attemptId: string;
  readonly jobId: string;
  readonly bindingId: string;
  readonly account: string;
  readonly recipients: readonly string[];
  /**
   * What each recipient was to get. Null where the lists cannot tell: the text of a pattern is the gateway's, and by
   * which date it lists what it keeps for later is not stated.
   */
  readonly messages: ReadonlyMap<string, { readonly line: string; readonly text: string }> | null;
  /** When the call was under way, by the database's clock. */
  readonly from: UnixSeconds;
  readonly to: UnixSeconds;
  /** The database's clock now. */
  readonly now: UnixSeconds;
  readonly checks: number;
  readonly lastLook: WholeLook | null;
}

/** A look into complete lists: what it did not find. */
export interface WholeLook {
  readonly at: UnixSeconds;
  readonly absent: readonly string[];
}

export interface FoundMessage {
  readonly recipient: string;
  readonly messageId: string;
}

/** A call that was surely accepted: what its rows in the gateway's lists say of the gateway. */
export interface AcceptedCall {
  /** One of its ids. */
  readonly messageId: string;
  /** When it was under way, by our database. */
  readonly from: UnixSeconds;
  readonly to: UnixSeconds;
  readonly line: string;
  /** Null where its recipients got different ones, or the gateway keeps it. */
  readonly text: string | null;
  readonly recipients: number;
  /** How many different ids the gateway gave it. */
  readonly ids: number;
}

/** A message of another accepted call, equal to one in doubt. Its id was given for several recipients at once, or is '': none was. */
export interface UnnamedRow extends FoundMessage {
  /** When its call was under way, by the database's clock. */
  readonly from: UnixSeconds;
  readonly to: UnixSeconds;
  /** Its account is surely the one of the call in doubt. */
  readonly isSure: boolean;
}

/** What a person has to decide about. */
export interface AskedAttempt {
  readonly attemptId: string;
  readonly recipients: readonly string[];
  /** Where each recipient has a message of its own. */
  readonly messages: readonly OutgoingRow[] | null;
}

export interface WaitingCard {
  readonly draftId: string;
  readonly code: string;
  readonly recipients: number;
  /** Of those, the ones that a person has to decide about. */
  readonly asked: number;
  readonly since: Date;
}

/** What the lists and people say of attempts in doubt. Every change is a compare-and-set on the state. */
export interface ReconcileStore {
  /** Null when the attempt is not unknown any more. */
  doubt(attemptId: string): Promise<DoubtView | null>;
  /** The newest calls of the account that were surely accepted. */
  acceptedCalls(bindingId: string): Promise<readonly AcceptedCall[]>;
  /** Of some messages those that are another attempt's, of whichever chat, as `id recipient`. */
  claimed(attemptId: string, messages: readonly FoundMessage[]): Promise<ReadonlySet<string>>;
  /** Messages of other calls of the account, from whichever chat, from around that time, to the recipients in doubt, with the same text. */
  unnamed(
    attemptId: string,
    around: { readonly from: UnixSeconds; readonly to: UnixSeconds },
  ): Promise<readonly UnnamedRow[]>;
  /** Nothing is decided: looks again after so long. */
  keepOpen(attemptId: string, look: WholeLook | null, afterMs: number): Promise<void>;
  /** Everybody has it. */
  found(attemptId: string, messages: readonly FoundMessage[], shared: boolean): Promise<boolean>;
  /**
   * A person has to decide about `absent`. Those that were found become an attempt of their own that was sent, and
   * those that a blacklist explains one that was not.
   */
  ask(
    attemptId: string,
    parts: {
      readonly found: readonly FoundMessage[];
      readonly blocked: readonly string[];
      readonly absent: readonly string[];
      /** Complete lists show none of the absent. */
      readonly proven: boolean;
      readonly look: WholeLook | null;
    },
  ): Promise<boolean>;
  /** What is asked about in a job; with `seen`, of those calls only. */
  asked(jobId: string, seen?: SeenCalls): Promise<readonly AskedAttempt[]>;
  /** Has what is asked about of these calls looked for once more; how many calls that are. */
  lookAgain(jobId: string, seen: SeenCalls): Promise<number>;
  /** The chat's cards with calls whose outcome has been unknown for so many seconds, the oldest first. */
  waiting(chatId: string, seconds: number): Promise<readonly WaitingCard[]>;
  /** A person's word about what is asked of these calls, which were shown; how many recipients that were. */
  decide(decision: {
    readonly jobId: string;
    readonly seen: SeenCalls;
    readonly sent: boolean;
    readonly personId: number;
    readonly updateId: number;
  }): Promise<number>;
}
