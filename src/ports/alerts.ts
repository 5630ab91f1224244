import type { AlarmKind, AlertKind } from '../domain/alerts.ts';

type Facts = Readonly<Record<string, unknown>>;

/** Where alerts of a chat go. */
export interface DestinationView {
  readonly id: string;
  readonly chatId: string;
  /** Where it is now: the chat's own id where the destination is the chat itself. */
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
  /** Of the chat: whether phone numbers are shown whole; null: nobody has said. */
  readonly showsNumbers: boolean | null;
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

export interface DestinationChange {
  readonly kinds?: readonly AlertKind[];
  readonly topics?: boolean;
  readonly quiet?: { readonly from: number; readonly to: number } | null;
  readonly digestAt?: number | null;
  readonly digestDay?: number | null;
  readonly lang?: 'en' | 'fa';
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
export interface Condition {
  readonly chatId: string;
  readonly accountId: string | null;
  readonly kind: AlarmKind;
  /** Tells alarms of a kind apart; mostly ''. */
  readonly subject: string;
  /** 0: it does not stand. A higher level of what stands is told again. */
  readonly level: number;
  readonly facts: Facts;
}

/** A send that waits for its time. */
export interface WaitingSend {
  readonly jobId: string;
  readonly code: string;
  readonly at: Date;
  /** Null: not known. */
  readonly rial: number | null;
  /** Of another chat with the same account: it takes of the one credit, and is not named here. */
  readonly isElsewhere?: boolean;
}

/** What a chat did between two instants. */
export interface DigestFacts {
  readonly sent: number;
  readonly delivered: number;
  readonly failed: number;
  readonly blocked: number;
  readonly unknown: number;
  /** On the wire as the digest is written: sent or not, the gateway has yet to say. */
  readonly onWire: number;
  readonly received: number;
  /** Null: not known. */
  readonly creditRial: number | null;
  /** Messages in doubt about which a person is asked. */
  readonly questions: number;
  readonly scheduled: number;
}

/** How a chat has answered what it received between two instants. Only answers that are known to have left count. */
export interface DeskFacts {
  /** Of the messages that were received then, those with an answer after them. */
  readonly answered: number;
  /** Seconds by the clock, nights included, from the first message that waited to its answer; null: there was none. */
  readonly medianSeconds: number | null;
  readonly p90Seconds: number | null;
  /** Who gave how many answers, the most first. */
  readonly by: readonly { readonly name: string; readonly count: number }[];
}

/** One thing that is to be said in a destination. */
export interface Notification {
  readonly id: number;
  readonly destinationId: string;
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

/** What is to be said next in a destination. `fold`: too many to be said one by one; `ms` null: nothing waits. */
export type NextNotification =
  | { readonly kind: 'say'; readonly notification: Notification }
  | { readonly kind: 'fold'; readonly notifications: readonly Notification[] }
  | { readonly kind: 'wait'; readonly ms: number | null };

/** What messages in destinations show. */
export type ShownNotifications = { readonly alarmId: string } | { readonly inboundIds: readonly number[] };

/** A received message as a notification of it quotes it. */
export interface InboundBrief {
  readonly id: number;
  readonly line: string;
  readonly sender: string;
  readonly name: string | null;
  readonly text: string;
  /** By the gateway's clock, else when it was captured. */
  readonly at: Date;
}
