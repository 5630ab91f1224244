import type { AlarmKind, AlertKind } from '../domain/alerts.ts';

type Facts = Readonly<Record<string, unknown>>;

/** Who changes something, by which update. */
export interface Doer {
  readonly personId: number;
  readonly updateId: number;
}

/** Where alerts of a chat go. */
export interface SinkView {
  readonly id: string;
  readonly chatId: string;
  /** Where it is now: the chat's own id where the sink is the chat itself. */
  readonly telegramId: number;
  readonly isChatItself: boolean;
  /** The chat that stands for the place: buttons below what is said there are pressed in it. */
  readonly placeId: string;
  /** The chat whose alerts these are. */
  readonly homeTelegramId: number;
  readonly threadId: number | null;
  readonly title: string;
  readonly lang: 'en' | 'fa' | null;
  /** Of the chat; null: the deployment's. */
  readonly timeZone: string | null;
  readonly kinds: readonly AlertKind[];
  /** One topic for each correspondent. */
  readonly topics: boolean;
  /** Minutes after midnight; both null: never quiet. */
  readonly quietFrom: number | null;
  readonly quietTo: number | null;
  readonly digestAt: number | null;
  /** 0 Saturday … 6 Friday. */
  readonly digestDay: number | null;
  readonly offReason: string | null;
  readonly offAt: Date | null;
}

export interface SinkChange {
  readonly kinds?: readonly AlertKind[];
  readonly topics?: boolean;
  readonly quiet?: { readonly from: number; readonly to: number } | null;
  readonly digestAt?: number | null;
  readonly digestDay?: number | null;
  readonly lang?: 'en' | 'fa';
}

export interface SinkStore {
  /** Of one chat, the chat itself first. */
  of(chatId: string): Promise<readonly SinkView[]>;
  get(sinkId: string): Promise<SinkView | null>;
  /** The one that is there when this place is a sink of the chat already. `telegramId` null: the chat itself. */
  add(sink: {
    readonly chatId: string;
    readonly telegramId: number | null;
    readonly threadId: number | null;
    readonly title: string;
    readonly kinds: readonly AlertKind[];
    readonly personId: number;
    readonly updateId: number;
    readonly lang?: 'en' | 'fa';
    /** What the place is, where it is another one than the chat itself. */
    readonly type?: 'group' | 'supergroup' | 'channel';
  }): Promise<string>;
  change(chatId: string, sinkId: string, change: SinkChange, by: Doer): Promise<SinkView | null>;
  /** What still waited there is not told. */
  remove(chatId: string, sinkId: string, by: Doer): Promise<boolean>;
  /**
   * Nothing can be said there any more, until {@link on}; has the owners told elsewhere. Returns false where it was off
   * already.
   */
  off(sinkId: string, reason: string): Promise<boolean>;
  /** The bot is back in a place, or may post there again: what is still queued is told. */
  on(telegramId: number): Promise<readonly SinkView[]>;
}

/** What a chat has set for a kind. */
export interface AlertSetting {
  readonly kind: AlertKind;
  readonly threshold: number | null;
  readonly mutedUntil: Date | null;
  readonly mutedBy: string | null;
}

export interface AlarmView {
  readonly id: string;
  readonly chatId: string;
  readonly accountId: string | null;
  readonly kind: AlarmKind;
  readonly subject: string;
  readonly level: number;
  readonly facts: Facts;
  readonly since: Date;
  readonly endedAt: Date | null;
  readonly ackedBy: { readonly id: number; readonly name: string } | null;
  readonly ackedAt: Date | null;
  readonly remindAt: Date | null;
}

/** Something that stands or does not, as somebody has found it just now. */
export interface Finding {
  readonly chatId: string;
  readonly accountId: string | null;
  readonly kind: AlarmKind;
  /** Tells alarms of a kind apart; mostly ''. */
  readonly subject: string;
  /** 0: it does not stand. A higher level of what stands is told again. */
  readonly level: number;
  readonly facts: Facts;
}

/** Alarms are told once for each crossing, whoever finds it and how often: every change is one transaction. */
export interface AlarmStore {
  settings(chatId: string): Promise<readonly AlertSetting[]>;
  setThreshold(chatId: string, kind: AlertKind, threshold: number | null, by: Doer): Promise<void>;
  /** Until null: not muted any more. What stands is said again at the end of the mute. */
  mute(chatId: string, kind: AlertKind, until: Date | null, by: Doer): Promise<void>;
  /**
   * Begins an alarm, raises it, or ends it, and puts what is to be said of that into every sink where the kind is on
   * and not muted. `risen`, `ended`: this very finding did it.
   */
  find(finding: Finding): Promise<'risen' | 'ended' | 'same'>;
  get(alarmId: string): Promise<AlarmView | null>;
  open(chatId: string): Promise<readonly AlarmView[]>;
  /** Null when somebody has before, or when it is over. */
  ack(alarmId: string, by: Doer): Promise<AlarmView | null>;
  /** Says again what still stands, where its time for that has come: after a mute, or long after an ack. */
  remind(): Promise<number>;
  /** Has the digest of each sink made whose time has come today: once, whoever asks. */
  digests(): Promise<number>;
  /** Tells once that too many of an ended send were not delivered, where that is so. */
  judgeFailures(jobId: string): Promise<boolean>;
  /** Says something once that neither stands nor ends: that a send has ended, say. */
  tell(note: {
    readonly chatId: string;
    readonly kind: AlertKind;
    readonly draftId?: string;
    readonly facts: Facts;
  }): Promise<void>;
}

/** A send that waits for its time. */
export interface WaitingSend {
  readonly jobId: string;
  readonly code: string;
  readonly at: Date;
  /** Null: not known. */
  readonly rial: number | null;
}

/** What a chat did between two instants. */
export interface DigestFacts {
  readonly sent: number;
  readonly delivered: number;
  readonly failed: number;
  readonly unknown: number;
  readonly received: number;
  /** Null: not known. */
  readonly creditRial: number | null;
  /** Messages in doubt about which a person is asked. */
  readonly questions: number;
  readonly scheduled: number;
}

/** What alerts are made from. */
export interface AlertReads {
  /** Scheduled sends of a binding, the next one first. */
  waiting(bindingId: string): Promise<readonly WaitingSend[]>;
  /** Those of these jobs that still wait for their time. */
  stillWaiting(jobIds: readonly string[]): Promise<ReadonlySet<string>>;
  digest(chatId: string, span: { readonly from: Date; readonly to: Date }): Promise<DigestFacts>;
  accountName(accountId: string): Promise<string>;
  /** The name of the account that is linked to a chat now; '' where none is. */
  accountOf(chatId: string): Promise<string>;
}

/** One thing that is to be said in a sink. */
export interface Notice {
  readonly id: number;
  readonly sinkId: string;
  readonly kind: AlertKind;
  readonly inboundId: number | null;
  readonly alarmId: string | null;
  readonly draftId: string | null;
  readonly facts: Facts;
  readonly createdAt: Date;
  readonly tries: number;
  /** Set once it has been said. */
  readonly messageId: number | null;
  readonly threadId: number | null;
}

/** What is to be said next in a sink. `fold`: too many to be said one by one; `ms` null: nothing waits. */
export type NoticeTurn =
  | { readonly kind: 'say'; readonly notice: Notice }
  | { readonly kind: 'fold'; readonly notices: readonly Notice[] }
  | { readonly kind: 'wait'; readonly ms: number | null };

/** What messages in sinks show. */
export type ShownNotices = { readonly alarmId: string } | { readonly inboundIds: readonly number[] };

/** A received message as a notice of it quotes it. */
export interface InboundBrief {
  readonly id: number;
  readonly line: string;
  readonly sender: string;
  readonly name: string | null;
  readonly text: string;
  /** By the gateway's clock, else when it was captured. */
  readonly at: Date;
}

/** What is said in sinks: at least once, and by one process at a time in each. */
export interface NoticeStore {
  /** Marks what is next as being said, for a minute. One lane for each sink: nothing while something is being said there. */
  next(sinkId: string): Promise<NoticeTurn>;
  /** It is still being said: for another minute nobody else takes it. */
  hold(noticeIds: readonly number[]): Promise<void>;
  said(
    noticeIds: readonly number[],
    at: { readonly messageId: number | null; readonly threadId: number | null; readonly folded: boolean },
  ): Promise<void>;
  /** It is said again later; `doubtful`: Telegram may have it already. */
  notSaid(
    noticeIds: readonly number[],
    again: { readonly afterMs: number; readonly doubtful: boolean },
  ): Promise<void>;
  /** There is nothing to say of it any more. */
  drop(noticeIds: readonly number[]): Promise<void>;
  /** Looks into a sink again after so long. */
  wake(sinkId: string, afterMs: number): Promise<void>;
  /** Has every sink looked into where something is due: what a lost task would have said. */
  wakeAll(): Promise<number>;
  /** The messages that show an alarm or a received message, wherever they are. */
  shown(of: ShownNotices): Promise<readonly Notice[]>;
  /** Has those messages brought up to what holds now. */
  refresh(of: ShownNotices): Promise<void>;
  /** What a message in a place shows: for replies to it. */
  byMessage(telegramId: number, messageId: number): Promise<Notice | null>;
  /** Received messages, in the order of their ids. */
  inbound(inboundIds: readonly number[]): Promise<readonly InboundBrief[]>;
  /** The received messages that a digest counts. */
  foldedIn(sinkId: string, messageId: number): Promise<readonly InboundBrief[]>;
}
