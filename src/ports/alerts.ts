import type { AlertKind } from '../domain/alerts.ts';

type Facts = Readonly<Record<string, unknown>>;

/** Where alerts of a chat go. */
export interface SinkView {
  readonly id: string;
  readonly chatId: string;
  /** Where it is now: the chat's own id where the sink is the chat itself. */
  readonly telegramId: number;
  readonly isChatItself: boolean;
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
  }): Promise<string>;
  change(chatId: string, sinkId: string, change: SinkChange): Promise<SinkView | null>;
  remove(chatId: string, sinkId: string): Promise<boolean>;
  /** Nothing can be said there any more, until {@link on}. Returns false where it was off already. */
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
  readonly kind: AlertKind;
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
  readonly kind: AlertKind;
  /** Tells alarms of a kind apart; mostly ''. */
  readonly subject: string;
  /** 0: it does not stand. A higher level of what stands is told again. */
  readonly level: number;
  readonly facts: Facts;
}

/** Alarms are told once for each crossing, whoever finds it and how often: every change is one transaction. */
export interface AlarmStore {
  settings(chatId: string): Promise<readonly AlertSetting[]>;
  setThreshold(chatId: string, kind: AlertKind, threshold: number | null): Promise<void>;
  /** Until null: not muted any more. */
  mute(chatId: string, kind: AlertKind, until: Date | null, personId: number): Promise<void>;
  /**
   * Begins an alarm, raises it, or ends it, and puts what is to be said of that into every sink where the kind is on
   * and not muted. `risen`, `ended`: this very finding did it.
   */
  find(finding: Finding): Promise<'risen' | 'ended' | 'same'>;
  get(alarmId: string): Promise<AlarmView | null>;
  open(chatId: string): Promise<readonly AlarmView[]>;
  /** Null when somebody has before, or when it is over. */
  ack(alarmId: string, personId: number): Promise<AlarmView | null>;
  /** Says something once that neither stands nor ends: that a send has ended, say. */
  tell(note: {
    readonly chatId: string;
    readonly kind: AlertKind;
    readonly draftId?: string;
    readonly facts: Facts;
  }): Promise<void>;
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

export interface NoticeStore {
  /** What is due in a sink, oldest first, marked as being said. `folded` of them are too many for a minute. */
  take(sinkId: string, most: number): Promise<readonly Notice[]>;
  /** How many of a kind were said in a sink within the last minute. */
  saidLately(sinkId: string, kind: AlertKind): Promise<number>;
  said(
    noticeIds: readonly number[],
    at: { readonly messageId: number | null; readonly threadId: number | null; readonly folded: boolean },
  ): Promise<void>;
  /** It is said again later; `doubtful`: Telegram may have it already. */
  notSaid(
    noticeIds: readonly number[],
    again: { readonly afterMs: number; readonly doubtful: boolean },
  ): Promise<void>;
  /** The messages that show an alarm or a received message, wherever they are. */
  shown(
    of: { readonly alarmId: string } | { readonly inboundIds: readonly number[] },
  ): Promise<readonly Notice[]>;
  /** What a message in a place shows: for replies to it. */
  byMessage(telegramId: number, messageId: number): Promise<Notice | null>;
  /** When the next notice of a sink is due; null: nothing waits. */
  dueInMs(sinkId: string): Promise<number | null>;
}
