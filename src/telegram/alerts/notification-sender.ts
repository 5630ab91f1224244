import type { Api } from 'grammy';
import { defineTexts, type Locale } from '../../i18n/define.ts';
import { isolateAuto } from '../../i18n/format.ts';
import type { DestinationView, Notification, ShownNotifications } from '../../ports/alerts.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Clock, Log } from '../../ports/runtime.ts';
import type { Stores } from '../../storage/stores.ts';
import { keyboard } from '../buttons.ts';
import { html, type Html } from '../html.ts';
import { telegramFailure, type TelegramFailure } from '../outgoing/errors.ts';
import type { CardEditor } from '../outgoing/outgoing-editor.ts';
import { lookOf, type NotificationCards, type NotificationContent } from './notification-card.ts';

export interface NotificationDeps extends Pick<Stores, 'destinations' | 'notifications' | 'buttons'> {
  readonly api: Api;
  readonly editor: CardEditor;
  readonly cards: NotificationCards;
  readonly bindings: Pick<Stores['bindings'], 'owners'>;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'possibleDuplicate'>;
  readonly log: Log;
  readonly defaults: { readonly lang: Locale; readonly timeZone: string };
}

/** While Telegram lets us wait, what is being said stays ours. */
const HOLD_MS = 20_000;
const AGAIN_MS = [1000, 5000, 20_000, 60_000, 300_000] as const;
const MAX_REFUSED = 5;
/** The place itself takes nothing any more, whatever it is that is said. */
const DEAD: ReadonlySet<string> = new Set(['blocked', 'kicked', 'chat_gone', 'no_rights', 'thread_gone']);

/** Says notifications in their places, brings them up to date, and tells the owners where a place is out of reach. */
export function createNotificationSender({
  api,
  editor,
  destinations,
  notifications,
  cards,
  buttons,
  bindings,
  clock,
  metrics,
  log,
  defaults,
}: NotificationDeps) {
  return { say, rewrite, tellOff };

  async function say(destination: DestinationView, all: readonly Notification[]): Promise<void> {
    const ids = all.map(({ id }) => id);
    const [first] = all;
    if (first === undefined) return;
    const render = async (): Promise<NotificationContent | null> =>
      all.length === 1
        ? await cards.of[first.kind].render(first, destination, lookOf(destination, defaults))
        : await cards.digest.render(all, destination, lookOf(destination, defaults));
    const rendered = await render();
    if (rendered === null) {
      await notifications.drop(ids);
      return;
    }
    let content = rendered;
    let messageId: number | null = null;
    for (let lostTopic = false; messageId === null;) {
      try {
        const now = content;
        messageId = await whileHeld(ids, () => send(destination, now));
      } catch (error) {
        const failure = telegramFailure(error);
        const topic = content.threadId;
        if (
          failure.kind === 'thread_gone' &&
          topic !== undefined &&
          topic !== destination.threadId &&
          !lostTopic
        ) {
          lostTopic = true;
          await cards.of[first.kind].topicGone?.(first, destination, topic);
          content = (await render()) ?? content;
          if (content.threadId === topic) content = { ...content, threadId: undefined };
          continue;
        }
        await notSaid(destination, all, failure, error);
        return;
      }
    }
    // Where this cannot be written down it stays as being said, and is counted when it is said again.
    const threadId = content.threadId ?? destination.threadId;
    await notifications.said(ids, { messageId, threadId, folded: all.length > 1 });
    if (destination.offAt !== null) await destinations.on(destination.telegramId);
  }

  async function notSaid(
    destination: DestinationView,
    all: readonly Notification[],
    failure: TelegramFailure,
    error: unknown,
  ): Promise<void> {
    const ids = all.map(({ id }) => id);
    const tries = Math.max(...all.map((notification) => notification.tries));
    const afterMs = AGAIN_MS[Math.min(tries, AGAIN_MS.length) - 1] ?? 1000;
    log.warn({ kind: failure.kind, destination: destination.id, tries }, 'a notification was not said');
    if (DEAD.has(failure.kind)) {
      await notifications.notSaid(ids, { afterMs: 0, doubtful: false });
      await destinations.off(destination.id, failure.kind);
      return;
    }
    if (failure.kind === 'lost_answer') {
      log.warn(
        { destination: destination.id, notifications: ids.length },
        'a notification may be said twice',
      );
      metrics.possibleDuplicate();
      await notifications.notSaid(ids, { afterMs, doubtful: true });
      return;
    }
    // What Telegram refuses for its content would be refused for ever, and would keep all others from being said.
    if (failure.kind === 'refused' && tries >= MAX_REFUSED) {
      log.error(
        { destination: destination.id, notifications: ids.length, description: failure.description },
        'a notification is given up',
      );
      await notifications.drop(ids);
      return;
    }
    await notifications.notSaid(ids, { afterMs, doubtful: false });
    if (failure.kind === 'unknown') throw error;
  }

  async function send(
    destination: DestinationView,
    { content, buttons: rows, threadId, replyTo, silent }: NotificationContent,
  ) {
    const markup = rows === undefined ? undefined : await keyboardIn(destination, rows);
    const thread = threadId ?? destination.threadId ?? undefined;
    const sent = await api.sendMessage(destination.telegramId, content.markup, {
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
      ...(thread === undefined ? {} : { message_thread_id: thread }),
      ...(replyTo === undefined
        ? {}
        : { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } }),
      ...(silent === true ? { disable_notification: true } : {}),
      ...(markup === undefined ? {} : { reply_markup: markup }),
    });
    return sent.message_id;
  }

  async function keyboardIn(destination: DestinationView, rows: NonNullable<NotificationContent['buttons']>) {
    const { locale } = lookOf(destination, defaults);
    return await keyboard(buttons, destination.placeId, locale, rows, destination.chatId);
  }

  async function rewrite(of: ShownNotifications): Promise<void> {
    for (const notification of await notifications.shown(of)) {
      const destination = await destinations.get(notification.destinationId);
      if (destination === null || notification.messageId === null) continue;
      const content = await cards.of[notification.kind].render(
        notification,
        destination,
        lookOf(destination, defaults),
      );
      if (content === null) continue;
      const markup =
        content.buttons === undefined ? undefined : await keyboardIn(destination, content.buttons);
      try {
        await editor.edit({
          chatId: destination.telegramId,
          messageId: notification.messageId,
          text: content.content,
          minGapMs: 0,
          ...(markup === undefined ? {} : { replyMarkup: markup }),
        });
      } catch (error) {
        const { kind } = telegramFailure(error);
        if (!DEAD.has(kind) && kind !== 'refused') throw error;
        log.info({ kind, destination: destination.id }, 'a notification could not be brought up to date');
      }
    }
  }

  /** In the chat itself; where that is the one out of reach, to its owners. */
  async function tellOff(destination: DestinationView, reason: string): Promise<void> {
    const { locale } = lookOf(destination, defaults);
    const said = notificationTexts(locale).destinationOff(destination.title, reason);
    const tell = async (place: number): Promise<boolean> => {
      try {
        await api.sendMessage(place, said.markup, { parse_mode: 'HTML' });
        return true;
      } catch (error) {
        const { kind } = telegramFailure(error);
        if (!DEAD.has(kind) && kind !== 'lost_answer') throw error;
        return false;
      }
    };
    const homeIsThere = !destination.isChatItself || reason === 'thread_gone';
    if (homeIsThere && (await tell(destination.homeTelegramId))) return;
    let reached = 0;
    for (const owner of await bindings.owners(destination.chatId)) if (await tell(owner)) reached += 1;
    if (reached === 0)
      log.warn(
        { destination: destination.id },
        'nobody could be told that a place for alerts is out of reach',
      );
  }

  /** Telegram may let us wait for minutes; until the end nobody else shall say it as well. */
  async function whileHeld<T>(ids: readonly number[], work: () => Promise<T>): Promise<T> {
    const done = new AbortController();
    const holding = (async () => {
      for (;;) {
        await clock.sleep(HOLD_MS, done.signal);
        await notifications.hold(ids);
      }
    })().catch(() => undefined);
    try {
      return await work();
    } finally {
      done.abort();
      await holding;
    }
  }
}

/** Why a place for alerts is out of reach; what is not among them is told as the last one. */
type Reason = 'blocked' | 'kicked' | 'chat_gone' | 'no_rights' | 'thread_gone';

const WHY: Readonly<Record<'en' | 'fa', Readonly<Record<Reason, string>>>> = {
  en: {
    blocked: 'I am blocked there',
    kicked: 'I am no longer a member there',
    chat_gone: 'it no longer exists',
    no_rights: 'I may not write there',
    thread_gone: 'the topic is closed or deleted',
  },
  fa: {
    blocked: 'آنجا مسدود شده‌ام',
    kicked: 'دیگر آنجا عضو نیستم',
    chat_gone: 'دیگر وجود ندارد',
    no_rights: 'اجازهٔ نوشتن در آنجا را ندارم',
    thread_gone: 'موضوعش بسته یا پاک شده است',
  },
};

/** What the kit says about places for alerts. */
export const notificationTexts = defineTexts({
  en: {
    destinationOff: (place: string, reason: string): Html =>
      html`⚠ Alerts do not reach ${isolateAuto(place)} any more: ${whyOf('en', reason)}. What comes for it waits until I can write there again. Other places are as before: /alerts`,
  },
  fa: {
    destinationOff: (place, reason) =>
      html`⚠ هشدارها دیگر به ${isolateAuto(place)} نمی‌رسد: ${whyOf('fa', reason)}. هشدارهای آنجا نگه داشته می‌شود تا دوباره بتوانم بنویسم. جاهای دیگر مثل قبل است: /alerts`,
  },
});

function whyOf(locale: 'en' | 'fa', reason: string): string {
  return WHY[locale][isReason(reason) ? reason : 'no_rights'];
}

function isReason(reason: string): reason is Reason {
  return Object.hasOwn(WHY.en, reason);
}
