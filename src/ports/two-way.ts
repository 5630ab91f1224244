import type { RuleWords } from '../domain/inbox-rules.ts';
import type { Named } from './inbound.ts';

/* What a team does with received messages beyond reading them: rules, answers, blocks, topics. */

/** A rule of a chat for what it receives. */
export interface InboxRuleView extends RuleWords {
  readonly id: string;
  /** Where it goes instead of everywhere; null: as all others. */
  readonly sink: {
    readonly id: string;
    readonly title: string;
    readonly isChatItself: boolean;
    readonly threadId: number | null;
  } | null;
  /** What is answered by itself; null: nothing. */
  readonly answer: string | null;
  readonly createdBy: Named;
}

interface Press {
  readonly chatId: string;
  readonly personId: number;
  readonly updateId: number;
}

/** The rules of chats, and the lines on which 11 and 12 change the blacklist. Every change is in the audit. */
export interface RuleStore {
  /** Oldest first: the first that fits decides. */
  list(chatId: string): Promise<readonly InboxRuleView[]>;
  add(
    rule: Press & RuleWords & { readonly sinkId: string | null; readonly answer: string | null },
  ): Promise<
    { readonly result: 'added' | 'same'; readonly rule: InboxRuleView } | { readonly result: 'full' }
  >;
  remove(press: Press & { readonly id: string }): Promise<InboxRuleView | null>;
  /** Whether the numbers of senders are shown whole in the chat's places; null: nobody has said, so in private alone. */
  showsNumbers(chatId: string): Promise<boolean | null>;
  setShowsNumbers(press: Press & { readonly isWhole: boolean }): Promise<void>;
  /** What holds for an account; null where nothing was read of it yet. */
  inboxOf(
    bindingId: string,
  ): Promise<{ readonly optOutLines: readonly string[]; readonly marksRead: boolean } | null>;
  /** False where nothing was read of the account yet. */
  setOptOut(
    press: Press & { readonly bindingId: string; readonly line: string; readonly isOn: boolean },
  ): Promise<boolean>;
  /** Whether what was taken in is then marked read at the gateway. False where nothing was read of the account yet. */
  setMarksRead(press: Press & { readonly bindingId: string; readonly isOn: boolean }): Promise<boolean>;
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
  /** Why a rule's answer did not leave. */
  readonly unanswered?: UnansweredReason;
}

/** `limited`: the chat's limits do not let it leave; `role`: whoever made the rule may not send any more. */
export type UnansweredReason = 'today' | 'blocked' | 'limited' | 'role' | 'loop' | 'unreachable' | 'late';

/** A message that something is to be done about without a person. */
export interface Duty {
  readonly inboundId: number;
  readonly chatId: string;
  readonly bindingId: string;
  readonly isLinked: boolean;
  readonly lang: 'en' | 'fa' | null;
  readonly timeZone: string | null;
  readonly line: string;
  readonly sender: string;
  /** The line heeds 11 and 12, and the message is one of them. */
  readonly opt: 'out' | 'in' | null;
  /** By the first rule that fits and answers; `mayAnswer`: who made it may still send. */
  readonly answer: { readonly text: string; readonly authorId: number; readonly mayAnswer: boolean } | null;
}

export interface DutyStore {
  /** As things stand now; null when the message is not there. */
  of(inboundId: number): Promise<Duty | null>;
  /**
   * Whether this message is the one that its sender gets an answer to today. The same message may ask again.
   * `loop`: it is an answer of ours itself, or two lines of ours are talking.
   */
  claimAnswer(inboundId: number, timeZone: string): Promise<'claimed' | 'today' | 'loop'>;
  /** Writes down what its cards tell, and has them shown anew. */
  note(inboundId: number, note: CardNote): Promise<void>;
  /** Has it tried again after a pause. */
  again(inboundId: number, tries: number, afterMs: number): Promise<void>;
}

/** The topics of correspondents in forums. */
export interface TopicStore {
  of(sinkId: string, talkId: string): Promise<number | null>;
  /** Keeps a new one in place of what was there (null: nothing); returns the one that counts, somebody may have been first. */
  keep(sinkId: string, talkId: string, threadId: number, before: number | null): Promise<number>;
  /** Whose topic it is. */
  talkIn(sinkId: string, threadId: number): Promise<string | null>;
  /** No topics are made there any more. False where that was so already. */
  giveUp(sinkId: string): Promise<boolean>;
}

/** One number on the blacklist of a line: each call says what is known after it, whatever happened. */
export interface Blacklisting {
  /** @param isRepeat an earlier call without an answer may have done it: it looks first. */
  add(on: BlacklistPlace, isRepeat?: boolean): Promise<BlacklistChange>;
  remove(on: BlacklistPlace): Promise<BlacklistChange>;
  /** Null: it could not be asked. */
  has(on: BlacklistPlace): Promise<boolean | null>;
}

export interface BlacklistPlace {
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
