import type { Rial } from './gateway.ts';

/** What is due of an account; more than one thing at a time may be. */
export interface AccountWork {
  readonly accountId: string;
  readonly chatId: string;
  readonly bindingId: string;
  readonly timeZone: string | null;
  readonly due: { readonly inbox: boolean; readonly credit: boolean; readonly details: boolean };
  /** Null until the whole inbox has been read once. */
  readonly inboxReadAt: Date | null;
  /** Milliseconds since the inbox was last read without an error, by the database's clock; null: never. */
  readonly sinceInboxOkMs: number | null;
  /** Milliseconds since the last message was captured, or since the account is there. */
  readonly sinceInboundMs: number;
  /** The gateway's own count when it was last read; null: everything is to be looked at again. */
  readonly inboxTotal: number | null;
  /** In which order the gateway lists; null: not known yet, or in none. */
  readonly newestFirst: boolean | null;
  readonly auditedOn: string | null;
  readonly failingSince: Date | null;
  readonly failures: number;
  readonly marksRead: boolean;
  /** A fetch that marks messages read was let out and has not ended. */
  readonly receivingAt: Date | null;
}

/**
 * Looks at credit and details where they are due; says when to look again where it knows better than the settings.
 * Throws as a gateway's read does.
 */
export type Judge = (
  work: AccountWork,
) => Promise<{ readonly creditMs?: number; readonly detailsMs?: number } | void>;

/** A message as it is stored: `key` and `contentSha256` tell it apart within the account (domain/inbound.ts). */
export interface NewInbound {
  readonly key: string;
  /**
   * What it would be told apart by on another page, where its id is good for more or for less: stored so, with the same
   * content and time, it is the same one.
   */
  readonly otherKey?: string;
  readonly contentSha256: Buffer;
  readonly messageId: string | null;
  readonly line: string;
  readonly sender: string;
  readonly text: string;
  readonly sentAt: Date | null;
  readonly folded: string;
}

/** What is left of a poll. Absent: as it was. */
export interface PollEnd {
  /** How long until each is due again; `inboxMs` null: never, it cannot be read. */
  readonly next: {
    readonly inboxMs?: number | null;
    readonly creditMs?: number;
    readonly detailsMs?: number;
  };
  /** Null: everything is to be looked at again. */
  readonly inboxTotal?: number | null;
  readonly newestFirst?: boolean | null;
  readonly auditedOn?: string;
  /** The whole inbox has been read. */
  readonly readWhole?: boolean;
  /** The inbox was read without an error. */
  readonly inboxOk?: boolean;
  /** Whether the gateway answered; absent: it was not asked. */
  readonly ok?: boolean;
}

/** Who polls what and when: every change is one statement, so that several processes may share the work. */
export interface AccountStore {
  /**
   * Takes accounts that are due and that nobody holds, for so long. Of one whose holder died in the middle of a poll the
   * total is not known any more.
   */
  claim(owner: string, most: number, leaseSeconds: number): Promise<readonly AccountWork[]>;
  /** Holds an account further; false: somebody else has it by now, or nobody. */
  renew(accountId: string, owner: string, leaseSeconds: number): Promise<boolean>;
  /** Writes down what is next and lets the account go; nothing where the owner holds it no longer. */
  end(accountId: string, owner: string, end: PollEnd): Promise<void>;
  /** Lets go all that an owner still holds, in the middle of its polls: another process takes it up. */
  release(owner: string): Promise<void>;
  /** Makes an account of each live binding that has none: those of an earlier version of Peyk. */
  adopt(): Promise<number>;
  /** Lets a fetch that marks messages read out, or says that it has ended. */
  receiving(accountId: string, under: boolean): Promise<void>;
  /** The account of a binding. */
  ofBinding(bindingId: string): Promise<string | null>;
  settings(accountId: string): Promise<AccountSettings | null>;
  change(accountId: string, change: Partial<AccountSettings>): Promise<void>;
  /**
   * Accounts whose inbox nobody has read although it was due `lateSeconds` ago, or which could not be read for
   * `refusedSeconds` although the gateway answers: any process but the one that polls may find them.
   */
  stalled(after: {
    readonly lateSeconds: number;
    readonly refusedSeconds: number;
  }): Promise<readonly StalledAccount[]>;
  /** Accounts whose alarm of kind `inbox` and this subject stands. */
  alarmed(subject: string): Promise<readonly { readonly accountId: string; readonly chatId: string }[]>;
}

export interface StalledAccount {
  readonly accountId: string;
  readonly chatId: string;
  readonly since: Date;
}

export interface AccountSettings {
  readonly marksRead: boolean;
  readonly optOutLines: readonly string[];
  readonly firstCreditRial: Rial | null;
  readonly status: string | null;
  readonly expiresAt: Date | null;
}

export interface InboundView {
  readonly id: number;
  readonly accountId: string;
  readonly chatId: string;
  readonly bindingId: string;
  readonly talkId: string;
  readonly line: string;
  readonly sender: string;
  readonly text: string;
  readonly sentAt: Date | null;
  readonly capturedAt: Date;
  /** What people call the sender. */
  readonly name: string | null;
  readonly talk: TalkView;
}

export interface TalkView {
  readonly id: string;
  readonly line: string;
  readonly number: string;
  readonly takenBy: Named | null;
  readonly takenAt: Date | null;
  readonly answeredBy: Named | null;
  readonly answeredAt: Date | null;
  readonly doneBy: Named | null;
  readonly doneAt: Date | null;
}

export interface Named {
  readonly id: number;
  readonly name: string;
}

/** What an account last sent to somebody from any line. */
export interface LastSent {
  readonly code: string;
  readonly at: Date;
  readonly kind: 'waiting' | 'sent' | 'delivered' | 'failed' | 'blocked' | 'unknown';
}

/** Received messages: each stored once, and told at least once. */
export interface InboundStore {
  /**
   * Stores what is not stored yet and, in the same transaction, what is to be told of it in the chat's sinks. Of one
   * key with another content both are kept. `quiet`: they are told as one, by their number (the first reading).
   */
  keep(
    accountId: string,
    messages: readonly NewInbound[],
    how: { readonly quiet: boolean },
  ): Promise<{ readonly stored: readonly number[]; readonly changed: number }>;
  /** How many are stored with a gateway time in the span, both ends included. */
  counted(accountId: string, span: { readonly from: Date; readonly to: Date }): Promise<number>;
  total(accountId: string): Promise<number>;
  of(inboundId: number): Promise<InboundView | null>;
  lastSent(inboundId: number): Promise<LastSent | null>;
  /** Newest first. Each word of the folded query must stand in the text or, of digits, in the number. */
  find(
    chatId: string,
    query: { readonly folded: string; readonly skip: number; readonly most: number },
  ): Promise<{ readonly found: readonly InboundView[]; readonly total: number }>;
}

/** What the team does about a correspondent. Each returns the state after it, null when there is no such talk. */
export interface TalkStore {
  /** Taken by whoever is first; by another one only with `anyway`. */
  take(talkId: string, personId: number, anyway: boolean): Promise<TalkView | null>;
  answered(talkId: string, personId: number): Promise<TalkView | null>;
  done(talkId: string, personId: number, done: boolean): Promise<TalkView | null>;
  /** What people call a number in the chat; its newest cards are shown anew. Null takes the name away. */
  name(chatId: string, number: string, name: string | null, personId: number): Promise<void>;
  /** Sent and received messages of a talk's cards that are to be shown anew. */
  cards(talkId: string): Promise<readonly number[]>;
}
