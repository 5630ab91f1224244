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
export type Evaluator = (
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
  /** Whoever has put it off; null: it is not put off, or not any more. */
  readonly snoozedBy: Named | null;
  readonly snoozedUntil: Date | null;
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

/** One message of those that the gateway took for somebody; null: which text or line is not kept any more. */
export interface SentTo extends LastSent {
  readonly line: string | null;
  readonly text: string | null;
}
