import type { AlertKind } from '../../domain/alerts.ts';
import type { Locale } from '../../i18n/define.ts';
import { createFormat, seesNumbers, type Format } from '../../i18n/format.ts';
import type { Notification, DestinationView } from '../../ports/alerts.ts';
import type { Buttons } from '../buttons.ts';
import type { Html } from '../html.ts';

/** How the destination's readers read. */
export interface NotificationLook {
  readonly locale: Locale;
  readonly format: Format;
}

export interface NotificationContent {
  readonly content: Html;
  /** Whoever presses acts with the role that they have in the chat whose destination it is, wherever it is pressed. */
  readonly buttons?: Buttons | undefined;
  /** The topic; absent: the destination's own. */
  readonly threadId?: number | undefined;
  /** The message that it answers, where it is still there. */
  readonly replyTo?: number | undefined;
  /** It comes without a sound. */
  readonly silent?: boolean;
}

/** What a notification of a kind looks like. It is rendered when it is said, and again when it is brought up to date. */
export interface NotificationCard {
  /** Null: there is nothing to say of it any more. */
  render(
    notification: Notification,
    destination: DestinationView,
    look: NotificationLook,
  ): Promise<NotificationContent | null>;
  /** Telegram has the topic no longer that `render` named; it is rendered once more after this. */
  topicGone?(notification: Notification, destination: DestinationView, threadId: number): Promise<void>;
}

/** One message that stands for many. */
export interface DigestCard {
  render(
    notifications: readonly Notification[],
    destination: DestinationView,
    look: NotificationLook,
  ): Promise<NotificationContent>;
}

/** The cards of all kinds; features fill it where the application is put together. */
export interface NotificationCards {
  readonly of: Readonly<Record<AlertKind, NotificationCard>>;
  readonly digest: DigestCard;
}

export function lookOf(
  destination: DestinationView,
  defaults: { readonly lang: Locale; readonly timeZone: string },
): NotificationLook {
  const locale = destination.lang ?? defaults.lang;
  // A private chat's id is the person's own, above zero; everywhere else others may look on.
  const showsNumbers = seesNumbers(destination.showsNumbers, destination.telegramId > 0);
  return { locale, format: createFormat(locale, destination.timeZone ?? defaults.timeZone, showsNumbers) };
}
