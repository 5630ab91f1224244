import type { RuleWords } from '../domain/inbox-rules.ts';
import type { Named } from './inbound.ts';

/* What a team does with received messages beyond reading them: rules, answers, blocks, topics. */

/** A rule of a chat for what it receives. */
export interface InboxRuleView extends RuleWords {
  readonly id: string;
  /** Where it goes instead of everywhere; null: as all others. */
  readonly destination: {
    readonly id: string;
    readonly title: string;
    readonly isChatItself: boolean;
    readonly threadId: number | null;
  } | null;
  /** What is answered by itself; null: nothing. */
  readonly answer: string | null;
  readonly createdBy: Named;
}

/** What has become of one number on a line's blacklist. `unknown`: a call without an answer may have done it. */
export type BlacklistOutcome = 'done' | 'already' | 'unclear' | 'unknown' | 'not_done';

/** What the card of a message tells of what was done about it. Absent: nothing of the kind. */
export interface CardNote {
  /** The message was 11 or 12, and its line heeds that. */
  readonly opt?: { readonly what: 'out' | 'in'; readonly outcome: BlacklistOutcome };
  readonly block?: { readonly by: string; readonly outcome: BlacklistOutcome };
  /** The other way round again, by a person. */
  readonly undo?: { readonly by: string; readonly outcome: BlacklistOutcome };
  /** It was told anew: the time is over until which this person had put it off. */
  readonly back?: Named;
  /** Why a rule's answer did not leave. */
  readonly unanswered?: UnansweredReason;
}

/** `closed`: the number has had an answer since the desk closed; `limited`: the chat's limits do not let it leave; `role`: whoever made the rule may not send any more. */
export type UnansweredReason =
  | 'today'
  | 'closed'
  | 'blocked'
  | 'limited'
  | 'words'
  | 'role'
  | 'loop'
  | 'unreachable'
  | 'late';

/** A message that something is to be done about without a person. */
export interface AutoResponse {
  readonly inboundId: number;
  readonly chatId: string;
  readonly bindingId: string;
  readonly isLinked: boolean;
  readonly lang: 'en' | 'fa' | null;
  readonly timeZone: string;
  readonly line: string;
  readonly sender: string;
  /** The line heeds 11 and 12, and the message is one of them. */
  readonly opt: 'out' | 'in' | null;
  /** By the first rule that fits and answers; `mayAnswer`: who made it may still send. */
  readonly answer: {
    readonly text: string;
    readonly authorId: number;
    readonly mayAnswer: boolean;
    /** Since when nobody is at the desk, where that is why it is answered; null: its words are. */
    readonly closedSince: Date | null;
  } | null;
  /** It was sent long before it was read. */
  readonly isLate: boolean;
}

/** One number on the blacklist of a line: each call says what is known after it, whatever happened. */
export interface Blacklisting {
  /** @param isRepeat an earlier call without an answer may have done it: it looks first. */
  add(on: BlacklistEntry, isRepeat?: boolean): Promise<BlacklistChange>;
  remove(on: BlacklistEntry): Promise<BlacklistChange>;
  /** Null: it could not be asked. */
  has(on: BlacklistEntry): Promise<boolean | null>;
}

export interface BlacklistEntry {
  readonly bindingId: string;
  readonly line: string;
  /** Canonical. */
  readonly number: string;
}

export interface BlacklistChange {
  readonly outcome: BlacklistOutcome;
  /** Why it did not end well; null: it did. `refusal` is the RefusalName, '' where the gateway did not refuse. */
  readonly failure: { readonly refusal: string; readonly error: unknown } | null;
}
